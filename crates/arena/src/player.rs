//! One trait for built-in engines and child processes.

use crate::process::ChildError;
use game::{Engine, EngineError, Game, Limits, Move, MoveNote, Position, Setup, StopFlag, Watch};
use play::TimeControl;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A participant of a game.
pub trait Player: Send {
    /// Gets ready for a new game.
    fn start(&mut self, start: &GameStart) -> Result<(), Fault>;

    /// Chooses a move. The position is not over and it is this player's turn.
    fn choose(&mut self, position: &dyn Position, request: &MoveRequest) -> Result<MoveReply, Fault>;

    /// The game is over.
    fn finish(&mut self) {}

    /// What there is to show about the last fault, for people: a program's last lines and its stderr. A program with
    /// a process for each game has that to show after every game.
    fn evidence(&self) -> &str {
        ""
    }
}

/// Makes players; called again after a fault.
pub type MakePlayer = Arc<dyn Fn() -> Result<Box<dyn Player>, Fault> + Send + Sync>;

/// What a player is given before a game.
pub struct GameStart<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// Board, rule and opening protocol.
    pub setup: &'a Setup,
    /// What may be spent.
    pub control: &'a TimeControl,
    /// Threads, memory and seed.
    pub limits: &'a Limits,
    /// When the player must be ready.
    pub deadline: Instant,
    /// Raised when the whole run is to stop.
    pub stop: &'a StopFlag,
}

/// A request for a move.
pub struct MoveRequest<'a> {
    /// Time left and other limits.
    pub limits: &'a Limits,
    /// How long the player may take, margin included. It starts when the player has been asked.
    pub allowed: Duration,
    /// Stops a search in process when the deadline passes.
    pub alarm: &'a Alarm,
    /// Raised when the whole run is to stop.
    pub stop: &'a StopFlag,
}

/// The reply to a [`MoveRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReply {
    /// The move, or `None` to resign.
    pub mv: Option<Move>,
    /// Score, depth and nodes reported with the move.
    pub note: MoveNote,
    /// The time to bill: from the question to the answer, without the referee's own pauses.
    pub time: Duration,
}

/// What a player did wrong, apart from illegal moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No answer before the deadline.
    #[error("no answer in time")]
    Timeout,
    /// Not ready in time, or no answer where no clock runs.
    #[error("silent: {0}")]
    Silence(String),
    /// The process ended, or the engine panicked.
    #[error("crashed: {0}")]
    Crash(String),
    /// The process closed its pipe and lives on.
    #[error("closed its pipe")]
    ClosedPipe,
    /// Too much output without an answer.
    #[error("flooded the referee with output")]
    Flood,
    /// The answer is not a move.
    #[error("{0}")]
    Syntax(String),
    /// It reported that it cannot go on.
    #[error("{0}")]
    Refused(String),
    /// It could not be started.
    #[error("cannot start: {0}")]
    NoStart(String),
    /// The run was stopped: nobody's fault.
    #[error("stopped")]
    Stopped,
}

impl From<ChildError> for Fault {
    fn from(broken: ChildError) -> Fault {
        match broken {
            ChildError::Deadline => Fault::Timeout,
            ChildError::Exited(how) => Fault::Crash(how),
            ChildError::Closed => Fault::ClosedPipe,
            ChildError::Flood => Fault::Flood,
            ChildError::Stopped => Fault::Stopped,
        }
    }
}

/// A built-in engine, playing in this process.
pub struct BuiltIn {
    engine: Box<dyn Engine>,
}

impl BuiltIn {
    /// A player for this engine.
    pub fn new(engine: Box<dyn Engine>) -> BuiltIn {
        BuiltIn { engine }
    }
}

impl Player for BuiltIn {
    fn start(&mut self, _start: &GameStart) -> Result<(), Fault> {
        catch_unwind(AssertUnwindSafe(|| self.engine.new_game())).map_err(panic_fault)
    }

    fn choose(&mut self, position: &dyn Position, request: &MoveRequest) -> Result<MoveReply, Fault> {
        let asked = Instant::now();
        request.alarm.set(asked + request.allowed);
        let watch = Watch::start(request.alarm.flag.clone());
        let engine = &mut self.engine;
        let thought =
            catch_unwind(AssertUnwindSafe(|| engine.think(position, request.limits, &watch, &mut |_| {})));
        let time = asked.elapsed();
        request.alarm.clear();
        if request.stop.is_stopped() {
            return Err(Fault::Stopped);
        }
        let decision = thought.map_err(panic_fault)?.map_err(|error| match error {
            EngineError::Failed(why) => Fault::Crash(why),
            other => Fault::Refused(other.to_string()),
        })?;
        let report = decision.report;
        let note = MoveNote {
            seconds: None,
            score: Some(report.score),
            depth: Some(report.depth).filter(|depth| *depth > 0),
            nodes: Some(report.nodes).filter(|nodes| *nodes > 0),
            comment: String::new(),
        };
        Ok(MoveReply { mv: Some(decision.mv), note, time })
    }
}

fn panic_fault(payload: Box<dyn std::any::Any + Send>) -> Fault {
    let words = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic".into());
    Fault::Crash(format!("the engine panicked: {words}"))
}

/// Stops a search that runs past its deadline. One thread serves the alarms of all workers
/// ([`Alarm::ring`]), so setting one costs a lock and no wake-up.
#[derive(Clone, Debug, Default)]
pub struct Alarm {
    flag: StopFlag,
    at: Arc<Mutex<Option<Instant>>>,
}

impl Alarm {
    /// Sets the alarm.
    pub fn set(&self, at: Instant) {
        self.flag.reset();
        *self.at.lock().unwrap_or_else(|e| e.into_inner()) = Some(at);
    }

    /// Nothing runs any more.
    pub fn clear(&self) {
        *self.at.lock().unwrap_or_else(|e| e.into_inner()) = None;
    }

    /// Raises the flag if the time has come, or in any case if `now` is `None`.
    pub fn ring(&self, now: Option<Instant>) {
        let at = *self.at.lock().unwrap_or_else(|e| e.into_inner());
        if at.is_some_and(|at| now.is_none_or(|now| now >= at)) {
            self.flag.stop();
        }
    }
}
