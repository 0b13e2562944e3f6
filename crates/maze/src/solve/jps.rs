//! Jump point search for eight neighbours without corner cutting (Harabor and Grastien 2011, 2014).
//!
//! Of all equally long paths only the one that goes diagonally first is followed, so most successors
//! need not be made: a straight run is scanned 64 cells at a time in the bitmap of rows or of columns
//! until a wall beside it ends, and only there it may have to turn. Without corner cutting a diagonal run
//! never has to turn by itself; the jump points its straight scans find are put on the open list directly,
//! and the corner between is not. A node is thus always entered straight.

use super::{Context, End, Memory, Meter, pack, unpack};
use crate::bits::{Bits, Scan};
use crate::buckets::Buckets;
use crate::grid::Cell;
use crate::labels::{Labels, ROOT};
use crate::moves::{Dir, E, N, S, Units, W};
use crate::observe::{Event, Observer};

pub(super) fn search<O: Observer>(
    context: &Context<'_>,
    memory: &mut Memory,
    meter: &mut Meter,
    seen: &mut O,
) -> End {
    search_with(context, memory, meter, seen, Straight::new(context))
}

/// The search, by any estimate.
pub(super) fn search_with<O: Observer, E: Estimate>(
    context: &Context<'_>,
    memory: &mut Memory,
    meter: &mut Meter,
    seen: &mut O,
    estimate: E,
) -> End {
    let Memory { labels, parents, buckets, columns, .. } = memory;
    let (rows, cols) = (context.bits, columns.get(context.grid));
    let mut jumper = Jumper::begin(context, rows, cols, Open { labels, parents, buckets }, seen, estimate);
    while let Some((node, dir)) = jumper.next() {
        if meter.spent() {
            return End::Stopped(jumper.floor());
        }
        jumper.expand(node, dir);
    }
    if jumper.is_found() {
        End::Path(trace(jumper.open.parents, context, diagonal_first))
    } else {
        End::NoPath
    }
}

impl<O: Observer, E: Estimate> Jumper<'_, O, E> {
    fn expand(&mut self, node: Node, dir: Dir) {
        if dir == ROOT {
            for dir in [N, E, S, W] {
                self.straight(node, node, dir);
            }
            for (vertical, horizontal) in [(N, E), (S, E), (S, W), (N, W)] {
                self.diagonal(node, vertical, horizontal);
            }
            return;
        }
        self.straight(node, node, dir);
        let back = self.row_offsets[usize::from(dir ^ 2)];
        let sides = if dir == N || dir == S { [E, W] } else { [N, S] };
        for side in sides {
            let beside = node.row_id.wrapping_add(self.row_offsets[usize::from(side)]);
            // The wall beside the run ends here: what lies behind it is reached best from here.
            if self.rows.get(beside) && !self.rows.get(beside.wrapping_add(back)) {
                self.straight(node, node, side);
                let (vertical, horizontal) = if side == N || side == S { (side, dir) } else { (dir, side) };
                self.diagonal(node, vertical, horizontal);
            }
        }
    }

    /// Runs diagonally, scanning straight both ways from every cell.
    #[inline]
    fn diagonal(&mut self, from: Node, vertical: Dir, horizontal: Dir) {
        let (v, h) = (usize::from(vertical), usize::from(horizontal));
        let row_step = self.row_offsets[v].wrapping_add(self.row_offsets[h]);
        let col_step = self.col_offsets[v].wrapping_add(self.col_offsets[h]);
        let packed_step = super::PACKED_STEPS[v].wrapping_add(super::PACKED_STEPS[h]);
        let mut at = from;
        let mut open = self.rows.get(at.row_id.wrapping_add(self.row_offsets[v]))
            && self.rows.get(at.row_id.wrapping_add(self.row_offsets[h]));
        while open && self.rows.get(at.row_id.wrapping_add(row_step)) {
            at.row_id = at.row_id.wrapping_add(row_step);
            at.col_id = at.col_id.wrapping_add(col_step);
            at.packed = at.packed.wrapping_add(packed_step);
            at.g += self.units.diagonal;
            if at.row_id == self.goal_row_id {
                self.push(from, at, vertical);
                return;
            }
            let rows = self.straight(from, at, vertical);
            let cols = self.straight(from, at, horizontal);
            open = rows.steps > 0 && cols.steps > 0;
        }
    }
}

