//! Compliance checks for authors of engines: does a program keep its protocol and its clock?
//!
//! Each check is a few seconds of play or a question. A finding states what happened and why ([`Cause`]), and the
//! advice follows the cause: a program that does not flush is advised to flush, whatever check it failed.

mod coordinates;
mod diagnose;
mod text;

pub use text::{Cause, Check, Language};

use crate::adjudication::Adjudication;
use crate::player::{Alarm, BuiltIn, GameStart, MoveRequest, Player};
use crate::process::Launch;
use crate::protocol::{Program, Protocol};
use crate::referee::{self, GamePlan, Played, Termination};
use coordinates::CrowdedBoard;
use game::{
    Decision, Engine, EngineError, Game, Limits, Move, Position, Report, Seat, Setup, StopFlag, Watch,
};
use play::TimeControl;
use search::Rng;
use serde::Serialize;
use std::time::{Duration, Instant};

/// What to check.
pub struct Candidate {
    /// The game it plays.
    pub game: &'static dyn Game,
    /// Board and rule.
    pub setup: Setup,
    /// The program.
    pub launch: Launch,
    /// Its protocol.
    pub protocol: Protocol,
    /// Time per move in the checks.
    pub time: Duration,
    /// Memory it should stay below, in MiB.
    pub memory_mb: u64,
    /// The language of names and advice.
    pub language: Language,
}

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was checked, for programs.
    pub id: Check,
    /// What was checked, for people.
    pub check: &'static str,
    /// Could it be made? If not, the detail says why, and it has neither passed nor failed.
    pub checked: bool,
    /// Did it pass?
    pub passed: bool,
    /// Why not.
    pub cause: Option<Cause>,
    /// What happened.
    pub detail: String,
    /// How to fix it; empty where it passed.
    pub advice: &'static str,
}

impl Finding {
    /// Was it checked and has not passed?
    pub fn failed(&self) -> bool {
        self.checked && !self.passed
    }
}

/// A passed check with a remark, or a cause with what there is to show.
type CheckOutcome = Result<String, (Cause, String)>;

/// The outcome of a check that cannot be made everywhere.
#[derive(Debug, PartialEq)]
enum Outcome {
    Made(CheckOutcome),
    NotMade(&'static str),
}

impl From<CheckOutcome> for Outcome {
    fn from(outcome: CheckOutcome) -> Outcome {
        Outcome::Made(outcome)
    }
}

/// Runs all checks, reporting each finding as it comes. Stops early when the program cannot even open a game.
pub fn check(candidate: &Candidate, report: &mut dyn FnMut(&Finding)) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add_outcome = |id: Check, outcome: Outcome| {
        let (language, protocol) = (candidate.language, candidate.protocol);
        let checked = matches!(outcome, Outcome::Made(_));
        let passed = matches!(outcome, Outcome::Made(Ok(_)));
        let (cause, detail) = match outcome {
            Outcome::Made(Ok(remark)) => (None, remark),
            Outcome::Made(Err((cause, detail))) => (Some(cause), detail),
            Outcome::NotMade(reason) => (None, reason.into()),
        };
        let advice = cause.map_or("", |cause| cause.advice(language, protocol));
        let finding = Finding { id, check: id.name(language), checked, passed, cause, detail, advice };
        report(&finding);
        findings.push(finding);
        passed
    };
    let mut add = |id: Check, outcome: CheckOutcome| add_outcome(id, outcome.into());
    if !add(Check::Start, candidate.starts()) || !add(Check::Opening, candidate.opens()) {
        return findings;
    }
    let positions = candidate.protocol.takes_openings();
    if candidate.protocol.has_commands() {
        add(Check::Coordinates, candidate.coordinates());
    } else if !positions {
        add(Check::Change, candidate.handles_swap());
    }
    add(Check::Games, candidate.whole_games());
    add(Check::MoveTime, candidate.keeps_time());
    if positions {
        add(Check::Position, candidate.takes_a_position());
    }
    if candidate.protocol.has_commands() {
        add(Check::GameTime, candidate.keeps_the_clock());
        add(Check::Again, candidate.plays_again());
        add(Check::Unknown, candidate.survives_nonsense());
    }
    add_outcome(Check::Memory, candidate.stays_small());
    add_outcome(Check::Exit, candidate.exits().into());
    findings
}

