//! Estimates of the way still to go, some of them wrong on purpose.

use crate::Neighbours;
use crate::grid::Cell;
use serde::Serialize;

/// An estimate of the way still to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Heuristic {
    /// Nothing at all.
    Zero,
    /// Rows plus columns: too much where diagonal steps are allowed.
    Manhattan,
    /// Straight and diagonal steps.
    Octile,
    /// As the crow flies.
    Euclidean,
    /// The larger of rows and columns.
    Chebyshev,
    /// The square of the distance: far too much.
    Squared,
}

search::named!(
    Heuristic, "heuristic":
    Zero = "zero", Manhattan = "manhattan", Octile = "octile", Euclidean = "euclidean",
    Chebyshev = "chebyshev", Squared = "squared",
);

impl Heuristic {
    /// The usual one for a neighbour rule.
    pub fn usual(neighbours: Neighbours) -> Heuristic {
        if neighbours == Neighbours::Four { Heuristic::Manhattan } else { Heuristic::Octile }
    }

    pub(super) fn between(self, a: Cell, b: Cell) -> f64 {
        let (rows, cols) = (f64::from(a.row.abs_diff(b.row)), f64::from(a.col.abs_diff(b.col)));
        match self {
            Heuristic::Zero => 0.0,
            Heuristic::Manhattan => rows + cols,
            Heuristic::Octile => rows.max(cols) + (std::f64::consts::SQRT_2 - 1.0) * rows.min(cols),
            Heuristic::Euclidean => rows.hypot(cols),
            Heuristic::Chebyshev => rows.max(cols),
            Heuristic::Squared => rows * rows + cols * cols,
        }
    }
}
