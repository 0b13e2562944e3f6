//! A child process that talks in lines: the only place that touches pipes and signals.
//!
//! Everything is driven by `poll` from the thread that asks, so a child costs no thread, and every read and
//! write has a deadline. A child lives in its own process group and carries a marker in its environment;
//! when it is closed the group, its descendants and whoever still carries the marker are killed, so that
//! nothing a child forked outlives it.

use game::StopFlag;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, kill_process_group, prlimit};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bytes a child may print between a request and its answer.
pub const MAX_ANSWER: usize = 1 << 20;
/// Bytes kept of a child's stderr.
const MAX_LOG: usize = 1 << 20;
/// Environment variable by which descendants are recognised.
const MARKER: &str = "TENGEN_ARENA_CHILD";
/// Environment variable that names the run a child belongs to.
pub const RUN_MARKER: &str = "TENGEN_ARENA_RUN";

/// How to start a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program, looked up in `PATH` where it has no slash.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder it runs in; `None` is the caller's.
    pub dir: Option<PathBuf>,
    /// Variables added to the environment.
    pub env: BTreeMap<String, String>,
    /// Address space it may use, in MiB.
    pub memory_mb: Option<u64>,
    /// File that its stderr is appended to.
    pub log: Option<PathBuf>,
}

/// Why a child gave no line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildError {
    /// The deadline passed.
    Deadline,
    /// The process ended; with how.
    Exited(String),
    /// Its output (or input) is closed although it lives.
    Closed,
    /// More than [`MAX_ANSWER`] bytes without an answer.
    Flood,
    /// The caller's stop flag was raised.
    Stopped,
}

/// A running child.
pub struct Child {
    process: std::process::Child,
    pid: Pid,
    marker: String,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    log: Option<File>,
    logged: usize,
    partial: Vec<u8>,
    lines: VecDeque<String>,
    unanswered: usize,
    closed: bool,
}

