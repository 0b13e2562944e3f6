//! Jump point search for eight neighbours without corner cutting (Harabor and Grastien 2011, 2014).
//!
//! Of all equally long paths only the one that goes diagonally first is followed, so most successors
//! need not be made: a straight run is scanned 64 cells at a time in the bitmap of rows or of columns
//! until a wall beside it ends, and only there it may have to turn. Without corner cutting a diagonal run
//! never has to turn by itself; the jump points its straight scans find are put on the open list directly,
//! and the corner between is not (the literature's B+P). A node is thus always entered straight. The goal is no jump
//! point: a node from which it can be seen, diagonally first, is followed by nothing else.

use super::jumper::{Estimate, Jumper, Node, Open, Straight, diagonal_first};
use super::{End, Memory, Run};
use crate::bits::{Bits, Window};
use crate::labels::ROOT;
use crate::moves::{Dir, E, N, S, W};
use crate::observe::Observer;

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let estimate = Straight::new(run.context);
    search_with(run, estimate)
}

/// The search, by any estimate.
pub(super) fn search_with<O: Observer, E: Estimate>(run: Run<'_, '_, O>, estimate: E) -> End {
    let Run { context, memory, meter, seen } = run;
    let Memory { labels, parents, buckets, columns, .. } = memory;
    let (rows, cols) = (context.bits, columns.get(context.grid));
    let jumper = Jumper::begin(context, rows, cols, Open { labels, parents, buckets }, seen, estimate);
    jumper.run(meter, diagonal_first, Jumper::expand)
}

/// Directions to follow from a node: bit `dir` for N, E, S and W, bit 4 + `quadrant` for a diagonal.
type Ways = u8;
const ALL_WAYS: Ways = 0xff;

/// Number of the diagonal in [`Ways`]: 0 north-east, 1 south-east, 2 north-west, 3 south-west.
const fn quadrant(south: bool, west: bool) -> u32 {
    south as u32 | (west as u32) << 1
}

impl<O: Observer, E: Estimate> Jumper<'_, O, E> {
    fn expand(&mut self, node: Node, dir: Dir) {
        let ways = if dir == ROOT { ALL_WAYS } else { self.ways(node, dir) };
        let (rows, cols) = self.to_goal(node);
        if ways >> toward_goal(rows, cols) & 1 != 0 && self.sees_goal(node, rows, cols) {
            self.push_goal(node);
            return;
        }
        for dir in [N, E, S, W] {
            if ways >> dir & 1 != 0 {
                self.jump_straight(node, dir);
            }
        }
        if ways >> 4 & 1 != 0 {
            self.diagonal::<false, true>(node);
        }
        if ways >> 5 & 1 != 0 {
            self.diagonal::<true, true>(node);
        }
        if ways >> 6 & 1 != 0 {
            self.diagonal::<false, false>(node);
        }
        if ways >> 7 & 1 != 0 {
            self.diagonal::<true, false>(node);
        }
    }

    /// The ways worth following from a node entered straight: on, and where the wall beside the run ends also sideways
    /// and diagonally, because what lies behind the wall is reached best from here.
    #[inline]
    fn ways(&self, node: Node, dir: Dir) -> Ways {
        let square = self.rows.square(node.row_id);
        FORCED[usize::from(dir)][square]
    }

    /// Scans straight from the node itself.
    #[inline]
    fn jump_straight(&mut self, from: Node, dir: Dir) {
        let scan = match dir {
            N => self.cols.scan_down(from.col_id),
            E => self.rows.scan_up(from.row_id),
            S => self.cols.scan_up(from.col_id),
            _ => self.rows.scan_down(from.row_id),
        };
        if scan.jump {
            self.push_along(from, from, usize::from(dir), scan.steps, dir);
        }
    }

    /// Runs diagonally, scanning straight both ways from every cell.
    fn diagonal<const SOUTH: bool, const EAST: bool>(&mut self, from: Node) {
        let (vertical, horizontal) = (if SOUTH { S } else { N }, if EAST { E } else { W });
        let (v, h) = (usize::from(vertical), usize::from(horizontal));
        let row_step = self.row_offsets[v].wrapping_add(self.row_offsets[h]);
        let col_step = self.col_offsets[v].wrapping_add(self.col_offsets[h]);
        let packed_step = super::PACKED_STEPS[v].wrapping_add(super::PACKED_STEPS[h]);
        let mut at = from;
        let mut along = Ahead::<EAST>::new(self.rows, at.row_id, self.row_offsets[v]);
        let mut down = Ahead::<SOUTH>::new(self.cols, at.col_id, self.col_offsets[h]);
        while along.diagonal_is_open() {
            at.row_id = at.row_id.wrapping_add(row_step);
            at.col_id = at.col_id.wrapping_add(col_step);
            at.packed = at.packed.wrapping_add(packed_step);
            at.g += self.units.diagonal;
            along.step(self.rows, at.row_id, self.row_offsets[v]);
            down.step(self.cols, at.col_id, self.col_offsets[h]);
            let steps = down.jump(self.cols, at.col_id);
            if steps != 0 {
                self.push_along(from, at, v, steps, vertical);
            }
            let steps = along.jump(self.rows, at.row_id);
            if steps != 0 {
                self.push_along(from, at, h, steps, horizontal);
            }
        }
    }
}

