//! Records of a search for watching: what `tengen explain` writes and the web app plays back.
//!
//! A record is columns of numbers (guide/en/records.md), so that a hundred thousand nodes are a few megabytes of JSON and
//! open at once. Everything shown about a search comes from its record; nothing is worked out again by the page.
//!
//! | kind | of | made by |
//! |---|---|---|
//! | `tree` | minimax, alpha-beta with and without a table | [`watch`] |
//! | `tree` | principal variation search | the engine that has it, with [`PvsRecorder`] |
//! | `mcts` | UCT, flat Monte Carlo | [`watch`] |
//! | `mcts` | PUCT with a network | the engine that has it, with [`PlayoutRecorder`] |
//! | `path` | A*, IDA* and the like | the crate that has the map, with [`PathColumns`] |

mod conclude;
mod number;
mod path;
mod playouts;
mod pvs;
mod tree;
mod trim;
mod walk;

pub use conclude::{Language, conclusion};
pub use number::Num;
pub use path::{PathColumns, PathKind};
pub use playouts::{PlayoutColumns, PlayoutRecorder, Proved};
pub use pvs::{End, Entered, Iteration, PvsRecorder, Visit};
pub use tree::{TreeColumns, TreeNode, TreeRecorder};
pub use trim::Trim;
pub use walk::walk_through;

use crate::Rng;
use crate::adversarial::{
    Game, GameObserver, GameOutcome, MonteCarloOutcome, TranspositionTable, UctOptions, alpha_beta,
    alpha_beta_tt, flat_monte_carlo, minimax, uct,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name in every record's `format`.
pub const FORMAT: &str = "tengen-record";

/// The version of the format; readers refuse others.
pub const VERSION: u32 = 1;

/// Entries of the transposition table, where one is asked for.
const TABLE: usize = 1 << 18;

/// Tree nodes that UCT keeps at most.
const UCT_NODES: usize = 1 << 19;

/// A search of a game tree that can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Every line.
    Minimax,
    /// Minimax that leaves out what cannot matter.
    #[serde(rename = "alphabeta")]
    AlphaBeta,
    /// The same with a transposition table.
    #[serde(rename = "alphabeta-tt")]
    AlphaBetaTable,
    /// Tree search by UCB1.
    Uct,
    /// Equal shares of random playouts.
    Flat,
    /// Principal variation search: the main Gomoku engine's own.
    Pvs,
    /// Tree search by PUCT with a network: the main Hex engine's own.
    Puct,
}

crate::named!(
    Algorithm, "algorithm":
    Minimax = "minimax", AlphaBeta = "alphabeta", AlphaBetaTable = "alphabeta-tt", Uct = "uct",
    Flat = "flat", Pvs = "pvs", Puct = "puct",
);

impl Algorithm {
    /// Those of the textbooks, which [`watch`] runs on any game.
    pub const TEXTBOOK: &[Algorithm] = Self::ALL.split_at(5).0;

    /// Does it play games out instead of evaluating positions?
    pub fn plays_out(self) -> bool {
        matches!(self, Algorithm::Uct | Algorithm::Flat)
    }

    /// Refuses an algorithm that is a game's own, or another game's; `own` is the one this game has, if any.
    pub fn check(self, game: &str, own: Option<Algorithm>) -> Result<(), String> {
        let accepted = || Self::TEXTBOOK.iter().copied().chain(own);
        if accepted().any(|algorithm| algorithm == self) {
            return Ok(());
        }
        let names: Vec<_> = accepted().map(Algorithm::name).collect();
        Err(format!("{game} is not searched by {self}; accepted: {}", names.join(", ")))
    }
}

/// What search to record, and how much of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordOptions {
    /// How to search.
    pub algorithm: Algorithm,
    /// Plies, for those that have a depth.
    pub depth: u32,
    /// Nodes after which the search ends unfinished.
    pub nodes: u64,
    /// Nodes or playouts to write down at most; with 0 nothing is watched and only the result is recorded.
    pub keep: usize,
    /// Playouts, for those that make some.
    pub playouts: u64,
    /// C of UCB1.
    pub exploration: f64,
    /// Seed of the playouts.
    pub seed: u64,
    /// Moves searched at each node; `None`: as many as the engine usually does.
    pub width: Option<usize>,
    /// Whether promising moves come first; `None`: as the engine usually does.
    pub ordering: Option<bool>,
}

