//! A* and what it contains: Dijkstra's algorithm (no estimate) and weighted A* (an inflated one).
//!
//! The open list is only nearly in order (see `buckets`), so the search goes on until no open cell can
//! lead to a cheaper path than the best one found. In a corridor, where a cell has one way in and one way
//! out, it walks on to the next junction without using the open list at all.

use super::{Context, End, Memory, PACKED_STEPS, Run, pack, unpack};
use crate::grid::Cell;
use crate::labels::{Labels, ROOT};
use crate::moves::{OPPOSITE, STEPS, offsets};
use crate::observe::{Event, Observer};

/// `inflate` turns the estimate into what is added to the cost so far. When stopped, it gives a priority
/// that no open cell is below.
pub(super) fn search<O: Observer>(run: Run<'_, '_, O>, inflate: impl Fn(u64) -> u64) -> End {
    let Run { context, memory, meter, seen } = run;
    let (bits, units) = (context.bits, context.units);
    let table = context.rule.table();
    let offsets = offsets(bits.stride());
    let goal = context.id(context.to);
    let estimate = |cell: Cell| inflate(units.between(cell, context.to));
    let Memory { labels, buckets, .. } = memory;
    labels.begin(bits.len());
    labels.open(context.id(context.from), 0, ROOT);
    buckets.begin(estimate(context.from), units.bucket_shift(), context.span());
    buckets.push(estimate(context.from), pack(context.from));
    let mut best = u64::MAX;
    while let Some(popped) = buckets.pop(best) {
        let mut packed = popped;
        let mut id = context.id(unpack(packed));
        let label = labels.get(id);
        let (mut g, mut dir) = (label.g(), label.dir());
        if label.is_closed() || (best != u64::MAX && g + estimate(unpack(packed)) >= best) {
            continue;
        }
        loop {
            if meter.spent() {
                return End::Stopped(buckets.floor());
            }
            labels.close(id);
            let cell = unpack(packed);
            if O::ON {
                let (g, f) = (units.cost(g), units.cost(g + estimate(cell)));
                seen.see(Event::Close { cell, g, h: f - g, f });
            }
            let mut moves = table[bits.square(id)];
            let corridor = moves.count_ones() <= 2;
            if corridor && dir != ROOT {
                // Not back: the loop below then runs once, as a processor will learn.
                moves &= !(1 << OPPOSITE[usize::from(dir & 7)]);
            }
            let mut onward = None;
            while moves != 0 {
                let way = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let next = id.wrapping_add(offsets[way]);
                let next_packed = packed.wrapping_add(PACKED_STEPS[way]);
                let mut step = units.step(way as u8);
                if context.weighted {
                    step *= u64::from(context.grid.weight(unpack(next_packed)));
                }
                let next_g = g + step;
                if !labels.improves(next, next_g) {
                    continue;
                }
                let h = estimate(unpack(next_packed));
                if next_g + h >= best {
                    continue;
                }
                labels.open(next, next_g, way as u8);
                if O::ON {
                    let (g, h) = (units.cost(next_g), units.cost(h));
                    seen.see(Event::Open { cell: unpack(next_packed), from: cell, g, h, f: g + h });
                }
                if next == goal {
                    best = next_g;
                } else if corridor && onward.is_none() {
                    onward = Some((next, next_packed, next_g, way as u8));
                } else {
                    buckets.push(next_g + h, next_packed);
                }
            }
            let Some(next) = onward else { break };
            (id, packed, g, dir) = next;
        }
    }
    if best == u64::MAX { End::NoPath } else { End::Path(walk_back(context, labels, context.to)) }
}

/// The path that the labels remember, from the start to `end`.
pub(super) fn walk_back(context: &Context<'_>, labels: &Labels, end: Cell) -> Vec<Cell> {
    let mut cells = vec![end];
    let mut cell = end;
    loop {
        let dir = labels.get(context.id(cell)).dir();
        if dir == ROOT {
            break;
        }
        let (rows, cols) = STEPS[usize::from(dir & 7)];
        cell = Cell { row: cell.row.wrapping_add_signed(-rows), col: cell.col.wrapping_add_signed(-cols) };
        cells.push(cell);
    }
    cells.reverse();
    cells
}
