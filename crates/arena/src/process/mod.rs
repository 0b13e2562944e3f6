//! A child process that talks in lines: the only place that touches pipes and signals.
//!
//! Everything is driven from the thread that asks, and every read and write has a deadline ([`platform::Pipes`]). When a child is dropped its whole process tree is killed (see [`adopt_orphans`]).

mod capture;
mod transcript;
mod tree;

pub use capture::{Captured, capture};
pub use tree::{RUN_MARKER, adopt_orphans, sweep};

use crate::platform::{self, Pipes};
use crate::sandbox::Guard;
use game::StopFlag;
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use transcript::{Direction, Transcript};

/// Bytes a child may print between a request and its answer.
pub(crate) const MAX_ANSWER: usize = 1 << 20;
/// Bytes kept of a child's stderr.
const MAX_LOG: usize = 1 << 20;
/// Between two looks at whether a starting program has come to rest.
const IDLE_INTERVAL: Duration = Duration::from_millis(5);
/// Looks in a row that must find it at rest.
const IDLE_LOOKS: u32 = 3;

/// Waits for a line, then becomes the program: the memory limit is set before the program's first instruction.
const GATE: &str = "read -r go && exec \"$@\"";

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
    /// What all processes of its tree may use together; more ends them.
    pub tree_limits: Option<TreeLimits>,
    /// File that its stderr is appended to.
    pub log: Option<PathBuf>,
    /// Folder that gets a file with all lines in both directions for each process.
    pub trace: Option<PathBuf>,
}

impl Launch {
    /// Gives a command what all programs are started with: a process group of its own, the marker by which its
    /// tree is found, and pipes to read its output.
    fn prepare<'a>(&self, command: &'a mut Command, marker: &str) -> &'a mut Command {
        command
            .args(&self.args)
            .envs(&self.env)
            .env(tree::MARKER, marker)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        platform::own_group(command);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }
}

/// Limits of a whole process tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Memory, in MiB.
    pub memory_mb: u64,
    /// CPU time, in seconds.
    pub cpu_seconds: u64,
}

/// Why a child could not be talked to.
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
    marker: String,
    pipes: Pipes,
    log: Option<File>,
    logged: usize,
    transcript: Transcript,
    partial: Vec<u8>,
    lines: VecDeque<String>,
    unanswered: usize,
    closed: bool,
    guard: Option<Guard>,
}

