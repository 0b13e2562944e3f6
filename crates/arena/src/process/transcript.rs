//! What went over a child's pipes: the last lines for messages, and everything for `--trace`.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::time::Instant;

/// Lines kept of each child, both directions together.
const LINES: usize = 8;
/// Characters kept of each line.
const LINE_CHARS: usize = 160;
/// Bytes kept of the end of stderr.
const STDERR_BYTES: usize = 1500;

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// To the program.
    To,
    /// From the program.
    From,
}

/// A bounded record of the traffic with one child.
#[derive(Debug)]
pub(super) struct Transcript {
    started: Instant,
    lines: VecDeque<(Direction, String)>,
    stderr: VecDeque<u8>,
    trace: Option<File>,
}

impl Transcript {
    pub(super) fn new(trace: Option<File>) -> Transcript {
        Transcript { started: Instant::now(), lines: VecDeque::new(), stderr: VecDeque::new(), trace }
    }

    /// Notes a line.
    pub(super) fn line(&mut self, direction: Direction, line: &str) {
        let arrow = if direction == Direction::To { '>' } else { '<' };
        if let Some(trace) = &mut self.trace {
            let _ = writeln!(trace, "{:12.6} {arrow} {line}", self.started.elapsed().as_secs_f64());
        }
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back((direction, line.chars().take(LINE_CHARS).collect()));
    }

    /// Notes bytes of stderr.
    pub(super) fn stderr(&mut self, bytes: &[u8]) {
        self.stderr.extend(bytes);
        let surplus = self.stderr.len().saturating_sub(STDERR_BYTES);
        self.stderr.drain(..surplus);
    }

    /// The end of stderr, as text.
    pub(super) fn stderr_tail(&self) -> String {
        let bytes: Vec<u8> = self.stderr.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_string()
    }

    /// The last lines in both directions and the end of stderr, for people. `partial` is a line that the
    /// program has begun and not ended.
    pub(super) fn evidence(&self, partial: &[u8]) -> String {
        let mut text = String::new();
        for (direction, line) in &self.lines {
            let who = if *direction == Direction::To { "to engine:   " } else { "from engine: " };
            let _ = writeln!(text, "{who}{}", line.escape_debug());
        }
        if !partial.is_empty() {
            let begun: String = String::from_utf8_lossy(partial).chars().take(LINE_CHARS).collect();
            let _ = writeln!(text, "from engine: {} (no line end)", begun.escape_debug());
        }
        let stderr = self.stderr_tail();
        if !stderr.is_empty() {
            let _ = writeln!(text, "stderr:");
            for line in stderr.lines() {
                let _ = writeln!(text, "  {}", line.escape_debug());
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}
