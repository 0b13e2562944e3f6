//! A game in the terminal: the session of `crates/play`, and the engine's work beside it.
//!
//! Lines and screen drive this and show what it holds. It never waits unless told to: the engine thinks in its
//! own thread, and [`Controller::poll`] brings its news. A refused request changes nothing.

use super::thinker::{EngineUpdate, Thinker};
use game::{Decision, Game, Level, Limits, Move, MoveNote, Position, Report, Seat, Side};
use play::{EventKind, Moment, Pending, Refusal, Session, Termination, TimeControl};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// Time for a hint or an evaluation in line mode, where the engine has no time of its own.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// A running evaluation searches a position for this long, then four times as long, and so on: engines
/// that report only at their end then have news early, and the machine rests after the last round.
const FIRST_ROUND: Duration = Duration::from_secs(1);
const ROUNDS: u32 = 4;

/// What stays the same from game to game.
pub(crate) struct PlaySettings {
    pub(crate) game: &'static dyn Game,
    /// The colour of the person who plays against the engine; `None`: two persons.
    pub(crate) human: Option<Side>,
    /// The engine's name, as players are shown it.
    pub(crate) engine: String,
    /// What the engine may spend on a move.
    pub(crate) limits: Limits,
    pub(crate) control: Option<TimeControl>,
}

/// One game after the other with the same settings: the game itself, and the engine's work beside it.
pub(crate) struct Controller {
    pub(crate) settings: PlaySettings,
    pub(super) session: Session,
    /// The seat that a person does not fill.
    engine_seat: Option<Seat>,
    turn_began: Instant,
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
    /// Reads the clocks of the system; tests have others.
    now: fn() -> Moment,
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

/// What happened since the last [`Controller::poll`].
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

/// A refusal in the words of this program.
pub(crate) fn explain(refusal: &Refusal) -> String {
    match refusal {
        Refusal::OtherTurn => "it is the engine's turn".into(),
        Refusal::Over(_) => "the game is over; undo or start a new one".into(),
        other => other.to_string(),
    }
}

impl Controller {
    /// Starts at a position.
    pub(crate) fn new(settings: PlaySettings, position: Box<dyn Position>, thinker: Thinker) -> Controller {
        let now = moment();
        let mut controller = Controller {
            session: Session::new(settings.game, position.boxed(), settings.control, now.unix_ms),
            engine_seat: None,
            turn_began: now.instant,
            thinker,
            task: Task::Nothing,
            evaluating: false,
            rounds: 0,
            failed: None,
            hint: None,
            view: None,
            file: None,
            unsaved: false,
            now: moment,
            settings,
        };
        controller.start(position);
        controller
    }

    /// Starts again where this game started.
    pub(crate) fn new_game(&mut self) -> Result<(), game::SetupError> {
        let position = self.settings.game.position(&self.settings.game.setup_of(self.position()))?;
        self.file = None;
        self.start(position);
        Ok(())
    }

    /// Starts a game at a position, with full clocks and an engine that remembers nothing.
    pub(super) fn start(&mut self, position: Box<dyn Position>) {
        let now = (self.now)();
        let seat_of = |human| match position.colour_of(Seat::First) == human {
            true => Seat::First,
            false => Seat::Second,
        };
        self.engine_seat = self.settings.human.map(|human| seat_of(human).other());
        self.session = Session::new(self.settings.game, position, self.settings.control, now.unix_ms);
        self.session.start_clocks(now.instant);
        self.unsaved = false;
        self.thinker.new_game();
        self.view = None;
        self.turn_changed();
    }

    // What is shown.

    pub(crate) fn position(&self) -> &dyn Position {
        self.session.position()
    }

    pub(crate) fn is_engine(&self, seat: Seat) -> bool {
        self.engine_seat == Some(seat)
    }

    /// Who sits there, in a word or two.
    pub(crate) fn name(&self, seat: Seat) -> &str {
        match self.engine_seat {
            Some(engine) if engine == seat => &self.settings.engine,
            Some(_) => "you",
            None => ["player 1", "player 2"][seat.index()],
        }
    }

    /// May a person decide now?
    pub(crate) fn is_your_turn(&self) -> bool {
        self.session.turn().is_some_and(|seat| !self.is_engine(seat))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.session.end().is_some()
    }

    /// Time left, where the game is played with clocks.
    pub(crate) fn time_left(&self, seat: Seat) -> Option<Duration> {
        self.session.clocks().map(|clocks| clocks.left(seat, (self.now)().instant))
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
        self.session.check_live()?;
        if !self.is_your_turn() {
            return Err(Refusal::OtherTurn);
        }
        self.push(mv, MoveNote::default())
    }

    /// Takes back to the last decision of a person; a resignation alone is revoked first.
    pub(crate) fn undo(&mut self) -> Result<(), Refusal> {
        let resigned = self.session.end().is_some_and(|end| end.termination == Termination::Resign);
        let plies = match self.engine_seat {
            _ if resigned => 0,
            Some(engine) => self.session.plies_to_undo(engine.other())?,
            None => 1,
        };
        self.happen(EventKind::Undo { plies })?;
        self.view = None;
        Ok(())
    }

