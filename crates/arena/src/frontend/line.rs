//! The line protocol: one line in, one line out per turn.
//!
//! `first` lets the engine open; a move such as `f6` is the opponent's and is answered by a move or by
//! `change`; `change` (swap pieces: the opening stone is mirrored on the long diagonal and changes colour) is
//! answered by a move; `finish` ends. The player who opens is black and joins top and bottom. Anything else
//! is answered by `error: …` and changes nothing.

use super::{ClientBoard, ClientTime, Frontend, FrontendStep, SearchJob, Urgency, over, quote};
use game::{Decision, EngineError, Game, Limits, Move, Report, Setup, SetupError};
use std::time::Duration;

/// The engine side of the line protocol.
pub struct LineFrontend {
    board: ClientBoard,
    limits: Limits,
}

impl LineFrontend {
    /// A frontend for one game on a board of this size. `limits.move_time` is the time for a move.
    pub fn new(
        game: &'static dyn Game,
        rows: u8,
        cols: u8,
        limits: Limits,
    ) -> Result<LineFrontend, SetupError> {
        let mut setup = Setup::empty(rows, cols);
        // Mirroring needs a square board; on others there is nothing to swap.
        if rows == cols {
            setup.opening = "swap-pieces".into();
        }
        Ok(LineFrontend { board: ClientBoard::new(game, &setup)?, limits })
    }

    fn command(&mut self, line: &str) -> Result<FrontendStep, String> {
        match line.to_ascii_lowercase().as_str() {
            "finish" => return Ok(FrontendStep::Quit("game over".into())),
            "first" if self.board.position().history().is_empty() => {}
            "first" => return Err("the game has begun; accepted: a move such as f6, finish".into()),
            "change" => self.play(Move::Swap)?,
            word => {
                let mv = self.board.position().parse_move(word).map_err(|error| error.to_string())?;
                self.play(mv)?;
            }
        }
        self.think()
    }

    fn play(&mut self, mv: Move) -> Result<(), String> {
        if let Some(over) = over(self.board.position()) {
            return Err(over);
        }
        self.board.play(mv).map_err(|error| error.to_string())
    }

    fn think(&mut self) -> Result<FrontendStep, String> {
        let position = self.board.position();
        if let Some(over) = over(position) {
            return Err(over);
        }
        let mut limits = self.limits.clone();
        let time = ClientTime { turn: limits.move_time, ..ClientTime::default() };
        let deadline = time.apply(&mut limits);
        Ok(FrontendStep::Think(Box::new(SearchJob {
            position: position.boxed(),
            limits,
            deadline,
            reports: false,
        })))
    }

    fn reply(&mut self, decision: &Decision) -> Result<FrontendStep, String> {
        let word = match decision.mv {
            Move::Swap => "change".into(),
            mv => self.board.position().format_move(mv),
        };
        self.board.play(decision.mv).map_err(|error| format!("the engine chose {word}: {error}"))?;
        Ok(FrontendStep::Say(word))
    }
}

impl Frontend for LineFrontend {
    fn handle(&mut self, line: &str) -> FrontendStep {
        let line = line.trim();
        let done = if line.is_empty() {
            Err("an empty line; accepted: first, a move such as f6, change, finish".into())
        } else {
            self.command(line).map_err(|problem| format!("{}: {problem}", quote(line)))
        };
        done.unwrap_or_else(error)
    }

    fn urgency(&self, line: &str) -> Urgency {
        if line.trim().eq_ignore_ascii_case("finish") { Urgency::Leave } else { Urgency::Wait }
    }

    fn report(&mut self, _report: &Report) -> String {
        String::new()
    }

    fn refuse(&self, line: &str, problem: &str) -> String {
        format!("error: {}: {problem}", quote(line.trim()))
    }

    fn answer(&mut self, result: Result<Decision, EngineError>, _elapsed: Duration) -> FrontendStep {
        result
            .map_err(|problem| problem.to_string())
            .and_then(|decision| self.reply(&decision))
            .unwrap_or_else(error)
    }
}

fn error(problem: String) -> FrontendStep {
    FrontendStep::Say(format!("error: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::testing::{FIVE, reply_to as say};
    use game::Cell;
    use proptest::prelude::*;

    fn frontend() -> LineFrontend {
        LineFrontend::new(&FIVE, 11, 11, Limits::time(Duration::from_secs(1))).unwrap()
    }

    #[test]
    fn a_game_goes_back_and_forth() {
        let mut frontend = frontend();
        assert_eq!(say(&mut frontend, "first", &[Cell::new(5, 5).into()]), "f6");
        assert_eq!(say(&mut frontend, "A1", &[]), "b1");
        assert!(say(&mut frontend, "a1", &[]).starts_with("error: 'a1': "), "occupied");
        assert!(say(&mut frontend, "first", &[]).starts_with("error: "), "too late");
        assert!(say(&mut frontend, "change", &[]).starts_with("error: "), "too late");
        assert_eq!(say(&mut frontend, "finish", &[]), "game over");
    }

    #[test]
    fn change_mirrors_the_stone_both_ways() {
        let mut frontend = frontend();
        say(&mut frontend, "first", &[Cell::new(1, 3).into()]);
        assert_eq!(say(&mut frontend, "change", &[]), "a1");
        assert_eq!(frontend.board.position().at(Cell::new(3, 1)), Some(game::Side::White));
        assert_eq!(frontend.board.position().at(Cell::new(0, 0)), Some(game::Side::Black));

        let mut frontend = self::frontend();
        assert_eq!(say(&mut frontend, "d2", &[Move::Swap]), "change");
        assert_eq!(frontend.board.position().at(Cell::new(3, 1)), Some(game::Side::White));
        assert_eq!(say(&mut frontend, "d2", &[]), "a1", "the point is free again");
    }

    #[test]
    fn a_finished_game_is_said_to_be_over() {
        let mut frontend = frontend();
        for line in ["a1", "a2", "a3", "a4"] {
            let white = [Cell::new(9, 0), Cell::new(9, 2), Cell::new(9, 4), Cell::new(9, 6)].map(Move::Place);
            say(&mut frontend, line, &white);
        }
        assert!(say(&mut frontend, "a5", &[]).contains("the game is over: black has won"));
        assert!(say(&mut frontend, "k11", &[]).contains("the game is over"));
    }

    proptest! {
        #[test]
        fn every_line_gets_one_line_and_errors_change_nothing(
            lines in prop::collection::vec(
                prop_oneof!["[a-m][0-9]{1,2}", "first|change|finish|FIRST", "\\PC{0,12}"], 1..30),
        ) {
            let mut frontend = frontend();
            for line in lines {
                let before = frontend.board.position().hash();
                let over = frontend.board.position().outcome().is_some();
                let reply = say(&mut frontend, &line, &[]);
                prop_assert_eq!(reply.lines().count(), 1, "{} -> {}", line, reply);
                if reply.starts_with("error") && (over || frontend.board.position().outcome().is_none()) {
                    prop_assert_eq!(frontend.board.position().hash(), before);
                }
            }
        }
    }
}
