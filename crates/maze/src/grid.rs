//! The map itself: free and blocked cells, cell weights, and where it is entered and left.

use crate::bits::Bits;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Rows and columns a grid may have at most.
pub const MAX_SIDE: u32 = 32_768;
/// Cells a grid may have at most: twice 16384 x 16384.
pub const MAX_CELLS: u64 = 1 << 29;

/// What entering a cell may cost at most.
pub(crate) const MAX_WEIGHT: u8 = 9;

/// A cell, counted from the top left, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    /// From the top.
    pub row: u32,
    /// From the left.
    pub col: u32,
}

impl Cell {
    /// A cell from its row and column.
    pub fn new(row: u32, col: u32) -> Cell {
        Cell { row, col }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.col)
    }
}

/// A grid that is too large or empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// No cells at all.
    #[error("a grid needs at least one row and one column")]
    Empty,
    /// Beyond [`MAX_SIDE`] or [`MAX_CELLS`].
    #[error("{height} x {width} is too large: at most {MAX_SIDE} rows and columns and {MAX_CELLS} cells")]
    TooLarge {
        /// Rows asked for.
        height: u64,
        /// Columns asked for.
        width: u64,
    },
}

/// A rectangular map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    width: u32,
    height: u32,
    free: Bits,
    /// Cost of entering each cell, row by row; absent while all are 1.
    weights: Option<Vec<u8>>,
    /// Where the map says one enters.
    pub entry: Option<Cell>,
    /// Where the map says one leaves.
    pub exit: Option<Cell>,
}

impl Grid {
    /// Whether a grid may have this size.
    pub(crate) fn check_size(height: u64, width: u64) -> Result<(), SizeError> {
        if height == 0 || width == 0 {
            return Err(SizeError::Empty);
        }
        let side = u64::from(MAX_SIDE);
        if height > side || width > side || height * width > MAX_CELLS {
            return Err(SizeError::TooLarge { height, width });
        }
        Ok(())
    }

    /// A grid of walls.
    pub fn blocked(height: u64, width: u64) -> Result<Grid, SizeError> {
        Grid::check_size(height, width)?;
        let (height, width) = (height as u32, width as u32);
        Ok(Grid { width, height, free: Bits::new(width, height), weights: None, entry: None, exit: None })
    }

    /// A grid without walls.
    pub fn open(height: u64, width: u64) -> Result<Grid, SizeError> {
        let mut grid = Grid::blocked(height, width)?;
        for cell in grid.cells() {
            grid.set_free(cell, true);
        }
        Ok(grid)
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |row| (0..width).map(move |col| Cell { row, col }))
    }

    /// How many cells are not walls.
    pub fn free_cells(&self) -> usize {
        self.free.count()
    }

    /// Is the cell on the map?
    pub fn contains(&self, cell: Cell) -> bool {
        cell.row < self.height && cell.col < self.width
    }

    /// Is the cell on the map and not a wall?
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && self.free.get(self.free.id(cell.row, cell.col))
    }

    /// Opens or blocks a cell; outside the map nothing happens.
    pub fn set_free(&mut self, cell: Cell, free: bool) {
        if self.contains(cell) {
            self.free.set(self.free.id(cell.row, cell.col), free);
        }
    }

    /// Cost of entering the cell: 1 unless the map says otherwise.
    pub fn weight(&self, cell: Cell) -> u8 {
        match &self.weights {
            Some(weights) if self.contains(cell) => weights[self.index(cell)],
            _ => 1,
        }
    }

    /// Sets the cost of entering a cell, kept within 1 and [`MAX_WEIGHT`]; outside the map nothing happens.
    pub fn set_weight(&mut self, cell: Cell, weight: u8) {
        let weight = weight.clamp(1, MAX_WEIGHT);
        if !self.contains(cell) || (weight == 1 && self.weights.is_none()) {
            return;
        }
        let index = self.index(cell);
        let cells = self.width as usize * self.height as usize;
        self.weights.get_or_insert_with(|| vec![1; cells])[index] = weight;
    }

    /// Does any cell cost more than 1?
    pub fn is_weighted(&self) -> bool {
        self.weights.as_ref().is_some_and(|weights| weights.iter().any(|&w| w != 1))
    }

    /// Free cells of the border, row by row.
    pub fn openings(&self) -> Vec<Cell> {
        let (bottom, right) = (self.height - 1, self.width - 1);
        let sides = move |row: u32| {
            let whole = row == 0 || row == bottom;
            let step = if whole { 1 } else { right.max(1) as usize };
            (0..=right).step_by(step).map(move |col| Cell { row, col })
        };
        (0..self.height).flat_map(sides).filter(|&cell| self.is_free(cell)).collect()
    }

    pub(crate) fn bits(&self) -> &Bits {
        &self.free
    }

    fn index(&self, cell: Cell) -> usize {
        cell.row as usize * self.width as usize + cell.col as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_the_free_border_cells() {
        let mut grid = Grid::blocked(4, 5).unwrap();
        for (row, col) in [(0, 2), (1, 0), (1, 2), (2, 4), (3, 4)] {
            grid.set_free(Cell::new(row, col), true);
        }
        let expected: Vec<_> = [(0, 2), (1, 0), (2, 4), (3, 4)].map(|(r, c)| Cell::new(r, c)).into();
        assert_eq!(grid.openings(), expected);
        assert_eq!(Grid::open(1, 1).unwrap().openings(), [Cell::new(0, 0)]);
        assert_eq!(Grid::open(3, 1).unwrap().openings().len(), 3);
    }

    #[test]
    fn sizes_are_limited() {
        assert_eq!(Grid::blocked(0, 5), Err(SizeError::Empty));
        assert!(Grid::blocked(1, u64::from(MAX_SIDE)).is_ok());
        assert!(matches!(Grid::blocked(1, u64::from(MAX_SIDE) + 1), Err(SizeError::TooLarge { .. })));
        assert!(matches!(Grid::blocked(32768, 32768), Err(SizeError::TooLarge { .. })));
        assert!(matches!(Grid::blocked(u64::MAX, u64::MAX), Err(SizeError::TooLarge { .. })));
    }

    #[test]
    fn weights_default_to_one() {
        let mut grid = Grid::open(2, 2).unwrap();
        assert!(!grid.is_weighted());
        grid.set_weight(Cell::new(1, 0), 7);
        assert_eq!((grid.weight(Cell::new(1, 0)), grid.weight(Cell::new(0, 0))), (7, 1));
        assert!(grid.is_weighted());
    }
}
