//! A built-in engine for Python: `Engine` in `python/tengen/engine.py` is what users see.

use crate::board::{Board, GivenMove, game_named};
use crate::error::{bad, engine as engine_error, problem};
use crate::interrupt::stoppable;
use api::{Host, ReportBody};
use game::{Engine, Level, Limits, Options};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Mutex, TryLockError};
use std::time::Duration;

/// An engine with its memory; one search at a time.
#[pyclass(module = "tengen", frozen)]
pub(crate) struct Thinker {
    engine: Mutex<Box<dyn Engine>>,
    #[pyo3(get)]
    name: String,
}

/// What a search may spend, as `Limit` has it.
#[derive(FromPyObject)]
pub(crate) struct Spend {
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    threads: usize,
    memory: usize,
    seed: u64,
    level: String,
}

/// A number of seconds from Python.
pub(crate) fn seconds(name: &str, value: Option<f64>) -> PyResult<Option<Duration>> {
    value
        .map(|value| {
            Duration::try_from_secs_f64(value)
                .map_err(|_| bad(format!("{name}={value}; accepted: seconds from 0")))
        })
        .transpose()
}

impl Spend {
    pub(crate) fn limits(&self) -> PyResult<Limits> {
        if !(1..=256).contains(&self.threads) {
            return Err(bad(format!("threads={}; accepted: 1 to 256", self.threads)));
        }
        if !(1..=1_048_576).contains(&self.memory) {
            return Err(bad(format!("memory={}; accepted: 1 to 1048576 MiB", self.memory)));
        }
        Ok(Limits {
            move_time: seconds("time", self.time)?,
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads,
            memory_mb: self.memory,
            seed: self.seed,
            level: self.level.parse::<Level>().map_err(bad)?,
            ..Limits::default()
        })
    }
}

/// A built-in engine of a game, made with options.
pub(crate) fn make(game: &str, name: &str, options: &BTreeMap<String, String>) -> PyResult<Box<dyn Engine>> {
    let game = game_named(game)?;
    let choice = Host::new(crate::games()).engine(game, name).map_err(|error| problem(&error))?;
    let mut words = Options::new();
    options.iter().for_each(|(key, value)| words.set(key, value));
    choice.make(&words).map_err(engine_error)
}

#[pymethods]
impl Thinker {
    #[new]
    fn new(game: &str, name: &str, options: BTreeMap<String, String>) -> PyResult<Thinker> {
        let engine = make(game, name, &options)?;
        Ok(Thinker { name: engine.name().into(), engine: Mutex::new(engine) })
    }

    /// The move and the report as JSON.
    #[pyo3(signature = (board, spend, lines=1, only=None))]
    fn think(
        &self,
        py: Python<'_>,
        board: &Board,
        spend: Spend,
        lines: usize,
        only: Option<Vec<GivenMove>>,
    ) -> PyResult<(String, String)> {
        let only = only.unwrap_or_default().iter().map(|mv| board.read_move(mv)).collect::<PyResult<_>>()?;
        let limits = Limits { lines: lines.clamp(1, 256), only, ..spend.limits()? };
        let mut engine = match self.engine.try_lock() {
            Ok(engine) => engine,
            Err(TryLockError::Poisoned(broken)) => broken.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(bad("this engine is thinking about another board")),
        };
        let position = &*board.position;
        let engine = &mut *engine;
        let decision = stoppable(py, |watch| engine.think(position, &limits, watch, &mut |_| {}))?;
        let decision = decision.map_err(engine_error)?;
        let report = serde_json::to_string(&ReportBody::of(position, &decision.report)).map_err(bad)?;
        Ok((position.format_move(decision.mv), report))
    }

    fn new_game(&self) {
        self.engine.lock().unwrap_or_else(|broken| broken.into_inner()).new_game();
    }
}
