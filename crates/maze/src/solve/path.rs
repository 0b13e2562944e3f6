//! A path and what it costs.

use super::cone;
use super::turns::direction;
use crate::grid::{Cell, Grid};

/// Cells from start to goal, each a neighbour of the one before; of an any-angle path, where it turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Every cell (or turn), both ends included.
    pub cells: Vec<Cell>,
    /// Sum over steps of their length (1, or the square root of two) times the weight of the cell entered; of an
    /// any-angle path, its length.
    pub cost: f64,
}

impl Path {
    pub(crate) fn new(cells: Vec<Cell>, grid: &Grid) -> Path {
        let cost = cost(&cells, grid);
        Path { cells, cost }
    }

    /// An any-angle path.
    pub(crate) fn straight(cells: Vec<Cell>) -> Path {
        let cost = length(&cells);
        Path { cells, cost }
    }

    /// Number of steps; of an any-angle path, its straight parts.
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

/// The cells that a drawing of a path fills: its own, and between the turns of an any-angle path those nearest the line.
pub(crate) fn drawn(cells: &[Cell]) -> Vec<Cell> {
    let mut drawn: Vec<Cell> = cells.first().copied().into_iter().collect();
    for pair in cells.windows(2) {
        let (rows, cols) = direction(pair[0], pair[1]);
        let steps = rows.abs().max(cols.abs());
        let part =
            |whole: i32, step: i32| (f64::from(whole) * f64::from(step) / f64::from(steps)).round() as i32;
        drawn.extend((1..=steps).map(|step| Cell {
            row: pair[0].row.wrapping_add_signed(part(rows, step)),
            col: pair[0].col.wrapping_add_signed(part(cols, step)),
        }));
    }
    drawn
}

/// Length of an any-angle path.
pub(super) fn length(cells: &[Cell]) -> f64 {
    cells.windows(2).map(|pair| cone::distance(pair[0], pair[1])).sum()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_no_gaps_and_leaves_steps_as_they_are() {
        let cells = |list: &[(u32, u32)]| list.iter().map(|(r, c)| Cell::new(*r, *c)).collect::<Vec<_>>();
        let steps = cells(&[(2, 2), (1, 2), (0, 1), (0, 0)]);
        assert_eq!(drawn(&steps), steps);
        assert_eq!(
            drawn(&cells(&[(4, 0), (0, 2), (0, 0)])),
            cells(&[(4, 0), (3, 1), (2, 1), (1, 2), (0, 2), (0, 1), (0, 0)])
        );
        assert_eq!(drawn(&[]), []);
    }
}
