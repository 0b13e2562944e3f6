//! The Hex Text Protocol from the controller's side: GTP's frame with commands for Hex.

use super::{Driver, quote, timeline};
use crate::player::{Fault, GameStart, MoveReply, MoveRequest};
use crate::process::Child;
use game::{Cell, Move, MoveNote, Position, Side, StopFlag};
use play::TimeControl;
use std::time::{Duration, Instant};

pub(super) struct HtpDriver {
    init: Vec<String>,
    options: Vec<(String, String)>,
    /// The history that the program has on its board.
    known: Vec<Move>,
    placed_setup: bool,
    tells_time: bool,
}

impl HtpDriver {
    pub(super) fn new(init: Vec<String>, options: Vec<(String, String)>) -> HtpDriver {
        HtpDriver { init, options, known: Vec::new(), placed_setup: false, tells_time: false }
    }
}

impl Driver for HtpDriver {
    fn start(&mut self, child: &mut Child, start: &GameStart) -> Result<(), Fault> {
        self.known.clear();
        self.placed_setup = false;
        let mut ask = |line: &str| command(child, line, start.deadline, start.stop);
        let (rows, cols) = (start.setup.rows, start.setup.cols);
        ask(&if rows == cols { format!("boardsize {rows}") } else { format!("boardsize {cols} {rows}") })?;
        ask("clear_board")?;
        let commands = ask("list_commands").unwrap_or_default();
        let knows = |command: &str| commands.split_whitespace().any(|word| word == command);
        self.tells_time = knows("time_left");
        if let Some(settings) = time_settings(start.control).filter(|_| knows("time_settings")) {
            match ask(&settings) {
                // GTP uses whole seconds, and a program may reject fractions: then it has to know its time from elsewhere.
                Err(Fault::Refused(_)) => {}
                said => drop(said?),
            }
        }
        for (key, value) in &self.options {
            ask(&format!("param {key} {value}"))?;
        }
        for line in &self.init {
            ask(line)?;
        }
        Ok(())
    }

    fn choose(
        &mut self,
        child: &mut Child,
        position: &dyn Position,
        request: &MoveRequest,
    ) -> Result<MoveReply, Fault> {
        let asked = Instant::now();
        let mut send = |line: &str| command(child, line, asked + request.allowed, request.stop);
        let (base, moves) = timeline(position);
        if !position.history().starts_with(&self.known) {
            send("clear_board")?;
            self.known.clear();
            self.placed_setup = false;
        }
        if !self.placed_setup {
            for (side, cell) in setup_stones(&*base) {
                send(&format!("play {side} {}", base.format_move(Move::Place(cell))))?;
            }
            self.placed_setup = true;
        }
        for (side, mv) in moves.iter().skip(self.known.len()) {
            send(&format!("play {side} {}", position.format_move(*mv)))?;
        }
        let side = position.to_move();
        if let Some(clock) = request.limits.clock.filter(|_| self.tells_time) {
            send(&format!("time_left {side} {:.3} 0", clock.left.as_secs_f64()))?;
        }
        let said = send(&format!("genmove {side}"))?;
        let time = asked.elapsed();
        let word = said.trim().to_ascii_lowercase();
        let mv = match word.as_str() {
            "resign" => return Ok(MoveReply { mv: None, note: MoveNote::default(), time }),
            "swap" | "swap-pieces" | "swap-sides" => Move::Swap,
            _ => position.parse_move(&word).map_err(|error| Fault::Syntax(quote(&error.to_string())))?,
        };
        self.known = position.history().to_vec();
        self.known.push(mv);
        Ok(MoveReply { mv: Some(mv), note: MoveNote::default(), time })
    }

    fn quit_command(&self) -> &'static str {
        "quit"
    }
}

/// A time control as GTP expresses it: main time, then byo-yomi time and stones. GTP has no limits on nodes or depth.
fn time_settings(control: &TimeControl) -> Option<String> {
    let seconds = |time: Duration| time.as_secs_f64().to_string();
    let per_game = || {
        let (main, extra) = (seconds(control.per_game?), seconds(control.increment));
        Some(format!("time_settings {main} {extra} {}", u8::from(!control.increment.is_zero())))
    };
    // `time_left` sends the game clock before each move, so the time per move takes precedence here.
    control.per_move.map(|time| format!("time_settings 0 {} 1", seconds(time))).or_else(per_game)
}

fn setup_stones(base: &dyn Position) -> Vec<(Side, Cell)> {
    let cells = (0..base.rows()).flat_map(|row| (0..base.cols()).map(move |col| Cell::new(row, col)));
    cells.filter_map(|cell| Some((base.at(cell)?, cell))).collect()
}

/// Sends a command and reads its answer: `= text` up to an empty line, or `? text` for a failure.
pub(super) fn command(
    child: &mut Child,
    line: &str,
    deadline: Instant,
    stop: &StopFlag,
) -> Result<String, Fault> {
    child.request(line, deadline, stop)?;
    let mut answer: Option<(bool, String)> = None;
    loop {
        let said = child.read_line(deadline, stop)?;
        let said = said.trim_end();
        match &mut answer {
            None if said.is_empty() => {}
            None => {
                let text = said.strip_prefix('=').map(|text| (true, text));
                let text = text.or_else(|| said.strip_prefix('?').map(|text| (false, text)));
                let Some((good, text)) = text else {
                    return Err(Fault::Syntax(format!(
                        "answer to '{line}': '{}'; an answer begins with = or ?",
                        quote(said)
                    )));
                };
                // The number some programs echo after the sign is not part of the answer.
                let text = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim();
                answer = Some((good, text.to_string()));
            }
            Some((good, text)) if said.is_empty() => {
                return if *good {
                    Ok(std::mem::take(text))
                } else {
                    Err(Fault::Refused(format!("answer to '{line}': {}", quote(text))))
                };
            }
            Some((_, text)) => {
                text.push('\n');
                text.push_str(said);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_become_gtp_time_settings() {
        let (second, none) = (Duration::from_secs(1), TimeControl::default());
        let per_move = TimeControl::per_move(Duration::from_millis(200));
        let per_game = TimeControl { per_game: Some(60 * second), ..none };
        let growing = TimeControl { increment: second, ..per_game };
        let both = TimeControl { per_game: Some(60 * second), ..per_move };
        let said = [none, TimeControl::nodes(9), per_move, per_game, growing, both]
            .map(|control| time_settings(&control));
        let words = |text: &str| Some(text.to_string());
        assert_eq!(said[..2], [None, None]);
        assert_eq!(said[2], words("time_settings 0 0.2 1"));
        assert_eq!(said[3], words("time_settings 60 0 0"));
        assert_eq!(said[4], words("time_settings 60 1 1"));
        assert_eq!(said[5], said[2]);
    }
}
