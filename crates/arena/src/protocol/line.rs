//! The line protocol of the student Hex programs: one line each way per turn.
//!
//! `first` asks the program to open; otherwise it hears the opponent's move (`f6`) or `change` (the
//! opponent swapped) and answers with its own. `finish` ends the program, so that each game has a new one.

use super::{Talk, quote};
use crate::player::{Answer, Ask, Fault, Start};
use crate::process::Child;
use game::{Move, MoveNote, Position};

#[derive(Default)]
pub(super) struct LineTalk {
    known: usize,
}

impl Talk for LineTalk {
    fn start(&mut self, _child: &mut Child, start: &Start) -> Result<(), Fault> {
        self.known = 0;
        if start.setup.stones.is_empty() {
            Ok(())
        } else {
            Err(Fault::Refused("the line protocol cannot start with stones on the board".into()))
        }
    }

    fn choose(&mut self, child: &mut Child, position: &dyn Position, ask: &Ask) -> Result<Answer, Fault> {
        let history = position.history();
        let words = match history.last() {
            None => "first".into(),
            Some(_) if history.len() > self.known + 1 => {
                return Err(Fault::Refused("the line protocol cannot start from an opening".into()));
            }
            Some(Move::Swap) => "change".into(),
            Some(mv) => position.format_move(*mv),
        };
        child.request(&words, ask.deadline, ask.stop)?;
        let said = child.read_line(ask.deadline, ask.stop)?;
        let word = said.trim().to_ascii_lowercase();
        let mv = match word.as_str() {
            "change" => Move::Swap,
            _ => position.parse_move(&word).map_err(|error| Fault::Syntax(quote(&error.to_string())))?,
        };
        self.known = history.len() + 1;
        Ok(Answer { mv: Some(mv), note: MoveNote::default() })
    }

    fn goodbye(&self) -> &'static str {
        "finish"
    }

    fn reusable(&self) -> bool {
        false
    }
}
