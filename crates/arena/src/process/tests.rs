//! Children as shell scripts: lines, faults, process trees and limits.

use super::*;

fn script(text: &str) -> Launch {
    Launch { program: "sh".into(), args: vec!["-c".into(), text.into()], ..Launch::default() }
}

fn shell(text: &str) -> Child {
    Child::spawn(&script(text)).unwrap()
}

/// Time enough for a shell on a machine that is busy with other things.
fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

/// Where the deadline is meant to pass.
fn at_once() -> Instant {
    Instant::now() + Duration::from_millis(500)
}

#[test]
fn lines_go_both_ways() {
    let mut child = shell("while read l; do echo \"<$l>\"; done");
    let stop = StopFlag::new();
    for word in ["a", "b b", "ü"] {
        child.request(word, soon(), &stop).unwrap();
        assert_eq!(child.read_line(soon(), &stop).unwrap(), format!("<{word}>"));
    }
    assert!(child.quit("bye", Duration::from_secs(2)));
}

#[test]
fn each_way_to_fail_has_its_name() {
    let stop = StopFlag::new();
    assert_eq!(shell("sleep 50").read_line(at_once(), &stop), Err(ChildError::Deadline));
    assert!(
        matches!(shell("exit 3").read_line(soon(), &stop), Err(ChildError::Exited(how)) if how.contains('3'))
    );
    assert_eq!(shell("exec >&-; exec sleep 50").read_line(soon(), &stop), Err(ChildError::Closed));
    let mut flood = shell("yes");
    let mut last = Ok(String::new());
    for _ in 0..1_000_000 {
        last = flood.read_line(soon(), &stop);
        if last.is_err() {
            break;
        }
    }
    assert_eq!(last, Err(ChildError::Flood));
    stop.stop();
    assert_eq!(shell("sleep 50").read_line(soon(), &stop), Err(ChildError::Stopped));
}

#[test]
fn children_of_children_die_too() {
    let mut child = shell("setsid sleep 77 & (sleep 77 &) ; echo ready; exec sleep 77");
    let needle = format!("{}={}\0", tree::MARKER, child.marker);
    assert_eq!(child.read_line(soon(), &StopFlag::new()).unwrap(), "ready");
    // A process that is being started shows no environment for a moment.
    let until = |wanted: &dyn Fn(usize) -> bool| {
        (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            wanted(platform::processes_marked(needle.as_bytes()).len())
        })
    };
    assert!(until(&|left| left >= 3));
    drop(child);
    assert!(until(&|left| left == 0));
}

#[test]
fn memory_is_limited() {
    let greedy = script("read go; x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}");
    let mut child = Child::spawn(&Launch { memory_mb: Some(64), ..greedy }).unwrap();
    let (stop, later) = (StopFlag::new(), soon());
    child.request("go", later, &stop).unwrap();
    assert!(child.read_line(later, &stop).is_err());
}

#[test]
fn the_memory_limit_is_set_before_the_program_runs() {
    let launch = Launch { memory_mb: Some(64), ..script("ulimit -v; read l; echo \"<$l>\"") };
    let mut child = Child::spawn(&launch).unwrap();
    let (stop, later) = (StopFlag::new(), soon());
    assert_eq!(child.read_line(later, &stop).unwrap(), "65536");
    child.request("hello", later, &stop).unwrap();
    assert_eq!(child.read_line(later, &stop).unwrap(), "<hello>", "the gate took no line of the program");
    let missing = Launch { program: "/no/such/program".into(), ..launch };
    assert_eq!(Child::spawn(&missing).map(|_| ()).unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn evidence_holds_the_last_lines_of_both_sides_and_stderr() {
    let mut child = shell("read l; echo one; echo two; echo oops >&2; printf half; exit 3");
    let stop = StopFlag::new();
    child.send("TURN 7,7", soon(), &stop).unwrap();
    while child.read_line(soon(), &stop).is_ok() {}
    let evidence = child.evidence();
    for line in
        ["to engine:   TURN 7,7", "from engine: one", "from engine: half (no line end)", "stderr:", "  oops"]
    {
        assert!(evidence.contains(line), "{line} in {evidence}");
    }
}

#[test]
fn evidence_is_bounded() {
    let mut child = shell("head -c 300000 /dev/zero | tr '\\0' e >&2; yes 0123456789 | head -2000; exit 1");
    let stop = StopFlag::new();
    while child.read_line(soon(), &stop).is_ok() {}
    assert!(child.evidence().len() < 4000);
}

#[test]
fn a_trace_holds_both_directions_with_times() {
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch {
        program: "sh".into(),
        args: vec!["-c".into(), "while read l; do echo \"<$l>\"; done".into()],
        trace: Some(folder.path().join("deep")),
        ..Launch::default()
    };
    let mut child = Child::spawn(&launch).unwrap();
    let stop = StopFlag::new();
    let later = Instant::now() + Duration::from_secs(10);
    child.request("hello", later, &stop).unwrap();
    child.read_line(later, &stop).unwrap();
    drop(child);
    let file = std::fs::read_dir(folder.path().join("deep")).unwrap().next().unwrap().unwrap();
    let text = std::fs::read_to_string(file.path()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("# sh -c "), "{text}");
    assert!(lines[2].ends_with(" > hello") && lines[3].ends_with(" < <hello>"), "{text}");
    let time = |line: &str| line.split_whitespace().next().unwrap().parse::<f64>().unwrap();
    assert!(time(lines[2]) <= time(lines[3]));
}
