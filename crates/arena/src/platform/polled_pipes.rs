//! The pipes of a child on POSIX systems: non-blocking, driven by `poll` from the thread that asks.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

/// The three streams of a child. Nothing here blocks but [`Pipes::wait`].
pub(crate) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

impl Pipes {
    /// Takes the piped streams of a child.
    pub(crate) fn take(process: &mut Child) -> io::Result<Pipes> {
        let pipes = Pipes {
            stdin: process.stdin.take(),
            stdout: process.stdout.take(),
            stderr: process.stderr.take(),
        };
        let fds = [
            pipes.stdin.as_ref().map(AsFd::as_fd),
            pipes.stdout.as_ref().map(AsFd::as_fd),
            pipes.stderr.as_ref().map(AsFd::as_fd),
        ];
        for fd in fds.into_iter().flatten() {
            rustix::io::ioctl_fionbio(fd, true)?;
        }
        Ok(pipes)
    }

    /// Writes what fits into the child's input now: [`io::ErrorKind::WouldBlock`] if nothing does.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.stdin {
            Some(stdin) => stdin.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Closes the child's input.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Reads what the child has printed: 0 if it has closed its output, [`io::ErrorKind::WouldBlock`] if nothing came.
    pub(crate) fn read_output(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        read(&mut self.stdout, chunk)
    }

    /// The same for what it has written to stderr.
    pub(crate) fn read_errors(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        read(&mut self.stderr, chunk)
    }

    /// Waits until there is something to read, or space to write if `writing`; true if nothing came in time.
    pub(crate) fn wait(&self, patience: Duration, writing: bool) -> bool {
        let timeout =
            Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: i64::from(patience.subsec_nanos()) as _ };
        let mut fds = Vec::with_capacity(3);
        if let Some(out) = &self.stdout {
            fds.push(PollFd::new(out, PollFlags::IN));
        }
        if let Some(err) = &self.stderr {
            fds.push(PollFd::new(err, PollFlags::IN));
        }
        if let Some(input) = self.stdin.as_ref().filter(|_| writing) {
            fds.push(PollFd::new(input, PollFlags::OUT));
        }
        poll(&mut fds, Some(&timeout)) == Ok(0)
    }
}

/// A stream that has ended is dropped: `poll` would call it ready forever.
fn read<R: Read>(stream: &mut Option<R>, chunk: &mut [u8]) -> io::Result<usize> {
    let Some(open) = stream else { return Ok(0) };
    match open.read(chunk) {
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
            Err(error)
        }
        Ok(0) | Err(_) => {
            *stream = None;
            Ok(0)
        }
        read => read,
    }
}
