//! Estimates of the way still to go, some of them wrong on purpose.

use crate::Neighbours;
use crate::grid::Cell;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

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

impl Heuristic {
    /// Every heuristic.
    pub const ALL: [Heuristic; 6] = [
        Heuristic::Zero,
        Heuristic::Manhattan,
        Heuristic::Octile,
        Heuristic::Euclidean,
        Heuristic::Chebyshev,
        Heuristic::Squared,
    ];

    /// Its name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Heuristic::Zero => "zero",
            Heuristic::Manhattan => "manhattan",
            Heuristic::Octile => "octile",
            Heuristic::Euclidean => "euclidean",
            Heuristic::Chebyshev => "chebyshev",
            Heuristic::Squared => "squared",
        }
    }

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

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Heuristic {
    type Err = String;

    fn from_str(text: &str) -> Result<Heuristic, String> {
        Heuristic::ALL.into_iter().find(|h| h.name() == text).ok_or_else(|| {
            let names: Vec<_> = Heuristic::ALL.iter().map(|h| h.name()).collect();
            format!("'{text}' is not a heuristic; accepted: {}", names.join(", "))
        })
    }
}