    /// Plays again what was taken back, up to the next decision of a person.
    pub(crate) fn redo(&mut self) -> Result<(), Refusal> {
        let mut position = self.position().boxed();
        let mut plies = 0;
        for ply in self.session.undone().iter().rev() {
            position.play(ply.mv)?;
            plies += 1;
            if !self.is_engine(position.turn()) {
                break;
            }
        }
        if plies == 0 || self.is_over() {
            return Err(Refusal::NothingToRedo);
        }
        self.happen(EventKind::Redo { plies })?;
        self.view = None;
        Ok(())
    }

    /// The person to move gives up; against an engine that is always the person.
    pub(crate) fn resign(&mut self) -> Result<(), Refusal> {
        self.session.check_live()?;
        let seat = self.engine_seat.map_or(self.position().turn(), Seat::other);
        self.happen(EventKind::Resign { seat })
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
        self.session.check_live()?;
        if self.task == Task::Move {
            return Err(Refusal::OtherTurn);
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
            self.thinker.cancel();
            self.task = Task::Nothing;
        }
    }

    /// The engine answers now with what it has; one that failed tries again.
    pub(crate) fn stop_and_move(&mut self) {
        self.failed = None;
        self.thinker.stop_and_move();
    }

    /// Takes in the engine's news, waiting for the first at most `wait`, watches the clocks, and sets the
    /// engine to work when it is its turn.
    pub(crate) fn poll(&mut self, wait: Duration) -> Vec<News> {
        let mut news = Vec::new();
        self.set_to_work();
        let mut wait = wait.min(self.time_left(self.position().turn()).unwrap_or(wait));
        while let Some(answer) = self.thinker.answer(wait) {
            wait = Duration::ZERO;
            match answer {
                // A later round starts small; what an earlier one found stays until it knows more.
                EngineUpdate::Report(report) if self.task == Task::Evaluation && self.knows_more(&report) => {
                }
                EngineUpdate::Report(report) => {
                    self.view = Some(View { position: self.position().boxed(), report });
                    news.push(News::Report);
                }
                EngineUpdate::Done(Ok(decision)) => news.push(self.decided(&decision)),
                EngineUpdate::Done(Err(problem)) => news.push(self.fail(problem)),
            }
            self.set_to_work();
        }
        if self.flag() {
            news.push(News::OutOfTime);
        }
        news
    }

    // How it works.

    fn set_to_work(&mut self) {
        if self.task != Task::Nothing || self.is_over() || self.failed.is_some() {
            return;
        }
        let seat = self.position().turn();
        if self.is_engine(seat) {
            let clock = self.session.clocks().map(|clocks| clocks.for_engine(seat, (self.now)().instant));
            self.ask(Task::Move, Limits { clock, ..self.settings.limits.clone() });
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
            view.position.history() == self.position().history() && view.report.nodes > report.nodes
        })
    }

    /// Advice is always the engine's best, whatever level it plays at.
    fn advice_limits(&self) -> Limits {
        Limits { level: Level::MAX, clock: None, ..self.settings.limits.clone() }
    }

    fn ask(&mut self, task: Task, limits: Limits) {
        self.task = task;
        self.thinker.ask(self.session.position(), limits);
    }

    fn decided(&mut self, decision: &Decision) -> News {
        let task = std::mem::replace(&mut self.task, Task::Nothing);
        let text = self.position().format_move(decision.mv);
        self.view = Some(View { position: self.position().boxed(), report: decision.report.clone() });
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
                    Err(Refusal::OutOfTime(_)) => News::OutOfTime,
                    Err(refusal) => self.fail(format!("{} chose {text}: {refusal}", self.settings.engine)),
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
        if self.task == Task::Move || self.is_engine(self.position().turn()) {
            self.failed = Some(problem.clone());
        }
        self.task = Task::Nothing;
        News::Failed(problem)
    }

    /// Plays a move of whoever's turn it is.
    fn push(&mut self, mv: Move, note: MoveNote) -> Result<(), Refusal> {
        let now = (self.now)();
        let spent = now.instant.saturating_duration_since(self.turn_began);
        let note = MoveNote { seconds: Some(spent.as_secs_f64()), ..note };
        match self.session.play(mv, note, now) {
            Ok(pending) => self.commit(pending),
            Err(refusal) => {
                self.flag();
                return Err(refusal);
            }
        }
        Ok(())
    }

    fn happen(&mut self, kind: EventKind) -> Result<(), Refusal> {
        let pending = self.session.prepare(kind, (self.now)())?;
        self.commit(pending);
        Ok(())
    }

    fn commit(&mut self, pending: Pending) {
        self.session.commit(pending, (self.now)().instant);
        self.unsaved = true;
        self.turn_changed();
    }

    /// Ends the game if a flag has fallen.
    fn flag(&mut self) -> bool {
        let timeout = self.session.flag((self.now)());
        let fallen = timeout.is_some();
        timeout.into_iter().for_each(|timeout| self.commit(timeout));
        fallen
    }

    /// What the engine was asked no longer matters.
    fn turn_changed(&mut self) {
        self.thinker.cancel();
        self.task = Task::Nothing;
        self.rounds = 0;
        self.failed = None;
        self.hint = None;
        self.turn_began = (self.now)().instant;
    }
}

/// Now, by the system's clocks.
fn moment() -> Moment {
    Moment::new(Instant::now(), SystemTime::now())
}

#[cfg(test)]
mod tests;
