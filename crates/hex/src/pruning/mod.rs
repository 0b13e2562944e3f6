//! What shrinks a position before it is searched, for the engines and the solver alike: fill-in of dead and captured
//! cells, the must-play region, inferior moves, and wins proved elsewhere. Everything here is sound: it never changes who
//! wins.
//!
//! | module | what it does |
//! |---|---|
//! | [`dead`] | dead cells, from the six neighbours of a cell |
//! | [`inferior`] | fill-in, dominated and reversible cells |
//! | [`analyzer`] | all of it with virtual connections: decided, or fewer moves |
//! | [`order`] | the remaining moves, most promising first |
//! | [`proved_wins`] | wins found by a search, reused by carrier |

mod analyzer;
mod dead;
mod inferior;
pub(crate) mod order;
mod proved_wins;

pub(crate) use analyzer::{Analysis, Analyzer, OwnConnections, Reduced, Strategy};
pub(crate) use inferior::inferior_cells;
pub(crate) use inferior::is_dead;
pub use inferior::{FillIn, InferiorCells, fill_in};
pub(crate) use proved_wins::{ProvedWin, ProvedWins};

#[cfg(test)]
mod tests;
