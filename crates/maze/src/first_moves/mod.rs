//! First-move tables: from each cell, which way a shortest path to each other cell begins (eight neighbours without
//! corner cutting).
//!
//! The cells are numbered in the order of a depth-first walk, so that cells near each other have numbers near each other,
//! and the moves of each cell are written as runs of numbers with the same move, SRC's idea (Strasser, Harabor, Botea
//! 2014). Where several moves begin a shortest path, the one that makes the run longest is written. A path is walked by
//! asking at every cell for the next move; nothing is searched.
//!
//! | module | contents |
//! |---|---|
//! | `build` | numbering the cells, and making the table on all cores |
//! | `file` | the file beside a map |

mod build;
mod file;

use crate::grid::{Cell, Grid};
use crate::moves::{Dir, STEPS};

/// The most free cells of a map that a table is made for. Its paths are then so short that 32 bits hold their lengths.
pub const MAX_FIRST_MOVE_CELLS: u64 = 1 << 18;
/// The largest table.
pub const MAX_FIRST_MOVE_BYTES: usize = 100_000_000;
/// Number of a blocked cell.
const BLOCKED: u32 = u32::MAX;
/// Bits of a run that hold its move; its first number is above them.
const MOVE_BITS: u32 = 3;

/// The first moves between all cells of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstMoves {
    numbering: Numbering,
    /// Where the runs of each number begin, and where the last ones end.
    starts: Vec<u32>,
    runs: Vec<u32>,
}

impl FirstMoves {
    /// The cell after `from` on a shortest path to `to`; `None` if there is no path, or no move to make.
    pub fn first_move(&self, from: Cell, to: Cell) -> Option<Cell> {
        let (from_number, to_number) = (self.numbering.of(from)?, self.numbering.of(to)?);
        if from == to || self.numbering.component(from_number) != self.numbering.component(to_number) {
            return None;
        }
        self.step(from, from_number, to_number)
    }

    /// A shortest path, both ends included.
    pub(crate) fn walk(&self, from: Cell, to: Cell) -> Option<Vec<Cell>> {
        let (mut cell, mut cells) = (from, vec![from]);
        let (mut number, goal) = (self.numbering.of(from)?, self.numbering.of(to)?);
        if self.numbering.component(number) != self.numbering.component(goal) {
            return None;
        }
        while number != goal {
            cell = self.step(cell, number, goal)?;
            number = self.numbering.of(cell)?;
            cells.push(cell);
            // Only a table that was tampered with goes round in a cycle.
            if cells.len() > self.starts.len() {
                return None;
            }
        }
        Some(cells)
    }

    /// The next cell towards another one of the same component.
    #[inline]
    fn step(&self, cell: Cell, number: u32, goal: u32) -> Option<Cell> {
        let row =
            &self.runs[self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize];
        let after = row.partition_point(|run| run >> MOVE_BITS <= goal);
        let run = row.get(after.checked_sub(1)?)?;
        let dir = (run & ((1 << MOVE_BITS) - 1)) as Dir;
        let (rows, cols) = STEPS[usize::from(dir)];
        Some(Cell { row: cell.row.wrapping_add_signed(rows), col: cell.col.wrapping_add_signed(cols) })
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        (self.starts.len() + self.runs.len()) * 4 + self.numbering.bytes()
    }

    /// Runs of equal moves, of all cells together.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Cells that the table is made from one by one: a quick way to know how long that takes.
    pub fn count(grid: &Grid) -> u64 {
        grid.free_cells() as u64
    }
}

/// The numbers of the free cells.
#[derive(Clone, Debug, PartialEq)]
struct Numbering {
    width: u32,
    height: u32,
    /// By row and column.
    numbers: Vec<u32>,
    /// The lowest number of each connected component, rising. The numbers of a component are in one piece.
    components: Vec<u32>,
}

impl Numbering {
    #[inline]
    fn of(&self, cell: Cell) -> Option<u32> {
        if cell.row >= self.height || cell.col >= self.width {
            return None;
        }
        let number = self.numbers[(cell.row * self.width + cell.col) as usize];
        (number != BLOCKED).then_some(number)
    }

    #[inline]
    fn component(&self, number: u32) -> usize {
        self.components.partition_point(|first| *first <= number)
    }

    fn bytes(&self) -> usize {
        (self.numbers.len() + self.components.len()) * 4
    }
}
