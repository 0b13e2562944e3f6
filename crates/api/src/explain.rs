//! Recorded searches for playback, and the terms of an evaluation. The searches are run through the `Game` trait; here
//! are only the limits of what one request may ask for.

use crate::maze::{broken, cell};
use crate::{Host, PlayedLine, Problem, Setup, Work};
use ::maze::explain::{Explain, Heuristic};
use ::maze::{Algorithm as PathAlgorithm, Budget, Ends, Neighbours, Query};
use game::Watch;
use search::theatre::{Algorithm, RecordOptions};
use search::tictactoe::TicTacToe;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// Limits of one request: nodes searched, events recorded, playouts, plies, and the time of a path search.
const MAX_NODES: u64 = 5_000_000;
const MAX_RECORDED: usize = 200_000;
const MAX_PLAYOUTS: u64 = 50_000;
const MAX_DEPTH: u32 = 20;
const MAX_PATH_TIME: Duration = Duration::from_secs(20);

/// A search of a game tree to be watched.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// `minimax`, `alphabeta`, `alphabeta-tt`, `uct`, `flat`; of the main engines `pvs` (Gomoku), `puct` (Hex).
    algorithm: String,
    /// The position, for Gomoku and Hex.
    #[serde(default)]
    setup: Option<Setup>,
    #[serde(default)]
    moves: Vec<String>,
    /// The position, for tic-tac-toe: nine cells of `X`, `O` and `.`.
    #[serde(default)]
    tictactoe: Option<String>,
    /// Whose evaluation; the usual one if left out.
    #[serde(default)]
    engine: String,
    /// Plies, at most 20.
    #[serde(default)]
    depth: Option<u32>,
    /// Nodes after which the search ends unfinished, at most 5,000,000.
    #[serde(default)]
    nodes: Option<u64>,
    /// Nodes or playouts to write down, at most 200,000; 0: the result only.
    #[serde(default)]
    keep: Option<usize>,
    /// Playouts, at most 50,000.
    #[serde(default)]
    playouts: Option<u64>,
    /// C of UCB1, 0 to 100.
    #[serde(default)]
    c: Option<f64>,
    #[serde(default)]
    seed: Option<u64>,
    /// Moves searched at each node; 0: all.
    #[serde(default)]
    width: Option<usize>,
    /// Promising moves first?
    #[serde(default)]
    ordering: Option<bool>,
}

impl ExplainRequest {
    fn record_options(&self) -> Result<RecordOptions, Problem> {
        let algorithm: Algorithm =
            self.algorithm.parse().map_err(|error| Problem::said("explain.algorithm", error))?;
        let usual = RecordOptions::new(algorithm);
        let c = self.c.unwrap_or(usual.exploration);
        if !(0.0..=100.0).contains(&c) {
            return Err(Problem::refused("explain.c", "c is a number from 0 to 100"));
        }
        Ok(RecordOptions {
            depth: self.depth.unwrap_or(usual.depth).clamp(1, MAX_DEPTH),
            nodes: self.nodes.unwrap_or(usual.nodes).clamp(1, MAX_NODES),
            keep: self.keep.unwrap_or(usual.keep).min(MAX_RECORDED),
            playouts: self.playouts.unwrap_or(usual.playouts).clamp(1, MAX_PLAYOUTS),
            exploration: c,
            seed: self.seed.unwrap_or(usual.seed),
            width: self.width,
            ordering: self.ordering,
            ..usual
        })
    }
}

/// Records a search of a game tree (guide/en/records.md has the format); the record as JSON.
pub fn explain(host: &Host, asked: ExplainRequest) -> Result<Work<String>, Problem> {
    let mut wanted = asked.record_options()?;
    if let Some(text) = &asked.tictactoe {
        let position: TicTacToe = text.parse().map_err(|error| Problem::said("setup.refused", error))?;
        wanted
            .algorithm
            .check("tic-tac-toe", None)
            .map_err(|error| Problem::said("explain.algorithm", error))?;
        wanted.width = wanted.width.filter(|width| *width > 0);
        return Ok(Box::new(move |watch| {
            let record = search::tictactoe::explain(&position, &wanted, || !watch.is_stopped());
            Ok(written(&record.timed(watch.elapsed().as_secs_f64())))
        }));
    }
    let Some(setup) = asked.setup else {
        return Err(Problem::refused("explain.position", "a position is needed: `setup` or `tictactoe`"));
    };
    let (game, position) = PlayedLine { setup, moves: asked.moves }.position(host)?;
    let engine = asked.engine;
    Ok(Box::new(move |watch| Ok(written(&game.explain(&*position, &engine, &wanted, watch)?))))
}

