//! A game at the table: position, seats, clocks, undo and redo, and the engine's thoughts.
//!
//! Both faces of `tengen play` (lines and screen) drive this machine and show what it holds. It never
//! waits unless told to: the engine thinks in its own thread, and [`Session::poll`] brings its news. A
//! refused request changes nothing.

use super::clocks::{Clocks, TimeControl};
use super::thinker::{Answer, Thinker};
use game::{
    Decision, Game, IllegalMove, Level, Limits, Move, MoveNote, Outcome, Position, Report, Seat, Side,
};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time for a hint or an evaluation in line mode, where the engine has no time of its own.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// A running evaluation searches a position for this long, then four times as long, and so on: engines
/// that report only at their end then have news early, and the machine rests after the last round.
const FIRST_ROUND: Duration = Duration::from_secs(1);
const ROUNDS: u32 = 4;

/// What stays the same from game to game.
pub(crate) struct Table {
    pub(crate) game: &'static dyn Game,
    /// The colour of the person who plays against the engine; `None`: two persons.
    pub(crate) human: Option<Side>,
    /// The engine's name, as players are shown it.
    pub(crate) engine: String,
    /// What the engine may spend on a move.
    pub(crate) limits: Limits,
    pub(crate) control: Option<TimeControl>,
}

/// A sitting: one game after the other at the same table.
pub(crate) struct Session {
    pub(crate) table: Table,
    pub(super) position: Box<dyn Position>,
    /// One entry for each move of the position's history.
    pub(super) played: Vec<Played>,
    undone: Vec<(Move, Played)>,
    /// The seat that a person does not fill.
    engine_seat: Option<Seat>,
    clocks: Option<Clocks>,
    turn_began: Instant,
    ended: Option<Ending>,
    thinker: Thinker,
    task: Task,
    evaluating: bool,
    /// Evaluations of this position so far; at [`ROUNDS`] the engine has said all it has to say.
    rounds: u32,
    failed: Option<String>,
    hint: Option<Move>,
    view: Option<View>,
    /// The file last written or read; it may be written over without asking.
    pub(super) file: Option<PathBuf>,
    pub(super) unsaved: bool,
}

/// A move's note, and the clocks on its other side: before it once played, after it once taken back.
pub(super) struct Played {
    pub(super) note: MoveNote,
    clocks: Option<Clocks>,
}

/// How a game ends that the rules of play have not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// This seat gave up.
    Resigned(Seat),
    /// This seat's clock ran out.
    OutOfTime(Seat),
}

/// What the engine is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Nothing,
    Move,
    Hint,
    Evaluation,
}

/// What the engine last said, and about which position.
pub(crate) struct View {
    pub(crate) position: Box<dyn Position>,
    pub(crate) report: Report,
}

/// What happened since the last [`Session::poll`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum News {
    /// The engine's view changed.
    Report,
    /// The engine played; the text is the move in the position before it.
    Moved(String),
    /// The engine would play this.
    Hint(String),
    /// An evaluation is complete.
    Evaluated,
    /// A clock ran out.
    OutOfTime,
    /// The engine gave no move.
    Failed(String),
}

/// Why a request is refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    #[error("it is the engine's turn")]
    EnginesTurn,
    #[error("the game is over; undo or start a new one")]
    Over,
    #[error("the time is over")]
    OutOfTime,
    #[error("there is no move of yours to take back")]
    NothingToUndo,
    #[error("there is no move to play again")]
    NothingToRedo,
}

impl Session {
    /// Sits down at a position.
    pub(crate) fn new(table: Table, position: Box<dyn Position>, thinker: Thinker) -> Session {
        let mut session = Session {
            clocks: None,
            played: Vec::new(),
            undone: Vec::new(),
            engine_seat: None,
            turn_began: Instant::now(),
            ended: None,
            thinker,
            task: Task::Nothing,
            evaluating: false,
            rounds: 0,
            failed: None,
            hint: None,
            view: None,
            file: None,
            unsaved: false,
            position: position.boxed(),
            table,
        };
        session.sit_down(position);
        session
    }

