//! Breadth-first search: fewest steps. O(cells) time, each cell enters the queue once.

use super::astar::walk_back;
use super::{End, PACKED_STEPS, Run, pack, unpack};
use crate::labels::ROOT;
use crate::moves::offsets;
use crate::observe::{Event, Observer};

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let bits = context.bits;
    let table = context.rule.table();
    let offsets = offsets(bits.stride());
    let goal = context.id(context.to);
    let (labels, queue) = (&mut memory.labels, &mut memory.queue);
    labels.begin(bits.len());
    labels.open(context.id(context.from), 0, ROOT);
    queue.clear();
    queue.push(pack(context.from));
    let mut head = 0;
    while let Some(&packed) = queue.get(head) {
        head += 1;
        let cell = unpack(packed);
        let id = context.id(cell);
        let g = labels.get(id).g();
        if id == goal {
            return End::Path(walk_back(context, labels, context.to));
        }
        if meter.spent() {
            return End::Stopped(g * context.units.straight);
        }
        if O::ON {
            let g = g as f64;
            seen.see(Event::Close { cell, g, h: 0.0, f: g });
        }
        let mut moves = table[bits.square(id)];
        while moves != 0 {
            let dir = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let next = id.wrapping_add(offsets[dir]);
            if labels.get(next).is_seen() {
                continue;
            }
            labels.open(next, g + 1, dir as u8);
            let next = packed.wrapping_add(PACKED_STEPS[dir]);
            queue.push(next);
            if O::ON {
                let g = (g + 1) as f64;
                seen.see(Event::Open { cell: unpack(next), from: cell, g, h: 0.0, f: g });
            }
        }
    }
    End::NoPath
}
