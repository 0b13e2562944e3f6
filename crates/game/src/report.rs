//! What a search tells about itself, while it runs and at its end.

use crate::Move;
use std::time::Duration;

/// A search's view of the position it is asked about. All scores are from the view of the side to move at
/// the root; larger is better.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Depth completed, in plies (for a tree search: the longest line of its best path).
    pub depth: u32,
    /// Deepest ply reached by extensions or forced-win search.
    pub selective_depth: u32,
    /// Score of the best move in the engine's own unit.
    pub score: f64,
    /// Expected result of the best move, 0 to 1.
    pub win_rate: f64,
    /// Proved end of the game, in plies from the root: positive wins, negative loses.
    pub mate: Option<i32>,
    /// Nodes visited (or playouts played).
    pub nodes: u64,
    /// Time used so far.
    pub elapsed: Duration,
    /// Principal lines, best first.
    pub lines: Vec<Line>,
    /// Every root move that was searched, in the order of the search.
    pub root: Vec<RootMove>,
    /// Size of the tree without pruning, where the engine knows it.
    pub full_tree: Option<f64>,
}

impl Report {
    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The share of the full tree that was not visited: 1 - nodes / full tree, and 0 where the nodes of an unfinished
    /// iteration outnumber the tree of the finished ones.
    pub fn prune_ratio(&self) -> Option<f64> {
        self.full_tree.filter(|full| *full > 0.0).map(|full| (1.0 - self.nodes as f64 / full).max(0.0))
    }

    /// The best line, empty before the first one is known.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.moves)
    }
}

/// One principal line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The moves, the root's first.
    pub moves: Vec<Move>,
    /// Score in the engine's own unit.
    pub score: f64,
    /// Expected result, 0 to 1.
    pub win_rate: f64,
    /// Proved end of the game, as in [`Report::mate`].
    pub mate: Option<i32>,
    /// Depth to which this line was searched.
    pub depth: u32,
    /// Nodes or visits spent on it.
    pub nodes: u64,
}

/// One row of the root table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its score (a bound where the search cut it off).
    pub score: f64,
    /// Expected result, 0 to 1.
    pub win_rate: f64,
    /// Nodes or visits spent on it.
    pub nodes: u64,
}
