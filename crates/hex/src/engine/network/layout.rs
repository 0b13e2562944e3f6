//! Memory layout of a board for convolutions: one array in which each neighbour is at a fixed offset.

use super::{TAPS, edge_distance};
use crate::Size;
use crate::bits::Lattice;
use crate::geometry::DIRECTIONS;
use crate::stones::Stones;
use game::Side;

/// Own stones, the opponent's stones and the board; the planes of edge distances follow.
const BOARD_PLANES: usize = 3;
pub(crate) const PLANES: usize = BOARD_PLANES + edge_distance::PLANES;

/// Memory layout of a board, seen by one side to move; white's is mirrored on the long diagonal.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) taps: [isize; TAPS],
    /// The first cell to compute.
    pub(crate) first: usize,
    /// Cells to compute, padding between rows included.
    pub(crate) count: usize,
    pub(crate) on_board: Vec<bool>,
    /// The index of each cell.
    pub(crate) places: Vec<u16>,
    /// Input of an empty board, as (plane, index): the edges count as stones.
    empty_board: Vec<(usize, usize)>,
}

impl Layout {
    /// Rows are one cell longer than the board: that cell is padding for both rows. `padded` rounds the number of computed
    /// cells up to what the kernel needs.
    pub(crate) fn new(size: Size, side: Side, padded: fn(usize) -> usize) -> Layout {
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
        let mut empty_board = Vec::new();
        for &at in &places {
            on_board[at as usize] = true;
            empty_board.push((2, at as usize));
        }
        for col in 0..=cols {
            empty_board.push((0, place((0, col)) - stride));
            empty_board.push((0, place((rows, col))));
        }
        for row in 0..=rows {
            empty_board.push((1, place((row, 0)) - 1));
        }
        let mut taps = [0; TAPS];
        for (tap, (down, right)) in taps[1..].iter_mut().zip(DIRECTIONS) {
            *tap = isize::from(down) * stride as isize + isize::from(right);
        }
        Layout { taps, first, count, on_board, places, empty_board }
    }

    /// Cells of the array, with padding for all taps.
    pub(crate) fn len(&self) -> usize {
        self.on_board.len()
    }

    /// The input of an empty board, as (plane, index).
    pub(crate) fn empty_board(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.empty_board.iter().copied()
    }

    /// Calls `put` with the (plane, index) of all input that depends on the stones.
    pub(crate) fn mark<const W: usize>(
        &self,
        lattice: &Lattice<W>,
        stones: &Stones<W>,
        to_move: Side,
        mut put: impl FnMut(usize, usize),
    ) {
        for (plane, side) in [to_move, to_move.other()].into_iter().enumerate() {
            stones.of(side).iter().for_each(|cell| put(plane, self.places[cell] as usize));
        }
        for (plane, cells) in edge_distance::planes(lattice, stones, to_move).enumerate() {
            cells.iter().for_each(|cell| put(BOARD_PLANES + plane, self.places[cell] as usize));
        }
    }
}
