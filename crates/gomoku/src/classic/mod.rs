//! Classic engines: plain and readable, on the textbook searches of `crates/search`. Their origin and figures are in
//! `docs/classic-gomoku.md`.
//!
//! | engine | idea |
//! |---|---|
//! | [`ac`] | patterns of a whole line found by an Aho-Corasick automaton, updated incrementally, eleven successors |
//! | [`shapes`] | seven shapes, counted once per stone in them |
//! | [`squares`] | shape counts squared, the side to move counted double |
//!
//! All three score a board as a sum over its lines, so they share [`lines`] and [`turn`]; [`player`] implements `Engine` for them,
//! with levels.

pub mod ac;
mod explain;
mod level;
mod lines;
mod player;
pub mod shapes;
pub mod squares;
#[cfg(test)]
mod tests;
mod turn;
mod xray;

pub use explain::explain;
pub use xray::xray;

use ::game::EngineInfo;

/// The classic engines, for [`Gomoku`](crate::Gomoku)'s list.
pub const ENGINES: [EngineInfo; 3] = [ac::INFO, shapes::INFO, squares::INFO];