/// A path search to be watched.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainPath {
    /// A name from the catalog.
    algorithm: String,
    /// A 0/1 matrix, a MovingAI map or a drawing.
    map: String,
    /// `[row, column]`; from the map if omitted.
    #[serde(default)]
    from: Option<[u32; 2]>,
    #[serde(default)]
    to: Option<[u32; 2]>,
    /// `4`, `8` or `8-cut`.
    #[serde(default)]
    neighbours: Option<String>,
    /// `zero`, `manhattan`, `octile`, `euclidean`, `chebyshev` or `squared`, for A* and IDA*.
    #[serde(default)]
    heuristic: Option<String>,
    /// Factor on the heuristic, 0 to 1000.
    #[serde(default)]
    weight: Option<f64>,
    /// Events to write down, at most 200,000.
    #[serde(default)]
    keep: Option<usize>,
    /// Cells to expand at most.
    #[serde(default)]
    nodes: Option<u64>,
}

/// Records a path search (guide/en/records.md has the format); the record as JSON.
pub fn path(asked: ExplainPath) -> Work<String> {
    Box::new(move |watch| Ok(written(&path_record(&asked, watch)?)))
}

fn path_record(asked: &ExplainPath, watch: &Watch) -> Result<::maze::explain::PathRecord, Problem> {
    let loaded = ::maze::format::read("map", asked.map.as_bytes()).map_err(|error| broken(&error))?;
    let algorithm: PathAlgorithm =
        asked.algorithm.parse().map_err(|error| Problem::said("maze.algorithm", error))?;
    let neighbours = match &asked.neighbours {
        Some(word) => word.parse::<Neighbours>().map_err(|error| Problem::said("maze.neighbours", error))?,
        None if algorithm.allows(loaded.format.neighbours()) => loaded.format.neighbours(),
        None => Neighbours::Four,
    };
    let heuristic = match &asked.heuristic {
        Some(word) => word.parse::<Heuristic>().map_err(|error| Problem::said("explain.heuristic", error))?,
        None => Heuristic::usual(neighbours),
    };
    let weight = asked.weight.unwrap_or(1.0);
    if !(0.0..=1000.0).contains(&weight) {
        return Err(Problem::refused("explain.weight", "a weight is a number from 0 to 1000"));
    }
    let ends = Ends::resolve(&loaded.grid, asked.from.map(cell), asked.to.map(cell))
        .map_err(|error| Problem::said("maze.ends", error))?;
    let budget = Budget { expansions: asked.nodes, ..Budget::timed(watch.restarted(), Some(MAX_PATH_TIME)) };
    let query = Query { from: ends.from, to: ends.to, algorithm, neighbours, weight, budget };
    let wanted = Explain { query, heuristic, keep: asked.keep.unwrap_or(MAX_RECORDED).min(MAX_RECORDED) };
    ::maze::explain::explain(&loaded.grid, &wanted).map_err(|error| Problem::said("maze.query", error))
}

/// A position whose evaluation is to be taken apart.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct XrayRequest {
    setup: Setup,
    #[serde(default)]
    moves: Vec<String>,
    /// A name from the catalog; the recommended one if left out.
    #[serde(default)]
    engine: String,
}

/// What an engine's evaluation sees, as JSON: its terms, and line by line the patterns found.
pub fn xray(host: &Host, asked: XrayRequest) -> Result<Work<String>, Problem> {
    let (game, position) = PlayedLine { setup: asked.setup, moves: asked.moves }.position(host)?;
    let engine = asked.engine;
    Ok(Box::new(move |_| match game.xray(&*position, &engine) {
        Some(xray) => Ok(written(&xray)),
        None => Err(Problem::refused("xray.none", "this engine does not show its evaluation")),
    }))
}

/// Written on the thread that searched: a record may be long.
fn written(record: &impl Serialize) -> String {
    serde_json::to_string(record).unwrap_or_default()
}
