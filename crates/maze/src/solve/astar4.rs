//! A* for four neighbours of equal weight, where every step changes `f` by 0 or by 2.
//!
//! Two stacks replace the open list: cells at the present `f`, and those at the next. A stack prefers,
//! among equals, the cell reached last, which is the farthest along. Which neighbours are free, new and
//! ahead is hard to foresee, so the loop asks without branching: every neighbour is written to both
//! stacks, and the stacks grow only where it belongs.

use super::astar::walk_back;
use super::{End, Memory, PACKED_STEPS, Run, pack, unpack};
use crate::labels::ROOT;
use crate::moves::offsets;
use crate::observe::{Event, Observer};

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let bits = context.bits;
    let offsets = offsets(bits.stride());
    let goal = context.id(context.to);
    let Memory { labels, stacks: [now, next], .. } = memory;
    labels.begin(bits.len());
    labels.open(context.id(context.from), 0, ROOT);
    let mut f = context.units.between(context.from, context.to);
    // How many entries of each stack count.
    let (mut here, mut beyond) = (0, 0);
    push(now, &mut here, pack(context.from));
    loop {
        if here == 0 {
            if beyond == 0 {
                return End::NoPath;
            }
            std::mem::swap(now, next);
            (here, beyond) = (beyond, 0);
            f += 2;
        }
        here -= 1;
        let packed = now[here];
        let cell = unpack(packed);
        let id = context.id(cell);
        let label = labels.get(id);
        if label.is_closed() {
            continue;
        }
        if id == goal {
            return End::Path(walk_back(context, labels, context.to));
        }
        if meter.spent() {
            return End::Stopped(f);
        }
        labels.close(id);
        let g = label.g();
        if O::ON {
            let (g, f) = (g as f64, f as f64);
            seen.see(Event::Close { cell, g, h: f - g, f });
        }
        make_room(now, here);
        make_room(next, beyond);
        let goal = context.to;
        let ahead = [goal.row < cell.row, goal.col > cell.col, goal.row > cell.row, goal.col < cell.col];
        for dir in 0..4 {
            let neighbour = id.wrapping_add(offsets[dir]);
            let better = labels.improve(neighbour, g + 1, dir as u8, bits.get(neighbour));
            let entry = packed.wrapping_add(PACKED_STEPS[dir]);
            now[here] = entry;
            next[beyond] = entry;
            here += usize::from(better & ahead[dir]);
            beyond += usize::from(better & !ahead[dir]);
            if O::ON && better {
                let (g, f) = ((g + 1) as f64, (if ahead[dir] { f } else { f + 2 }) as f64);
                seen.see(Event::Open { cell: unpack(entry), from: cell, g, h: f - g, f });
            }
        }
    }
}

fn push(stack: &mut Vec<u32>, used: &mut usize, item: u32) {
    make_room(stack, *used);
    stack[*used] = item;
    *used += 1;
}

/// Room for four more entries, and one that does not count.
#[inline]
fn make_room(stack: &mut Vec<u32>, used: usize) {
    if stack.len() < used + 5 {
        stack.resize(2 * used + 1024, 0);
    }
}
