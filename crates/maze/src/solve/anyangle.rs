//! Exact any-angle search: Anya (Harabor, Grastien, Öz, Aksakalli 2016).
//!
//! A search node is a *cone*, the part of a row in sight of a root, or a corner at which a path may turn. A cone is followed
//! row by row: walls cut it into several, and every corner of its rows at which a path may turn becomes a node of its own.
//! From there, the path goes on only where a tight string would: into the cone between the direction it came in and the
//! wall that it turns round. Horizontal and vertical lines belong to no cone; they are scanned as in `jps`, up to the next
//! corner.

use super::cone::{Cone, Slope, ceil_div, clip, distance, floor_div, larger, smaller};
use super::sight::Sight;
use super::turns::{Turns, direction};
use super::{Context, End, Memory, Run, pack, unpack};
use crate::bits::Bits;
use crate::buckets::Buckets;
use crate::grid::Cell;
use crate::moves::{Dir, E, N, S, STEPS, W};
use crate::observe::{Event, Observer};

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let Memory { sight: Some(sight), turns, cones, buckets, columns, .. } = memory else {
        return End::NoPath;
    };
    let mut search = Search {
        context,
        rows: context.bits,
        cols: columns.get(context.grid),
        sight,
        turns,
        open: Open { buckets, cones },
        best: f64::INFINITY,
        limit: u64::MAX,
        seen,
    };
    search.begin();
    while let Some(item) = search.open.buckets.pop(search.limit) {
        if meter.spent() {
            return End::Stopped(search.open.buckets.floor());
        }
        if item & CONE == 0 {
            search.turn(unpack(item));
        } else {
            let cone = search.open.cones.take(item & !CONE);
            search.advance(cone);
        }
    }
    if search.best.is_finite() { End::Turns(search.turns.trace(context)) } else { End::NoPath }
}

/// Marks the number of a cone on the open list; packed cells are smaller.
const CONE: u32 = 1 << 31;
/// The vertical line, and the horizontal ones to the left and to the right.
const VERTICAL: Slope = (0, 1);
const LEFT: Slope = (-1, 0);
const RIGHT: Slope = (1, 0);

/// The cones on the open list, by number; those of cones taken are used again.
#[derive(Debug, Default)]
pub(super) struct Cones {
    cones: Vec<Cone>,
    unused: Vec<u32>,
}

impl Cones {
    fn clear(&mut self) {
        self.cones.clear();
        self.unused.clear();
    }

    fn put(&mut self, cone: Cone) -> u32 {
        if let Some(number) = self.unused.pop() {
            self.cones[number as usize] = cone;
            return number;
        }
        self.cones.push(cone);
        self.cones.len() as u32 - 1
    }

    fn take(&mut self, number: u32) -> Cone {
        self.unused.push(number);
        self.cones[number as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        self.cones.capacity() * size_of::<Cone>() + self.unused.capacity() * 4
    }
}

struct Open<'a> {
    buckets: &'a mut Buckets,
    cones: &'a mut Cones,
}

struct Search<'a, 'c, O> {
    context: &'a Context<'c>,
    rows: &'a Bits,
    cols: &'a Bits,
    sight: &'a Sight,
    turns: &'a mut Turns,
    open: Open<'a>,
    /// Length of the best path found so far.
    best: f64,
    /// The same in units, rounded up: nothing on the open list from here on is shorter.
    limit: u64,
    seen: &'a mut O,
}

impl<O: Observer> Search<'_, '_, O> {
    fn begin(&mut self) {
        let (context, start) = (self.context, self.context.from);
        let least = distance(start, context.to);
        self.turns.begin(context);
        self.open.cones.clear();
        self.open.buckets.begin(context.units.floor(least), context.units.bucket_shift(), context.span());
        if start == context.to {
            self.best = 0.0;
        } else if self.sight.sees(self.rows, start, context.to) {
            self.reach(start, 0.0, context.to);
        } else {
            self.open.buckets.push(context.units.floor(least), pack(start));
        }
    }

