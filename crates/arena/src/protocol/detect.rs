//! Detects which protocol a program speaks.

use super::Protocol;
use crate::process::{Child, ChildError, Launch};
use game::StopFlag;
use std::time::{Duration, Instant};

/// How long a program may take to answer a question of one of the protocols.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a program may take to write out its buffers when its input is closed.
const AFTER_CLOSE: Duration = Duration::from_secs(1);
/// Lines of greeting before the answer.
const GREETING: usize = 20;

/// Asks a fresh process a question of each protocol. The line protocol has no question to ask, so it is
/// the fallback when the others get no answer.
pub fn detect(launch: &Launch) -> std::io::Result<Protocol> {
    if answers(launch, "name", |line| line.starts_with('='))? {
        return Ok(Protocol::Htp);
    }
    if answers(launch, "ABOUT", |line| line.to_ascii_lowercase().contains("name="))? {
        return Ok(Protocol::Gomocup);
    }
    let opening = r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#;
    if answers(launch, opening, |line| line.starts_with('{') && line.contains("\"response\""))? {
        return Ok(Protocol::Botzone);
    }
    Ok(Protocol::Line)
}

fn answers(launch: &Launch, question: &str, good: impl Fn(&str) -> bool) -> std::io::Result<bool> {
    let mut child = Child::spawn(launch)?;
    let stop = StopFlag::new();
    let mut deadline = Instant::now() + PATIENCE;
    if child.request(question, deadline, &stop).is_err() {
        return Ok(false);
    }
    let mut closed = false;
    for _ in 0..GREETING {
        match child.read_line(deadline, &stop) {
            Ok(line) if good(line.trim()) => return Ok(true),
            // Any reply to an unknown command is an answer too.
            Ok(line) if line.starts_with('?') || line.starts_with("UNKNOWN") || line.starts_with("ERROR") => {
                return Ok(false);
            }
            Ok(_) => {}
            // A program that does not flush answers when its input ends: it speaks the protocol all the same.
            Err(ChildError::Deadline) if !closed => {
                closed = true;
                child.close_input();
                deadline = Instant::now() + AFTER_CLOSE;
            }
            Err(_) => return Ok(false),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_flush_is_still_recognised() {
        let script = "while read l; do case $l in ABOUT) said='name=\"x\"';; esac; done; echo \"$said\"";
        let launch =
            Launch { program: "sh".into(), args: vec!["-c".into(), script.into()], ..Launch::default() };
        assert_eq!(detect(&launch).unwrap(), Protocol::Gomocup);
    }
}
