//! The solver: who wins, and with which first moves, proved by df-pn over virtual connections and inferior cells.
//!
//! [`solve`] answers a [`Query`] within [`SolverLimits`]; what they do not suffice for stays unknown. Its answers can be
//! written down as a [`proof`], which is checked by the rules alone.
//!
//! | module | what it does |
//! |---|---|
//! | [`session`] | one query: limits, threads, reading moves out of the table |
//! | [`dfpn`], [`proof_table`] | depth-first proof-number search and its table |
//! | [`certify`], [`derive`], [`proof`] | writing proofs, and checking them |
//! | [`mod@prove`] | the solver as `Game::prove` and `Game::defend` |

mod certify;
mod derive;
mod dfpn;
pub mod proof;
mod proof_table;
mod prove;
mod session;

#[cfg(test)]
mod tests;

pub(crate) use prove::{QUESTIONS, defend, prove};

use crate::{Board, by_width};
use game::{ProofResult, Side, Watch};
use proof::Proof;
use session::Session;
use std::time::Duration;

/// What to find out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Who wins?
    Winner,
    /// All moves with which the side to move wins.
    WinningMoves,
}

/// A query to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// What to find out.
    pub target: Target,
    /// The side to move.
    pub to_move: Side,
    /// Also make a proof of who wins, and check it.
    pub verify: bool,
}

/// What a query may cost; `None` sets no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverLimits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Positions to analyze.
    pub nodes: Option<u64>,
    /// Threads, at least 1.
    pub threads: usize,
    /// Memory for the table of positions and the proved wins, in MiB.
    pub memory_mb: usize,
}

impl Default for SolverLimits {
    fn default() -> SolverLimits {
        SolverLimits { time: None, nodes: None, threads: 1, memory_mb: 1024 }
    }
}

/// The answer to a query; cells are indices.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// Who wins, if that was proved.
    pub winner: Option<Side>,
    /// The first moves proved to win, if they were asked for.
    pub winning_moves: Vec<usize>,
    /// The first moves left undecided by the limits.
    pub undecided: Vec<usize>,
    /// A line of play: the winner's proved moves against the replies that took most work.
    pub line: Vec<usize>,
    /// Positions analyzed.
    pub nodes: u64,
    /// Positions in the table.
    pub stored: usize,
    /// Time taken.
    pub elapsed: Duration,
    /// The checked proof of who wins; `None` if none was asked for, or the limits were reached first.
    pub proof: Option<Proof>,
    /// A proof was written but failed its check: a fault of the solver, never of the limits.
    pub proof_failed: bool,
}

impl Solution {
    /// The result for the side to move.
    pub fn result(&self, to_move: Side) -> ProofResult {
        match self.winner {
            Some(side) if side == to_move => ProofResult::Win,
            Some(_) => ProofResult::Loss,
            None => ProofResult::Unknown,
        }
    }
}

/// The progress of a query.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions analyzed.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// First moves decided and to decide; one of one if only the winner is asked for.
    pub moves: (usize, usize),
}

/// Answers a query about a board. `progress` is called a few times a second.
pub fn solve(
    board: &Board,
    query: &Query,
    limits: &SolverLimits,
    watch: &Watch,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Solution {
    by_width!(board.size(), W => Session::<W>::new(board, *query, *limits, watch, progress).solve_query())
}