    /// Goes on from a corner, or from the start.
    fn turn(&mut self, at: Cell) {
        let id = self.context.id(at);
        if !self.turns.close(id) {
            return;
        }
        let (g, parent) = (self.turns.g(id), self.turns.parent(id));
        if O::ON {
            let h = distance(at, self.context.to);
            self.seen.see(Event::Close { cell: at, g, h, f: g + h });
        }
        if parent == at {
            for down in [-1, 1] {
                self.open_cone(at, g, down, -1, LEFT, VERTICAL);
                self.open_cone(at, g, down, 1, VERTICAL, RIGHT);
            }
            [N, E, S, W].into_iter().for_each(|dir| self.line(at, g, dir));
            return;
        }
        let (rows, cols) = direction(parent, at);
        if rows == 0 || cols == 0 {
            self.line(at, g, straight(rows.signum(), cols.signum()));
        }
        let square = self.rows.square(id);
        let free = |down: i32, right: i32| square >> (3 * down + right + 4) & 1 != 0;
        for (down, right) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            // How far the path came towards the wall: it turns round a wall that it has passed in one way only.
            let (down_to, right_to) = (rows * down, cols * right);
            if down_to.min(right_to) >= 0
                || down_to.max(right_to) < 0
                || free(down, right)
                || !free(down, 0)
                || !free(0, right)
            {
                continue;
            }
            let came = (cols, rows.abs());
            if down_to < 0 {
                // Past the wall's row: the turn ends along it.
                let (low, high) = if right < 0 { (LEFT, came) } else { (came, RIGHT) };
                self.open_cone(at, g, -down, right, low, high);
                self.line(at, g, straight(0, right));
            } else {
                let (low, high) = if right < 0 { (VERTICAL, came) } else { (came, VERTICAL) };
                self.open_cone(at, g, down, -right, low, high);
                self.line(at, g, straight(down, 0));
            }
        }
    }

    /// Follows a horizontal or vertical line to the first corner where a path may turn.
    fn line(&mut self, root: Cell, g: f64, dir: Dir) {
        let goal = self.context.to;
        let (row_id, col_id) = (self.rows.id(root.row, root.col), self.cols.id(root.col, root.row));
        let (goal_row_id, goal_col_id) = (self.rows.id(goal.row, goal.col), self.cols.id(goal.col, goal.row));
        let scan = match dir {
            N => self.cols.scan_down_to(col_id, goal_col_id),
            E => self.rows.scan_up_to(row_id, goal_row_id),
            S => self.cols.scan_up_to(col_id, goal_col_id),
            _ => self.rows.scan_down_to(row_id, goal_row_id),
        };
        if scan.jump {
            let (rows, cols) = STEPS[usize::from(dir)];
            let steps = scan.steps as i32;
            self.reach(root, g, moved(root, rows * steps, cols * steps));
        }
    }

    /// Opens the cone from a root into the next row down or up, on one side of its column.
    fn open_cone(&mut self, root: Cell, g: f64, down: i32, right: i32, low: Slope, high: Slope) {
        let (Some(row), rooms) = (room_row(root.row, down), &self.sight.rooms) else { return };
        let id = rooms.id(row, root.col);
        let (left, right) =
            if right < 0 { (-(rooms.run_down(id - 1) as i32), 0) } else { (0, rooms.run_up(id) as i32) };
        if left < right
            && let Some((low, high)) = clip(low, high, (left, 1), (right, 1))
        {
            self.show(Cone { root, g, rows: down, low, high });
        }
    }

    /// Follows a cone to its next row, where missing rooms cut it into several.
    fn advance(&mut self, cone: Cone) {
        let Cone { root, low, high, .. } = cone;
        if self.turns.g(self.context.id(root)) < cone.g {
            return;
        }
        let Some(row) = room_row(cone.row(), cone.rows.signum()) else { return };
        let here = cone.rows.abs();
        let there = here + 1;
        let rooms = &self.sight.rooms;
        let first = floor_div(low, if low.0 < 0 { there } else { here });
        let last = ceil_div(high, if high.0 < 0 { here } else { there });
        let base = root.col as i32;
        let end = (base + last).min(self.context.grid.width() as i32);
        let mut col = (base + first).max(0);
        while col < end {
            let id = rooms.id(row, col as u32);
            let Some(gap) = rooms.next_up(id, (end - col) as u32) else { break };
            let run = rooms.run_up(id + gap);
            let left = col + gap as i32 - base;
            let right = left + run as i32;
            col = base + right;
            // A line stays within the rooms if it does so in both rows.
            let lowest = larger((left, here), (left, there));
            let highest = smaller((right, here), (right, there));
            if let Some((low, high)) = clip(low, high, lowest, highest) {
                self.show(Cone { rows: cone.rows + cone.rows.signum(), low, high, ..cone });
            }
        }
    }

    /// Opens a cone, the corners in its row at which a path may turn, and the goal.
    fn show(&mut self, cone: Cone) {
        let Cone { root, g, rows, low, high } = cone;
        let (goal, row) = (self.context.to, cone.row());
        if row == goal.row && cone.contains(goal.col as i32 - root.col as i32) {
            self.reach(root, g, goal);
        }
        let f = cone.lower_bound(goal);
        if f >= self.best {
            return;
        }
        let distance = rows.abs();
        let right = if high.0 > 0 { 1 } else { -1 };
        let (mut first, mut last) = (ceil_div(low, distance), floor_div(high, distance));
        // The root's column is for `line`.
        if right > 0 {
            first = first.max(1);
        } else {
            last = last.min(-1);
        }
        if first <= last {
            let corners = self.sight.corners(rows, right);
            let (mut col, end) = ((root.col as i32 + first) as u32, (root.col as i32 + last + 1) as u32);
            while let Some(gap) = corners.next_up(corners.id(row, col), end - col) {
                col += gap;
                self.reach(root, g, Cell { row, col });
                col += 1;
            }
        }
        let number = self.open.cones.put(cone);
        self.open.buckets.push(self.context.units.floor(f), number | CONE);
    }

    /// Opens a cell that is seen from a root, if that is the shortest way to it so far.
    fn reach(&mut self, root: Cell, root_g: f64, cell: Cell) {
        let id = self.context.id(cell);
        let g = root_g + distance(root, cell);
        if !self.turns.improves(id, g) {
            return;
        }
        let h = distance(cell, self.context.to);
        if g + h >= self.best {
            return;
        }
        self.turns.reach(id, root, g);
        if O::ON {
            self.seen.see(Event::Open { cell, from: root, g, h, f: g + h });
        }
        let units = self.context.units.floor(g + h);
        if cell == self.context.to {
            self.best = g;
            self.limit = units + 1;
        } else {
            self.open.buckets.push(units, pack(cell));
        }
    }
}

/// The row of rooms between a row and the next one down or up.
fn room_row(row: u32, down: i32) -> Option<u32> {
    if down > 0 { Some(row) } else { row.checked_sub(1) }
}

fn moved(cell: Cell, rows: i32, cols: i32) -> Cell {
    Cell { row: cell.row.wrapping_add_signed(rows), col: cell.col.wrapping_add_signed(cols) }
}

/// The straight direction of a unit step.
fn straight(rows: i32, cols: i32) -> Dir {
    match (rows, cols) {
        (-1, _) => N,
        (1, _) => S,
        (_, 1) => E,
        _ => W,
    }
}
