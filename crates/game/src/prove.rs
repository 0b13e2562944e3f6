//! Proofs: what a game's solver answers to a question about a position, and how the other side defends.
//!
//! `win`, `loss` and `none` are proved; `unknown` is what is left when the budget ends. They are never mixed up.

use crate::{Move, Position};
use serde::{Deserialize, Serialize};

/// The answer to one of [`Game::questions`](crate::Game::questions).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// What was proved about the side to move.
    pub result: ProofResult,
    /// One line of play that shows it: the winner's moves against stubborn answers, the side to move first.
    pub line: Vec<Move>,
    /// Where all winning first moves were asked for: those proved to win.
    pub winning_moves: Option<Vec<Move>>,
    /// First moves that were asked for and that the budget left undecided.
    pub undecided: Vec<Move>,
    /// Nodes spent.
    pub nodes: u64,
}

/// What was proved about the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProofResult {
    /// It wins (by the means asked for).
    Win,
    /// It loses, whatever it does.
    Loss,
    /// It has no win of the kind asked for.
    None,
    /// The budget ended first.
    Unknown,
}

impl ProofResult {
    /// `win`, `loss`, `none` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            ProofResult::Win => "win",
            ProofResult::Loss => "loss",
            ProofResult::None => "none",
            ProofResult::Unknown => "unknown",
        }
    }

    /// What the rules say of a finished game; `None` while it goes on.
    pub fn of_outcome(position: &dyn Position) -> Option<ProofResult> {
        let outcome = position.outcome()?;
        Some(match outcome.winner() {
            Some(side) if side == position.to_move() => ProofResult::Win,
            Some(_) => ProofResult::Loss,
            None => ProofResult::None,
        })
    }
}

impl Proof {
    /// A result without a line.
    pub const fn bare(result: ProofResult, nodes: u64) -> Proof {
        Proof { result, line: Vec::new(), winning_moves: None, undecided: Vec::new(), nodes }
    }
}

/// How the side to move meets an attack: the opponent claims a win of the kind a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defence {
    /// Answers worth looking at, the most stubborn first; empty where any move does, or none helps.
    pub replies: Vec<Move>,
    /// Does the first of them hold? `None`: the budget ended before that was proved.
    pub holds: Option<bool>,
    /// Nodes spent.
    pub nodes: u64,
}
