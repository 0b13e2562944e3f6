//! A cone: the straight lines from one cell to an interval of a row in its sight (Anya's search node).
//!
//! Slopes are fractions of whole numbers, so what is in sight is decided without rounding.

use crate::grid::Cell;

/// Columns to the right for each row away from the root. A denominator of zero makes a horizontal direction.
pub(super) type Slope = (i32, i32);

/// What is in sight of `root` in a row, on one side of its column (the column itself is not for cones).
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub(super) root: Cell,
    /// Cost of the path to the root.
    pub(super) g: f64,
    /// Rows down from the root; below zero, up.
    pub(super) rows: i32,
    /// The lines between `low` and `high`, both included.
    pub(super) low: Slope,
    pub(super) high: Slope,
}

impl Cone {
    pub(super) fn row(&self) -> u32 {
        self.root.row.wrapping_add_signed(self.rows)
    }

    /// Length of the shortest path to the goal that touches the interval, if nothing else were in the way.
    pub(super) fn lower_bound(&self, goal: Cell) -> f64 {
        let distance = f64::from(self.rows.abs());
        let right = f64::from(goal.col) - f64::from(self.root.col);
        let ahead = f64::from((goal.row as i32 - self.root.row as i32) * self.rows.signum());
        // A goal on the root's side of the interval is as far away as its mirror image on the other side.
        let ahead = if ahead < distance { 2.0 * distance - ahead } else { ahead };
        let at = |slope: Slope| f64::from(slope.0) * distance / f64::from(slope.1);
        let (low, high, straight) = (at(self.low), at(self.high), right * distance / ahead);
        if low <= straight && straight <= high {
            return self.g + norm(right, ahead);
        }
        let turn = if straight < low { low } else { high };
        self.g + norm(turn, distance) + norm(right - turn, ahead - distance)
    }

    /// Does the interval have the cell of its row that is so many columns right of the root?
    pub(super) fn contains(&self, cols: i32) -> bool {
        let line = (cols, self.rows.abs());
        !less(line, self.low) && !less(self.high, line)
    }
}

/// The lines of two sets of lines.
pub(super) fn clip(low: Slope, high: Slope, other_low: Slope, other_high: Slope) -> Option<(Slope, Slope)> {
    let (low, high) = (larger(low, other_low), smaller(high, other_high));
    (!less(high, low)).then_some((low, high))
}

fn less(a: Slope, b: Slope) -> bool {
    i64::from(a.0) * i64::from(b.1) < i64::from(b.0) * i64::from(a.1)
}

pub(super) fn larger(a: Slope, b: Slope) -> Slope {
    if less(a, b) { b } else { a }
}

pub(super) fn smaller(a: Slope, b: Slope) -> Slope {
    if less(b, a) { b } else { a }
}

/// Columns right of the root that a line has reached after so many rows, rounded down. Exact: a fraction of such small
/// numbers is too far from the next whole number to be rounded to it.
pub(super) fn floor_div(slope: Slope, rows: i32) -> i32 {
    let exact = f64::from(slope.0) * f64::from(rows) / f64::from(slope.1);
    let whole = exact as i32;
    whole - i32::from(f64::from(whole) > exact)
}

/// The same, rounded up.
pub(super) fn ceil_div(slope: Slope, rows: i32) -> i32 {
    -floor_div((-slope.0, slope.1), rows)
}

fn norm(a: f64, b: f64) -> f64 {
    (a * a + b * b).sqrt()
}

/// Distance between two centres.
pub(super) fn distance(a: Cell, b: Cell) -> f64 {
    norm(f64::from(a.row.abs_diff(b.row)), f64::from(a.col.abs_diff(b.col)))
}
