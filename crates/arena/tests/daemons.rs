//! A daemon (double fork, new session, empty environment) does not survive the engine that started it.
//!
//! The only test of this file: adopting orphans is a setting of the whole process.

use arena::process::{Child, Launch, adopt_orphans};
use game::StopFlag;
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
#[cfg(target_os = "linux")]
fn daemons_end_with_the_last_engine_that_can_have_started_them() {
    let script = "(setsid env -i sh -c 'echo $$; exec sleep 987' &) ; read l";
    let launch = Launch { program: "sh".into(), args: vec!["-c".into(), script.into()], ..Launch::default() };
    let stop = StopFlag::new();
    let start = || {
        let mut child = Child::spawn(&launch).expect("a shell");
        let later = Instant::now() + Duration::from_secs(20);
        let pid = child.read_line(later, &stop).expect("the daemon tells its number");
        (child, format!("/proc/{}", pid.trim()))
    };
    adopt_orphans().expect("Linux can do this");
    let (first, first_daemon) = start();
    // Start times have a resolution of 10 ms.
    std::thread::sleep(Duration::from_millis(50));
    let (second, second_daemon) = start();
    assert!(Path::new(&first_daemon).exists() && Path::new(&second_daemon).exists());
    drop(second);
    assert!(Path::new(&first_daemon).exists(), "it may belong to the first engine, which lives");
    drop(first);
    for daemon in [first_daemon, second_daemon] {
        assert!(!Path::new(&daemon).exists(), "{daemon} is left over");
    }
}
