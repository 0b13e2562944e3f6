//! Finds the cause of a fault: inspects the program file and sends single lines to a fresh process.

use super::{Candidate, Cause};
use crate::player::Fault;
use crate::process::{Child, ChildError, find_program};
use crate::protocol::Protocol;
use game::StopFlag;
use std::time::{Duration, Instant};

/// How long to wait for more output after the first answer: other lines may precede or follow an answer.
const AFTERWARDS: Duration = Duration::from_millis(300);
/// How long a program may take to write out its buffers when its input is closed.
const AFTER_CLOSE: Duration = Duration::from_secs(2);

/// Input and output of a fresh process.
struct Conversation {
    /// Its output while its input was open.
    lines: Vec<String>,
    /// Its output after its input was closed.
    after_close: Vec<String>,
    /// Its exit status, if it exited by itself, and the end of its stderr.
    exit: Option<(String, String)>,
}

impl Candidate {
    /// Why a program cannot be started or does not answer, with the evidence.
    pub(super) fn cause_of(&self, fault: &Fault, evidence: &str) -> (Cause, String) {
        let detail = if evidence.is_empty() { fault.to_string() } else { format!("{fault}\n{evidence}") };
        // Started directly such a file is not found; through `env` it ends with an error.
        if matches!(fault, Fault::NoStart(_) | Fault::Crash(_)) && self.has_crlf_shebang() {
            return (Cause::CrlfShebang, detail);
        }
        match fault {
            Fault::NoStart(_) if find_program(&self.launch.program).is_none() => (Cause::NotFound, detail),
            Fault::NoStart(_) => (Cause::NotExecutable, detail),
            Fault::Crash(_) => (Cause::Crash, detail),
            Fault::Refused(_) => (Cause::Refused, detail),
            Fault::Syntax(_)
            | Fault::Timeout
            | Fault::Silence(_)
            | Fault::ClosedPipe
            | Fault::Flood
            | Fault::Stopped => {
                let guess = if matches!(fault, Fault::Syntax(_)) { Cause::NotAMove } else { Cause::Silent };
                match self.converse() {
                    Some((cause, said)) => (cause, said),
                    None => (guess, detail),
                }
            }
        }
    }

    fn has_crlf_shebang(&self) -> bool {
        let head =
            find_program(&self.launch.program).and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
        let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        first.starts_with(b"#!") && first.ends_with(b"\r")
    }

    /// Asks for an opening move without the protocol driver.
    fn converse(&self) -> Option<(Cause, String)> {
        let size = self.setup.rows;
        let questions: Vec<String> = match self.protocol {
            Protocol::Gomocup => vec![format!("START {size}"), "BEGIN".into()],
            Protocol::Htp => vec![format!("boardsize {size}"), "genmove black".into()],
            Protocol::Line => vec!["first".into()],
            Protocol::Botzone => vec![r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#.into()],
        };
        let talk = self.talk(&questions)?;
        let show = |lines: &[String]| {
            lines.iter().take(4).map(|line| format!("{line:.80}")).collect::<Vec<_>>().join(" | ")
        };
        if let Some((how, stderr)) = talk.exit {
            return Some((Cause::Crash, format!("{how}\n{stderr}")));
        }
        let is_answer = |line: &String| self.is_answer(line);
        if !talk.lines.iter().any(is_answer) {
            let late = talk.after_close.iter().any(is_answer);
            let said = show(&talk.after_close);
            return late
                .then(|| (Cause::NotFlushed, format!("came only after its input was closed: {said}")));
        }
        let noise = talk.lines.iter().find(|line| !self.is_answer(line) && !self.is_protocol(line));
        noise.map(|noise| {
            (Cause::Noise, format!("{noise:?} is not part of the protocol ({})", show(&talk.lines)))
        })
    }

    fn talk(&self, questions: &[String]) -> Option<Conversation> {
        let mut child = Child::spawn(&self.launch).ok()?;
        let stop = StopFlag::new();
        let mut talk = Conversation { lines: Vec::new(), after_close: Vec::new(), exit: None };
        child.wait_until_idle(Instant::now() + Duration::from_secs(5), &stop);
        let patience = Instant::now() + self.time + Duration::from_secs(2);
        for question in questions {
            if child.send(question, patience, &stop).is_err() {
                break;
            }
        }
        let mut until = patience;
        loop {
            match child.read_line(until, &stop) {
                Ok(line) => {
                    if self.is_answer(&line) {
                        until = until.min(Instant::now() + AFTERWARDS);
                    }
                    talk.lines.push(line);
                }
                Err(ChildError::Exited(how)) => {
                    talk.exit = Some((how, child.stderr_tail()));
                    return Some(talk);
                }
                Err(_) => break,
            }
            if talk.lines.len() > 1000 {
                return Some(talk);
            }
        }
        child.close_input();
        let until = Instant::now() + AFTER_CLOSE;
        while let Ok(line) = child.read_line(until, &stop) {
            talk.after_close.push(line);
            if talk.after_close.len() > 1000 {
                break;
            }
        }
        Some(talk)
    }

    /// Is this an answer to the request for a move?
    fn is_answer(&self, line: &str) -> bool {
        let line = line.trim();
        match self.protocol {
            Protocol::Gomocup => line
                .split_once(',')
                .is_some_and(|(x, y)| x.parse::<i32>().is_ok() && y.parse::<i32>().is_ok()),
            Protocol::Htp => line.strip_prefix('=').is_some_and(|rest| !rest.trim().is_empty()),
            Protocol::Line => {
                self.empty().is_ok_and(|empty| empty.parse_move(&line.to_ascii_lowercase()).is_ok())
            }
            Protocol::Botzone => line.starts_with('{') && line.contains("\"response\""),
        }
    }

    /// Is this another line that the protocol allows?
    fn is_protocol(&self, line: &str) -> bool {
        let line = line.trim();
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match self.protocol {
            Protocol::Gomocup => {
                ["", "OK", "MESSAGE", "DEBUG", "SUGGEST", "ERROR", "UNKNOWN"].contains(&word.as_str())
            }
            Protocol::Htp => line.is_empty() || line.starts_with(['=', '?']),
            Protocol::Line => false,
            Protocol::Botzone => line == crate::botzone::KEEP_RUNNING,
        }
    }
}
