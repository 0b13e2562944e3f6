//! The pipes of a child where they can only be read and written blockingly: a thread for each.
//!
//! A thread ends when the child closes its end, which its death does. The buffers are bounded: a child that floods
//! its output, or does not read its input, blocks as on a full pipe.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Bytes buffered per stream, as much as a pipe of Linux holds.
const CAPACITY: usize = 64 << 10;

/// The three streams of a child. Nothing here blocks but [`Pipes::wait`].
pub(crate) struct Pipes(Arc<Shared>);

#[derive(Default)]
struct Shared {
    buffers: Mutex<Buffers>,
    changed: Condvar,
}

#[derive(Default)]
struct Buffers {
    input: Buffer,
    output: Buffer,
    errors: Buffer,
    /// Nobody will read any more: what still comes is thrown away.
    abandoned: bool,
}

#[derive(Default)]
struct Buffer {
    bytes: VecDeque<u8>,
    closed: bool,
    /// The reader has been told of the end.
    end_seen: bool,
}

impl Pipes {
    /// Takes the piped streams of a child.
    pub(crate) fn take(process: &mut Child) -> io::Result<Pipes> {
        let shared = Arc::<Shared>::default();
        shared.lock().input.closed = process.stdin.is_none();
        shared.lock().output.closed = process.stdout.is_none();
        shared.lock().errors.closed = process.stderr.is_none();
        if let Some(stdin) = process.stdin.take() {
            let shared = Arc::clone(&shared);
            thread("engine input", move || shared.drain_input(stdin))?;
        }
        if let Some(stdout) = process.stdout.take() {
            let shared = Arc::clone(&shared);
            thread("engine output", move || shared.fill(stdout, |buffers| &mut buffers.output))?;
        }
        if let Some(stderr) = process.stderr.take() {
            let shared = Arc::clone(&shared);
            thread("engine stderr", move || shared.fill(stderr, |buffers| &mut buffers.errors))?;
        }
        Ok(Pipes(shared))
    }

    /// Writes what fits into the child's input now: [`io::ErrorKind::WouldBlock`] if nothing does.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut buffers = self.0.lock();
        let input = &mut buffers.input;
        if input.closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let fits = bytes.len().min(CAPACITY - input.bytes.len());
        if fits == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        input.bytes.extend(&bytes[..fits]);
        self.0.changed.notify_all();
        Ok(fits)
    }

    /// Closes the child's input once it has read what was written.
    pub(crate) fn close_input(&mut self) {
        self.0.lock().input.closed = true;
        self.0.changed.notify_all();
    }

    /// Reads what the child has printed: 0 if it has closed its output, [`io::ErrorKind::WouldBlock`] if nothing came.
    pub(crate) fn read_output(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.read(chunk, |buffers| &mut buffers.output)
    }

    /// The same for what it has written to stderr.
    pub(crate) fn read_errors(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.read(chunk, |buffers| &mut buffers.errors)
    }

    /// Waits until there is something to read, or space to write if `writing`; true if nothing came in time.
    pub(crate) fn wait(&self, patience: Duration, writing: bool) -> bool {
        let until = Instant::now() + patience;
        let mut buffers = self.0.lock();
        loop {
            let readable = buffers.output.is_ready() || buffers.errors.is_ready();
            let input = &buffers.input;
            if readable || (writing && (input.closed || input.bytes.len() < CAPACITY)) {
                return false;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            buffers = self.0.changed.wait_timeout(buffers, left).unwrap_or_else(|e| e.into_inner()).0;
        }
    }

    fn read(&mut self, chunk: &mut [u8], which: fn(&mut Buffers) -> &mut Buffer) -> io::Result<usize> {
        let mut buffers = self.0.lock();
        let buffer = which(&mut buffers);
        if buffer.bytes.is_empty() {
            buffer.end_seen = buffer.closed;
            return if buffer.closed { Ok(0) } else { Err(io::ErrorKind::WouldBlock.into()) };
        }
        let read = buffer.bytes.read(chunk);
        self.0.changed.notify_all();
        read
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        let mut buffers = self.0.lock();
        buffers.input.closed = true;
        buffers.abandoned = true;
        self.0.changed.notify_all();
    }
}

