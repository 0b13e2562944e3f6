//! How a game ends.

use crate::{Cell, Side};
use serde::{Deserialize, Serialize};

/// The result that the rules give a finished position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// One side has won.
    Win {
        /// The winner.
        side: Side,
        /// The stones that prove it (a row of five, a connecting chain), in order along the chain.
        /// Empty where the opponent lost by breaking a rule.
        cells: Vec<Cell>,
        /// Why the game ended.
        reason: EndReason,
    },
    /// Nobody can win any more.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Outcome::Win { side, .. } => Some(*side),
            Outcome::Draw => None,
        }
    }
}

/// What ended a game by the rules of play (time and conduct are the arena's business).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// A row of five (as the rule counts it).
    Five,
    /// Black played a forbidden point under Renju.
    Forbidden,
    /// Both edges joined.
    Connection,
}
