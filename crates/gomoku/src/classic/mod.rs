//! The engines of the source documents: plain, readable, on the textbook searches of `crates/search`.
//!
//! | engine | source | idea |
//! |---|---|---|
//! | [`ac`] | S1 | patterns of a whole line found by an Aho-Corasick automaton, kept incrementally, eleven successors |
//! | [`shapes`] | S2 | seven shapes counted for every stone in them |
//! | [`squares`] | S3 | shape counts squared, the side to move doubled |
//!
//! All three score a board as a sum over its lines, so they share [`lines`]; [`player`] puts a search of theirs
//! behind the `Engine` door, with levels.

pub mod ac;
mod explain;
mod level;
mod lines;
mod player;
pub mod shapes;
pub mod squares;
#[cfg(test)]
mod tests;
mod xray;

pub use explain::explain;
pub use xray::xray;

use ::game::EngineInfo;

/// The classic engines, for [`Gomoku`](crate::Gomoku)'s list.
pub const ENGINES: [EngineInfo; 3] = [ac::INFO, shapes::INFO, squares::INFO];