impl Buffer {
    fn is_ready(&self) -> bool {
        !self.bytes.is_empty() || (self.closed && !self.end_seen)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Buffers> {
        self.buffers.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn wait<'a>(&self, buffers: MutexGuard<'a, Buffers>) -> MutexGuard<'a, Buffers> {
        self.changed.wait(buffers).unwrap_or_else(|e| e.into_inner())
    }

    fn fill(&self, mut stream: impl Read, which: fn(&mut Buffers) -> &mut Buffer) {
        let mut chunk = [0; 8192];
        loop {
            let read = match stream.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.unwrap_or(0),
            };
            let mut buffers = self.lock();
            while !buffers.abandoned && which(&mut buffers).bytes.len() + read > CAPACITY {
                buffers = self.wait(buffers);
            }
            let abandoned = buffers.abandoned;
            let buffer = which(&mut buffers);
            if !abandoned {
                buffer.bytes.extend(&chunk[..read]);
            }
            buffer.closed = read == 0;
            self.changed.notify_all();
            if read == 0 {
                return;
            }
        }
    }

    fn drain_input(&self, mut stdin: impl Write) {
        loop {
            let mut buffers = self.lock();
            while buffers.input.bytes.is_empty() {
                if buffers.input.closed {
                    return;
                }
                buffers = self.wait(buffers);
            }
            // What is being written still counts as buffered, so that the capacity is one.
            let bytes: Vec<u8> = buffers.input.bytes.iter().copied().collect();
            drop(buffers);
            let written = stdin.write_all(&bytes).and_then(|()| stdin.flush());
            let mut buffers = self.lock();
            buffers.input.bytes.drain(..bytes.len());
            if written.is_err() {
                buffers.input.closed = true;
                buffers.input.bytes.clear();
            }
            self.changed.notify_all();
        }
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.into()).spawn(work).map(drop)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    fn start(script: &str) -> (Child, Pipes) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let pipes = Pipes::take(&mut child).unwrap();
        (child, pipes)
    }

    /// Everything the child prints until it closes its output.
    fn read_all(pipes: &mut Pipes) -> Vec<u8> {
        let (mut all, mut chunk) = (Vec::new(), [0; 4096]);
        let until = Instant::now() + Duration::from_secs(20);
        while Instant::now() < until {
            match pipes.read_output(&mut chunk) {
                Ok(0) => return all,
                Ok(n) => all.extend(&chunk[..n]),
                Err(_) => drop(pipes.wait(Duration::from_millis(50), false)),
            }
        }
        panic!("the output did not end after {} bytes", all.len());
    }

    #[test]
    fn lines_pass_both_ways_and_the_end_is_seen() {
        let (mut child, mut pipes) = start("read x; echo got $x; echo oops >&2; cat");
        assert!(pipes.wait(Duration::from_millis(20), false), "nothing is printed before the line");
        assert_eq!(pipes.write(b"one\ntwo\n").unwrap(), 8);
        pipes.close_input();
        assert_eq!(read_all(&mut pipes), b"got one\ntwo\n");
        assert_eq!(pipes.write(b"late").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert!(child.wait().unwrap().success());
        let mut chunk = [0; 16];
        while pipes.read_errors(&mut chunk).is_err() {
            pipes.wait(Duration::from_millis(50), false);
        }
        assert!(chunk.starts_with(b"oops"));
    }

    #[test]
    fn more_than_the_buffers_hold_arrives_whole() {
        let (mut child, mut pipes) = start("head -c 1000000 /dev/zero");
        std::thread::sleep(Duration::from_millis(50));
        assert!(pipes.0.lock().output.bytes.len() <= CAPACITY);
        assert_eq!(read_all(&mut pipes).len(), 1_000_000);
        child.wait().unwrap();
    }

    #[test]
    fn a_child_that_does_not_read_blocks_nobody() {
        let (mut child, mut pipes) = start("exec sleep 60");
        let line = [b'x'; 8192];
        let full = (0..100).find_map(|_| pipes.write(&line).err()).expect("the buffer is bounded");
        assert_eq!(full.kind(), io::ErrorKind::WouldBlock);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(read_all(&mut pipes).is_empty());
    }
}
