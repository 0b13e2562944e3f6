//! Hostile programs in the sandbox: each must be contained, and nothing of it may be left.
//!
//! What they try is in `hostile/hostile.py`; here is what must come of it.

#![cfg(target_os = "linux")]

#[path = "hostile/processes.rs"]
mod processes;

use arena::process::{Child, ChildError, Launch};
use arena::sandbox::{Sandbox, SandboxPolicy};
use game::StopFlag;
use processes::{namespaces_below, processes_in};
use std::collections::HashSet;
use std::fs::File;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::time::{Duration, Instant};

/// How an attack must end.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    /// It reports that it was refused.
    Held,
    /// It is still there when the game is over, and goes then.
    StaysUntilKilled,
    /// The sandbox ends it.
    Ended,
    /// The referee sees a flood.
    Flood,
    /// Whatever it does, it may not succeed.
    Harmless,
}

const ATTACKS: &[(&str, End)] = &[
    // First: the attacks on memory files and namespaces then show that later sandboxes still filter.
    ("overwrite_descriptors", End::Held),
    ("fork_bomb", End::Held),
    ("shell_fork_bomb", End::Harmless),
    ("thread_bomb", End::Held),
    ("memory_hog", End::Held),
    ("memory_hog_in_children", End::Ended),
    ("shared_memory_hog", End::Ended),
    ("memory_file", End::Held),
    ("system_v_memory", End::Held),
    ("fill_tmp", End::Held),
    ("fill_shared_memory", End::Held),
    ("many_files", End::Ended),
    ("huge_file", End::Held),
    ("write_anywhere", End::Held),
    ("change_program", End::Held),
    ("call_internet", End::Held),
    ("call_by_datagram", End::Held),
    ("call_host", End::Held),
    ("call_abstract_socket", End::Held),
    ("raw_socket", End::Held),
    ("read_others", End::Held),
    ("read_passwords", End::Held),
    ("read_through_proc", End::Held),
    ("read_through_symlink", End::Held),
    ("read_through_own_symlink", End::Held),
    ("read_keys", End::Held),
    ("link_others", End::Held),
    ("open_by_handle", End::Held),
    ("trace_others", End::Held),
    ("kernel_keys", End::Held),
    ("io_uring", End::Held),
    ("mount_over", End::Held),
    ("see_processes", End::Held),
    ("see_secrets", End::Held),
    ("kill_everybody", End::Ended),
    ("ignore_signals", End::StaysUntilKilled),
    ("flood", End::Flood),
    ("flood_without_lines", End::Flood),
    ("flood_errors", End::StaysUntilKilled),
    ("daemon", End::Ended),
    ("close_pipes", End::Harmless),
    ("burn", End::Ended),
    ("open_files", End::Held),
    ("raise_limits", End::Held),
    ("new_namespaces", End::Held),
    ("become_root", End::Held),
    ("devices", End::Held),
    ("kernel_settings", End::Held),
    ("realtime", End::Held),
    ("set_clock", End::Held),
];

#[test]
fn hostile_programs_are_contained_and_leave_nothing() {
    // bwrap reads its filter from descriptor 3 and closes it: the referee's own one must be another.
    let _low: Vec<File> = (0..4).map(|_| File::open("/dev/null").unwrap()).collect();
    let policy = SandboxPolicy { memory_mb: 200, cpu_seconds: 2, ..SandboxPolicy::default() };
    let sandbox = Sandbox::new(policy).expect("bubblewrap must be installed for this test");
    let home = tempfile::tempdir().unwrap();
    let secret = home.path().join("other-student.txt");
    std::fs::write(&secret, "the key of another student").unwrap();
    for name in ["students.json", "teacher.json", "creator.json"] {
        std::fs::write(home.path().join(name), "the hash of a key").unwrap();
    }
    let folder = home.path().join("program");
    std::fs::create_dir(&folder).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/hostile.py");
    std::fs::copy(script, folder.join("hostile.py")).unwrap();
    std::os::unix::fs::symlink(&secret, folder.join("link")).unwrap();
    let host = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let abstract_name = format!("tengen-hostile-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
    let _listener = UnixListener::bind_addr(&address).unwrap();
    let before = listing(home.path());
    for (name, end) in ATTACKS {
        let argument = match *name {
            "call_host" => host.local_addr().unwrap().port().to_string(),
            "call_abstract_socket" => abstract_name.clone(),
            "kill_everybody" => std::process::id().to_string(),
            _ => secret.to_string_lossy().into_owned(),
        };
        attack(&sandbox, &folder, name, &argument, *end);
        assert_eq!(listing(home.path()), before, "{name} wrote to the disk");
    }
}

fn attack(sandbox: &Sandbox, folder: &Path, name: &str, argument: &str, end: End) {
    let launch = Launch {
        program: "python3".into(),
        args: ["hostile.py", name, argument].map(str::to_string).into(),
        ..Launch::default()
    };
    let mut launch = sandbox.wrap(&launch, Some(folder), None);
    // The environment of the referee must not reach the program.
    launch.env.insert("TENGEN_SECRET".into(), "s".into());
    let mut child = Child::spawn(&launch).unwrap();
    let patience = match end {
        End::StaysUntilKilled | End::Harmless => Duration::from_secs(3),
        _ => Duration::from_secs(30),
    };
    let (deadline, stop) = (Instant::now() + patience, StopFlag::new());
    let mut heard = Vec::new();
    let mut namespaces = HashSet::new();
    let error = loop {
        match child.read_line(Instant::now() + Duration::from_millis(50), &stop) {
            Ok(line) if heard.len() < 10_000 => heard.push(line),
            Ok(_) => {}
            Err(ChildError::Deadline) if Instant::now() < deadline => {
                namespaces.extend(namespaces_below(child.id()));
                if end == End::Held && heard.iter().any(|line| line.starts_with("held")) {
                    break ChildError::Deadline;
                }
            }
            Err(error) => break error,
        }
    };
    let evidence = child.evidence();
    let story = format!("{name}: {error:?}, said {:?}\n{evidence}", &heard[..heard.len().min(5)]);
    assert!(evidence.len() < 10_000, "{story}");
    assert!(!heard.iter().any(|line| line.contains("ESCAPED")), "{story}");
    match end {
        End::Held => assert!(heard.iter().any(|line| line.starts_with("held")), "{story}"),
        End::StaysUntilKilled => assert_eq!(error, ChildError::Deadline, "{story}"),
        End::Ended => assert!(matches!(error, ChildError::Exited(_)), "{story}"),
        End::Flood => assert_eq!(error, ChildError::Flood, "{story}"),
        End::Harmless => {}
    }
    drop(child);
    let gone = Instant::now() + Duration::from_secs(5);
    loop {
        let left = processes_in(&namespaces);
        if left.is_empty() {
            break;
        }
        assert!(Instant::now() < gone, "{name} left processes: {left:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn listing(folder: &Path) -> Vec<(String, u64)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let meta = entry.metadata().unwrap();
        files.push((entry.path().to_string_lossy().into_owned(), meta.len()));
        if meta.is_dir() {
            files.extend(listing(&entry.path()));
        }
    }
    files.sort();
    files
}
