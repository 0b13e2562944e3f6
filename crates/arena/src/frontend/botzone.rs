//! Botzone's JSON protocol from the bot's side: our engines as bots.
//!
//! Each line is a whole game (`{"requests":[…],"responses":[…]}`) or, once the bot has asked to be kept running, the
//! opponent's last move alone. The answer is `{"response":{"x":ROW,"y":COLUMN},"debug":…}`.

use super::{ClientBoard, ClientTime, Frontend, FrontendStep, SearchJob, Urgency, over, quote};
use crate::botzone::{KEEP_RUNNING, point, read_forced, read_point};
use game::{Cell, Decision, EngineError, Game, Limits, Move, Report, Setup, SetupError};
use serde_json::{Value, json};
use std::time::Duration;

/// The engine side of Botzone's protocol.
pub struct BotzoneFrontend {
    game: &'static dyn Game,
    setup: Setup,
    board: ClientBoard,
    limits: Limits,
    keep_running: bool,
}

impl BotzoneFrontend {
    /// A frontend for boards of this size. With `keep_running` the bot stays between moves.
    pub fn new(
        game: &'static dyn Game,
        rows: u8,
        cols: u8,
        limits: Limits,
        keep_running: bool,
    ) -> Result<BotzoneFrontend, SetupError> {
        let setup = Setup::empty(rows, cols);
        let board = ClientBoard::new(game, &setup)?;
        Ok(BotzoneFrontend { game, setup, board, limits, keep_running })
    }

    fn turn(&mut self, line: &str) -> Result<FrontendStep, String> {
        let input: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
        let last = match input.get("requests") {
            Some(_) => self.whole_game(&input)?,
            None => {
                if let Some(cell) = read_point(&input)? {
                    self.play(cell)?;
                }
                input
            }
        };
        if let Some(over) = over(self.board.position()) {
            return Err(over);
        }
        if let Some(cell) = read_forced(&last)? {
            return self.reply(Move::Place(cell), "prescribed");
        }
        let mut limits = self.limits.clone();
        let time = ClientTime { turn: limits.move_time, ..ClientTime::default() };
        let deadline = time.apply(&mut limits);
        let position = self.board.position().boxed();
        Ok(FrontendStep::Think(Box::new(SearchJob { position, limits, deadline, reports: false })))
    }

    /// Sets up the board from the history; the last request.
    fn whole_game(&mut self, input: &Value) -> Result<Value, String> {
        let list = |key: &str| match input.get(key) {
            Some(Value::Array(list)) => Ok(list.as_slice()),
            _ => Err(format!("\"{key}\" is not a list")),
        };
        let (requests, responses) = (list("requests")?, list("responses")?);
        if requests.len() != responses.len() + 1 {
            return Err(format!("{} requests and {} responses", requests.len(), responses.len()));
        }
        self.board = ClientBoard::new(self.game, &self.setup).map_err(|error| error.to_string())?;
        for (index, request) in requests.iter().enumerate() {
            match read_point(request)? {
                Some(cell) => self.play(cell)?,
                None if index == 0 => {}
                None => return Err(format!("request {}: -1, -1 stands only at the beginning", index + 1)),
            }
            if let Some(response) = responses.get(index) {
                let cell = read_point(response)?.ok_or(format!("response {}: not a move", index + 1))?;
                self.play(cell)?;
            }
        }
        Ok(requests.last().cloned().unwrap_or_default())
    }

    fn play(&mut self, cell: Cell) -> Result<(), String> {
        let show = |error: &dyn std::fmt::Display| format!("row {}, column {}: {error}", cell.row, cell.col);
        self.board.play(Move::Place(cell)).map_err(|error| show(&error))
    }

    fn reply(&mut self, mv: Move, debug: &str) -> Result<FrontendStep, String> {
        let cell = mv.cell().ok_or("the engine wants to swap, which the protocol has no word for")?;
        self.play(cell).map_err(|problem| format!("the engine chose {problem}"))?;
        let line = json!({"response": point(Some(cell)), "debug": debug}).to_string();
        Ok(if self.keep_running {
            FrontendStep::Say(format!("{line}\n{KEEP_RUNNING}"))
        } else {
            FrontendStep::Quit(line)
        })
    }

    /// An error in the form of an answer: the platform shows `debug` to the bot's author.
    fn error(&self, problem: &str) -> FrontendStep {
        FrontendStep::Quit(json!({"response": point(None), "debug": format!("error: {problem}")}).to_string())
    }
}

