//! The tree of an any-angle search: how far every cell reached is from the start, and from which cell it is seen.

use super::{Context, pack, unpack};
use crate::grid::Cell;

/// Reusable between queries: 12 bytes per cell.
#[derive(Debug, Default)]
pub(super) struct Turns {
    g: Vec<f64>,
    /// Packed cell, one added: 0 is a cell not reached.
    parents: Vec<u32>,
    /// Ids to forget before the next query.
    reached: Vec<u32>,
}

/// Marks the parent of a cell that is closed; packed cells are smaller.
const CLOSED: u32 = 1 << 31;
/// Ways whose lengths differ by less than this part are equally long: sums of the same roots in another order.
const ROUNDING: f64 = 1e-13;

impl Turns {
    /// Forgets the last query; only the start is reached.
    pub(super) fn begin(&mut self, context: &Context<'_>) {
        let len = context.bits.len();
        if self.g.len() != len {
            (self.g, self.parents) = (vec![0.0; len], vec![0; len]);
            self.reached.clear();
        }
        for id in self.reached.drain(..) {
            self.parents[id as usize] = 0;
        }
        self.reach(context.id(context.from), context.from, 0.0);
    }

    /// Cost of the best path found to a cell that was reached.
    pub(super) fn g(&self, id: u32) -> f64 {
        self.g[id as usize]
    }

    /// The cell that this one is seen from; of the start, itself.
    pub(super) fn parent(&self, id: u32) -> Cell {
        unpack((self.parents[id as usize] & !CLOSED).saturating_sub(1))
    }

    pub(super) fn is_closed(&self, id: u32) -> bool {
        self.parents[id as usize] & CLOSED != 0
    }

    /// Closes a cell; `false` if it was closed before.
    pub(super) fn close(&mut self, id: u32) -> bool {
        let parent = &mut self.parents[id as usize];
        let open = *parent & CLOSED == 0;
        *parent |= CLOSED;
        open
    }

    /// Would this be a shorter way to the cell than any so far?
    pub(super) fn improves(&self, id: u32, g: f64) -> bool {
        let known = self.g[id as usize];
        self.parents[id as usize] == 0 || g < known - ROUNDING * known
    }

    /// Remembers a way to a cell, which is open again.
    pub(super) fn reach(&mut self, id: u32, parent: Cell, g: f64) {
        let known = &mut self.parents[id as usize];
        if *known == 0 {
            self.reached.push(id);
        }
        *known = pack(parent) + 1;
        self.g[id as usize] = g;
    }

    /// Start, turns and goal.
    pub(super) fn trace(&self, context: &Context<'_>) -> Vec<Cell> {
        let mut cells = vec![context.to];
        let mut at = context.to;
        while at != context.from {
            at = self.parent(context.id(at));
            // Some cells lie on the line from the one before to the one after.
            if let [.., before, middle] = cells[..]
                && is_straight(before, middle, at)
            {
                cells.pop();
            }
            cells.push(at);
        }
        cells.reverse();
        cells
    }

    pub(super) fn bytes(&self) -> usize {
        self.g.capacity() * 8 + (self.parents.capacity() + self.reached.capacity()) * 4
    }
}

/// Rows and columns from one cell to another.
pub(super) fn direction(from: Cell, to: Cell) -> (i32, i32) {
    (to.row as i32 - from.row as i32, to.col as i32 - from.col as i32)
}

fn is_straight(a: Cell, b: Cell, c: Cell) -> bool {
    let ((r1, c1), (r2, c2)) = (direction(a, b), direction(b, c));
    i64::from(r1) * i64::from(c2) == i64::from(c1) * i64::from(r2)
}
