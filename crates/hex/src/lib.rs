//! Hex: rules, notation, fast playouts, connection knowledge, pictures and engines.
//!
//! [`HexPosition`] is the game with its history behind the doors of the `game` crate; [`Board`] is the board
//! under it; [`bits`] and [`playout`] are the word-parallel side of things that engines search on.

mod bench;
pub mod bits;
mod board;
pub mod classic;
mod draw;
pub mod engine;
mod game;
mod geometry;
mod groups;
pub mod inferior;
pub mod knowledge;
pub mod notation;
pub mod opening;
pub mod playout;
mod position;
pub mod puzzle;
pub mod solver;
pub mod stones;
pub mod vc;

pub use self::bench::bench_signature;
pub use self::board::Board;
pub use self::draw::Orientation;
pub use self::game::{HEX, Hex};
pub use self::geometry::{DIRECTIONS, Edge, Geometry, MAX_CELLS, MAX_SIDE, Size};
pub use self::groups::Groups;
pub use self::position::{HexPosition, SwapRule};
pub use search::Rng;

/// Rule names, the default first.
pub(crate) const RULES: [&str; 1] = ["standard"];
