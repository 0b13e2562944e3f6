//! Making a table: a canonical Dijkstra search from every cell (Sturtevant, Rabin 2016), on as many threads as are given.
//!
//! Of equally long paths the one that goes diagonally first is followed, as in jump point search, so that in open space
//! each cell is written about once, along straight lines; only cells at which a straight line has to turn round a wall go
//! to the open list.

use super::{BLOCKED, DIRECT, FirstMoves, MAX_FIRST_MOVE_BYTES, MAX_FIRST_MOVE_CELLS, MOVE_BITS, Numbering};
use crate::buckets::{self, Buckets};
use crate::grid::{Cell, Grid};
use crate::moves::{Dir, E, N, NE, NW, Neighbours, S, SE, STEPS, SW, Units, W, offsets};
use crate::prepared::{BuildError, build_rows};
use game::StopFlag;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

impl FirstMoves {
    /// Makes the table of a map. `progress` is told from time to time how many cells are done.
    pub fn build(
        grid: &Grid,
        threads: NonZero<usize>,
        stop: &StopFlag,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<FirstMoves, BuildError> {
        check(grid)?;
        let (numbering, order) = number(grid);
        let count = order.len();
        let written = AtomicUsize::new(0);
        let fixed = (count + 1) * 4 + numbering.bytes();
        let graph = Graph::new(grid, &order);
        let worker = || {
            let (mut search, written) = (Search::new(&graph), &written);
            move |from| {
                let row = search.runs_of(from);
                let runs = written.fetch_add(row.len(), Ordering::Relaxed) + row.len();
                if fixed + runs * 4 > MAX_FIRST_MOVE_BYTES { Err(BuildError::TooLarge) } else { Ok(row) }
            }
        };
        let rows = build_rows(count, threads, stop, progress, worker)?;
        let mut starts = vec![0];
        let mut runs = Vec::with_capacity(written.into_inner());
        for row in rows {
            runs.extend(row);
            starts.push(runs.len() as u32);
        }
        Ok(FirstMoves { numbering, starts, runs })
    }
}

/// Can a table of this map be made at all?
pub(super) fn check(grid: &Grid) -> Result<(), BuildError> {
    if grid.is_weighted() {
        return Err(BuildError::Weighted);
    }
    let cells = FirstMoves::count(grid);
    if cells > MAX_FIRST_MOVE_CELLS {
        return Err(BuildError::TooManyCells { what: "free cells", cells, most: MAX_FIRST_MOVE_CELLS });
    }
    Ok(())
}

/// Numbers the free cells in the order of a depth-first walk of each component; also the ids of the numbers.
pub(super) fn number(grid: &Grid) -> (Numbering, Vec<u32>) {
    let (width, height) = (grid.width(), grid.height());
    let (bits, moves) = (grid.bits(), Neighbours::Eight.table());
    let mut numbers = vec![BLOCKED; width as usize * height as usize];
    let (mut components, mut order, mut stack) = (Vec::new(), Vec::new(), Vec::new());
    for first in grid.cells().filter(|cell| grid.is_free(*cell)) {
        stack.push(first);
        let before = order.len();
        while let Some(cell) = stack.pop() {
            let number = &mut numbers[(cell.row * width + cell.col) as usize];
            if *number != BLOCKED {
                continue;
            }
            *number = order.len() as u32;
            let id = bits.id(cell.row, cell.col);
            order.push(id);
            let allowed = moves[bits.square(id)];
            let next = |(rows, cols): (i32, i32)| Cell {
                row: cell.row.wrapping_add_signed(rows),
                col: cell.col.wrapping_add_signed(cols),
            };
            let ways = STEPS.into_iter().enumerate().rev().filter(|(dir, _)| allowed >> dir & 1 != 0);
            stack.extend(ways.map(|(_, step)| next(step)));
        }
        if order.len() > before {
            components.push(before as u32);
        }
    }
    (Numbering { width, height, numbers, components }, order)
}

/// What all threads read.
struct Graph<'a> {
    /// Ids of the numbers, and their cells.
    order: &'a [u32],
    cells: Vec<Cell>,
    /// The 3x3 square around each cell, by id.
    squares: Vec<u16>,
    /// For each square, the moves to go on with from its middle by the straight move that entered it.
    onward: Vec<[u8; 4]>,
    /// The labels before a search.
    labels: Vec<Label>,
    offsets: [u32; 8],
    units: Units,
    /// Buckets of the open list.
    span: usize,
}

