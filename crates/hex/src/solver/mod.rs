//! The solver: who wins, and with which first moves, proved by df-pn over virtual connections and inferior cells.
//!
//! [`solve`] answers a [`Question`] within a [`Budget`]; what the budget does not suffice for stays unknown.
//! Its answers can be written down as a [`proof`], which is checked without any of that knowledge.

pub(crate) mod certify;
mod dfpn;
mod door;
pub(crate) mod knowledge;
pub(crate) mod order;
pub mod proof;
mod session;
mod table;
mod wins;

#[cfg(test)]
mod tests;

pub(crate) use door::{QUESTIONS, defend, prove};

use crate::{Board, by_width};
use game::{Side, Watch};
use proof::Proof;
use session::Session;
use std::time::Duration;

/// What is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Who wins?
    Winner,
    /// With which moves does the side to move win? All of them.
    WinningMoves,
}

/// A question to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub ask: Ask,
    /// The side to move.
    pub to_move: Side,
    /// Also make a proof of who wins, and check it.
    pub verify: bool,
}

/// What an answer may cost; `None` sets no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Wall time.
    pub time: Option<Duration>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Threads, at least 1.
    pub threads: usize,
    /// Memory for the table of positions, in MiB.
    pub memory_mb: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { time: None, nodes: None, threads: 1, memory_mb: 1024 }
    }
}

/// The solver's answer; cells are indices.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Who wins, if that was proved.
    pub winner: Option<Side>,
    /// The first moves proved to win, when they were asked for.
    pub winning_moves: Vec<usize>,
    /// The first moves that the budget left undecided.
    pub undecided: Vec<usize>,
    /// A line of play: the winner's proved moves against the most stubborn answers.
    pub line: Vec<usize>,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions remembered.
    pub stored: usize,
    /// Time taken.
    pub elapsed: Duration,
    /// The checked proof of who wins; `None` if none was asked for, or the budget ended first.
    pub proof: Option<Proof>,
    /// A proof was written but did not check: a fault of the solver, never of the budget.
    pub doubt: bool,
}

/// What can be told while the solver works.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions looked at.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// First moves decided and to decide; one of one if only the winner is asked for.
    pub moves: (usize, usize),
}

/// Answers a question about a board. `progress` is called a few times a second.
pub fn solve(
    board: &Board,
    question: &Question,
    budget: &Budget,
    watch: &Watch,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Answer {
    by_width!(board.size(), W => Session::<W>::new(board, *question, *budget, watch, progress).answer())
}
