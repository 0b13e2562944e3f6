//! What a depth-first search of a game tree answers, and how its work is counted.

use serde::{Deserialize, Serialize};

/// The answer of [`minimax`](super::minimax), [`alpha_beta`](super::alpha_beta) and their like.
#[derive(Clone, Debug, PartialEq)]
pub struct GameOutcome<M> {
    /// The first move of the best value; `None` if the game is over or the search was stopped before any was valued.
    pub best: Option<M>,
    /// The value of the root for MAX: of the best move, or the evaluation when there is none.
    pub value: f64,
    /// The line that both sides think best, starting with `best`. It may end early where a table knew the rest.
    pub line: Vec<M>,
    /// Every root move in search order with its value as the search returned it. After the first best move alpha-beta
    /// only learns that others are no better, so their values are bounds.
    pub root: Vec<RootMove<M>>,
    /// The depth searched to.
    pub depth: u32,
    /// False when `keep_going` ended the search; `root` then holds the moves that were finished.
    pub completed: bool,
    /// The work done.
    pub stats: Stats,
}

/// A row of the root table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its value for MAX as the search returned it.
    pub value: f64,
    /// The nodes visited for it, itself included.
    pub nodes: u64,
}

/// How much work a search did, and what it was spared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Children visited; the root is not counted.
    pub nodes: u64,
    /// Of those, the ones that were evaluated.
    pub leaves: u64,
    /// Nodes whose remaining moves were cut.
    pub cutoffs: u64,
    /// Nodes whose value the transposition table knew.
    pub table_hits: u64,
    /// For each ply above the last: the nodes seen there, and the moves these had to offer.
    pub widths: Vec<Width>,
}

/// How wide a ply of the tree is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Width {
    /// Nodes seen, finished games included.
    pub nodes: u64,
    /// Moves they offered in all, searched or not.
    pub moves: u64,
}

impl Stats {
    /// The size of the tree without cuts, estimated from the mean number of moves offered at each ply.
    ///
    /// Exact for minimax, and where all nodes of a ply have equally many moves. The idea is of Knuth, *Estimating the
    /// efficiency of backtrack programs*, 1975; here the sample is what was searched.
    pub fn full_tree(&self) -> f64 {
        full_tree(self.widths.iter().map(|width| width.moves as f64 / (width.nodes.max(1)) as f64))
    }

    /// The least nodes that any search could visit in a tree of the widths seen, had every node its best move first:
    /// at each ply the moves of every other ply multiplied, once for the odd plies and once for the even, less the
    /// one line they share (Knuth, Moore 1975, there for leaves and one width).
    pub fn best_case(&self) -> f64 {
        let (mut odd, mut even, mut sum) = (1.0, 1.0, 0.0);
        for (ply, width) in self.widths.iter().enumerate() {
            let moves = width.moves as f64 / width.nodes.max(1) as f64;
            *(if ply % 2 == 0 { &mut odd } else { &mut even }) *= moves;
            sum += odd + even - 1.0;
        }
        sum
    }

    /// The share of a tree of `full_tree` nodes that was not visited: 1 - nodes / full tree.
    pub fn prune_ratio(&self, full_tree: f64) -> f64 {
        if full_tree > 0.0 { 1.0 - self.nodes as f64 / full_tree } else { 0.0 }
    }

    pub(crate) fn saw(&mut self, ply: u32, moves: usize) {
        let ply = ply as usize;
        if self.widths.len() <= ply {
            self.widths.resize(ply + 1, Width::default());
        }
        self.widths[ply].nodes += 1;
        self.widths[ply].moves += moves as u64;
    }
}

/// The number of nodes below the root of a tree with so many moves at each ply: b1 + b1 b2 + b1 b2 b3 + ...
///
/// A board with `e` empty cells searched `d` deep without truncation: `full_tree((0..d).map(|k| e - k))`.
pub fn full_tree(branching: impl IntoIterator<Item = impl Into<f64>>) -> f64 {
    let mut level = 1.0;
    let mut sum = 0.0;
    for width in branching {
        level *= width.into();
        sum += level;
    }
    sum
}