impl Child {
    /// Starts a program with pipes on all three streams. A memory limit that cannot be set is an error.
    pub fn spawn(launch: &Launch) -> std::io::Result<Child> {
        let marker = tree::fresh_marker();
        let log = match &launch.log {
            Some(path) => Some(File::options().create(true).append(true).open(path)?),
            None => None,
        };
        let trace = match &launch.trace {
            Some(folder) => Some(trace_file(folder, launch, &marker)?),
            None => None,
        };
        let mut command = match launch.memory_mb {
            None => Command::new(&launch.program),
            Some(_) => {
                platform::check_memory_limits()?;
                if find_program(&launch.program).is_none() {
                    return Err(std::io::ErrorKind::NotFound.into());
                }
                let mut gate = Command::new("sh");
                gate.args(["-c", GATE, "sh", &launch.program]);
                gate
            }
        };
        launch.prepare(&mut command, &marker).stdin(Stdio::piped());
        let mut process = tree::start(&mut command)?;
        let pipes = match Pipes::take(&mut process) {
            Ok(pipes) => pipes,
            Err(error) => {
                tree::kill_tree(&mut process, &marker);
                return Err(error);
            }
        };
        let guard = launch.tree_limits.map(|limits| Guard::new(process.id() as i32, limits));
        let mut child = Child {
            process,
            marker,
            pipes,
            log,
            logged: 0,
            transcript: Transcript::new(trace),
            partial: Vec::new(),
            lines: VecDeque::new(),
            unanswered: 0,
            closed: false,
            guard,
        };
        if let Some(mb) = launch.memory_mb {
            platform::limit_memory(child.id() as i32, mb).map_err(|error| {
                std::io::Error::new(error.kind(), format!("cannot limit its memory to {mb} MiB: {error}"))
            })?;
            child.pipes.write(b"\n")?;
        }
        Ok(child)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Waits until the program has nothing to do but wait for input, or has ended, or `deadline` passes: an
    /// interpreter that is starting up is not thinking. Returns at once where the system does not tell.
    pub(crate) fn wait_until_idle(&mut self, deadline: Instant, stop: &StopFlag) {
        let mut looks = 0;
        while looks < IDLE_LOOKS && Instant::now() < deadline && !stop.is_stopped() {
            if self.wait_exit(Duration::ZERO).is_some() {
                return;
            }
            match platform::is_idle(self.id() as i32) {
                None => return,
                Some(true) => looks += 1,
                Some(false) => looks = 0,
            }
            std::thread::sleep(IDLE_INTERVAL);
        }
    }

    /// The last lines in both directions and the end of stderr.
    pub fn evidence(&mut self) -> String {
        let _ = self.pump();
        while let Some(line) = self.lines.pop_front() {
            self.transcript.line(Direction::From, &line);
        }
        self.transcript.evidence(&self.partial)
    }

    /// The end of what it wrote to stderr.
    pub(crate) fn stderr_tail(&mut self) -> String {
        let _ = self.pump();
        self.transcript.stderr_tail()
    }

    /// Sends one line. Lines the child printed before are forgotten: they answer nothing.
    pub fn request(&mut self, line: &str, deadline: Instant, stop: &StopFlag) -> Result<(), ChildError> {
        self.pump()?;
        while !self.lines.is_empty() {
            self.forget_lines();
            self.pump()?;
        }
        self.unanswered = 0;
        self.send(line, deadline, stop)
    }

    /// Sends one line and keeps what the child printed before.
    pub fn send(&mut self, line: &str, deadline: Instant, stop: &StopFlag) -> Result<(), ChildError> {
        self.transcript.line(Direction::To, line);
        let mut text = line.as_bytes().to_vec();
        text.push(b'\n');
        let mut rest: &[u8] = &text;
        while !rest.is_empty() {
            match self.pipes.write(rest) {
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
                self.transcript.line(Direction::From, &line);
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

    fn forget_lines(&mut self) {
        for line in self.lines.drain(..) {
            self.transcript.line(Direction::From, &line);
        }
    }

    /// Waits until there is something to read (or space to write); true if nothing came for a while.
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
        Ok(self.pipes.wait(slice, writing))
    }

    /// Takes what the pipes hold now.
    fn pump(&mut self) -> Result<(), ChildError> {
        let mut chunk = [0u8; 8192];
        // Bounded, so that a child that floods stderr cannot keep us here.
        for _ in 0..64 {
            let n = match self.pipes.read_errors(&mut chunk) {
                Ok(0) | Err(_) => break,
                Ok(n) => n,
            };
            let keep = n.min(MAX_LOG.saturating_sub(self.logged));
            if let Some(log) = self.log.as_mut().filter(|_| keep > 0) {
                let _ = log.write_all(&chunk[..keep]);
            }
            self.logged += n;
            self.transcript.stderr(&chunk[..n]);
        }
        // A whole line is enough: whoever floods after it is judged by the line first.
        while !self.closed && self.lines.is_empty() {
            match self.pipes.read_output(&mut chunk) {
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
                return Some(match self.guard.as_ref().and_then(Guard::over_limit) {
                    Some(much) => format!("ended for using {much}"),
                    None => status.to_string(),
                });
            }
            if Instant::now() >= until {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Closes the program's input: nothing more will be sent.
    pub(crate) fn close_input(&mut self) {
        self.pipes.close_input();
    }

    /// Peak resident memory so far, in MiB, where the system tells.
    pub(crate) fn peak_memory_mb(&self) -> Option<u64> {
        platform::peak_memory_mb(self.id() as i32)
    }

    /// Sends the quit command, waits up to `patience`, then kills whatever is left. True if it exited by itself.
    pub fn quit(mut self, command: &str, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let _ = self.request(command, deadline, &StopFlag::new());
        self.pipes.close_input();
        let mut left = false;
        while !left && Instant::now() < deadline {
            if self.pump().is_err() {
                break;
            }
            self.forget_lines();
            self.unanswered = 0;
            left = self.wait_exit(Duration::from_millis(2)).is_some();
        }
        left
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.pump();
        tree::kill_tree(&mut self.process, &self.marker);
    }
}

/// The file of a program, as a path or looked up in `PATH`.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    if program.is_empty() {
        return None;
    }
    let suffixed = |path: PathBuf| {
        let mut named = path.clone().into_os_string();
        named.push(std::env::consts::EXE_SUFFIX);
        [path, named.into()].into_iter().find(|path| path.is_file())
    };
    if program.contains(std::path::is_separator) {
        return suffixed(PathBuf::from(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).find_map(|folder| suffixed(folder.join(program)))
}

fn trace_file(folder: &Path, launch: &Launch, marker: &str) -> std::io::Result<File> {
    std::fs::create_dir_all(folder)?;
    let name = Path::new(&launch.program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut file = File::create(folder.join(format!("{name}.{marker}.trace")))?;
    let command = shell_words::join(std::iter::once(&launch.program).chain(&launch.args));
    writeln!(file, "# {command}\n# seconds since start, > to the engine, < from the engine")?;
    Ok(file)
}

#[cfg(test)]
mod tests;
