//! How the cells of a board lie one after the other, as a side to move sees it: a neighbour is always at the same distance,
//! which is all that a convolution asks for.

use super::{TAPS, far};
use crate::Size;
use crate::bits::Lattice;
use crate::geometry::DIRECTIONS;
use crate::stones::Stones;
use game::Side;

/// Own stones, the opponent's, and the board itself; after them how far cells are from the edges.
const BOARD: usize = 3;
pub(super) const PLANES: usize = BOARD + far::PLANES;

/// The lie of a board. White's is mirrored on the long diagonal.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) taps: [isize; TAPS],
    /// The first cell to compute.
    pub(super) first: usize,
    /// Cells to compute, with those between the rows.
    pub(super) count: usize,
    pub(super) on_board: Vec<bool>,
    /// Where each cell lies.
    pub(super) places: Vec<u16>,
    /// What is on an empty board, as (plane, place): only the edges count as stones.
    bare: Vec<(usize, usize)>,
}

impl Field {
    /// Rows are one longer than the board, so that the cell between two rows is off the board on both sides. There is room
    /// for `count` cells and all their taps if `count` is what `padded` makes of it.
    pub(super) fn new(size: Size, side: Side, padded: fn(usize) -> usize) -> Field {
        let seen = |row: usize, col: usize| if side == Side::Black { (row, col) } else { (col, row) };
        let (rows, cols) = seen(size.rows().into(), size.cols().into());
        let stride = cols + 1;
        let first = (stride + 1).next_multiple_of(2);
        let count = padded(rows * stride);
        let place = |(row, col): (usize, usize)| first + row * stride + col;
        let places: Vec<u16> = (0..size.cells())
            .map(|cell| size.cell(cell))
            .map(|cell| place(seen(cell.row.into(), cell.col.into())) as u16)
            .collect();
        let mut on_board = vec![false; (first + count + stride).next_multiple_of(2)];
        let mut bare = Vec::new();
        for &at in &places {
            on_board[at as usize] = true;
            bare.push((2, at as usize));
        }
        for col in 0..=cols {
            bare.push((0, place((0, col)) - stride));
            bare.push((0, place((rows, col))));
        }
        for row in 0..=rows {
            bare.push((1, place((row, 0)) - 1));
        }
        let mut taps = [0; TAPS];
        for (tap, (down, right)) in taps[1..].iter_mut().zip(DIRECTIONS) {
            *tap = isize::from(down) * stride as isize + isize::from(right);
        }
        Field { taps, first, count, on_board, places, bare }
    }

    /// Cells with room for all taps.
    pub(super) fn room(&self) -> usize {
        self.on_board.len()
    }

    /// Names what is on an empty board, as (plane, place).
    pub(super) fn bare(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.bare.iter().copied()
    }

    /// Names what stones bring, as (plane, place).
    pub(super) fn mark<const W: usize>(
        &self,
        lattice: &Lattice<W>,
        stones: &Stones<W>,
        to_move: Side,
        mut put: impl FnMut(usize, usize),
    ) {
        for (plane, side) in [to_move, to_move.other()].into_iter().enumerate() {
            stones.of(side).iter().for_each(|cell| put(plane, self.places[cell] as usize));
        }
        for (plane, cells) in far::planes(lattice, stones, to_move).enumerate() {
            cells.iter().for_each(|cell| put(BOARD + plane, self.places[cell] as usize));
        }
    }
}
