//! Why a query is refused.

use super::{Algorithm, FIRST_MOVES_ON_DEMAND, MADE_ON_DEMAND, ON_DEMAND_CELLS};
use crate::grid::Cell;
use crate::moves::Neighbours;

/// A query that makes no sense on this grid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// Start or goal beyond the border.
    #[error("the {what} {cell} (row, column) is outside the map of {height} rows and {width} columns")]
    Outside {
        /// `start` or `goal`.
        what: &'static str,
        /// The cell.
        cell: Cell,
        /// Rows of the map.
        height: u32,
        /// Columns of the map.
        width: u32,
    },
    /// Start or goal blocked.
    #[error("the {what} {cell} (row, column) is in a wall")]
    InWall {
        /// `start` or `goal`.
        what: &'static str,
        /// The cell.
        cell: Cell,
    },
    /// The algorithm cannot do this neighbour rule.
    #[error("{algorithm} does not work with {neighbours} neighbours; {others} do")]
    Rule {
        /// The algorithm asked for.
        algorithm: Algorithm,
        /// The rule asked for.
        neighbours: Neighbours,
        /// Algorithms that can.
        others: String,
    },
    /// The algorithm needs equal weights.
    #[error("{algorithm} needs cells of equal weight, and this map has others; {others} do without")]
    Weights {
        /// The algorithm asked for.
        algorithm: Algorithm,
        /// Algorithms that can.
        others: String,
    },
    /// The algorithm's table would take long to make.
    #[error(
        "{algorithm} needs a table of this map, which is made at once only for maps of up to {}; prepare one first",
        match algorithm {
            Algorithm::FirstMoves => format!("{FIRST_MOVES_ON_DEMAND} free cells"),
            _ => format!("{MADE_ON_DEMAND} corners of walls and {ON_DEMAND_CELLS} cells"),
        }
    )]
    NotPrepared {
        /// The algorithm asked for.
        algorithm: Algorithm,
    },
    /// Weight of weighted A* out of range.
    #[error("weight {0} is out of range: 1 to 1000")]
    Weight(f64),
}
