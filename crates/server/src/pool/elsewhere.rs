//! Searches on workers: what `tengen worker` computes for the games, hints, proofs, analyses and reviews of a server.
//!
//! An engine stays with the worker that it began on while that has room, so its tree and table go on there. Whenever
//! a worker is lost or has no room after all, the search is made on this machine.

use super::{Place, place};
use crate::metrics::Metrics;
use api::{Elsewhere, Found, SearchTask};
use fleet::live::{Caller, Session};
use game::{Decision, Engine, EngineError, Game, Limits, Options, Position, Proof, Report, StopFlag, Watch};
use serde_json::Value;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};

/// The way to workers, once there is one.
#[derive(Clone, Default)]
pub(crate) struct Workers {
    caller: Arc<OnceLock<Caller>>,
    metrics: Arc<Metrics>,
}

impl Workers {
    pub(crate) fn new(metrics: Arc<Metrics>) -> Workers {
        Workers { caller: Arc::default(), metrics }
    }

    /// The broker answers.
    pub(crate) fn open(&self, caller: Caller) {
        let _ = self.caller.set(caller);
    }

    /// Threads of the workers that are ready.
    pub(crate) fn threads(&self) -> usize {
        self.caller.get().map_or(0, Caller::threads)
    }

    /// Has a worker carry out a task, if this thread has its room there; `None` if it is to be done here.
    fn carry_out(
        &self,
        session: &mut Session,
        task: &SearchTask,
        threads: usize,
        stop: &StopFlag,
        report: &mut dyn FnMut(&Report),
    ) -> Option<Found> {
        let caller = self.caller.get().filter(|_| place() == Place::Worker)?;
        let task = |granted| serde_json::to_value(task.clone().within(granted)).unwrap_or_default();
        let mut hear = |value: Value| {
            if let Ok(found) = serde_json::from_value(value) {
                report(&found);
            }
        };
        let found = caller.call(session, threads, &task, stop, &mut hear).map_err(|error| error.to_string());
        match found.and_then(|found| serde_json::from_value(found).map_err(|error| error.to_string())) {
            Ok(found) => {
                self.metrics.searches_on_workers.fetch_add(1, Relaxed);
                Some(found)
            }
            Err(why) => {
                tracing::debug!(why, "a search is made here instead of on a worker");
                None
            }
        }
    }
}

impl Elsewhere for Workers {
    fn engine(
        &self,
        game: &'static dyn Game,
        name: &'static str,
        options: &Options,
        here: Box<dyn Engine>,
    ) -> Box<dyn Engine> {
        let (workers, session, options) = (self.clone(), Session::new(), options.clone());
        Box::new(TravellingEngine { workers, session, game, name, options, here })
    }

    fn prove(
        &self,
        game: &'static dyn Game,
        position: &dyn Position,
        question: &str,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Option<Proof> {
        let mut session = Session::new();
        let task = SearchTask::prove(game, position, question, limits);
        let found = self.carry_out(&mut session, &task, limits.threads, stop, &mut |_| {});
        if let Some(caller) = self.caller.get() {
            caller.forget(&session);
        }
        match found? {
            Found::Proof(proof) => proof,
            Found::Decision(_) | Found::Error(_) => None,
        }
    }
}

/// A built-in engine that thinks on a worker where it can.
struct TravellingEngine {
    workers: Workers,
    session: Session,
    game: &'static dyn Game,
    name: &'static str,
    options: Options,
    /// The same engine on this machine.
    here: Box<dyn Engine>,
}

impl Engine for TravellingEngine {
    fn name(&self) -> &str {
        self.here.name()
    }

    fn new_game(&mut self) {
        self.leave();
        self.here.new_game();
    }

    fn can_ponder(&self) -> bool {
        // Pondering takes idle threads of this machine only, where an engine that thinks elsewhere has no tree.
        !self.session.has_begun() && self.here.can_ponder()
    }

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let TravellingEngine { workers, session, game, name, options, here } = self;
        let task = SearchTask::think(*game, position, name, options, limits);
        match workers.carry_out(session, &task, limits.threads, watch.stop_flag(), report) {
            Some(Found::Decision(decision)) => Ok(*decision),
            Some(Found::Error(error)) => Err(error),
            Some(Found::Proof(_)) | None => {
                // The time for a move begins anew: no move is worse because a worker was lost. A game's clock went on.
                let mut limits = limits.clone();
                if let Some(clock) = &mut limits.clock {
                    clock.left = clock.left.saturating_sub(watch.elapsed());
                }
                here.think(position, &limits, &watch.restarted(), report)
            }
        }
    }
}

impl TravellingEngine {
    fn leave(&mut self) {
        if let Some(caller) = self.workers.caller.get() {
            caller.forget(&self.session);
        }
        self.session = Session::new();
    }
}

impl Drop for TravellingEngine {
    fn drop(&mut self) {
        self.leave();
    }
}