impl Frontend for BotzoneFrontend {
    fn handle(&mut self, line: &str) -> FrontendStep {
        if line.trim().is_empty() {
            return FrontendStep::silent();
        }
        self.turn(line.trim()).unwrap_or_else(|problem| self.error(&problem))
    }

    fn urgency(&self, _line: &str) -> Urgency {
        Urgency::Wait
    }

    fn report(&mut self, _report: &Report) -> String {
        String::new()
    }

    fn refuse(&self, line: &str, problem: &str) -> String {
        json!({"response": point(None), "debug": format!("{}: {problem}", quote(line))}).to_string()
    }

    fn answer(&mut self, result: Result<Decision, EngineError>, _elapsed: Duration) -> FrontendStep {
        let answered = result.map_err(|error| error.to_string()).and_then(|decision| {
            let report = &decision.report;
            let debug = format!("depth {}, {} nodes, score {:?}", report.depth, report.nodes, report.score);
            self.reply(decision.mv, &debug)
        });
        answered.unwrap_or_else(|problem| self.error(&problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::testing::{FIVE, choose};

    fn frontend(keep_running: bool) -> BotzoneFrontend {
        BotzoneFrontend::new(&FIVE, 15, 15, Limits::time(Duration::from_secs(1)), keep_running).unwrap()
    }

    /// What a line is answered with, and whether the bot ends.
    fn say(frontend: &mut BotzoneFrontend, line: &str, prefers: Cell) -> (Vec<String>, bool) {
        let step = match frontend.handle(line) {
            FrontendStep::Think(job) => {
                let chosen = choose(&[prefers.into()], &*job.position, &job.limits);
                frontend.answer(chosen, Duration::ZERO)
            }
            other => other,
        };
        match step {
            FrontendStep::Say(text) => (text.lines().map(str::to_string).collect(), false),
            FrontendStep::Quit(text) => (text.lines().map(str::to_string).collect(), true),
            other => panic!("{other:?}"),
        }
    }

    fn response(lines: &[String]) -> Value {
        serde_json::from_str::<Value>(&lines[0]).unwrap()["response"].clone()
    }

    #[test]
    fn the_simple_form_answers_once_and_ends() {
        let opening = r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#;
        let (lines, ends) = say(&mut frontend(false), opening, Cell::new(7, 6));
        assert!(ends && lines.len() == 1);
        assert_eq!(response(&lines), json!({"x": 7, "y": 6}));
        let later =
            r#"{"requests":[{"x":-1,"y":-1},{"x":"0","y":"1"}],"responses":[{"x":7,"y":7}],"data":""}"#;
        let (lines, _) = say(&mut frontend(false), later, Cell::new(8, 8));
        assert_eq!(response(&lines), json!({"x": 8, "y": 8}));
    }

    #[test]
    fn a_bot_that_stays_gets_single_moves() {
        let mut bot = frontend(true);
        let (lines, ends) = say(&mut bot, r#"{"requests":[{"x":7,"y":7}],"responses":[]}"#, Cell::new(0, 0));
        assert!(!ends);
        assert_eq!(lines[1], KEEP_RUNNING);
        let (lines, ends) = say(&mut bot, r#"{"x":8,"y":8}"#, Cell::new(0, 1));
        assert!(!ends);
        assert_eq!(response(&lines), json!({"x": 0, "y": 1}));
        assert_eq!(bot.board.position().history().len(), 4);
    }

    #[test]
    fn a_prescribed_move_is_played() {
        let line = r#"{"requests":[{"x":-1,"y":-1,"forced_x":1,"forced_y":2}],"responses":[]}"#;
        let (lines, _) = say(&mut frontend(false), line, Cell::new(7, 7));
        assert_eq!(response(&lines), json!({"x": 1, "y": 2}));
    }

    #[test]
    fn errors_say_what_is_wrong_and_end() {
        for (line, problem) in [
            ("hello", "not JSON"),
            (r#"{"requests":7,"responses":[]}"#, "\\\"requests\\\" is not a list"),
            (r#"{"requests":[],"responses":[]}"#, "0 requests and 0 responses"),
            (r#"{"requests":[{"x":99,"y":0}],"responses":[]}"#, "row 99"),
            (r#"{"requests":[{"x":999,"y":0}],"responses":[]}"#, "not on the board"),
            (r#"{"requests":[{"z":1}],"responses":[]}"#, "not a move"),
        ] {
            let (lines, ends) = say(&mut frontend(true), line, Cell::new(7, 7));
            assert!(ends && lines[0].contains(problem), "{line} -> {lines:?}");
        }
    }
}
