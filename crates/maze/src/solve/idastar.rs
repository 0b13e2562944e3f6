//! IDA*: depth-first search under a bound that grows to the smallest `f` beyond it (Korf 1985).
//!
//! Plain IDA* walks every path to a cell. Here the cheapest cost of every cell is remembered for the
//! whole query: a cell is entered again only at a lower cost, or once more under a larger bound.
//! The path is the stack, kept on the heap, so that no map can overflow it.

use super::{End, Memory, Run, unpack};
use crate::grid::Cell;
use crate::moves::{Dir, E, N, NE, NW, S, SE, SW, W, offsets};
use crate::observe::{Event, Observer};

/// A cell on the current path, with the moves not yet tried.
#[derive(Clone, Copy, Debug)]
struct Frame {
    packed: u32,
    id: u32,
    g: u64,
    moves: u8,
}

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let (bits, units) = (context.bits, context.units);
    let table = context.rule.table();
    let offsets = offsets(bits.stride());
    let goal = context.id(context.to);
    let Memory { ida, .. } = memory;
    ida.begin_query(bits.len());
    let mut path: Vec<Frame> = Vec::new();
    let mut bound = units.between(context.from, context.to);
    loop {
        if O::ON {
            seen.see(Event::Bound { bound: units.cost(bound) });
        }
        ida.begin_bound();
        let start = context.id(context.from);
        ida.enter(start, 0);
        let mut beyond = u64::MAX;
        path.clear();
        let moves = table[bits.square(start)];
        path.push(Frame { packed: super::pack(context.from), id: start, g: 0, moves });
        if meter.spent() {
            return End::Stopped(bound);
        }
        while let Some(frame) = path.last_mut() {
            let Some(dir) = take_best(&mut frame.moves, unpack(frame.packed), context.to) else {
                path.pop();
                continue;
            };
            let packed = frame.packed.wrapping_add(super::PACKED_STEPS[usize::from(dir)]);
            let cell = unpack(packed);
            let id = frame.id.wrapping_add(offsets[usize::from(dir)]);
            let mut step = units.step(dir);
            if context.weighted {
                step *= u64::from(context.grid.weight(cell));
            }
            let g = frame.g + step;
            let h = units.between(cell, context.to);
            if g + h > bound {
                beyond = beyond.min(g + h);
                continue;
            }
            let from = unpack(frame.packed);
            if !ida.enter(id, g) {
                continue;
            }
            if O::ON {
                let (g, h) = (units.cost(g), units.cost(h));
                seen.see(Event::Open { cell, from, g, h, f: g + h });
            }
            path.push(Frame { packed, id, g, moves: table[bits.square(id)] });
            if id == goal {
                return End::Path(path.iter().map(|frame| unpack(frame.packed)).collect());
            }
            if meter.spent() {
                return End::Stopped(bound);
            }
            if O::ON {
                let (g, h) = (units.cost(g), units.cost(h));
                seen.see(Event::Close { cell, g, h, f: g + h });
            }
        }
        if beyond == u64::MAX {
            return End::NoPath;
        }
        bound = beyond;
    }
}

/// Takes a move out of the set, those towards the goal first.
#[inline]
fn take_best(moves: &mut u8, cell: Cell, goal: Cell) -> Option<Dir> {
    if *moves == 0 {
        return None;
    }
    let (north, south) = (u8::from(goal.row < cell.row), u8::from(goal.row > cell.row));
    let (west, east) = (u8::from(goal.col < cell.col), u8::from(goal.col > cell.col));
    let diagonal = (north & east) << NE | (south & east) << SE | (south & west) << SW | (north & west) << NW;
    let straight = north << N | east << E | south << S | west << W;
    let set = [*moves & diagonal, *moves & straight, *moves].into_iter().find(|&set| set != 0)?;
    let dir = set.trailing_zeros() as Dir;
    *moves &= !(1 << dir);
    Some(dir)
}

const STAMP_BITS: u32 = 24;
const STAMP_MASK: u64 = (1 << STAMP_BITS) - 1;

/// The cheapest known cost of every cell (40 bits) and the bound under which it was last entered
/// (24 bits, never reused within a query; stamps before the query's first are from earlier queries).
#[derive(Clone, Debug, Default)]
pub(super) struct Remembered {
    cells: Vec<u64>,
    first: u64,
    now: u64,
}

impl Remembered {
    fn begin_query(&mut self, len: usize) {
        if self.cells.len() != len {
            *self = Remembered { cells: vec![0; len], first: 0, now: 0 };
        }
        self.first = self.now + 1;
    }

    fn begin_bound(&mut self) {
        self.now += 1;
        if self.now > STAMP_MASK {
            // Forgetting only costs time.
            self.cells.fill(0);
            self.first = 1;
            self.now = 1;
        }
    }

    /// Is it worth entering the cell at this cost? Then it is remembered.
    #[inline]
    fn enter(&mut self, id: u32, g: u64) -> bool {
        let known = self.cells[id as usize];
        let (best, stamp) = (known >> STAMP_BITS, known & STAMP_MASK);
        if stamp >= self.first && (best < g || best == g && stamp == self.now) {
            return false;
        }
        self.cells[id as usize] = g << STAMP_BITS | self.now;
        true
    }

    pub(super) fn bytes(&self) -> usize {
        self.cells.len() * 8
    }
}
