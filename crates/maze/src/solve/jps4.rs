//! Jump point search for four neighbours.
//!
//! Of all equally long paths only the one that goes sideways first is followed. A vertical run is scanned
//! 64 cells at a time in the bitmap of columns until a wall beside it ends, and only there it may turn
//! sideways. A sideways run scans up and down from every cell it passes; what these scans find goes on the
//! open list directly, so a node is always entered vertically (Baum 2021 gives the pruning rules).

use super::jumper::{Estimate, Jumper, Node, Open, Straight, toward};
use super::{End, Memory, PACKED_STEPS, Run};
use crate::grid::Cell;
use crate::labels::ROOT;
use crate::moves::{Dir, E, N, S, W};
use crate::observe::Observer;

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let Memory { labels, parents, buckets, columns, .. } = memory;
    let (rows, cols) = (context.bits, columns.get(context.grid));
    let jumper =
        Jumper::begin(context, rows, cols, Open { labels, parents, buckets }, seen, Straight::new(context));
    jumper.run(meter, sideways_first, Jumper::expand_four)
}

impl<O: Observer, E: Estimate> Jumper<'_, O, E> {
    fn expand_four(&mut self, node: Node, dir: Dir) {
        if dir == ROOT {
            self.straight(node, node, N);
            self.straight(node, node, S);
            self.sideways(node, E);
            self.sideways(node, W);
            return;
        }
        self.straight(node, node, dir);
        let back = self.row_offsets[usize::from(dir ^ 2)];
        for side in [E, W] {
            let beside = node.row_id.wrapping_add(self.row_offsets[usize::from(side)]);
            if !self.rows.get(beside.wrapping_add(back)) {
                self.sideways(node, side);
            }
        }
    }

    /// Runs sideways, scanning up and down from every cell.
    #[inline]
    fn sideways(&mut self, from: Node, side: Dir) {
        let side = usize::from(side);
        let mut at = from;
        loop {
            at.row_id = at.row_id.wrapping_add(self.row_offsets[side]);
            if !self.rows.get(at.row_id) {
                return;
            }
            at.col_id = at.col_id.wrapping_add(self.col_offsets[side]);
            at.packed = at.packed.wrapping_add(PACKED_STEPS[side]);
            at.g += self.units.straight;
            if at.row_id == self.goal_row_id {
                self.push(from, at, N);
                return;
            }
            self.straight(from, at, N);
            self.straight(from, at, S);
        }
    }
}

fn sideways_first(from: Cell, to: Cell, cells: &mut Vec<Cell>) {
    let mut at = from;
    while at.col != to.col {
        at.col = toward(at.col, to.col);
        cells.push(at);
    }
    while at.row != to.row {
        at.row = toward(at.row, to.row);
        cells.push(at);
    }
}
