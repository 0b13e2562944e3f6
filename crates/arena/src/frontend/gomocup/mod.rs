//! Gomocup's protocol, as Piskvork and other match managers speak it, with the commands that Yixin-Board
//! and Rapfi add.
//!
//! Coordinates are `x,y` from the top left, 0-based. Every command but `INFO`, `YXBOARD`, the `YXBLOCK`
//! family and `YXSTOP` is answered by exactly one line that is not a `MESSAGE` (nor a detail line asked for
//! with `INFO show_detail`). A refused command is answered by `ERROR …`, an unknown one by `UNKNOWN …`, and
//! neither changes the board. What `INFO rule` means, see `settings`.

mod list;
mod settings;
mod text;

use super::{ClientBoard, Frontend, Job, Step, Urgency, over, quote};
use game::{Cell, Decision, EngineError, Game, Limits, Move, Position, Report, Setup};
use list::{List, ListKind};
use settings::{Effect, Settings};
use std::time::Duration;

/// The commands, listed in the answer to an unknown one.
const COMMANDS: &str = "START, RECTSTART, RESTART, BEGIN, TURN, BOARD, PLAY, TAKEBACK, SWAP2BOARD, INFO, ABOUT, \
    END, STOP, YXBOARD, YXNBEST, YXSTOP, YXSHOWFORBID, YXHASHCLEAR, YXSHOWINFO, YXBLOCK, YXBLOCKUNDO, \
    YXBLOCKRESET";

/// The engine side of Gomocup's protocol.
pub struct GomocupFrontend {
    game: &'static dyn Game,
    engine: String,
    version: String,
    settings: Settings,
    board: Option<ClientBoard>,
    list: Option<List>,
    purpose: Purpose,
    lines: usize,
    blocked: Vec<Cell>,
    /// A complaint to send with the answer of the search that runs.
    owed: String,
}

/// What the search that runs is for.
enum Purpose {
    /// One move.
    Move,
    /// Stones of a Swap2 opening: those found so far, and how many are wanted.
    Opening { found: Vec<Cell>, want: usize },
}

impl GomocupFrontend {
    /// A frontend for `game`, played by the engine of this name. `limits` apply to a client that sends
    /// nothing; `limits.move_time` is the time for a move.
    pub fn new(game: &'static dyn Game, engine: &str, version: &str, limits: Limits) -> GomocupFrontend {
        GomocupFrontend {
            game,
            engine: engine.into(),
            version: version.into(),
            settings: Settings::new(limits),
            board: None,
            list: None,
            purpose: Purpose::Move,
            lines: 1,
            blocked: Vec::new(),
            owed: String::new(),
        }
    }

