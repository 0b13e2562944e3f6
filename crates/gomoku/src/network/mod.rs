//! The network of line patterns: evaluation and move ordering of the main engine.
//!
//! For every cell and each of its four lines, the cells within [`Rule::reach`](crate::Rule::reach) on both sides
//! index a learned table ([`patterns`]). The four rows are summed into the cell's features, once as Black sees
//! the board and once as White does. Value features are clipped to [0, 1] and summed over the board; a small
//! layer turns the two sums, the side to move's first, into one logit. Policy features are rectified and
//! weighted into one logit per empty cell. (The family of Rapfi's "mix" networks, arXiv 2503.13178, without
//! its convolution.)
//!
//! Everything is integer arithmetic, the same bits on every processor. [`Accumulator`] keeps features and sums
//! up to date move by move: a stone changes at most `8 * reach + 1` cells. [`file`] is how networks are
//! stored; [`crate::training::network`] learns them.

mod accumulator;
mod file;
mod kernel;
pub(crate) mod patterns;
#[cfg(test)]
mod tests;

pub(crate) use accumulator::Accumulator;
pub use file::NetworkError;

use crate::Rule;
use patterns::Patterns;

/// Features of a cell that are summed over the board.
pub(crate) const VALUE_FEATURES: usize = 48;
/// Features of a cell that make its policy logit.
pub(crate) const POLICY_FEATURES: usize = 16;
/// All features of a cell: a row of the table is two cache lines.
pub(crate) const FEATURES: usize = VALUE_FEATURES + POLICY_FEATURES;
/// Units of the hidden layer of the value.
pub(crate) const HIDDEN: usize = 32;

/// Table units of a feature of 1.0. An activation is a quarter of that, so that the sum over the largest board
/// fits into 16 bits.
pub(crate) const FEATURE_ONE: i16 = 508;
/// Pooled activations are divided by this power of two before the hidden layer, so that its sums fit into 32 bits.
pub(crate) const POOL_SHIFT: u32 = 4;
/// Units of a weight of 1.0 in the hidden layer, the output and the policy.
pub(crate) const WEIGHT_ONE: i32 = 1024;
/// The sum of activations over this many cells is an input of 1.0 to the hidden layer.
pub(crate) const POOL_ONE: i32 = 32;
/// Units of an input of 1.0 to the hidden layer.
pub(crate) const INPUT_ONE: i32 = (POOL_ONE * (FEATURE_ONE as i32 / 4)) >> POOL_SHIFT;
/// Largest table entry, bias included: four rows and the bias stay within 16 bits.
pub(crate) const FEATURE_LIMIT: i16 = 6_000;
/// Largest weight of the hidden layer: all its products stay within 32 bits.
pub(crate) const WEIGHT_LIMIT: i16 = 4_095;

/// One row of the table: what a line pattern adds to the features of its centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Row(pub(crate) [i16; FEATURES]);

/// A trained network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    /// The rule it was trained for.
    pub(crate) rule: Rule,
    pub(crate) patterns: &'static Patterns,
    pub(crate) table: Box<[Row]>,
    pub(crate) bias: Row,
    /// By unit: the side to move's pooled features, then the opponent's.
    pub(crate) hidden: Box<[[i16; 2 * VALUE_FEATURES]; HIDDEN]>,
    pub(crate) hidden_bias: [i32; HIDDEN],
    pub(crate) output: [i16; HIDDEN],
    pub(crate) output_bias: i32,
    pub(crate) policy: [i16; POLICY_FEATURES],
}
