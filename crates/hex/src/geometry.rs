//! Sizes, indices, neighbours and edges of a Hex board.
//!
//! A cell has an index `row * cols + col`; every array and bit set of this crate is laid out by it.

use game::{Cell, Side};
use std::sync::Arc;

/// Longest side of a board.
pub const MAX_SIDE: u8 = 19;

/// Cells of the largest board.
pub const MAX_CELLS: usize = MAX_SIDE as usize * MAX_SIDE as usize;

/// The six neighbours of a cell as (row, column) steps, in clockwise order.
pub const DIRECTIONS: [(i8, i8); 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];

/// Rows and columns of a board, both 1 to [`MAX_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    rows: u8,
    cols: u8,
}

impl Size {
    /// The board of one cell.
    pub(crate) const SMALLEST: Size = Size { rows: 1, cols: 1 };

    /// A size, if both sides are in range.
    pub const fn new(rows: u8, cols: u8) -> Option<Size> {
        if rows >= 1 && rows <= MAX_SIDE && cols >= 1 && cols <= MAX_SIDE {
            Some(Size { rows, cols })
        } else {
            None
        }
    }

    /// Rows.
    #[inline]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Columns.
    #[inline]
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// Number of cells.
    #[inline]
    pub const fn cells(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// As many rows as columns?
    pub(crate) const fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// Is the cell on the board?
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row < self.rows && cell.col < self.cols
    }

    /// The index of a cell of the board.
    #[inline]
    pub const fn index(self, cell: Cell) -> usize {
        cell.row as usize * self.cols as usize + cell.col as usize
    }

    /// The cell of an index below [`Size::cells`].
    #[inline]
    pub const fn cell(self, index: usize) -> Cell {
        Cell::new((index / self.cols as usize) as u8, (index % self.cols as usize) as u8)
    }

    /// The cell after a half turn of the board, which exchanges opposite edges: a symmetry of the game.
    #[inline]
    pub const fn turned(self, index: usize) -> usize {
        self.cells() - 1 - index
    }

    /// The cell mirrored on the long diagonal: row and column change places. Meant for square boards.
    pub const fn mirrored(self, cell: Cell) -> Cell {
        Cell::new(cell.col, cell.row)
    }

    /// The neighbour in a direction, if it is on the board.
    pub fn step(self, cell: Cell, (rows, cols): (i8, i8)) -> Option<Cell> {
        let to = Cell::new(cell.row.checked_add_signed(rows)?, cell.col.checked_add_signed(cols)?);
        self.contains(to).then_some(to)
    }

    /// Does the cell lie on that edge of the board?
    pub fn touches(self, cell: Cell, edge: Edge) -> bool {
        match edge {
            Edge::Top => cell.row == 0,
            Edge::Bottom => cell.row + 1 == self.rows,
            Edge::Left => cell.col == 0,
            Edge::Right => cell.col + 1 == self.cols,
        }
    }
}

/// An edge of the board; top and bottom are black's, left and right white's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edge {
    /// Row 0, black's.
    Top,
    /// The last row, black's.
    Bottom,
    /// Column 0, white's.
    Left,
    /// The last column, white's.
    Right,
}

impl Edge {
    /// The two edges a side has to join.
    pub const fn of(side: Side) -> [Edge; 2] {
        match side {
            Side::Black => [Edge::Top, Edge::Bottom],
            Side::White => [Edge::Left, Edge::Right],
        }
    }

    /// The edge's name in [`game::LayerLink::edge`].
    pub const fn name(self) -> &'static str {
        match self {
            Edge::Top => "top",
            Edge::Bottom => "bottom",
            Edge::Left => "left",
            Edge::Right => "right",
        }
    }
}

/// A size with its table of neighbours, shared by all boards of a search.
#[derive(Debug, PartialEq, Eq)]
pub struct Geometry {
    size: Size,
    neighbours: Vec<[u16; 6]>,
    degree: Vec<u8>,
}

impl Geometry {
    /// Builds the table.
    pub fn new(size: Size) -> Arc<Geometry> {
        let mut neighbours = vec![[0; 6]; size.cells()];
        let mut degree = vec![0; size.cells()];
        for index in 0..size.cells() {
            for direction in DIRECTIONS {
                if let Some(to) = size.step(size.cell(index), direction) {
                    neighbours[index][degree[index] as usize] = size.index(to) as u16;
                    degree[index] += 1;
                }
            }
        }
        Arc::new(Geometry { size, neighbours, degree })
    }

    /// The size.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Indices of a cell's neighbours.
    #[inline]
    pub fn neighbours(&self, index: usize) -> &[u16] {
        &self.neighbours[index][..self.degree[index] as usize]
    }

    /// Does the cell lie on that edge of the board?
    #[inline]
    pub fn touches(&self, index: usize, edge: Edge) -> bool {
        self.size.touches(self.size.cell(index), edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_mutual_and_turn_with_the_board() {
        for (rows, cols) in [(1, 1), (1, 5), (5, 1), (3, 4), (11, 11), (19, 19)] {
            let geometry = Geometry::new(Size::new(rows, cols).unwrap());
            let size = geometry.size();
            for index in 0..size.cells() {
                for &other in geometry.neighbours(index) {
                    let other = other as usize;
                    assert!(geometry.neighbours(other).contains(&(index as u16)));
                    assert!(geometry.neighbours(size.turned(index)).contains(&(size.turned(other) as u16)));
                }
            }
        }
    }

    #[test]
    fn sizes_are_bounded() {
        assert!(Size::new(0, 5).is_none() && Size::new(20, 5).is_none());
        assert!(Size::new(5, 0).is_none() && Size::new(5, 20).is_none());
    }
}