impl Child {
    /// Starts a program with pipes on all three streams.
    pub fn spawn(launch: &Launch) -> std::io::Result<Child> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let marker = format!("{}.{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        let log = match &launch.log {
            Some(path) => Some(File::options().create(true).append(true).open(path)?),
            None => None,
        };
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.args)
            .envs(&launch.env)
            .env(MARKER, &marker)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        let mut process = command.spawn()?;
        let pid = Pid::from_child(&process);
        let (stdin, stdout, stderr) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let mut child = Child {
            process,
            pid,
            marker,
            stdin,
            stdout,
            stderr,
            log,
            logged: 0,
            partial: Vec::new(),
            lines: VecDeque::new(),
            unanswered: 0,
            closed: false,
        };
        if let Some(mb) = launch.memory_mb {
            let bytes = Some(mb.saturating_mul(1 << 20));
            // A child that is already gone shows up at the first read.
            let _ = prlimit(Some(pid), Resource::As, Rlimit { current: bytes, maximum: bytes });
        }
        for fd in [
            child.stdin.as_ref().map(rustix::fd::AsFd::as_fd),
            child.stdout.as_ref().map(rustix::fd::AsFd::as_fd),
            child.stderr.as_ref().map(rustix::fd::AsFd::as_fd),
        ]
        .into_iter()
        .flatten()
        {
            rustix::io::ioctl_fionbio(fd, true)?;
        }
        child.logged = 0;
        Ok(child)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends one line. Lines the child printed before are forgotten: they answer nothing.
    pub fn request(&mut self, line: &str, deadline: Instant, stop: &StopFlag) -> Result<(), ChildError> {
        self.pump()?;
        while !self.lines.is_empty() {
            self.lines.clear();
            self.pump()?;
        }
        self.unanswered = 0;
        self.send(line, deadline, stop)
    }

    /// Sends one line and keeps what the child printed before.
    pub fn send(&mut self, line: &str, deadline: Instant, stop: &StopFlag) -> Result<(), ChildError> {
        let mut text = line.as_bytes().to_vec();
        text.push(b'\n');
        let mut rest: &[u8] = &text;
        while !rest.is_empty() {
            let Some(stdin) = self.stdin.as_mut() else { return Err(self.ended()) };
            match stdin.write(rest) {
                Ok(n) => rest = &rest[n..],
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {
                    self.wait(deadline, stop, true)?;
                    // A child that prints without reading would otherwise block both of us for good.
                    self.pump()?;
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.ended()),
            }
        }
        Ok(())
    }

    /// The next line, without its line end; bytes that are no UTF-8 become U+FFFD.
    pub fn read_line(&mut self, deadline: Instant, stop: &StopFlag) -> Result<String, ChildError> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Ok(line);
            }
            if self.closed {
                return Err(self.ended());
            }
            let quiet = self.wait(deadline, stop, false)?;
            // A grandchild may hold the pipe open after the child has died.
            let dead = if quiet { self.wait_exit(Duration::ZERO) } else { None };
            self.pump()?;
            if let Some(how) = dead.filter(|_| self.lines.is_empty()) {
                return Err(ChildError::Exited(how));
            }
        }
    }

    /// Waits until there is something to read (or room to write); true if nothing came for a while.
    fn wait(&mut self, deadline: Instant, stop: &StopFlag, writing: bool) -> Result<bool, ChildError> {
        if stop.is_stopped() {
            return Err(ChildError::Stopped);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ChildError::Deadline);
        }
        // In slices, so that a raised stop flag is seen.
        let slice = left.min(Duration::from_millis(50));
        let timeout =
            Timespec { tv_sec: slice.as_secs() as i64, tv_nsec: i64::from(slice.subsec_nanos()) as _ };
        let mut fds = Vec::with_capacity(3);
        if let Some(out) = self.stdout.as_ref().filter(|_| !self.closed) {
            fds.push(PollFd::new(out, PollFlags::IN));
        }
        if let Some(err) = &self.stderr {
            fds.push(PollFd::new(err, PollFlags::IN));
        }
        if let Some(input) = self.stdin.as_ref().filter(|_| writing) {
            fds.push(PollFd::new(input, PollFlags::OUT));
        }
        Ok(poll(&mut fds, Some(&timeout)) == Ok(0))
    }

    /// Takes what the pipes hold now.
    fn pump(&mut self) -> Result<(), ChildError> {
        let mut chunk = [0u8; 8192];
        if let Some(err) = self.stderr.as_mut() {
            // Bounded, so that a child that floods stderr cannot keep us here.
            for _ in 0..64 {
                match err.read(&mut chunk) {
                    Ok(0) => {
                        self.stderr = None;
                        break;
                    }
                    Ok(n) => {
                        let keep = n.min(MAX_LOG.saturating_sub(self.logged));
                        if let Some(log) = self.log.as_mut().filter(|_| keep > 0) {
                            let _ = log.write_all(&chunk[..keep]);
                        }
                        self.logged += n;
                    }
                    Err(_) => break,
                }
            }
        }
        // A whole line is enough: whoever floods after it is judged by the line first.
        while !self.closed && self.lines.is_empty() {
            let Some(out) = self.stdout.as_mut() else { break };
            match out.read(&mut chunk) {
                Ok(0) => self.closed = true,
                Ok(n) => {
                    self.unanswered += n;
                    for byte in &chunk[..n] {
                        if *byte == b'\n' {
                            let line = String::from_utf8_lossy(&self.partial);
                            self.lines.push_back(line.trim_end_matches('\r').to_string());
                            self.partial.clear();
                        } else {
                            self.partial.push(*byte);
                        }
                    }
                    if self.unanswered > MAX_ANSWER {
                        return Err(ChildError::Flood);
                    }
                }
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => break,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => self.closed = true,
            }
        }
        Ok(())
    }

    /// A pipe is closed: did the process end, or does it only not talk any more?
    fn ended(&mut self) -> ChildError {
        // A second, because on a busy machine a process may be long in dying.
        match self.wait_exit(Duration::from_secs(1)) {
            Some(how) => ChildError::Exited(how),
            None => ChildError::Closed,
        }
    }

    fn wait_exit(&mut self, patience: Duration) -> Option<String> {
        let until = Instant::now() + patience;
        loop {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Some(status.to_string());
            }
            if Instant::now() >= until {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Peak resident memory so far, in MiB, where the system tells.
    pub fn peak_memory_mb(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kb| kb >> 10)
    }

    /// Says goodbye, waits up to `patience`, then kills whatever is left. Tells whether it left by itself.
    pub fn quit(mut self, word: &str, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let _ = self.request(word, deadline, &StopFlag::new());
        self.stdin = None;
        let mut left = false;
        while !left && Instant::now() < deadline {
            if self.pump().is_err() {
                break;
            }
            self.lines.clear();
            self.unanswered = 0;
            left = self.wait_exit(Duration::from_millis(2)).is_some();
        }
        left
    }

    /// Kills the group, the descendants and all carriers of the marker, and reaps the child.
    fn kill_tree(&mut self) {
        let mut family = descendants(self.pid.as_raw_nonzero().get());
        let _ = kill_process_group(self.pid, Signal::KILL);
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = kill_process_group(self.pid, Signal::KILL);
        let needle = format!("{MARKER}={}\0", self.marker);
        // A process that is just being started shows no environment: look until twice nobody is there.
        let mut empty = 0;
        for _ in 0..20 {
            family.extend(carriers(needle.as_bytes()));
            empty = if family.is_empty() { empty + 1 } else { 0 };
            if empty == 2 {
                break;
            }
            if empty == 1 {
                std::thread::sleep(Duration::from_millis(1));
            }
            for pid in family.drain().filter_map(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.pump();
        self.kill_tree();
    }
}

/// Kills what an earlier run that was itself killed may have left behind.
pub fn sweep(run: &str) -> usize {
    let needle = format!("{RUN_MARKER}={run}\0");
    let left = carriers(needle.as_bytes());
    left.iter().filter_map(|pid| Pid::from_raw(*pid)).for_each(|pid| {
        let _ = kill_process(pid, Signal::KILL);
    });
    left.len()
}

/// Processes whose environment holds `needle`, except ourselves and the dead.
fn carriers(needle: &[u8]) -> HashSet<i32> {
    let me = std::process::id() as i32;
    let holds = |pid: &i32| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|env| env.windows(needle.len()).any(|window| window == needle))
    };
    pids().filter(|pid| *pid != me).filter(holds).collect()
}