impl Candidate {
    fn program(&self) -> Program {
        Program::new(self.launch.clone(), self.protocol, Vec::new(), Vec::new())
    }

    fn control(&self) -> TimeControl {
        TimeControl { patience: Duration::from_secs(10), ..TimeControl::per_move(self.time) }
    }

    /// The board of the games: the line protocol has a word for the swap, so its games are played with it.
    fn game_setup(&self) -> Setup {
        let swap = Setup { opening: "swap-pieces".into(), ..self.setup.clone() };
        let swaps = self.protocol == Protocol::Line && self.setup.opening.is_empty();
        if swaps && self.game.position(&swap).is_ok() { swap } else { self.setup.clone() }
    }

    fn empty(&self) -> Result<Box<dyn Position>, (Cause, String)> {
        // The caller has checked that the board exists.
        self.game.position(&self.game_setup()).map_err(|error| (Cause::Refused, error.to_string()))
    }

    /// Starts a game outside the referee.
    fn start(&self, program: &mut Program) -> Result<(), (Cause, String)> {
        let control = self.control();
        let start = GameStart {
            game: self.game,
            setup: &self.game_setup(),
            control: &control,
            limits: &Limits::default(),
            deadline: Instant::now() + control.patience,
            stop: &StopFlag::new(),
        };
        program.start(&start).map_err(|fault| self.cause_of(&fault, program.evidence()))
    }

    /// Asks for a move; whether it is legal is another question.
    fn ask(
        &self,
        program: &mut Program,
        position: &dyn Position,
    ) -> Result<(Move, Duration), (Cause, String)> {
        let limits = Limits { move_time: Some(self.time), ..Limits::default() };
        let request = MoveRequest {
            limits: &limits,
            allowed: self.time + Duration::from_secs(5),
            alarm: &Alarm::default(),
            stop: &StopFlag::new(),
        };
        match program.choose(position, &request) {
            Ok(reply) => reply.mv.map(|mv| (mv, reply.time)).ok_or((Cause::NotAMove, "it resigned".into())),
            Err(fault) => Err(self.cause_of(&fault, program.evidence())),
        }
    }

    /// Asks for a move and checks it.
    fn ask_legal(
        &self,
        program: &mut Program,
        position: &dyn Position,
    ) -> Result<(Move, Duration), (Cause, String)> {
        let (mv, time) = self.ask(program, position)?;
        position.legal(mv).map_err(|error| (Cause::IllegalMove, error.to_string()))?;
        Ok((mv, time))
    }

    /// A game against random moves.
    fn game(&self, program: &mut Program, seat: Seat, control: TimeControl, seed: u64) -> Option<Played> {
        let opening = self.empty().ok()?;
        let (alarm, stop) = (Alarm::default(), StopFlag::new());
        let plan = GamePlan {
            game: self.game,
            opening: &*opening,
            controls: [control; 2],
            limits: [Limits { seed, ..Limits::default() }, Limits { seed, ..Limits::default() }],
            adjudication: Adjudication::default(),
            alarm: &alarm,
            stop: &stop,
        };
        let mut random = BuiltIn::new(Box::new(RandomMover(Rng::new(seed))));
        match seat {
            Seat::First => referee::play(&plan, [program, &mut random]),
            Seat::Second => referee::play(&plan, [&mut random, program]),
        }
    }

    fn starts(&self) -> CheckOutcome {
        self.start(&mut self.program()).map(|()| String::new())
    }

    fn opens(&self) -> CheckOutcome {
        let mut program = self.program();
        self.start(&mut program)?;
        let (_, time) = self.ask_legal(&mut program, &*self.empty()?)?;
        Ok(format!("{:.3} s", time.as_secs_f64()))
    }

