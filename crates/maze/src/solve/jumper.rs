//! What jump point searches share: nodes, the open list, straight scans, and the path between jump points.

use super::{Context, End, Meter, PACKED_STEPS, pack, unpack};
use crate::bits::{Bits, Scan};
use crate::buckets::Buckets;
use crate::grid::Cell;
use crate::labels::{Labels, ROOT};
use crate::moves::{Dir, E, N, S, Units};
use crate::observe::{Event, Observer};

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
    pub(super) goal_col_id: u32,
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
        open.buckets.begin(least, context.units.bucket_shift(), context.span());
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

    /// Expands nodes until the goal is reached, the budget is spent or none is left; `fill` adds the cells between jump
    /// points.
    #[inline]
    pub(super) fn run(
        mut self,
        meter: &mut Meter<'_>,
        fill: Fill,
        expand: impl Fn(&mut Self, Node, Dir),
    ) -> End {
        while let Some((node, dir)) = self.next() {
            if meter.spent() {
                // No path still to be found is cheaper than this.
                return End::Stopped(self.open.buckets.floor());
            }
            expand(&mut self, node, dir);
        }
        if self.best == u64::MAX { End::NoPath } else { End::Jumps { cost: self.best, fill } }
    }

    /// Takes a most promising node and the direction it was entered in; none is left when no open node
    /// can lead to a better path than the one found.
    #[inline]
    fn next(&mut self) -> Option<(Node, Dir)> {
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

    fn node(&self, packed: u32, g: u64) -> Node {
        let Cell { row, col } = unpack(packed);
        Node { packed, row_id: self.rows.id(row, col), col_id: self.cols.id(col, row), g }
    }

    /// Scans from `at`, which was reached from the node `from`; a jump point goes on the open list.
    #[inline]
    pub(super) fn straight(&mut self, from: Node, at: Node, dir: Dir) -> Scan {
        let scan = match dir {
            N => self.cols.scan_down_to(at.col_id, self.goal_col_id),
            E => self.rows.scan_up_to(at.row_id, self.goal_row_id),
            S => self.cols.scan_up_to(at.col_id, self.goal_col_id),
            _ => self.rows.scan_down_to(at.row_id, self.goal_row_id),
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
            packed: at.packed.wrapping_add(PACKED_STEPS[d].wrapping_mul(steps)),
            row_id: at.row_id.wrapping_add(self.row_offsets[d].wrapping_mul(steps)),
            col_id: 0,
            g: at.g + u64::from(steps) * self.units.straight,
        };
        self.push(from, to, dir);
    }

    /// Rows down and columns right to the goal.
    #[inline]
    pub(super) fn to_goal(&self, at: Node) -> (i32, i32) {
        let cell = unpack(at.packed);
        (self.goal.row as i32 - cell.row as i32, self.goal.col as i32 - cell.col as i32)
    }

    /// Is the way to the goal, so many rows down and columns right, free diagonally first?
    #[inline]
    pub(super) fn sees_goal(&self, at: Node, rows: i32, cols: i32) -> bool {
        is_way_clear(self.rows, self.cols, at.row_id, (self.goal_row_id, self.goal_col_id), rows, cols)
    }

    /// Ends the search at a node from which the goal is seen.
    #[inline]
    pub(super) fn push_goal(&mut self, from: Node) {
        let g = from.g + self.units.between(unpack(from.packed), self.goal);
        let to = Node { packed: pack(self.goal), row_id: self.goal_row_id, col_id: self.goal_col_id, g };
        self.push(from, to, N);
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

/// Is the way from one cell to another free, diagonally first and then straight?
pub(super) fn sees(rows: &Bits, cols: &Bits, from: Cell, to: Cell) -> bool {
    let goal = (rows.id(to.row, to.col), cols.id(to.col, to.row));
    let (down, right) = (to.row as i32 - from.row as i32, to.col as i32 - from.col as i32);
    is_way_clear(rows, cols, rows.id(from.row, from.col), goal, down, right)
}

/// The same by ids, to a goal so many rows down and columns right.
#[inline]
fn is_way_clear(
    row_bits: &Bits,
    col_bits: &Bits,
    from: u32,
    (goal_row_id, goal_col_id): (u32, u32),
    rows: i32,
    cols: i32,
) -> bool {
    let (down, across) = (rows.unsigned_abs(), cols.unsigned_abs());
    let both = down.min(across);
    let vertical = if rows < 0 { row_bits.stride().wrapping_neg() } else { row_bits.stride() };
    let horizontal = if cols < 0 { 1u32.wrapping_neg() } else { 1 };
    // The two cells that matter of each row, as bits 0 and 1 of a window.
    let left = if cols < 0 { 1 } else { 0 };
    let (mut row_id, step) = (from, vertical.wrapping_add(horizontal));
    for _ in 0..both {
        let corner = row_id - left;
        let square = row_bits.window(corner) & row_bits.window(corner.wrapping_add(vertical));
        if square & 3 != 3 {
            return false;
        }
        row_id = row_id.wrapping_add(step);
    }
    if down > across {
        let start = if rows < 0 { goal_col_id } else { goal_col_id - (down - both) };
        col_bits.is_clear(start, down - both)
    } else {
        let start = if cols < 0 { goal_row_id } else { goal_row_id - (across - both) };
        row_bits.is_clear(start, across - both)
    }
}

/// Adds the cells after one jump point up to the next.
pub(super) type Fill = fn(Cell, Cell, &mut Vec<Cell>);

/// The whole path, from what the search remembers of each jump point.
pub(super) fn trace(parents: &[u32], context: &Context<'_>, fill: Fill) -> Vec<Cell> {
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