impl Graph<'_> {
    fn new<'a>(grid: &Grid, order: &'a [u32]) -> Graph<'a> {
        let (bits, allowed) = (grid.bits(), Neighbours::Eight.table());
        let onward: Vec<[u8; 4]> = (0..allowed.len())
            .map(|square| [N, E, S, W].map(|came| allowed[square] & onward(square, came)))
            .collect();
        let (mut squares, mut labels) = (vec![0; bits.len()], vec![Label(0); bits.len()]);
        let mut cells = Vec::with_capacity(order.len());
        for id in order {
            let square = bits.square(*id);
            squares[*id as usize] = square as u16;
            let turns =
                [N, E, S, W].into_iter().filter(|dir| onward[square][usize::from(*dir)] & !(1 << dir) != 0);
            labels[*id as usize] =
                Label::unreached(turns.fold(0, |set, dir| set | 1 << dir), allowed[square]);
            let place = id - bits.id(0, 0);
            cells.push(Cell::new(place / bits.stride(), place % bits.stride()));
        }
        let span = buckets::span(grid.width(), grid.height());
        let (offsets, units) = (offsets(bits.stride()), Neighbours::Eight.units());
        Graph { order, cells, squares, onward, labels, offsets, units, span }
    }
}

/// The moves from the middle of a square, entered straight, that lead anywhere best: on, and where a wall beside the way
/// ends also round it. All else is reached as quickly from the cell before, diagonally first.
fn onward(square: usize, came: Dir) -> u8 {
    let (rows, cols) = STEPS[usize::from(came)];
    let is_free = |row: i32, col: i32| square >> (3 * row + col + 4) & 1 != 0;
    let leads = |(to_rows, to_cols): (i32, i32)| {
        let ahead = rows * to_rows + cols * to_cols;
        // To the side alone.
        let (side_rows, side_cols) = (to_rows - ahead * rows, to_cols - ahead * cols);
        ahead >= 0 && ((side_rows, side_cols) == (0, 0) || !is_free(side_rows - rows, side_cols - cols))
    };
    (0..8).filter(|dir| leads(STEPS[*dir])).fold(0, |set, dir| set | 1 << dir)
}

/// What is known of a cell, in a word: from the top its distance from the start, the allowed diagonal moves and the
/// straight ones that have to turn here (neither ever changes), the moves that begin a shortest path to it, and the moves to
/// go on with. Blocked cells have distance 0: nothing enters them.
#[derive(Clone, Copy)]
struct Label(u64);

const DISTANCE: u32 = 24;
const MAP: u64 = 0xff << 16;
const BEGINS: u32 = 8;

impl Label {
    /// Any move leads to where no move leads.
    fn unreached(turns: u8, allowed: u8) -> Label {
        Label(u64::MAX << DISTANCE | u64::from(allowed & 0xf0 | turns) << 16 | 0xff << BEGINS)
    }

    #[inline]
    fn distance(self) -> u64 {
        self.0 >> DISTANCE
    }

    #[inline]
    fn begins(self) -> u8 {
        (self.0 >> BEGINS) as u8
    }

    #[inline]
    fn onward(self) -> u8 {
        self.0 as u8
    }

    /// Does a straight move have to turn here, or may a diagonal one be made from here?
    #[inline]
    fn has(self, dir: usize) -> bool {
        self.0 >> (16 + dir) & 1 != 0
    }

    /// Reached by a move, on paths with these first moves; goes on with these.
    #[inline]
    fn reach(&mut self, distance: u64, begins: u8, onward: u8) -> Reached {
        let moves = u64::from(begins) << BEGINS | u64::from(onward);
        match distance.cmp(&self.distance()) {
            std::cmp::Ordering::Less => {
                self.0 = distance << DISTANCE | self.0 & MAP | moves;
                Reached::Nearer
            }
            std::cmp::Ordering::Equal => {
                self.0 |= moves;
                Reached::Equal
            }
            std::cmp::Ordering::Greater => Reached::Farther,
        }
    }
}

/// A way to a cell compared with those known.
#[derive(PartialEq)]
enum Reached {
    Nearer,
    Equal,
    Farther,
}

