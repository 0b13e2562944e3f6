//! Mazes and grid maps: formats, generators, pictures and fast path search.
//!
//! ```
//! use maze::{Algorithm, Cell, Query, Solver};
//!
//! let grid = maze::format::read("demo", b"1 1 1 1\n0 0 0 1\n1 1 0 0\n1 1 1 1\n")?.grid;
//! let ends = maze::Ends::resolve(&grid, None, None)?;
//! let answer = Solver::new(&grid).solve(&Query::new(ends.from, ends.to).by(Algorithm::AStar))?;
//! assert_eq!(answer.path().and_then(|path| path.moves()).as_deref(), Some("RRDR"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | what | where |
//! |---|---|
//! | the map | [`Grid`], [`Cell`], [`Neighbours`], [`Ends`] |
//! | reading and writing maps, scenario files | [`mod@format`] |
//! | making maps | [`generate`] |
//! | searching | [`Solver`], [`Query`], [`Algorithm`], [`Answer`], [`Budget`], [`Searched`] |
//! | many queries, many goals | [`batch`], [`Solver::nearest`] |
//! | preparing a map | [`SubgoalTable`], [`FirstMoves`] |
//! | watching a search | [`Observer`], [`Recorder`], [`explain`] |
//! | pictures and charts | [`render`] |
//! | the bench signature | [`bench_signature`] |
//!
//! Searches run on bitmaps of free cells (`bits`), queues (`buckets`, `heap`) and reusable labels (`labels`); tables made
//! once per map are built and kept in files by `prepared`.

mod bits;
mod buckets;
mod ends;
pub mod explain;
mod first_moves;
pub mod format;
pub mod generate;
mod grid;
mod heap;
mod labels;
mod moves;
mod observe;
mod prepared;
pub mod render;
mod signature;
mod solve;
mod subgoal;

pub use ends::{Ends, EndsError};
pub use first_moves::{FirstMoves, MAX_FIRST_MOVE_BYTES, MAX_FIRST_MOVE_CELLS};
pub use grid::{Cell, Grid, MAX_CELLS, MAX_SIDE, SizeError};
pub use moves::Neighbours;
pub use observe::{ClosedCells, Event, Keep, Observer, Recorder, Silent};
pub use prepared::{BuildError, FileError};
pub use signature::{Signature, bench_signature};
pub use solve::{
    Algorithm, Answer, Budget, Nearest, Outcome, Path, Query, QueryError, Reached, Searched, Solver, Timer,
    batch,
};
pub use subgoal::{MAX_SUBGOALS, MAX_TABLE_CELLS, SubgoalTable};