    /// Starts again where this game started.
    pub(crate) fn new_game(&mut self) -> Result<(), game::SetupError> {
        let position = self.table.game.position(&self.table.game.setup_of(&*self.position))?;
        self.file = None;
        self.sit_down(position);
        Ok(())
    }

    /// Puts a position on the table, with full clocks and an engine that remembers nothing.
    pub(super) fn sit_down(&mut self, position: Box<dyn Position>) {
        self.clocks = self.table.control.map(Clocks::new);
        let clocks = self.clocks;
        self.played =
            position.history().iter().map(|_| Played { note: MoveNote::default(), clocks }).collect();
        self.undone.clear();
        self.engine_seat = self
            .table
            .human
            .map(|human| if position.colour_of(Seat::First) == human { Seat::Second } else { Seat::First });
        self.position = position;
        self.ended = None;
        self.unsaved = false;
        self.thinker.new_game();
        self.view = None;
        self.turn_changed();
    }

    // What faces show.

    pub(crate) fn position(&self) -> &dyn Position {
        &*self.position
    }

    pub(crate) fn is_engine(&self, seat: Seat) -> bool {
        self.engine_seat == Some(seat)
    }

    /// Who sits there, in a word or two.
    pub(crate) fn name(&self, seat: Seat) -> &str {
        match self.engine_seat {
            Some(engine) if engine == seat => &self.table.engine,
            Some(_) => "you",
            None => ["player 1", "player 2"][seat.index()],
        }
    }

    /// May a person decide now?
    pub(crate) fn is_your_turn(&self) -> bool {
        !self.is_over() && !self.is_engine(self.position.turn())
    }

    pub(crate) fn is_over(&self) -> bool {
        self.ended.is_some() || self.position.outcome().is_some()
    }

    pub(crate) fn ended(&self) -> Option<Ending> {
        self.ended
    }

    /// The winner, once the game is over and has one.
    pub(crate) fn winner(&self) -> Option<Side> {
        match self.ended {
            Some(Ending::Resigned(seat) | Ending::OutOfTime(seat)) => {
                Some(self.position.colour_of(seat).other())
            }
            None => self.position.outcome().as_ref().and_then(Outcome::winner),
        }
    }

    /// Time left, where the game is played with clocks.
    pub(crate) fn time_left(&self, seat: Seat) -> Option<Duration> {
        let running = !self.is_over() && self.position.turn() == seat;
        let spent = if running { self.turn_began.elapsed() } else { Duration::ZERO };
        self.clocks.map(|clocks| clocks.left(seat, spent))
    }

    pub(crate) fn task(&self) -> Task {
        self.task
    }

