//! An engine in a thread of its own, so that nobody who asks it ever waits.
//!
//! Every question has a number; asking anew stops the question before it, and answers to old questions are
//! dropped. An engine that panics answers with an error and is made afresh for the next question.

use game::{Decision, Engine, EngineError, Limits, Position, Report, StopFlag, Watch};
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

/// The name of the engine's thread; the screen's panic hook leaves this one to [`Thinker`].
pub(crate) const THREAD: &str = "engine";

/// Makes the engine. It is called in the engine's thread, and again after a panic.
pub(crate) type Make = Box<dyn Fn() -> Result<Box<dyn Engine>, EngineError> + Send>;

/// The asking end of the engine's thread.
pub(crate) struct Thinker {
    commands: Sender<EngineCommand>,
    answers: Receiver<(u64, EngineUpdate)>,
    last: u64,
    stop: StopFlag,
    busy: bool,
}

/// What the engine says about the latest question.
pub(crate) enum EngineUpdate {
    /// News while it thinks.
    Report(Report),
    /// Its last word.
    Done(Result<Decision, String>),
}

enum EngineCommand {
    Think { number: u64, position: Box<dyn Position>, limits: Box<Limits>, stop: StopFlag },
    NewGame,
}

impl Thinker {
    /// Starts the thread. It ends when the thinker is dropped and its last search has stopped.
    pub(crate) fn start(make: Make) -> std::io::Result<Thinker> {
        let (commands, inbox) = mpsc::channel();
        let (outbox, answers) = mpsc::channel();
        std::thread::Builder::new().name(THREAD.into()).spawn(move || serve(&make, &inbox, &outbox))?;
        Ok(Thinker { commands, answers, last: 0, stop: StopFlag::new(), busy: false })
    }

    /// Asks about a position; whatever was asked before is stopped and forgotten.
    pub(crate) fn ask(&mut self, position: &dyn Position, limits: Limits) {
        self.cancel();
        self.stop = StopFlag::new();
        self.busy = true;
        let (number, stop) = (self.last, self.stop.clone());
        self.send(EngineCommand::Think {
            number,
            position: position.boxed(),
            limits: Box::new(limits),
            stop,
        });
    }

    /// Tells the engine to answer now with what it has.
    pub(crate) fn stop_and_move(&self) {
        self.stop.stop();
    }

    /// Stops the engine and drops its answer.
    pub(crate) fn cancel(&mut self) {
        self.stop.stop();
        self.last += 1;
        self.busy = false;
    }

    /// Lets the engine forget what it learnt.
    pub(crate) fn new_game(&mut self) {
        self.cancel();
        self.send(EngineCommand::NewGame);
    }

    /// The next answer to the latest question, waiting for it at most `wait`.
    pub(crate) fn answer(&mut self, wait: Duration) -> Option<EngineUpdate> {
        let until = Instant::now() + wait;
        while self.busy {
            let left = until.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left) {
                Ok((number, _)) if number != self.last => {}
                Ok((_, answer)) => {
                    self.busy = matches!(answer, EngineUpdate::Report(_));
                    return Some(answer);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => return None,
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    self.busy = false;
                    return Some(EngineUpdate::Done(Err("the engine's thread has ended".into())));
                }
            }
        }
        None
    }

    fn send(&mut self, command: EngineCommand) {
        // A thread that is gone shows in `answer`.
        let _ = self.commands.send(command);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn serve(make: &Make, inbox: &Receiver<EngineCommand>, outbox: &Sender<(u64, EngineUpdate)>) {
    let mut engine: Option<Box<dyn Engine>> = None;
    while let Ok(command) = inbox.recv() {
        let (number, position, limits, stop) = match command {
            EngineCommand::Think { number, position, limits, stop } => (number, position, limits, stop),
            EngineCommand::NewGame => {
                if let Some(engine) = &mut engine {
                    engine.new_game();
                }
                continue;
            }
        };
        let mut report = |report: &Report| drop(outbox.send((number, EngineUpdate::Report(report.clone()))));
        // The engine is taken out, so that one that panics is not asked again.
        let taken = engine.take();
        let thought = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let mut engine = match taken {
                Some(engine) => engine,
                None => make()?,
            };
            let decision = engine.think(&*position, &limits, &Watch::start(stop), &mut report);
            Ok::<_, EngineError>((engine, decision))
        }));
        let done = match thought {
            Ok(Ok((same, decision))) => {
                engine = Some(same);
                decision.map_err(|error| error.to_string())
            }
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the engine crashed (a bug: please report the position)".into()),
        };
        if outbox.send((number, EngineUpdate::Done(done))).is_err() {
            return;
        }
    }
}