/// Reusable memory of one thread.
struct Search<'a> {
    graph: &'a Graph<'a>,
    /// By id; between searches those of the graph.
    labels: Vec<Label>,
    /// Cells at which straight moves turn.
    open: Buckets,
    /// The moves that begin a shortest path, by number.
    begins: Vec<u8>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph<'a>) -> Search<'a> {
        let begins = vec![0; graph.order.len()];
        Search { graph, labels: graph.labels.clone(), open: Buckets::default(), begins }
    }

    /// The runs of one number.
    fn runs_of(&mut self, from: usize) -> Vec<u32> {
        self.find_moves(self.graph.order[from]);
        for (begins, id) in self.begins.iter_mut().zip(self.graph.order) {
            let label = &mut self.labels[*id as usize];
            *begins = label.begins();
            label.0 |= !MAP;
            label.0 &= !0xff;
        }
        let (cells, start) = (&self.graph.cells, self.graph.cells[from]);
        let (mut runs, mut first) = (Vec::new(), 0);
        while first < self.begins.len() {
            let rest = &self.begins[first..];
            let (common, len) = longest(rest);
            let is_direct = |(begins, cell): &(&u8, &Cell)| *begins & toward(start, **cell) != 0;
            let direct = rest.iter().zip(&cells[first..]).take_while(is_direct).count();
            let (value, len) = if direct > len { (DIRECT, direct) } else { (common.trailing_zeros(), len) };
            runs.push((first as u32) << MOVE_BITS | value);
            first += len;
        }
        runs
    }

    /// Fills the labels.
    fn find_moves(&mut self, from: u32) {
        self.open.begin(0, BUCKET_SHIFT, self.graph.span);
        let start = &mut self.labels[from as usize];
        // A path to the start may begin with any move.
        start.0 = start.0 & MAP | 0xff << BEGINS;
        let allowed = Neighbours::Eight.table()[usize::from(self.graph.squares[from as usize])];
        for dir in set(allowed) {
            self.follow(from, 0, dir, 1 << dir);
        }
        while let Some(at) = self.open.pop(u64::MAX) {
            let label = self.labels[at as usize];
            // None where the cell was reached on a shorter way since, or is open twice.
            self.labels[at as usize].0 &= !0xff;
            for dir in set(label.onward()) {
                self.follow(at, label.distance(), dir, label.begins());
            }
        }
    }

    /// Goes on from a cell in one direction, straight after the last diagonal step.
    fn follow(&mut self, mut at: u32, mut distance: u64, dir: usize, begins: u8) {
        if dir < 4 {
            return self.straight(at, distance, dir, begins);
        }
        let (offset, sides) = (self.graph.offsets[dir], SIDES[dir - 4]);
        while self.labels[at as usize].has(dir) {
            at = at.wrapping_add(offset);
            distance += self.graph.units.diagonal;
            if self.labels[at as usize].reach(distance, begins, 0) != Reached::Nearer {
                return;
            }
            for side in sides {
                self.straight(at, distance, side, begins);
            }
        }
    }

    /// Goes on straight, up to where the way has to turn or another one is not longer.
    #[inline]
    fn straight(&mut self, mut at: u32, mut distance: u64, dir: usize, begins: u8) {
        loop {
            at = at.wrapping_add(self.graph.offsets[dir]);
            distance += self.graph.units.straight;
            let label = &mut self.labels[at as usize];
            let turns = label.has(dir);
            let onward =
                if turns { self.graph.onward[usize::from(self.graph.squares[at as usize])][dir] } else { 0 };
            let reached = label.reach(distance, begins, onward);
            if turns && reached != Reached::Farther {
                self.open.push(distance, at);
                return;
            }
            if reached != Reached::Nearer {
                return;
            }
        }
    }
}

/// The straight parts of each diagonal direction.
const SIDES: [[usize; 2]; 4] =
    [[N as usize, E as usize], [S as usize, E as usize], [S as usize, W as usize], [N as usize, W as usize]];
/// A bucket of the open list is narrower than a step, so no cell of the lowest one can be reached more cheaply any more.
const BUCKET_SHIFT: u32 = 13;

/// The directions in a set.
fn set(mut moves: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let dir = moves.trailing_zeros() as usize;
        moves &= moves.wrapping_sub(1);
        (dir < 8).then_some(dir)
    })
}

/// How many of these sets have moves in common from the first on, and which.
fn longest(sets: &[u8]) -> (u8, usize) {
    let (mut common, mut len) = (u8::MAX, 0);
    for eight in sets.chunks(8) {
        if let Ok(bytes) = <[u8; 8]>::try_from(eight) {
            let mut all = u64::from_le_bytes(bytes);
            all &= all >> 32;
            all &= all >> 16;
            all &= all >> 8;
            if common & all as u8 != 0 {
                common &= all as u8;
                len += 8;
                continue;
            }
        }
        for moves in eight {
            if common & moves == 0 {
                return (common, len);
            }
            common &= moves;
            len += 1;
        }
    }
    (common, len)
}

/// The move straight towards a cell, as a set; any move for the cell itself.
fn toward(from: Cell, to: Cell) -> u8 {
    static SETS: [u8; 9] = [1 << NW, 1 << N, 1 << NE, 1 << W, u8::MAX, 1 << E, 1 << SW, 1 << S, 1 << SE];
    let sign = |from: u32, to: u32| usize::from(to > from) + 1 - usize::from(to < from);
    SETS[3 * sign(from.row, to.row) + sign(from.col, to.col)]
}