/// The way that leads towards a goal so many rows down and columns right.
#[inline]
fn toward_goal(rows: i32, cols: i32) -> u32 {
    match (rows, cols) {
        (0, _) => u32::from(if cols < 0 { W } else { E }),
        (_, 0) => u32::from(if rows < 0 { N } else { S }),
        _ => 4 + quadrant(rows > 0, cols < 0),
    }
}

/// The ways from a node by the direction it was entered in and the 3x3 square around it.
static FORCED: [[Ways; 512]; 4] = [forced(N), forced(E), forced(S), forced(W)];

const fn forced(dir: Dir) -> [Ways; 512] {
    // Bits of the square: the cells beside the node to either side, and those beside the cell before it.
    let (sides, beside, behind): ([Dir; 2], [u32; 2], [u32; 2]) = match dir {
        N => ([E, W], [5, 3], [8, 6]),
        S => ([E, W], [5, 3], [2, 0]),
        E => ([N, S], [1, 7], [0, 6]),
        _ => ([N, S], [1, 7], [2, 8]),
    };
    let mut table = [0; 512];
    let mut square = 0;
    while square < 512 {
        let mut ways = 1 << dir;
        let mut i = 0;
        while i < 2 {
            if square >> beside[i] & 1 != 0 && square >> behind[i] & 1 == 0 {
                let south = dir == S || sides[i] == S;
                let west = dir == W || sides[i] == W;
                ways |= 1 << sides[i] | 1 << (4 + quadrant(south, west));
            }
            i += 1;
        }
        table[square] = ways;
        square += 1;
    }
    table
}

/// The lines of cells ahead of a diagonal run: its own, the one it comes from and the one it enters next, so that each
/// step loads one new line of the bitmap.
struct Ahead<const UP: bool> {
    /// Where walls end in the line the run comes from.
    behind: Window<UP>,
    own: Window<UP>,
    own_opens: Window<UP>,
    next: Window<UP>,
    next_opens: Window<UP>,
}

impl<const UP: bool> Ahead<UP> {
    #[inline]
    fn new(bits: &Bits, id: u32, to_next: u32) -> Ahead<UP> {
        let (own, next) = (Window::load(bits, id), Window::load(bits, id.wrapping_add(to_next)));
        // What lies behind the first cell is never asked for.
        Ahead { behind: Window::EMPTY, own, own_opens: own.opens(), next, next_opens: next.opens() }
    }

    /// May the run go on by one diagonal step?
    #[inline]
    fn diagonal_is_open(&self) -> bool {
        self.own.and(self.next).second() && self.next.first()
    }

    #[inline]
    fn step(&mut self, bits: &Bits, id: u32, to_next: u32) {
        self.behind = self.own_opens.advance();
        (self.own, self.own_opens) = (self.next.advance(), self.next_opens.advance());
        self.next = Window::load(bits, id.wrapping_add(to_next));
        self.next_opens = self.next.opens();
    }

    /// Steps to the next jump point, 0 if there is none.
    #[inline]
    fn jump(&self, bits: &Bits, id: u32) -> u32 {
        let steps = self.own.first_stop(self.behind.or(self.next_opens));
        if steps < Window::<UP>::VALID_CELLS {
            return if self.own.has(steps) { steps } else { 0 };
        }
        // The windows end here: go on from the last cell whose sides are known.
        let sure = Window::<UP>::VALID_CELLS - 2;
        let scan = if UP { bits.scan_up(id + sure) } else { bits.scan_down(id - sure) };
        if scan.jump { sure + scan.steps } else { 0 }
    }
}
