//! Theta* (Nash, Daniel, Koenig, Felner 2007): A* with eight neighbours in which a cell's parent is any cell in sight.
//!
//! A neighbour takes over its predecessor's parent if that sees it. Paths are short but not always shortest, because only
//! the parents of neighbours are tried.

use super::cone::distance;
use super::{End, Memory, Run, pack, unpack};
use crate::grid::Cell;
use crate::moves::STEPS;
use crate::observe::{Event, Observer};

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let Memory { sight: Some(sight), turns, heap, .. } = memory else {
        return End::NoPath;
    };
    let (bits, moves) = (context.bits, context.rule.table());
    let to_goal = |cell: Cell| distance(cell, context.to);
    turns.begin(context);
    heap.clear();
    heap.push(0, pack(context.from));
    while let Some((_, packed)) = heap.pop() {
        let at = unpack(packed);
        let id = context.id(at);
        if !turns.close(id) {
            continue;
        }
        if at == context.to {
            return End::Turns(turns.trace(context));
        }
        if meter.spent() {
            return End::Stopped(context.units.floor(to_goal(context.from)));
        }
        let (g, h) = (turns.g(id), to_goal(at));
        if O::ON {
            seen.see(Event::Close { cell: at, g, h, f: g + h });
        }
        let parent = turns.parent(id);
        let parent_g = turns.g(context.id(parent));
        let allowed = moves[bits.square(id)];
        for (dir, (rows, cols)) in STEPS.into_iter().enumerate() {
            if allowed >> dir & 1 == 0 {
                continue;
            }
            let next = Cell { row: at.row.wrapping_add_signed(rows), col: at.col.wrapping_add_signed(cols) };
            let next_id = context.id(next);
            if turns.is_closed(next_id) {
                continue;
            }
            let (from, g) = if sight.sees(bits, parent, next) {
                (parent, parent_g + distance(parent, next))
            } else {
                (at, g + distance(at, next))
            };
            if !turns.improves(next_id, g) {
                continue;
            }
            turns.reach(next_id, from, g);
            let h = to_goal(next);
            if O::ON {
                seen.see(Event::Open { cell: next, from, g, h, f: g + h });
            }
            // Bits of numbers from zero up are in the order of the numbers.
            heap.push((g + h).to_bits(), pack(next));
        }
    }
    End::NoPath
}
