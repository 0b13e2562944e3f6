//! Games between Python functions and built-in engines, refereed by the arena: the rules decide, and whoever plays an
//! illegal move loses the game.
//!
//! Everything runs on the calling thread except an engine's search, so a function may draw, print and be interrupted.

use crate::board::{Board, GivenMove, game_named};
use crate::engine::{Spend, make};
use crate::error::{EngineError, bad};
use crate::interrupt::without_lock;
use arena::player::{BuiltIn, Fault, GameStart, MoveReply, MoveRequest, Player};
use arena::referee::Played;
use arena::tournament::{Entrant, play_one};
use game::{Game, MoveNote, Position, Seat, Setup, StopFlag};
use play::TimeControl;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a function may take where it has no limit: a day.
const PATIENCE: Duration = Duration::from_secs(86_400);

/// A participant as Python gives it.
#[derive(FromPyObject)]
pub(crate) enum Given {
    /// A built-in engine with its options.
    Engine { name: String, options: BTreeMap<String, String>, spend: Spend },
    /// A function from a board to a move, with its name and seconds per move.
    Function { function: Py<PyAny>, label: String, seconds: Option<f64> },
}

/// What one game came to: who had the first move, who won, why, and the moves.
type GameRow = (usize, Option<usize>, String, String, Py<Board>);

/// The exception that ended the match, if one did.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// Plays `games` games; the players change places after each.
#[pyfunction]
pub(crate) fn play_games(
    py: Python<'_>,
    players: (Given, Given),
    game: &str,
    size: Option<u8>,
    rule: &str,
    games: u64,
    seed: u64,
) -> PyResult<Vec<GameRow>> {
    let game = game_named(game)?;
    let (rows, cols) = size.map_or(game.default_size(), |size| (size, size));
    let opening = game.position(&Setup { rule: rule.into(), ..Setup::empty(rows, cols) }).map_err(bad)?;
    let raised = Raised::default();
    let stop = StopFlag::new();
    let entrants =
        [entrant(py, players.0, game, &raised, &stop)?, entrant(py, players.1, game, &raised, &stop)?];
    let mut rows = Vec::new();
    for number in 0..games {
        let first = (number % 2) as usize;
        let mut pair = [entrants[first].clone(), entrants[1 - first].clone()];
        for (seat, entrant) in pair.iter_mut().enumerate() {
            entrant.limits.seed = search::Rng::new(seed ^ (2 * number + seat as u64)).next_u64();
        }
        let played = play_one(game, &*opening, [&pair[0], &pair[1]], Default::default(), &stop);
        if let Some(error) = raised.lock().unwrap_or_else(|e| e.into_inner()).take() {
            return Err(error);
        }
        let played = played.ok_or_else(|| EngineError::new_err("the match was stopped"))?;
        rows.push(row(py, game, &played, first)?);
        py.check_signals()?;
    }
    Ok(rows)
}

fn row(py: Python<'_>, game: &'static dyn Game, played: &Played, first: usize) -> PyResult<GameRow> {
    let winner = played.winner().map(|seat| if seat == Seat::First { first } else { 1 - first });
    let board = Board { game, position: played.session.position().boxed() };
    let detail = played.session.end_detail().to_string();
    Ok((first, winner, played.termination().to_string(), detail, Py::new(py, board)?))
}

fn entrant(
    py: Python<'_>,
    given: Given,
    game: &'static dyn Game,
    raised: &Raised,
    stop: &StopFlag,
) -> PyResult<Entrant> {
    let raised = raised.clone();
    Ok(match given {
        Given::Engine { name, options, spend } => {
            let limits = spend.limits()?;
            // Made once here, so that a wrong name or option is an error and not a lost game.
            let name = make(game.name(), &name, &options)?.name().to_string();
            let control = TimeControl {
                per_move: limits.move_time,
                nodes: limits.nodes,
                depth: limits.depth,
                // The engine keeps its own time; a busy machine must not decide the game.
                margin: Duration::from_secs(10),
                patience: PATIENCE,
                ..TimeControl::default()
            };
            let (chosen, stop) = (name.clone(), stop.clone());
            let maker = move || {
                let engine = make(game.name(), &chosen, &options)
                    .map_err(|error| Fault::NoStart(error.to_string()))?;
                let player =
                    Searching { engine: BuiltIn::new(engine), raised: raised.clone(), stop: stop.clone() };
                Ok(Box::new(player) as Box<dyn Player>)
            };
            Entrant { name, make: Arc::new(maker), control, limits }
        }
        Given::Function { function, label, seconds } => {
            if !function.bind(py).is_callable() {
                return Err(bad(format!("{label} is not a function from a board to a move")));
            }
            let per_move = crate::engine::seconds("seconds", seconds)?;
            let function = Arc::new(function);
            let stop = stop.clone();
            let maker = move || {
                let player =
                    Function { function: function.clone(), game, raised: raised.clone(), stop: stop.clone() };
                Ok(Box::new(player) as Box<dyn Player>)
            };
            let control = TimeControl { per_move, patience: PATIENCE, ..TimeControl::default() };
            Entrant { name: label, make: Arc::new(maker), control, limits: Default::default() }
        }
    })
}

/// Ends the match with an exception.
fn end_with(error: PyErr, raised: &Raised, stop: &StopFlag) -> Fault {
    *raised.lock().unwrap_or_else(|e| e.into_inner()) = Some(error);
    stop.stop();
    Fault::Stopped
}

/// An engine that searches without the interpreter's lock.
struct Searching {
    engine: BuiltIn,
    raised: Raised,
    stop: StopFlag,
}

impl Player for Searching {
    fn start(&mut self, start: &GameStart) -> Result<(), Fault> {
        self.engine.start(start)
    }

    fn choose(&mut self, position: &dyn Position, request: &MoveRequest) -> Result<MoveReply, Fault> {
        let engine = &mut self.engine;
        let answer = Python::attach(|py| {
            without_lock(py, || request.alarm.ring(None), || engine.choose(position, request))
        });
        answer.unwrap_or_else(|error| Err(end_with(error, &self.raised, &self.stop)))
    }
}

/// A Python function from a board to a move; `None` resigns.
struct Function {
    function: Arc<Py<PyAny>>,
    game: &'static dyn Game,
    raised: Raised,
    stop: StopFlag,
}

impl Player for Function {
    fn start(&mut self, _start: &GameStart) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, position: &dyn Position, _request: &MoveRequest) -> Result<MoveReply, Fault> {
        let asked = Instant::now();
        let answer = Python::attach(|py| {
            let board = Py::new(py, Board { game: self.game, position: position.boxed() })?;
            let answer = self.function.bind(py).call1((board,))?;
            if answer.is_none() {
                return Ok(Ok(None));
            }
            let wrong = || format!("{} is not a move; accepted: text such as 'h8', or (row, column)", answer);
            let Ok(given) = answer.extract::<GivenMove>() else { return Ok(Err(wrong())) };
            let board = Board { game: self.game, position: position.boxed() };
            Ok(board.read_move(&given).map(Some).map_err(|error| error.value(py).to_string()))
        });
        match answer {
            Err(error) => Err(end_with(error, &self.raised, &self.stop)),
            Ok(Err(why)) => Err(Fault::Syntax(why)),
            Ok(Ok(mv)) => Ok(MoveReply { mv, note: MoveNote::default(), time: asked.elapsed() }),
        }
    }
}
