//! Gomoku and Renju.
//!
//! From the bottom up: a [`Rule`] says what a five is; [`shape`] turns it into tables that name the shape a
//! stone would make on one line; [`class`] combines four lines into one class per point and side; [`Board`]
//! keeps all of that up to date under make and undo, and [`forbidden`] judges Renju's forbidden points on
//! it. [`Position`] adds history, opening protocols and validation behind the shared door, [`notation`]
//! reads and writes it, and [`GOMOKU`] is the game as the rest of the house sees it.
//!
//! Engines search on [`Board`]; everything else uses [`Position`]. [`solve`] proves forced wins on it,
//! [`puzzle`] makes and checks puzzles with it, [`book`] is the opening book.

mod bench;
mod board;
pub mod book;
pub mod class;
pub mod classic;
mod draw;
pub mod engine;
mod forbidden;
mod game;
pub mod notation;
mod opening;
mod oracle;
mod overlay;
mod point;
mod position;
pub mod puzzle;
mod rule;
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
pub use opening::Opening;
pub use point::{Direction, Point, PointSet};
pub use position::Position;
pub use rule::Rule;
pub use shape::Shape;
