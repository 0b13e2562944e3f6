//! The network of line patterns: evaluation and move ordering of the main engine.
//!
//! For every cell and each of its four lines, the four cells on both sides index a learned table ([`patterns`]). The four rows are summed into the cell's features, once as Black sees
//! the board and once as White does. Value features are clipped to [0, 1] and summed over the board; a small
//! layer turns the two sums, the side to move's first, and the [`threats`] on the board into one logit. Policy features are rectified and
//! weighted into one logit per empty cell. (The family of Rapfi's "mix" networks, arXiv 2503.13178, without
//! its convolution.)
//!
//! The sums are in [`nn::patterns`]: integer arithmetic, the same bits on every processor. [`Accumulator`] keeps features and sums
//! up to date move by move: a stone changes at most 33 cells. [`file`] is how networks are
//! stored; [`crate::training::network`] learns them.

mod accumulator;
mod file;
pub(crate) mod patterns;
mod shipped;
#[cfg(test)]
mod tests;
pub(crate) mod threats;

pub(crate) use accumulator::Accumulator;
pub use file::NetworkError;
pub use shipped::install_network;

use crate::Rule;
use nn::patterns::{HiddenRow, I16x64, POLICY, ValueHead};
use patterns::Patterns;

/// A trained network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    /// The rule it was trained for.
    pub(crate) rule: Rule,
    pub(crate) patterns: &'static Patterns,
    pub(crate) table: Box<[I16x64]>,
    pub(crate) bias: I16x64,
    pub(crate) value: ValueHead,
    /// By input of [`threats`].
    pub(crate) threats: Box<[HiddenRow]>,
    pub(crate) policy: [i16; POLICY],
}

impl Network {
    /// Whether it evaluates games under a rule: its own, and standard Gomoku if it was trained for freestyle, because only
    /// overlines differ.
    pub(crate) fn serves(&self, rule: Rule) -> bool {
        rule == self.rule || (self.rule, rule) == (Rule::Freestyle, Rule::Standard)
    }
}