impl RecordOptions {
    /// Usual limits for an algorithm.
    pub fn new(algorithm: Algorithm) -> RecordOptions {
        RecordOptions {
            algorithm,
            depth: 4,
            nodes: 2_000_000,
            keep: 100_000,
            playouts: 1_000,
            exploration: std::f64::consts::SQRT_2,
            seed: 1,
            width: None,
            ordering: None,
        }
    }
}

/// The position a search starts from, as the record tells it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// `tictactoe`, `gomoku`, `hex`.
    pub game: String,
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub cols: u32,
    /// One line of `.`, `X` and `O` per row; X is black and moves first.
    pub board: Vec<String>,
    /// `black` or `white`.
    pub to_move: String,
    /// Whose evaluation it is, empty where there is none.
    pub engine: String,
    /// The engine's options and the width and ordering asked for.
    pub options: BTreeMap<String, String>,
}

/// The record of a game-tree search.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: &'static str,
    /// [`VERSION`].
    pub version: u32,
    /// `tree` or `mcts`.
    pub kind: &'static str,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Where it started.
    #[serde(flatten)]
    pub stage: Stage,
    /// `black` or `white`: whose gain the values are.
    pub max: String,
    /// What came of it.
    #[serde(flatten)]
    pub search: Search,
}

/// The two kinds of record, each with its result and its columns.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Search {
    /// Depth first.
    Tree {
        /// The depth asked for.
        depth: u32,
        /// The answer and the work.
        result: TreeResult,
        /// Node by node.
        #[serde(flatten)]
        columns: Box<TreeColumns>,
    },
    /// Monte Carlo.
    Playouts {
        /// C of UCB1, as the engine used it.
        c: f64,
        /// The seed.
        seed: u64,
        /// The answer and the work.
        result: PlayoutResult,
        /// Playout by playout.
        #[serde(flatten)]
        columns: Box<PlayoutColumns>,
    },
}

/// The engine's own summary of a depth-first search.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of GameOutcome and Stats")]
pub struct TreeResult {
    pub best: Option<u32>,
    pub value: Num,
    /// What a win on the spot is worth, where a win in n plies is worth n less and is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<f64>,
    pub line: Vec<u32>,
    /// `[move, value, nodes]` in search order.
    pub root: Vec<(u32, Num, u64)>,
    pub completed: bool,
    pub nodes: u64,
    pub leaves: u64,
    pub cutoffs: u64,
    pub table_hits: u64,
    pub full_tree: Num,
    pub best_case: Num,
    pub prune_ratio: Num,
    pub seconds: f64,
    /// `[depth, value, best move, nodes]` of each iteration of a search that deepens step by step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<Iteration>,
}

/// The engine's own summary of a Monte Carlo search.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are those of MonteCarloOutcome")]
pub struct PlayoutResult {
    pub best: Option<u32>,
    /// `[move, visits, wins of MAX]` in the game's order.
    pub root: Vec<(u32, u64, Num)>,
    pub completed: bool,
    pub playouts: u64,
    pub nodes: usize,
    pub seconds: f64,
}

impl Record {
    /// States what a proved win is worth, where its distance is taken off.
    pub fn with_win(mut self, score: f64) -> Record {
        if let Search::Tree { result, .. } = &mut self.search {
            result.win = Some(score);
        }
        self
    }

    /// States how long the search took: only the caller has a clock.
    pub fn timed(mut self, time: f64) -> Record {
        match &mut self.search {
            Search::Tree { result, .. } => result.seconds = time,
            Search::Playouts { result, .. } => result.seconds = time,
        }
        self
    }
}