/// All living descendants of a process.
fn descendants(root: i32) -> HashSet<i32> {
    let parents: Vec<(i32, i32)> = pids().filter_map(|pid| Some((pid, parent_of(pid)?))).collect();
    let mut family = HashSet::from([root]);
    loop {
        let before = family.len();
        family.extend(
            parents.iter().filter(|(_, parent)| family.contains(parent)).map(|p| p.0).collect::<Vec<_>>(),
        );
        if family.len() == before {
            family.remove(&root);
            return family;
        }
    }
}

fn pids() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn parent_of(pid: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may itself hold spaces and parentheses.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Child {
        let launch =
            Launch { program: "sh".into(), args: vec!["-c".into(), script.into()], ..Launch::default() };
        Child::spawn(&launch).unwrap()
    }

    fn soon() -> Instant {
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
        assert_eq!(shell("sleep 5").read_line(soon(), &stop), Err(ChildError::Deadline));
        assert!(
            matches!(shell("exit 3").read_line(soon(), &stop), Err(ChildError::Exited(how)) if how.contains('3'))
        );
        assert_eq!(shell("exec >&-; exec sleep 5").read_line(soon(), &stop), Err(ChildError::Closed));
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
        assert_eq!(shell("sleep 5").read_line(soon(), &stop), Err(ChildError::Stopped));
    }

    #[test]
    fn children_of_children_die_too() {
        let mut child = shell("setsid sleep 77 & (sleep 77 &) ; echo ready; exec sleep 77");
        let needle = format!("{MARKER}={}\0", child.marker);
        assert_eq!(child.read_line(soon(), &StopFlag::new()).unwrap(), "ready");
        // A process that is being started shows no environment for a moment.
        let until = |wanted: &dyn Fn(usize) -> bool| {
            (0..500).any(|_| {
                std::thread::sleep(Duration::from_millis(10));
                wanted(carriers(needle.as_bytes()).len())
            })
        };
        assert!(until(&|left| left >= 3));
        drop(child);
        assert!(until(&|left| left == 0));
    }

    #[test]
    fn memory_is_limited() {
        let launch = Launch {
            program: "sh".into(),
            args: vec![
                "-c".into(),
                "read go; x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}".into(),
            ],
            memory_mb: Some(64),
            ..Launch::default()
        };
        let mut child = Child::spawn(&launch).unwrap();
        let stop = StopFlag::new();
        let later = Instant::now() + Duration::from_secs(10);
        child.request("go", later, &stop).unwrap();
        assert!(child.read_line(later, &stop).is_err());
    }
}
