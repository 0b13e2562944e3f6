//! A* from both ends with balanced estimates.
//!
//! Both sides share the potential p(v) = (h(v, goal) - h(start, v)) / 2, one with its sign turned, so that
//! each is Dijkstra's algorithm on the same reduced costs (Ikeda et al. 1994) and the usual rule applies:
//! stop when the two smallest keys together reach the best meeting. All keys are doubled to stay whole.

use super::astar::walk_back;
use super::{End, Memory, PACKED_STEPS, Run, pack, unpack};
use crate::grid::Cell;
use crate::heap::Heap;
use crate::labels::{Labels, ROOT};
use crate::moves::offsets;
use crate::observe::{Event, Observer};

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let Memory { labels, back, heap, back_heap, .. } = memory;
    let (bits, units) = (context.bits, context.units);
    let table = context.rule.table();
    let offsets = offsets(bits.stride());
    let whole = units.between(context.from, context.to);
    let mut ahead = Direction { labels, heap };
    let mut behind = Direction { labels: back, heap: back_heap };
    // |h(v, goal) - h(start, v)| never exceeds h(start, goal), so adding it keeps keys positive.
    let estimate = |cell: Cell, backward: bool| {
        let (to, from) = (units.between(cell, context.to), units.between(context.from, cell));
        if backward { whole + from - to } else { whole + to - from }
    };
    ahead.begin(bits.len(), context.from, context.id(context.from), estimate(context.from, false));
    behind.begin(bits.len(), context.to, context.id(context.to), estimate(context.to, true));
    let mut best = u64::MAX >> 2;
    let mut meeting = None;
    while let (Some(first), Some(second)) = (ahead.heap.peek(), behind.heap.peek()) {
        let proved = first + second;
        if proved >= 2 * (best + whole) {
            break;
        }
        let backward = second < first;
        let (mine, other) = if backward { (&mut behind, &ahead) } else { (&mut ahead, &behind) };
        let Some((top, packed)) = mine.heap.pop() else { break };
        let cell = unpack(packed);
        let id = context.id(cell);
        let label = mine.labels.get(id);
        if label.is_closed() {
            continue;
        }
        if meter.spent() {
            return End::Stopped(whole.max((proved / 2).saturating_sub(whole)));
        }
        mine.labels.close(id);
        let g = label.g();
        if O::ON {
            let (g, f) = (units.cost(g), units.cost(top) / 2.0);
            seen.see(Event::Close { cell, g, h: f - g, f });
        }
        let mut moves = table[bits.square(id)];
        while moves != 0 {
            let dir = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let next = id.wrapping_add(offsets[dir]);
            let next_packed = packed.wrapping_add(PACKED_STEPS[dir]);
            let next_cell = unpack(next_packed);
            let mut step = units.step(dir as u8);
            if context.weighted {
                // A step is paid in the cell it enters: going backward, the one we stand on.
                step *= u64::from(context.grid.weight(if backward { cell } else { next_cell }));
            }
            let next_g = g + step;
            if !mine.labels.improves(next, next_g) {
                continue;
            }
            mine.labels.open(next, next_g, dir as u8);
            let h = estimate(next_cell, backward);
            mine.heap.push(2 * next_g + h, next_packed);
            let met = other.labels.get(next);
            if met.is_seen() && next_g + met.g() < best {
                best = next_g + met.g();
                meeting = Some(next_cell);
                if O::ON {
                    seen.see(Event::Meet { cell: next_cell, cost: units.cost(best) });
                }
            }
            if O::ON {
                let (g, f) = (units.cost(next_g), units.cost(2 * next_g + h) / 2.0);
                seen.see(Event::Open { cell: next_cell, from: cell, g, h: f - g, f });
            }
        }
    }
    let Some(meeting) = meeting else { return End::NoPath };
    let mut cells = walk_back(context, ahead.labels, meeting);
    cells.extend(walk_back(context, behind.labels, meeting).into_iter().rev().skip(1));
    End::Path(cells)
}

/// One of the two searches.
struct Direction<'m> {
    labels: &'m mut Labels,
    heap: &'m mut Heap,
}

impl Direction<'_> {
    fn begin(&mut self, len: usize, cell: Cell, id: u32, estimate: u64) {
        self.labels.begin(len);
        self.heap.clear();
        self.labels.open(id, 0, ROOT);
        self.heap.push(estimate, pack(cell));
    }
}