    fn coordinates(&self) -> CheckOutcome {
        let Some(board) = CrowdedBoard::new(self.game, &self.setup) else {
            return Ok("board too small".into());
        };
        let mut program = self.program();
        self.start(&mut program)?;
        let (mv, _) = self.ask(&mut program, &*board.position)?;
        let Some(cell) = mv.cell() else { return Ok(String::new()) };
        match board.diagnose(cell) {
            None => Ok("3 free points".into()),
            Some(cause) => Err((cause, format!("answered row {}, column {} (from 0)", cell.row, cell.col))),
        }
    }

    fn handles_swap(&self) -> CheckOutcome {
        let mut position = self.empty()?;
        let mut program = self.program();
        self.start(&mut program)?;
        let (mv, _) = self.ask_legal(&mut program, &*position)?;
        let swapped = position.play(mv).is_ok() && position.play(Move::Swap).is_ok();
        if !swapped {
            return Ok(String::new());
        }
        match self.ask_legal(&mut program, &*position) {
            Ok(_) => Ok(String::new()),
            Err((_, detail)) => Err((Cause::ChangeUnknown, detail)),
        }
    }

    fn whole_games(&self) -> CheckOutcome {
        let mut program = self.program();
        let mut moves = 0;
        for (game, seat) in [Seat::First, Seat::Second, Seat::First, Seat::Second].into_iter().enumerate() {
            let Some(played) = self.game(&mut program, seat, self.control(), game as u64 + 1) else {
                continue;
            };
            let made = played.notes().count();
            moves += made;
            let (reason, detail) = (played.termination(), played.session.end_detail());
            if played.at_fault(seat) {
                let place = format!("game {}, move {}: {reason}: {detail}", game + 1, made + 1);
                let evidence = program.evidence();
                let detail = if evidence.is_empty() { place } else { format!("{place}\n{evidence}") };
                return Err((cause_of_reason(reason), detail));
            }
        }
        Ok(format!("4 games, {moves} moves"))
    }

    fn keeps_time(&self) -> CheckOutcome {
        let mut slowest = Duration::ZERO;
        // Only Gomocup's protocol can tell a program another time for a move.
        let times =
            if self.protocol == Protocol::Gomocup { vec![self.time, self.time / 4] } else { vec![self.time] };
        for time in times {
            let control = TimeControl { per_move: Some(time), ..self.control() };
            let Some(played) = self.game(&mut self.program(), Seat::First, control, 7) else { continue };
            let own = played.notes().step_by(2).filter_map(|note| note.seconds);
            slowest = slowest.max(Duration::from_secs_f64(own.fold(0.0, f64::max)));
            if timed_out(&played) {
                let move_number = played.notes().count() + 1;
                let detail =
                    format!("over {:.3} s (and 0.1 s margin) at move {move_number}", time.as_secs_f64());
                return Err((Cause::TooSlow, detail));
            }
        }
        Ok(format!("slowest {:.3} s of {:.3} s", slowest.as_secs_f64(), self.time.as_secs_f64()))
    }

    fn keeps_the_clock(&self) -> CheckOutcome {
        let total = self.time * 8;
        let control = TimeControl { per_move: Some(self.time), per_game: Some(total), ..self.control() };
        let Some(played) = self.game(&mut self.program(), Seat::First, control, 9) else {
            return Ok(String::new());
        };
        let used = format!("{:.2} s of {:.2} s", played.used[0].as_secs_f64(), total.as_secs_f64());
        if timed_out(&played) { Err((Cause::TooSlow, used)) } else { Ok(used) }
    }