    fn command(&mut self, line: &str) -> Result<Step, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_uppercase(), rest.trim());
        if word.starts_with("YX") && self.settings.speaks_yixin() {
            // A rule this client has sent may mean something else now; a board that cannot follow stays.
            let _ = self.follow_rule();
        }
        match word.as_str() {
            "START" => self.start(rest),
            "RECTSTART" => self.rect_start(rest),
            "RESTART" => {
                let size = self.board()?.position().rows();
                self.new_game(size)
            }
            "BEGIN" => {
                if self.board()?.stones().is_empty() {
                    self.think(1)
                } else {
                    Err("BEGIN needs an empty board; accepted now: TURN, BOARD, RESTART".into())
                }
            }
            "TURN" => {
                self.put(rest)?;
                self.think(1)
            }
            "PLAY" => {
                let cell = self.put(rest)?;
                Ok(Step::Say(text::xy(cell)))
            }
            "TAKEBACK" => self.take_back(rest),
            "BOARD" => self.start_list(ListKind::Board),
            "YXBOARD" => self.start_list(ListKind::SilentBoard),
            "SWAP2BOARD" => self.start_list(ListKind::Swap2),
            "YXBLOCK" => self.start_list(ListKind::Block),
            "YXBLOCKUNDO" => self.start_list(ListKind::Unblock),
            "YXBLOCKRESET" => {
                self.blocked.clear();
                Ok(Step::silent())
            }
            "DONE" => Err("DONE ends a list, and none was started; accepted before it: BOARD".into()),
            "INFO" => self.info(rest),
            "ABOUT" => Ok(Step::Say(format!(
                "name=\"Tengen {}\", version=\"{}\", author=\"Tengen\", country=\"-\"",
                self.engine, self.version
            ))),
            "END" => Ok(Step::Quit(String::new())),
            // Nothing runs: there is nothing to stop, and the answer has been sent.
            "STOP" | "YXSTOP" => Ok(Step::silent()),
            "YXNBEST" => match rest.parse::<usize>() {
                Ok(lines @ 1..=400) => self.think(lines),
                _ => Err(format!("YXNBEST: {} is not a number of lines; accepted: 1 to 400", quote(rest))),
            },
            "YXSHOWFORBID" => self.show_forbidden(),
            "YXHASHCLEAR" => Ok(Step::Forget("MESSAGE hash board cleared".into())),
            "YXSHOWINFO" => Ok(Step::Say(format!(
                "MESSAGE Tengen {} {}\nMESSAGE INFO MAX_THREAD_NUM 256\nMESSAGE INFO MAX_HASH_SIZE 20",
                self.engine, self.version
            ))),
            _ => Ok(Step::Say(format!("UNKNOWN command {}; accepted: {COMMANDS}", quote(&word)))),
        }
    }

    fn board(&self) -> Result<&ClientBoard, String> {
        self.board.as_ref().ok_or_else(|| "no game has been started; accepted first: START 15".into())
    }

    fn board_mut(&mut self) -> Result<&mut ClientBoard, String> {
        self.board.as_mut().ok_or_else(|| "no game has been started; accepted first: START 15".into())
    }

    fn start(&mut self, rest: &str) -> Result<Step, String> {
        match rest.parse() {
            Ok(size) => self.new_game(size),
            Err(_) => {
                let (rows, _) = self.game.default_size();
                Err(format!(
                    "START: {} is not a size of a board; accepted: a number, such as {rows}",
                    quote(rest)
                ))
            }
        }
    }

    fn rect_start(&mut self, rest: &str) -> Result<Step, String> {
        let sides = text::numbers(rest, 2).map_err(|_| {
            format!("RECTSTART: {} is not a size; accepted: width,height, both the same", quote(rest))
        })?;
        match sides[..] {
            [width, height] if width == height => self.start(&width.to_string()),
            _ => {
                Err(format!("the board {rest} is not square; accepted: square boards only, such as START 15"))
            }
        }
    }

    fn new_game(&mut self, size: u8) -> Result<Step, String> {
        self.board = Some(self.empty_board(size, "")?);
        self.blocked.clear();
        self.settings.new_game();
        Ok(Step::Forget("OK".into()))
    }

    fn empty_board(&self, size: u8, opening: &str) -> Result<ClientBoard, String> {
        let mut setup = Setup::empty(size, size);
        (setup.rule, setup.opening) = (self.settings.rule().into(), opening.into());
        ClientBoard::new(self.game, &setup).map_err(|error| error.to_string())
    }

    /// Puts the stone of the side to move at a point `x,y`.
    fn put(&mut self, rest: &str) -> Result<Cell, String> {
        let board = self.board_mut()?;
        let point = text::numbers(rest, 2)?;
        let cell = text::cell(board.position(), point[0], point[1])?;
        if let Some(over) = over(board.position()) {
            return Err(over);
        }
        board.play(Move::Place(cell)).map_err(|error| format!("{}: {error}", text::xy(cell)))?;
        Ok(cell)
    }

    fn take_back(&mut self, rest: &str) -> Result<Step, String> {
        let board = self.board_mut()?;
        let point = text::numbers(rest, 2)?;
        let cell = text::cell(board.position(), point[0], point[1])?;
        match board.last() {
            Some(last) if last == cell && board.undo() => Ok(Step::Say("OK".into())),
            Some(last) => {
                Err(format!("{} is not the last stone; accepted: {}", text::xy(cell), text::xy(last)))
            }
            None => Err("there is no move to take back".into()),
        }
    }

    fn info(&mut self, rest: &str) -> Result<Step, String> {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let before = self.settings.clone();
        if self.settings.set(key, value)? == Effect::Rule
            && let Err(problem) = self.follow_rule()
        {
            self.settings = before;
            return Err(problem);
        }
        Ok(Step::silent())
    }

    /// Brings the board under the rule that the client has set.
    fn follow_rule(&mut self) -> Result<(), String> {
        let rule = self.settings.rule();
        if !self.game.rules().contains(&rule) {
            return Err(format!(
                "{} has no rule {rule}; accepted: {}",
                self.game.name(),
                self.game.rules().join(", ")
            ));
        }
        if let Some(board) = &self.board {
            let change = |setup: &mut Setup| setup.rule = rule.into();
            self.board = Some(board.under(change).map_err(|error| error.to_string())?);
        }
        Ok(())
    }

    fn show_forbidden(&mut self) -> Result<Step, String> {
        let mut cells: Vec<Cell> =
            self.board()?.position().forbidden().iter().map(|(cell, _)| *cell).collect();
        cells.sort();
        let points: String = cells.iter().map(|cell| format!("{:02}{:02}", cell.col, cell.row)).collect();
        Ok(Step::Say(format!("FORBID {points}.")))
    }

    /// Swap2: no stones, put three; three stones, choose a colour or put two more; five, choose a colour.
    fn swap2(&mut self, cells: &[Cell]) -> Result<Step, String> {
        let size = self.board()?.position().rows();
        let mut board = self.empty_board(size, "swap2")?;
        for (n, cell) in cells.iter().enumerate() {
            if n == 3 {
                board.play(Move::Extend).map_err(|error| error.to_string())?;
            }
            board.play(Move::Place(*cell)).map_err(|error| format!("{}: {error}", text::xy(*cell)))?;
        }
        let purpose = match cells.len() {
            0 => Purpose::Opening { found: Vec::new(), want: 3 },
            3 | 5 => Purpose::Move,
            n => return Err(format!("SWAP2BOARD with {n} stones; accepted: 0, 3 or 5")),
        };
        self.board = Some(board);
        self.think_for(purpose, 1)
    }

    fn think(&mut self, lines: usize) -> Result<Step, String> {
        self.think_for(Purpose::Move, lines)
    }

    fn think_for(&mut self, purpose: Purpose, lines: usize) -> Result<Step, String> {
        let position = self.board()?.position();
        if let Some(over) = over(position) {
            return Err(over);
        }
        let mut limits = self.settings.limits.clone();
        limits.lines = lines;
        limits.exclude = self.blocked.iter().map(|cell| Move::Place(*cell)).collect();
        let mut time = self.settings.time();
        if let Purpose::Opening { want, .. } = &purpose {
            // One command, several searches: they share its time.
            time.turn = time.turn.map(|turn| turn / u32::try_from(*want).unwrap_or(1).max(1));
        }
        let deadline = time.apply(&mut limits);
        let reports = self.settings.detail > 0 || lines > 1;
        let job = Job { position: position.boxed(), limits, deadline, reports };
        (self.purpose, self.lines) = (purpose, lines);
        Ok(Step::Think(Box::new(job)))
    }

    /// Takes the stones of a Swap2 answer back that could not be finished.
    fn abandon_opening(&mut self) {
        if let Purpose::Opening { found, want } = std::mem::replace(&mut self.purpose, Purpose::Move)
            && let Some(board) = &mut self.board
        {
            let extend = usize::from(want == 2);
            for _ in 0..found.len() + extend {
                board.undo();
            }
        }
    }

    /// Adds what is owed to a reply.
    fn pay(&mut self, step: Step) -> Step {
        let with = |owed: String, text: String| match (owed.is_empty(), text.is_empty()) {
            (true, _) => text,
            (false, true) => owed,
            (false, false) => format!("{owed}\n{text}"),
        };
        match step {
            Step::Say(text) => Step::Say(with(std::mem::take(&mut self.owed), text)),
            Step::Forget(text) => Step::Forget(with(std::mem::take(&mut self.owed), text)),
            Step::Quit(text) => Step::Quit(with(std::mem::take(&mut self.owed), text)),
            Step::Think(job) => Step::Think(job),
        }
    }

    /// Plays what the engine chose, and the reply that tells it.
    fn play(&mut self, decision: &Decision) -> Result<Step, String> {
        let (detail, lines) = (self.settings.detail, self.lines);
        let board = self.board_mut()?;
        let message = if detail > 0 || lines > 1 {
            text::report_lines(board.position(), &decision.report, detail)
        } else {
            text::summary(board.position(), &decision.report)
        };
        let mv = with_pie_rule(board.position(), decision);
        let chosen = board.position().format_move(mv);
        board.play(mv).map_err(|error| format!("the engine chose {chosen}: {error}"))?;
        let word = match (mv, std::mem::replace(&mut self.purpose, Purpose::Move)) {
            (Move::Extend, _) => return self.think_for(Purpose::Opening { found: Vec::new(), want: 2 }, 1),
            (Move::Swap, _) => "SWAP".into(),
            (Move::Declare(_) | Move::Offer(_), _) => {
                return Err(format!("Gomocup has no word for {chosen}"));
            }
            (Move::Place(cell), Purpose::Move) => text::xy(cell),
            (Move::Place(cell), Purpose::Opening { mut found, want }) => {
                found.push(cell);
                if found.len() < want {
                    return self.think_for(Purpose::Opening { found, want }, 1);
                }
                text::xys(&found)
            }
        };
        Ok(Step::Say(format!("{message}\n{word}")))
    }
}

