//! A path and what it costs.

use crate::grid::{Cell, Grid};

/// Cells from start to goal, each a neighbour of the one before.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Every cell, both ends included.
    pub cells: Vec<Cell>,
    /// Sum over steps of their length (1, or the square root of two) times the weight of the cell entered.
    pub cost: f64,
}

impl Path {
    pub(crate) fn new(cells: Vec<Cell>, grid: &Grid) -> Path {
        let cost = cost(&cells, grid);
        Path { cells, cost }
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.cells.len().saturating_sub(1)
    }

    /// The steps as one word of `U` `D` `L` `R`; `None` if some step is diagonal.
    pub fn moves(&self) -> Option<String> {
        let letter = |pair: &[Cell]| match (
            i64::from(pair[1].row) - i64::from(pair[0].row),
            i64::from(pair[1].col) - i64::from(pair[0].col),
        ) {
            (-1, 0) => Some('U'),
            (1, 0) => Some('D'),
            (0, -1) => Some('L'),
            (0, 1) => Some('R'),
            _ => None,
        };
        self.cells.windows(2).map(letter).collect()
    }
}

/// Sum over steps of their length times the weight of the cell entered.
pub(super) fn cost(cells: &[Cell], grid: &Grid) -> f64 {
    // Two whole-number sums: no rounding until the very end.
    let (mut straight, mut diagonal) = (0u64, 0u64);
    for pair in cells.windows(2) {
        let turned = pair[0].row != pair[1].row && pair[0].col != pair[1].col;
        *(if turned { &mut diagonal } else { &mut straight }) += u64::from(grid.weight(pair[1]));
    }
    straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2
}