pub(super) fn diagonal_first(from: Cell, to: Cell, cells: &mut Vec<Cell>) {
    let mut at = from;
    while at != to {
        at.row = toward(at.row, to.row);
        at.col = toward(at.col, to.col);
        cells.push(at);
        // The straight rest: one coordinate is already there and stays.
    }
}

/// A lower bound of the cost from a cell to the goal, with the cell's id in the bitmap of rows.
pub(super) trait Estimate {
    fn to_goal(&self, cell: Cell, id: u32) -> u64;
}

/// The cost if nothing were in the way.
pub(super) struct Straight {
    units: Units,
    goal: Cell,
}

impl Straight {
    pub(super) fn new(context: &Context<'_>) -> Straight {
        Straight { units: context.units, goal: context.to }
    }
}

impl Estimate for Straight {
    #[inline]
    fn to_goal(&self, cell: Cell, _id: u32) -> u64 {
        self.units.between(cell, self.goal)
    }
}

/// A cell in both bitmaps, and the cost so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) packed: u32,
    pub(super) row_id: u32,
    pub(super) col_id: u32,
    pub(super) g: u64,
}

/// The open list and what is known of every cell.
pub(super) struct Open<'m> {
    pub(super) labels: &'m mut Labels,
    /// For every labelled cell the node it was reached from, packed.
    pub(super) parents: &'m mut Vec<u32>,
    pub(super) buckets: &'m mut Buckets,
}

/// What jump point searches share: scanning, and putting jump points on the open list.
pub(super) struct Jumper<'a, O, E> {
    pub(super) rows: &'a Bits,
    pub(super) cols: &'a Bits,
    /// Changes of the row and column ids for N, E, S, W.
    pub(super) row_offsets: [u32; 4],
    pub(super) col_offsets: [u32; 4],
    pub(super) goal_row_id: u32,
    goal_col_id: u32,
    pub(super) goal: Cell,
    pub(super) units: Units,
    pub(super) open: Open<'a>,
    /// Cost of the best path found so far.
    best: u64,
    seen: &'a mut O,
    estimate: E,
}

