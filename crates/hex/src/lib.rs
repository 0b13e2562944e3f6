//! Hex: rules, notation, virtual connections, solver, engines and training.
//!
//! Black connects top and bottom and moves first, white connects left and right; `a1` is the top left cell.
//!
//! ```
//! use game::{Engine, Limits, Options, Position as _, Side, Watch};
//! use hex::solver::{Query, SolverLimits, Target, solve};
//! use hex::{Position, Size, engine::Tengen};
//!
//! // Play a move, let the engine reply, and solve the position.
//! let mut position = Position::empty(Size::new(4, 4).unwrap());
//! let mv = position.parse_move("b3")?;
//! position.play(mv)?;
//! let mut engine = Tengen::new(&Options::new())?;
//! let decision = engine.think(&position, &Limits::nodes(100), &Watch::default(), &mut |_| {})?;
//! position.play(decision.mv)?;
//! let query = Query { target: Target::Winner, to_move: Side::Black, verify: true };
//! let solution = solve(position.board(), &query, &SolverLimits::default(), &Watch::default(), &|_| {});
//! assert_eq!(solution.winner, Some(Side::Black));
//! assert!(solution.proof.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules, lower ones first:
//!
//! | module | what it holds |
//! |---|---|
//! | `geometry`, `board`, `groups` | sizes and neighbours; stones with incremental groups and winner |
//! | [`bits`], [`stones`], [`light_playout`] | bit sets of cells; what searches run on |
//! | `position`, `opening` | [`Position`]: history, swap rules, the `game::Position` trait |
//! | [`notation`], `draw` | reading and writing positions and games; SVG and text |
//! | [`vc`] | virtual connections by H-search |
//! | [`pruning`] | fill-in, must-play region, inferior cells |
//! | [`overlay`] | maps drawn over the board |
//! | `endgame` | play in decided positions |
//! | [`solver`] | df-pn with checkable proofs |
//! | `request` | what every engine does first: checks position and limits |
//! | [`engine`] | the main engine and its network |
//! | [`training`] | self-play and training of the network |
//! | [`classic`] | textbook engines |
//! | [`book`], [`balanced`], [`puzzle`] | opening book and swap map; balanced openings; puzzles |
//! | `game`, `bench` | [`Hex`], which implements `game::Game`; the bench signature |

pub mod balanced;
mod bench;
pub mod bits;
mod board;
pub mod book;
pub mod classic;
mod draw;
mod endgame;
pub mod engine;
mod game;
mod geometry;
mod groups;
pub mod light_playout;
pub mod notation;
mod opening;
pub mod overlay;
mod position;
pub mod pruning;
pub mod puzzle;
mod request;
pub mod solver;
pub mod stones;
pub mod training;
pub mod vc;

pub use self::bench::bench_signature;
pub use self::board::Board;
pub use self::game::{HEX, Hex};
pub use self::geometry::{DIRECTIONS, Edge, Geometry, MAX_CELLS, MAX_SIDE, Size};
pub use self::groups::Groups;
pub use self::opening::SwapRule;
pub use self::position::Position;
pub use search::Rng;

/// Rule names, the default first.
pub(crate) const RULES: [&str; 1] = ["standard"];