    fn takes_a_position(&self) -> CheckOutcome {
        let mut rng = Rng::new(3);
        let mut position = self.empty()?;
        for _ in 0..6 {
            let moves: Vec<_> = position.legal_moves().into_iter().filter(|mv| mv.cell().is_some()).collect();
            if let Some(mv) = rng.pick(&moves) {
                let _ = position.play(mv);
            }
            if position.outcome().is_some() {
                position.undo();
                break;
            }
        }
        let mut program = self.program();
        self.start(&mut program)?;
        match self.ask_legal(&mut program, &*position) {
            Ok(_) => Ok(format!("{} stones", position.history().len())),
            Err((Cause::IllegalMove, detail)) => Err((Cause::LostBoard, detail)),
            Err(other) => Err(other),
        }
    }

    fn plays_again(&self) -> CheckOutcome {
        let mut program = self.program();
        for _ in 0..3 {
            self.start(&mut program)?;
            self.ask_legal(&mut program, &*self.empty()?)?;
        }
        Ok("3 games".into())
    }

    fn survives_nonsense(&self) -> CheckOutcome {
        let mut program = self.program();
        self.start(&mut program)?;
        let long = "X".repeat(10_000);
        let malformed: &[&str] = match self.protocol {
            Protocol::Gomocup => &["TURN", "INFO"],
            _ => &["play", "boardsize x"],
        };
        for line in ["FROBNICATE 1 2 3", "", "\u{fffd}\u{1f600}", &long].iter().chain(malformed) {
            program.poke(line, Duration::from_millis(50)).map_err(|fault| {
                let kind = if malformed.contains(line) { "malformed" } else { "unknown" };
                let stderr = program.stderr_tail();
                (Cause::Crash, format!("after the {kind} command '{line:.20}': {fault}\n{stderr}"))
            })?;
        }
        self.start(&mut program)?;
        self.ask_legal(&mut program, &*self.empty()?)?;
        Ok(String::new())
    }

    fn stays_small(&self) -> Outcome {
        let mut program = self.program();
        let Some(played) = self.game(&mut program, Seat::First, self.control(), 5) else {
            return Outcome::NotMade("no game was played");
        };
        if played.at_fault(Seat::First) {
            let (reason, detail) = (played.termination(), played.session.end_detail());
            let detail = format!("the game it is measured in was lost: {reason}: {detail}");
            return Outcome::Made(Err((cause_of_reason(reason), detail)));
        }
        self.judge_memory(program.peak_memory_mb())
    }

    fn judge_memory(&self, peak_mb: Option<u64>) -> Outcome {
        let Some(mb) = peak_mb else { return Outcome::NotMade("memory cannot be measured here") };
        let used = format!("{mb} MiB of {} MiB", self.memory_mb);
        Outcome::Made(if mb > self.memory_mb { Err((Cause::TooMuchMemory, used)) } else { Ok(used) })
    }

    fn exits(&self) -> CheckOutcome {
        let mut program = self.program();
        self.start(&mut program)?;
        if program.quit(Duration::from_secs(2)) {
            Ok(String::new())
        } else {
            Err((Cause::StillRunning, "still running 2 s after the quit command".into()))
        }
    }
}

fn timed_out(played: &Played) -> bool {
    played.termination() == Termination::Timeout && played.at_fault(Seat::First)
}

fn cause_of_reason(reason: Termination) -> Cause {
    match reason {
        Termination::Timeout | Termination::Silence => Cause::TooSlow,
        Termination::Crash | Termination::ClosedPipe | Termination::NoStart => Cause::Crash,
        Termination::Syntax => Cause::NotAMove,
        Termination::Flood => Cause::Noise,
        Termination::Refused => Cause::Refused,
        _ => Cause::IllegalMove,
    }
}

struct RandomMover(Rng);

impl Engine for RandomMover {
    fn name(&self) -> &str {
        "random"
    }

    fn think(
        &mut self,
        position: &dyn Position,
        _limits: &Limits,
        _watch: &Watch,
        _report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        match self.0.pick(&position.legal_moves()) {
            Some(mv) => Ok(Decision { mv, report: Report::default() }),
            None => Err(EngineError::NoMove("the game is over".into())),
        }
    }
}

#[cfg(test)]
mod tests;
