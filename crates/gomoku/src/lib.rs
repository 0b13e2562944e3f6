//! Gomoku and Renju: rules, notation, a fast board, engines and a solver for forced wins.
//!
//! ```
//! use game::{Engine, Limits, Options, Position as _, Setup, Watch};
//! use gomoku::{engine::Tengen, notation};
//!
//! // Black has an open three; the engine finds the win in three plies.
//! let position = notation::parse("h8a1h9o1h10a15", &Setup::empty(15, 15))?;
//! let mut engine = Tengen::new(&Options::new())?;
//! let decision = engine.think(&position, &Limits::nodes(2_000), &Watch::default(), &mut |_| {})?;
//! assert_eq!(decision.report.mate, Some(3));
//! assert!(["h7", "h11"].contains(&position.format_move(decision.mv).as_str()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules, from the bottom up
//!
//! | module | what it holds |
//! |---|---|
//! | `rule`, `point` | what a five is under each [`Rule`]; points, directions and sets of points |
//! | [`shape`], `weights`, [`class`] | the shape a stone makes on one line, tuned weights, the class of four lines together |
//! | `board`, `forbidden` | [`Board`]: everything above, updated incrementally; Renju's forbidden points |
//! | `threat`, `safe_moves` | fours, blocks and forced ends; moves that miss no five. Shared by engines and solver |
//! | `network` | the network of line patterns, read and updated incrementally |
//! | `position`, `opening`, [`notation`] | [`Position`] with history and opening protocol; reading and writing it |
//! | [`solver`] | VCF, VCT and any win, proved and independently verified |
//! | [`engine`] | the main engine: principal variation search |
//! | [`classic`] | plain engines on the textbook searches of `crates/search` |
//! | [`training`] | self-play; fits `weights`, trains networks |
//! | `oracle` | the rules once more, slow and obvious: what verified wins and tests rely on |
//! | [`book`], [`puzzle`] | opening book and puzzles: made, checked, shipped |
//! | `overlay`, `draw` | layers and pictures for people |
//! | `game`, `bench` | [`GOMOKU`], the `Game` implementation; the fixed work of `tengen bench` |
//!
//! Engines search on [`Board`]; everything else uses [`Position`]. The engine uses the VCF of [`solver`] at the end
//! of its lines, and the solver's goal `win` uses the engine; everything else depends downwards only.

mod bench;
mod board;
pub mod book;
pub mod class;
pub mod classic;
mod draw;
pub mod engine;
mod forbidden;
mod game;
mod network;
pub mod notation;
mod opening;
mod oracle;
mod overlay;
mod point;
mod position;
pub mod puzzle;
mod rule;
mod safe_moves;
pub mod shape;
pub mod solver;
mod threat;
pub mod training;
mod weights;

pub use bench::bench_signature;
pub use board::Board;
pub use class::Class;
pub use forbidden::Forbidden;
pub use game::{GOMOKU, Gomoku};
pub use network::{NetworkError, install_network};
pub use opening::Opening;
pub use point::{Direction, Point, PointSet};
pub use position::Position;
pub use rule::Rule;
pub use shape::Shape;