    pub(crate) fn failure(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    pub(crate) fn hint(&self) -> Option<Move> {
        self.hint
    }

    pub(crate) fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    pub(crate) fn is_evaluating(&self) -> bool {
        self.evaluating
    }

    // What players ask for.

    /// A person's move.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        if self.is_engine(self.position.turn()) {
            return Err(Refusal::EnginesTurn);
        }
        self.push(mv, MoveNote::default())
    }

    /// Takes back to the last decision of a person; a resignation alone is revoked first.
    pub(crate) fn undo(&mut self) -> Result<(), Refusal> {
        if let Some(Ending::Resigned(_)) = self.ended {
            self.ended = None;
            self.turn_changed();
            return Ok(());
        }
        let mut back = self.position.boxed();
        let mut count = 0;
        while count == 0 || self.is_engine(back.turn()) {
            back.undo().ok_or(Refusal::NothingToUndo)?;
            count += 1;
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.spend(self.position.turn(), self.turn_began.elapsed());
        }
        for _ in 0..count {
            if let (Some(mv), Some(mut played)) = (self.position.undo(), self.played.pop()) {
                std::mem::swap(&mut self.clocks, &mut played.clocks);
                self.undone.push((mv, played));
            }
        }
        self.ended = None;
        self.unsaved = true;
        self.view = None;
        self.turn_changed();
        Ok(())
    }

    /// Plays again what was taken back, up to the next decision of a person.
    pub(crate) fn redo(&mut self) -> Result<(), Refusal> {
        if self.is_over() || self.undone.is_empty() {
            return Err(Refusal::NothingToRedo);
        }
        while let Some((mv, mut played)) = self.undone.pop() {
            self.position.play(mv)?;
            std::mem::swap(&mut self.clocks, &mut played.clocks);
            self.played.push(played);
            if !self.is_engine(self.position.turn()) {
                break;
            }
        }
        self.unsaved = true;
        self.view = None;
        self.turn_changed();
        Ok(())
    }

    /// The person to move gives up; against an engine that is always the person.
    pub(crate) fn resign(&mut self) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        let seat = self.engine_seat.map_or(self.position.turn(), Seat::other);
        self.ended = Some(Ending::Resigned(seat));
        self.unsaved = true;
        self.turn_changed();
        Ok(())
    }

    /// Asks the engine what it would play; the answer comes as [`News::Hint`].
    pub(crate) fn ask_hint(&mut self) -> Result<(), Refusal> {
        self.ask_aside(Task::Hint)
    }

    /// Asks for one evaluation with the engine's usual time; it ends with [`News::Evaluated`].
    pub(crate) fn ask_evaluation(&mut self) -> Result<(), Refusal> {
        self.ask_aside(Task::Evaluation)
    }

    fn ask_aside(&mut self, task: Task) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        if self.task == Task::Move {
            return Err(Refusal::EnginesTurn);
        }
        let limits = self.advice_limits();
        let time = limits.move_time.or(Some(DEFAULT_TIME));
        let free = limits.nodes.is_none() && limits.depth.is_none();
        self.ask(task, Limits { move_time: if free { time } else { limits.move_time }, ..limits });
        Ok(())
    }

    /// Keeps an evaluation of the present position running, or ends it.
    pub(crate) fn set_evaluating(&mut self, on: bool) {
        self.evaluating = on;
        if !on && self.task == Task::Evaluation {
            self.thinker.forget();
            self.task = Task::Nothing;
        }
    }

    /// The engine answers now with what it has; one that failed tries again.
    pub(crate) fn hurry(&mut self) {
        self.failed = None;
        self.thinker.hurry();
    }

    /// Takes in the engine's news, waiting for the first at most `wait`, watches the clocks, and sets the
    /// engine to work when it is its turn.
    pub(crate) fn poll(&mut self, wait: Duration) -> Vec<News> {
        let mut news = Vec::new();
        self.set_to_work();
        let mut wait = wait.min(self.time_left(self.position.turn()).unwrap_or(wait));
        while let Some(answer) = self.thinker.answer(wait) {
            wait = Duration::ZERO;
            match answer {
                // A later round starts small; what an earlier one found stays until it knows more.
                Answer::Report(report) if self.task == Task::Evaluation && self.knows_more(&report) => {}
                Answer::Report(report) => {
                    self.view = Some(View { position: self.position.boxed(), report });
                    news.push(News::Report);
                }
                Answer::Done(Ok(decision)) => news.push(self.decided(&decision)),
                Answer::Done(Err(problem)) => news.push(self.fail(problem)),
            }
            self.set_to_work();
        }
        if !self.is_over() && self.time_left(self.position.turn()) == Some(Duration::ZERO) {
            self.flag_falls();
            news.push(News::OutOfTime);
        }
        news
    }

    // How it works.

    fn set_to_work(&mut self) {
        if self.task != Task::Nothing || self.is_over() || self.failed.is_some() {
            return;
        }
        let seat = self.position.turn();
        if self.is_engine(seat) {
            let clock = self.clocks.map(|clocks| clocks.for_engine(seat));
            self.ask(Task::Move, Limits { clock, ..self.table.limits.clone() });
        } else if self.evaluating && self.rounds < ROUNDS {
            let limits = Limits {
                move_time: Some(FIRST_ROUND * 4u32.pow(self.rounds)),
                nodes: None,
                depth: None,
                lines: 3,
                ..self.advice_limits()
            };
            self.ask(Task::Evaluation, limits);
        }
    }

    /// Has the engine already told more about this very position?
    fn knows_more(&self, report: &Report) -> bool {
        self.view.as_ref().is_some_and(|view| {
            view.position.history() == self.position.history() && view.report.nodes > report.nodes
        })
    }

    /// Advice is always the engine's best, whatever level it plays at.
    fn advice_limits(&self) -> Limits {
        Limits { level: Level::Max, clock: None, ..self.table.limits.clone() }
    }

    fn ask(&mut self, task: Task, limits: Limits) {
        self.task = task;
        self.thinker.ask(&*self.position, limits);
    }

    fn decided(&mut self, decision: &Decision) -> News {
        let task = std::mem::replace(&mut self.task, Task::Nothing);
        let text = self.position.format_move(decision.mv);
        self.view = Some(View { position: self.position.boxed(), report: decision.report.clone() });
        match task {
            Task::Move => {
                let report = &decision.report;
                let note = MoveNote {
                    score: Some(report.score),
                    depth: Some(report.depth),
                    nodes: Some(report.nodes),
                    ..MoveNote::default()
                };
                match self.push(decision.mv, note) {
                    Ok(()) => News::Moved(text),
                    Err(Refusal::OutOfTime) => News::OutOfTime,
                    Err(refusal) => self.fail(format!("{} chose {text}: {refusal}", self.table.engine)),
                }
            }
            Task::Hint => {
                self.hint = Some(decision.mv);
                News::Hint(text)
            }
            Task::Evaluation | Task::Nothing => {
                self.rounds += 1;
                News::Evaluated
            }
        }
    }

    fn fail(&mut self, problem: String) -> News {
        // A failed evaluation is not asked again for this position; a failed move only on request.
        self.rounds = ROUNDS;
        if self.task == Task::Move || self.is_engine(self.position.turn()) {
            self.failed = Some(problem.clone());
        }
        self.task = Task::Nothing;
        News::Failed(problem)
    }

    /// Plays a move of whoever's turn it is and charges their clock.
    fn push(&mut self, mv: Move, note: MoveNote) -> Result<(), Refusal> {
        let (seat, spent, before) = (self.position.turn(), self.turn_began.elapsed(), self.clocks);
        self.position.legal(mv)?;
        if let Some(clocks) = &mut self.clocks
            && !clocks.charge(seat, spent)
        {
            self.flag_falls();
            return Err(Refusal::OutOfTime);
        }
        if let Err(refused) = self.position.play(mv) {
            self.clocks = before;
            return Err(refused.into());
        }
        self.played
            .push(Played { note: MoveNote { seconds: Some(spent.as_secs_f64()), ..note }, clocks: before });
        self.undone.clear();
        self.unsaved = true;
        self.turn_changed();
        Ok(())
    }

    fn flag_falls(&mut self) {
        let seat = self.position.turn();
        if let Some(clocks) = &mut self.clocks {
            clocks.spend(seat, Duration::MAX);
        }
        self.ended = Some(Ending::OutOfTime(seat));
        self.unsaved = true;
        self.turn_changed();
    }

    /// What the engine was asked no longer matters.
    fn turn_changed(&mut self) {
        self.thinker.forget();
        self.task = Task::Nothing;
        self.rounds = 0;
        self.failed = None;
        self.hint = None;
        self.turn_began = Instant::now();
    }
}

#[cfg(test)]
mod tests;
