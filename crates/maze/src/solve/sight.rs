//! Where straight lines between cell centres may go, for any-angle search.
//!
//! The agent is an axis-parallel square of one cell that moves in any direction and may touch walls but not enter them.
//! Its centre then stays out of the open 2x2 square around every blocked cell. What is left is made of *rooms*, the unit
//! squares between the centres of four free cells, of the lines between neighbouring free cells, and of free centres.
//! Every 8-neighbour path without corner cutting stays inside, and a shortest path turns only at *corners*: free cells
//! with two free straight neighbours and a blocked cell between these.

use super::cone::{ceil_div, floor_div};
use crate::bits::Bits;
use crate::grid::{Cell, Grid};

/// Rooms and corners of a map: three bits per cell, made once per map.
#[derive(Debug)]
pub(super) struct Sight {
    /// The room whose upper left centre is that of the cell.
    pub(super) rooms: Bits,
    /// Corners whose wall is in the north-east or south-west.
    falling: Bits,
    /// Corners whose wall is in the north-west or south-east.
    rising: Bits,
}

impl Sight {
    pub(super) fn new(grid: &Grid) -> Sight {
        let bits = grid.bits();
        let stride = bits.stride();
        let corner = |id: u32, vertical: u32, horizontal: u32| {
            let (side, other) = (id.wrapping_add(vertical), id.wrapping_add(horizontal));
            let wall = id.wrapping_add(vertical).wrapping_add(horizontal);
            bits.window(id) & bits.window(side) & bits.window(other) & !bits.window(wall)
        };
        let (north, south, west, east) = (stride.wrapping_neg(), stride, 1u32.wrapping_neg(), 1);
        let room = |id: u32| {
            let upper = bits.window(id) & bits.window(id + 1);
            upper & bits.window(id + stride) & bits.window(id + stride + 1)
        };
        Sight {
            rooms: bits.derive(room),
            falling: bits.derive(|id| corner(id, north, east) | corner(id, south, west)),
            rising: bits.derive(|id| corner(id, north, west) | corner(id, south, east)),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.rooms.bytes() + self.falling.bytes() + self.rising.bytes()
    }

    /// The corners at which a line that goes so many rows down and columns right can turn: it passes their walls without
    /// entering them. Neither number is zero.
    pub(super) fn corners(&self, rows: i32, cols: i32) -> &Bits {
        if (rows > 0) == (cols > 0) { &self.falling } else { &self.rising }
    }

    /// May the agent go straight from one free cell to the other?
    pub(super) fn sees(&self, bits: &Bits, a: Cell, b: Cell) -> bool {
        let (top, bottom) = if a.row <= b.row { (a, b) } else { (b, a) };
        let rows = (bottom.row - top.row) as i32;
        if rows == 0 {
            let left = a.col.min(b.col);
            return bits.is_clear(bits.id(a.row, left), a.col.abs_diff(b.col) + 1);
        }
        if top.col == bottom.col {
            return (top.row..=bottom.row).all(|row| bits.get(bits.id(row, top.col)));
        }
        let slope = (bottom.col as i32 - top.col as i32, rows);
        (0..rows).all(|row| {
            let (nearer, farther) = if slope.0 < 0 { (row + 1, row) } else { (row, row + 1) };
            let (left, right) = (floor_div(slope, nearer), ceil_div(slope, farther));
            let id = self.rooms.id(top.row + row as u32, top.col.wrapping_add_signed(left));
            self.rooms.is_clear(id, (right - left) as u32)
        })
    }
}