impl<'a, O: Observer, E: Estimate> Jumper<'a, O, E> {
    /// Starts a search: the start is the only open node.
    pub(super) fn begin(
        context: &Context<'_>,
        rows: &'a Bits,
        cols: &'a Bits,
        open: Open<'a>,
        seen: &'a mut O,
        estimate: E,
    ) -> Jumper<'a, O, E> {
        let (across, down) = (rows.stride(), cols.stride());
        open.labels.begin(rows.len());
        let least = estimate.to_goal(context.from, context.id(context.from));
        open.buckets.begin(least, context.units.bucket_shift());
        if open.parents.len() != rows.len() {
            *open.parents = vec![0; rows.len()];
        }
        let mut jumper = Jumper {
            rows,
            cols,
            row_offsets: [across.wrapping_neg(), 1, across, 1u32.wrapping_neg()],
            col_offsets: [1u32.wrapping_neg(), down, 1, down.wrapping_neg()],
            goal_row_id: rows.id(context.to.row, context.to.col),
            goal_col_id: cols.id(context.to.col, context.to.row),
            goal: context.to,
            units: context.units,
            open,
            best: u64::MAX,
            seen,
            estimate,
        };
        let start = jumper.node(pack(context.from), 0);
        jumper.push(start, start, ROOT);
        jumper
    }

    /// Takes a most promising node and the direction it was entered in; none is left when no open node
    /// can lead to a better path than the one found.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(Node, Dir)> {
        loop {
            let packed = self.open.buckets.pop(self.best)?;
            let node = self.node(packed, 0);
            let label = self.open.labels.get(node.row_id);
            let g = label.g();
            let h = self.estimate.to_goal(unpack(packed), node.row_id);
            if label.is_closed() || g + h >= self.best {
                continue;
            }
            self.open.labels.close(node.row_id);
            if O::ON {
                let (g, h) = (self.units.cost(g), self.units.cost(h));
                self.seen.see(Event::Close { cell: unpack(packed), g, h, f: g + h });
            }
            return Some((Node { g, ..node }, label.dir()));
        }
    }

    pub(super) fn is_found(&self) -> bool {
        self.best != u64::MAX
    }

    /// No path still to be found is cheaper than this.
    pub(super) fn floor(&self) -> u64 {
        self.open.buckets.floor()
    }

    fn node(&self, packed: u32, g: u64) -> Node {
        let Cell { row, col } = unpack(packed);
        Node { packed, row_id: self.rows.id(row, col), col_id: self.cols.id(col, row), g }
    }

    /// Scans from `at`, which was reached from the node `from`; a jump point goes on the open list.
    #[inline]
    pub(super) fn straight(&mut self, from: Node, at: Node, dir: Dir) -> Scan {
        let scan = match dir {
            N => self.cols.scan_down(at.col_id, self.goal_col_id),
            E => self.rows.scan_up(at.row_id, self.goal_row_id),
            S => self.cols.scan_up(at.col_id, self.goal_col_id),
            _ => self.rows.scan_down(at.row_id, self.goal_row_id),
        };
        if scan.jump {
            self.push_along(from, at, usize::from(dir), scan.steps, dir);
        }
        scan
    }

    /// Puts the cell so many steps from `at` in direction `d` on the open list.
    #[inline]
    pub(super) fn push_along(&mut self, from: Node, at: Node, d: usize, steps: u32, dir: Dir) {
        let to = Node {
            packed: at.packed.wrapping_add(super::PACKED_STEPS[d].wrapping_mul(steps)),
            row_id: at.row_id.wrapping_add(self.row_offsets[d].wrapping_mul(steps)),
            col_id: 0,
            g: at.g + u64::from(steps) * self.units.straight,
        };
        self.push(from, to, dir);
    }

    #[inline]
    pub(super) fn push(&mut self, from: Node, to: Node, dir: Dir) {
        if O::ON {
            self.seen.see(Event::Jump { from: unpack(from.packed), to: unpack(to.packed) });
        }
        if !self.open.labels.improves(to.row_id, to.g) {
            return;
        }
        let h = self.estimate.to_goal(unpack(to.packed), to.row_id);
        if to.g + h >= self.best {
            return;
        }
        self.open.labels.open(to.row_id, to.g, dir);
        self.open.parents[to.row_id as usize] = from.packed;
        if to.row_id == self.goal_row_id {
            self.best = to.g;
        } else {
            self.open.buckets.push(to.g + h, to.packed);
        }
        if O::ON {
            let (g, h) = (self.units.cost(to.g), self.units.cost(h));
            self.seen.see(Event::Open { cell: unpack(to.packed), from: unpack(from.packed), g, h, f: g + h });
        }
    }
}

/// The whole path: `fill` adds the cells after one node up to the next.
pub(super) fn trace(
    parents: &[u32],
    context: &Context<'_>,
    fill: fn(Cell, Cell, &mut Vec<Cell>),
) -> Vec<Cell> {
    let mut nodes = vec![context.to];
    let mut cell = context.to;
    while cell != context.from {
        cell = unpack(parents[context.id(cell) as usize]);
        nodes.push(cell);
    }
    let mut cells = vec![context.from];
    for pair in nodes.windows(2).rev() {
        fill(pair[1], pair[0], &mut cells);
    }
    cells
}

pub(super) fn toward(from: u32, to: u32) -> u32 {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => from + 1,
        std::cmp::Ordering::Equal => from,
        std::cmp::Ordering::Greater => from - 1,
    }
}
