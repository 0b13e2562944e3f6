//! The line protocol of the course's Hex programs: one line each way per turn.
//!
//! `first` asks the program to open; otherwise it reads the opponent's move (`f6`) or `change` (the
//! opponent swapped) and answers with its own. `finish` ends the program, so that each game has a new one.

use super::{Driver, ask, quote, start_without_handshake};
use crate::player::{Fault, GameStart, MoveReply, MoveRequest};
use crate::process::Child;
use game::{Move, MoveNote, Position};

#[derive(Default)]
pub(super) struct LineDriver {
    known: usize,
}

impl Driver for LineDriver {
    fn start(&mut self, child: &mut Child, start: &GameStart) -> Result<(), Fault> {
        self.known = 0;
        start_without_handshake(child, start, "the line protocol")
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
        let (said, time) = ask(child, &words, request)?;
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
