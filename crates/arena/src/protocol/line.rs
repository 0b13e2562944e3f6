//! The line protocol of the course's Hex programs: one line each way per turn.
//!
//! `first` asks the program to open; otherwise it reads the opponent's move (`f6`) or `change` (the
//! opponent swapped) and answers with its own. `finish` ends the program, so that each game has a new one.

use super::{Driver, quote};
use crate::player::{Fault, GameStart, MoveReply, MoveRequest};
use crate::process::Child;
use game::{Move, MoveNote, Position};
use std::time::{Duration, Instant};

/// How long a program may take to start up; after that the clock runs whether it is ready or not.
const START_UP: Duration = Duration::from_secs(10);

#[derive(Default)]
pub(super) struct LineDriver {
    known: usize,
}

impl Driver for LineDriver {
    fn start(&mut self, child: &mut Child, start: &GameStart) -> Result<(), Fault> {
        self.known = 0;
        if !start.setup.stones.is_empty() {
            return Err(Fault::Refused("the line protocol cannot start with stones on the board".into()));
        }
        // The protocol has no handshake: a program counts as ready once it waits for input.
        child.wait_until_idle(start.deadline.min(Instant::now() + START_UP), start.stop);
        Ok(())
    }

    fn choose(
        &mut self,
        child: &mut Child,
        position: &dyn Position,
        request: &MoveRequest,
    ) -> Result<MoveReply, Fault> {
        let history = position.history();
        let words = match history.last() {
            None => "first".into(),
            Some(_) if history.len() > self.known + 1 => {
                return Err(Fault::Refused("the line protocol cannot start from an opening".into()));
            }
            Some(Move::Swap) => "change".into(),
            Some(mv) => position.format_move(*mv),
        };
        let asked = Instant::now();
        let deadline = asked + request.allowed;
        child.request(&words, deadline, request.stop)?;
        let said = child.read_line(deadline, request.stop)?;
        let time = asked.elapsed();
        let word = said.trim().to_ascii_lowercase();
        let mv = match word.as_str() {
            "change" => Move::Swap,
            _ => position.parse_move(&word).map_err(|error| Fault::Syntax(quote(&error.to_string())))?,
        };
        self.known = history.len() + 1;
        Ok(MoveReply { mv: Some(mv), note: MoveNote::default(), time })
    }

    fn quit_command(&self) -> &'static str {
        "finish"
    }

    fn reusable(&self) -> bool {
        false
    }
}