impl Frontend for GomocupFrontend {
    fn handle(&mut self, line: &str) -> Step {
        let line = line.trim();
        if line.is_empty() {
            return Step::silent();
        }
        if let Some(list) = self.list.take() {
            match self.list_line(list, line) {
                Some(done) => return done.unwrap_or_else(error),
                None => self.owed = "ERROR the list before this command was not ended by DONE".into(),
            }
        }
        let step = self.command(line).unwrap_or_else(error);
        self.pay(step)
    }

    fn urgency(&self, line: &str) -> Urgency {
        let mut words = line.split_whitespace().map(str::to_ascii_uppercase);
        match words.next().as_deref() {
            None | Some("ABOUT") => Urgency::Now,
            Some("STOP" | "YXSTOP") => Urgency::Stop,
            Some("END") => Urgency::Leave,
            Some("INFO") if words.next().as_deref() != Some("RULE") => Urgency::InOrder,
            Some(_) => Urgency::Wait,
        }
    }

    fn report(&mut self, report: &Report) -> String {
        match &self.board {
            Some(board) => text::report_lines(board.position(), report, self.settings.detail),
            None => String::new(),
        }
    }

    fn answer(&mut self, result: Result<Decision, EngineError>, elapsed: Duration) -> Step {
        self.settings.spend(elapsed);
        let done = match result {
            Ok(decision) => self.play(&decision),
            Err(problem) => Err(problem.to_string()),
        };
        let step = done.unwrap_or_else(|problem| {
            self.abandon_opening();
            error(problem)
        });
        self.pay(step)
    }

    fn refuse(&self, line: &str, problem: &str) -> String {
        format!("ERROR {}: {problem}", quote(line))
    }

    fn ponder(&self) -> Option<Job> {
        let position = self.board.as_ref()?.position();
        if !self.settings.pondering || position.outcome().is_some() {
            return None;
        }
        let limits = Limits { depth: None, nodes: None, ..self.settings.limits.clone() };
        Some(Job { position: position.boxed(), limits, deadline: None, reports: false })
    }
}

fn error(problem: String) -> Step {
    Step::Say(format!("ERROR {problem}"))
}

/// What the engine chose, or the swap that its own judgement asks for: who would rather not be the side to
/// move takes the other colour. Engines that know nothing of swaps open soundly this way.
fn with_pie_rule(position: &dyn Position, decision: &Decision) -> Move {
    let worse = decision.report.win_rate < 0.5 && decision.mv.cell().is_some();
    if worse && position.legal(Move::Swap).is_ok() { Move::Swap } else { decision.mv }
}

#[cfg(test)]
mod tests;
