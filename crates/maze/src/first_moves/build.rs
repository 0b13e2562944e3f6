//! Making a table: Dijkstra's algorithm from every cell, on as many threads as are given.
//!
//! A step is at least as long as a bucket of the open list is wide, so no cell of the lowest bucket can be improved any
//! more, and the order within a bucket does not matter. From a cell, only moves are tried that no other path from the cell
//! before makes shorter, as in jump point search, but moves that are equally good stay: they make runs longer.

use super::{BLOCKED, FirstMoves, MAX_FIRST_MOVE_BYTES, MAX_FIRST_MOVE_CELLS, MOVE_BITS, Numbering};
use crate::grid::{Cell, Grid};
use crate::moves::{Dir, Neighbours, STEPS, Units, offsets};
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
    /// Ids of the numbers.
    order: &'a [u32],
    /// The 3x3 square around each cell, by id.
    squares: Vec<u16>,
    /// For each square and each way into its middle, the moves worth trying, as a set; last, those of a start.
    onward: Vec<[u8; 9]>,
    offsets: [u32; 8],
    units: Units,
}

impl Graph<'_> {
    fn new<'a>(grid: &Grid, order: &'a [u32]) -> Graph<'a> {
        let bits = grid.bits();
        let mut squares = vec![0; bits.len()];
        for id in order {
            squares[*id as usize] = bits.square(*id) as u16;
        }
        let allowed = Neighbours::Eight.table();
        let onward = (0..allowed.len()).map(|square| {
            let mut of = [allowed[square]; 9];
            (0..8).for_each(|dir| of[dir] &= undominated(square, dir as Dir));
            of
        });
        let (offsets, units) = (offsets(bits.stride()), Neighbours::Eight.units());
        Graph { order, squares, onward: onward.collect(), offsets, units }
    }
}

/// The moves from the middle of a square that no path from the cell before makes shorter.
fn undominated(square: usize, came: Dir) -> u8 {
    let (rows, cols) = STEPS[usize::from(came)];
    let is_free = |row: i32, col: i32| square >> (3 * row + col + 4) & 1 != 0;
    let worth = |(to_rows, to_cols): (i32, i32)| {
        let ahead = rows * to_rows + cols * to_cols;
        if rows != 0 && cols != 0 {
            // Ahead, or along one of the two sides ahead.
            return ahead > 0 && to_rows * rows >= 0 && to_cols * cols >= 0;
        }
        // Sideways only past a wall: else one goes diagonally from the cell before.
        ahead > 0 || (ahead == 0 && !is_free(to_rows - rows, to_cols - cols))
    };
    (0..8).filter(|dir| worth(STEPS[*dir])).fold(0, |set, dir| set | 1 << dir)
}

/// Reusable memory of one thread, by id.
struct Search<'a> {
    graph: &'a Graph<'a>,
    /// In units.
    distances: Vec<u32>,
    /// Every move that begins a shortest path, as a set; every move worth trying from here.
    moves: Vec<(u8, u8)>,
    /// The lowest bucket and the two after it: no step goes further.
    open: [Vec<u32>; 3],
}

const UNREACHED: u32 = u32::MAX;

impl<'a> Search<'a> {
    fn new(graph: &'a Graph<'a>) -> Search<'a> {
        let len = graph.squares.len();
        Search { graph, distances: vec![UNREACHED; len], moves: vec![(0, 0); len], open: Default::default() }
    }

    /// The runs of one number.
    fn runs_of(&mut self, from: usize) -> Vec<u32> {
        let from = self.graph.order[from];
        self.find_moves(from);
        let mut runs = Vec::new();
        // A cell that is not reached, and the start itself, may have any move.
        let (mut first, mut common) = (0, u8::MAX);
        for (number, id) in (0u32..).zip(self.graph.order) {
            if *id == from || self.distances[*id as usize] == UNREACHED {
                continue;
            }
            let moves = self.moves[*id as usize].0;
            if common & moves == 0 {
                runs.push(first << MOVE_BITS | common.trailing_zeros());
                (first, common) = (number, u8::MAX);
            }
            common &= moves;
        }
        runs.push(first << MOVE_BITS | common.trailing_zeros());
        runs
    }

    /// Fills `distances` and `moves`.
    fn find_moves(&mut self, from: u32) {
        let Search { graph, distances, moves, open: [now, soon, later] } = self;
        let steps = [graph.units.straight as u32, graph.units.diagonal as u32];
        distances.fill(UNREACHED);
        distances[from as usize] = 0;
        moves[from as usize] = (0, graph.onward[usize::from(graph.squares[from as usize])][8]);
        now.push(from);
        let mut floor = 0;
        while !now.is_empty() || !soon.is_empty() || !later.is_empty() {
            for at in now.drain(..) {
                let distance = distances[at as usize];
                // Reached more cheaply since, and done in an earlier bucket.
                if distance < floor {
                    continue;
                }
                let (begins, mut onward) = moves[at as usize];
                while onward != 0 {
                    let dir = onward.trailing_zeros() as usize;
                    onward &= onward - 1;
                    let next = at.wrapping_add(graph.offsets[dir]);
                    let longer = distance + steps[dir / 4];
                    let known = &mut distances[next as usize];
                    if longer > *known {
                        continue;
                    }
                    let first = if at == from { 1 << dir } else { begins };
                    let worth = graph.onward[usize::from(graph.squares[next as usize])][dir];
                    let of = &mut moves[next as usize];
                    if longer == *known {
                        *of = (of.0 | first, of.1 & worth);
                        continue;
                    }
                    (*known, *of) = (longer, (first, worth));
                    if longer - floor < 2 * steps[0] { soon.push(next) } else { later.push(next) }
                }
            }
            std::mem::swap(now, soon);
            std::mem::swap(soon, later);
            floor += steps[0];
        }
    }
}
