//! A program that is run to its end, its output collected: compilers, and everything else that does not talk.

use super::{Launch, tree};
use crate::sandbox::Guard;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes kept of stderr, from its beginning: compilers name the first error first.
const MAX_ERRORS: u64 = 1 << 16;

/// What a program left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Did it exit with code 0, in time and within its output?
    pub success: bool,
    /// How it ended, for people.
    pub how: String,
    /// Its output.
    pub stdout: Vec<u8>,
    /// The beginning of its stderr.
    pub stderr: String,
}

/// Runs a program without input. It is killed with its whole tree when `time` is up or when it has written more
/// than `max_output` bytes.
pub fn capture(launch: &Launch, time: Duration, max_output: usize) -> std::io::Result<Captured> {
    let marker = tree::fresh_marker();
    let mut command = Command::new(&launch.program);
    launch.prepare(&mut command, &marker).stdin(Stdio::null());
    let mut process = tree::start(&mut command)?;
    let guard = launch.tree_limits.map(|limits| Guard::new(process.id() as i32, limits));
    let stdout = process.stdout.take();
    let stderr = process.stderr.take();
    let deadline = Instant::now() + time;
    std::thread::scope(|scope| {
        let output = scope.spawn(move || read_up_to(stdout, max_output as u64 + 1));
        let errors = scope.spawn(move || read_up_to(stderr, MAX_ERRORS));
        let mut how = None;
        let status = loop {
            if let Ok(Some(status)) = process.try_wait() {
                break Some(status);
            }
            if output.is_finished() && errors.is_finished() {
                // Both pipes are closed, or full: whoever goes on writing is stopped below.
                std::thread::sleep(Duration::from_millis(100));
                if let Ok(Some(status)) = process.try_wait() {
                    break Some(status);
                }
                how = Some("more output than accepted".to_string());
                break None;
            }
            if Instant::now() >= deadline {
                how = Some(format!("stopped after {} s", time.as_secs()));
                break None;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        if let Some(much) = guard.as_ref().and_then(Guard::over_limit) {
            how = Some(format!("ended for using {much}"));
        }
        tree::kill_tree(&mut process, &marker);
        let stdout = output.join().unwrap_or_default();
        let stderr = String::from_utf8_lossy(&errors.join().unwrap_or_default()).into_owned();
        if stdout.len() > max_output {
            how = Some(format!("more than {max_output} bytes of output"));
        }
        let success = how.is_none() && status.is_some_and(|status| status.success());
        let how = how.or(status.map(|status| status.to_string())).unwrap_or_default();
        Ok(Captured { success, how, stdout, stderr })
    })
}

fn read_up_to(pipe: Option<impl Read>, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        let mut bounded = pipe.take(limit);
        let _ = bounded.read_to_end(&mut bytes);
        // Dropping the pipe ends a writer that has said enough.
    }
    bytes
}
