//! Dead-end filling: fills dead ends, then searches the rest.
//!
//! A cell with a single way out lies on no path but its own, so it can be filled in, and then perhaps its
//! neighbour, until only the core remains: cells on cycles and between them. For each filled cell one
//! byte remembers the way towards the core. A query climbs from both ends to the core and searches only
//! there; in a maze without cycles it never searches at all.
//!
//! Filling changes no diagonal: the cells beside a legal diagonal step form a cycle with it.

use super::{Context, End, Run, algorithm};
use crate::bits::Bits;
use crate::grid::{Cell, Grid};
use crate::moves::{Dir, Neighbours, STEPS, offsets};
use crate::observe::{Event, Observer};

const CORE: Dir = 8;

/// The map without its dead ends.
#[derive(Debug)]
pub(super) struct Core {
    rule: Neighbours,
    bits: Bits,
    /// For every filled cell the first step towards the core.
    toward: Vec<Dir>,
}

impl Core {
    pub(super) fn new(grid: &Grid, rule: Neighbours) -> Core {
        let mut bits = grid.bits().clone();
        let mut toward = vec![CORE; bits.len()];
        let offsets = offsets(bits.stride());
        let table = rule.table();
        for cell in grid.cells() {
            let mut id = bits.id(cell.row, cell.col);
            // Filling one cell may make a dead end of the next: follow it as far as it goes.
            while bits.get(id) {
                let moves = table[bits.square(id)];
                if moves.count_ones() != 1 {
                    break;
                }
                let dir = moves.trailing_zeros() as Dir;
                bits.set(id, false);
                toward[id as usize] = dir;
                id = id.wrapping_add(offsets[usize::from(dir)]);
            }
        }
        Core { rule, bits, toward }
    }

    pub(super) fn is_for(&self, rule: Neighbours) -> bool {
        self.rule == rule
    }

    pub(super) fn bytes(&self) -> usize {
        self.bits.bytes() + self.toward.len()
    }

    /// The cells from `cell` to the core, both included.
    fn climb(&self, mut cell: Cell) -> Vec<Cell> {
        let mut cells = vec![cell];
        loop {
            let dir = self.toward[self.bits.id(cell.row, cell.col) as usize];
            let Some(&(rows, cols)) = STEPS.get(usize::from(dir)) else { return cells };
            cell = Cell { row: cell.row.wrapping_add_signed(rows), col: cell.col.wrapping_add_signed(cols) };
            cells.push(cell);
        }
    }
}

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let core = match memory.core.take() {
        Some(core) if core.is_for(context.rule) => core,
        _ => Core::new(context.grid, context.rule),
    };
    let (mut first, mut last) = (core.climb(context.from), core.climb(context.to));
    let mut stopped = false;
    for &cell in first.iter().chain(&last) {
        stopped |= meter.spent();
        if O::ON {
            seen.see(Event::Close { cell, g: 0.0, h: 0.0, f: 0.0 });
        }
    }
    let end = if stopped {
        End::Stopped(context.units.between(context.from, context.to))
    } else if first.last() == last.last() {
        // Both paths reach the same core cell: the solution turns where they part.
        let mut turn = None;
        while first.last() == last.last() && !first.is_empty() {
            turn = first.pop();
            last.pop();
        }
        End::Path(first.into_iter().chain(turn).chain(last.into_iter().rev()).collect())
    } else {
        let from = first.last().copied().unwrap_or(context.from);
        let to = last.last().copied().unwrap_or(context.to);
        let inner = Context { bits: &core.bits, from, to, ..*context };
        match algorithm::astar(Run { context: &inner, memory, meter, seen }) {
            End::Path(cells) => {
                first.pop();
                last.pop();
                End::Path(first.into_iter().chain(cells).chain(last.into_iter().rev()).collect())
            }
            // What the core search proved holds for the whole, which is longer.
            end => end,
        }
    };
    memory.core = Some(core);
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maze_without_cycles_fills_up_to_one_cell() {
        let text = b"1 1 1 1 1\n0 0 0 0 1\n1 0 1 0 1\n1 0 1 0 0\n1 1 1 1 1\n";
        let grid = crate::format::read("t", text).unwrap().grid;
        let core = Core::new(&grid, Neighbours::Four);
        let left = grid.cells().filter(|cell| core.bits.get(core.bits.id(cell.row, cell.col))).count();
        assert_eq!(left, 1);
        let root = core.climb(Cell::new(1, 0)).pop();
        assert!(grid.cells().filter(|&cell| grid.is_free(cell)).all(|cell| core.climb(cell).pop() == root));
    }

    #[test]
    fn cycles_stay() {
        let grid = crate::format::read("t", b"#####\n#...#\n#.#.#\n#....\n#####\n").unwrap().grid;
        let core = Core::new(&grid, Neighbours::Four);
        assert_eq!(core.climb(Cell::new(3, 4)), [Cell::new(3, 4), Cell::new(3, 3)]);
    }
}