/// Searches with one of [`Algorithm::TEXTBOOK`] and writes down what was seen. `code` numbers the moves: the cell counted row by row.
pub fn watch<G: Game>(
    game: &mut G,
    wanted: &RecordOptions,
    stage: Stage,
    code: impl Fn(G::Move) -> u32 + Copy,
    mut keep_going: impl FnMut() -> bool,
) -> Record {
    let other = if stage.to_move == "black" { "white" } else { "black" };
    let max = if game.max_to_move() { stage.to_move.clone() } else { other.to_string() };
    let (kind, search) = if wanted.algorithm.plays_out() {
        let mut recorder = PlayoutRecorder::new(code, wanted.keep);
        let outcome = if wanted.keep > 0 {
            play_out(game, wanted, keep_going, &mut recorder)
        } else {
            play_out(game, wanted, keep_going, &mut ())
        };
        let result = playout_result(&outcome, code);
        let columns = Box::new(recorder.into_columns());
        ("mcts", Search::Playouts { c: wanted.exploration, seed: wanted.seed, result, columns })
    } else {
        let mut left = wanted.nodes;
        let limited = || {
            let go = left > 0 && keep_going();
            left = left.saturating_sub(1);
            go
        };
        let mut recorder = TreeRecorder::new(code, wanted.keep);
        let outcome = if wanted.keep > 0 {
            depth_first(game, wanted, limited, &mut recorder)
        } else {
            depth_first(game, wanted, limited, &mut ())
        };
        let columns = Box::new(recorder.into_columns(outcome.value));
        ("tree", Search::Tree { depth: wanted.depth, result: tree_result(&outcome, code), columns })
    };
    Record { format: FORMAT, version: VERSION, kind, algorithm: wanted.algorithm, stage, max, search }
}

fn depth_first<G: Game>(
    game: &mut G,
    wanted: &RecordOptions,
    keep_going: impl FnMut() -> bool,
    observer: &mut impl GameObserver<G::Move>,
) -> GameOutcome<G::Move> {
    match wanted.algorithm {
        Algorithm::Minimax => minimax(game, wanted.depth, keep_going, observer),
        Algorithm::AlphaBetaTable => {
            alpha_beta_tt(game, wanted.depth, &mut TranspositionTable::new(TABLE), keep_going, observer)
        }
        _ => alpha_beta(game, wanted.depth, keep_going, observer),
    }
}

fn play_out<G: Game>(
    game: &mut G,
    wanted: &RecordOptions,
    keep_going: impl FnMut() -> bool,
    observer: &mut impl GameObserver<G::Move>,
) -> MonteCarloOutcome<G::Move> {
    if wanted.algorithm == Algorithm::Flat {
        return flat_monte_carlo(game, wanted.playouts, &mut Rng::new(wanted.seed), keep_going, observer);
    }
    let options = UctOptions {
        playouts: wanted.playouts,
        exploration: wanted.exploration,
        max_nodes: UCT_NODES,
        seed: wanted.seed,
    };
    uct(game, &options, keep_going, observer)
}

fn tree_result<M: Copy>(outcome: &GameOutcome<M>, code: impl Fn(M) -> u32) -> TreeResult {
    let stats = &outcome.stats;
    let full = stats.full_tree();
    TreeResult {
        best: outcome.best.map(&code),
        value: Num(outcome.value),
        win: None,
        line: outcome.line.iter().map(|mv| code(*mv)).collect(),
        root: outcome.root.iter().map(|row| (code(row.mv), Num(row.value), row.nodes)).collect(),
        completed: outcome.completed,
        nodes: stats.nodes,
        leaves: stats.leaves,
        cutoffs: stats.cutoffs,
        table_hits: stats.table_hits,
        full_tree: Num(full),
        // Where widths vary the estimate may miss; no search needs more than one that is done has used.
        best_case: Num(stats.best_case().min(if outcome.completed { stats.nodes as f64 } else { f64::MAX })),
        prune_ratio: Num(stats.prune_ratio(full)),
        seconds: 0.0,
        iterations: Vec::new(),
    }
}

fn playout_result<M: Copy>(outcome: &MonteCarloOutcome<M>, code: impl Fn(M) -> u32) -> PlayoutResult {
    PlayoutResult {
        best: outcome.best.map(&code),
        root: outcome.root.iter().map(|row| (code(row.mv), row.visits, Num(row.max_wins))).collect(),
        completed: outcome.completed,
        playouts: outcome.playouts,
        nodes: outcome.nodes,
        seconds: 0.0,
    }
}
