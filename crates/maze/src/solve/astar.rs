//! A* and what it contains: Dijkstra's algorithm (no estimate) and weighted A* (an inflated one).
//!
//! [`search`] is the general loop. [`search_four`] is for four neighbours of equal weight, where every
//! step changes `f` by 0 or by 2: two stacks then replace the heap, and a stack prefers, among equals,
//! the cell reached last, which is the one farthest along.

use super::{Context, End, Memory, Meter, PACKED_STEPS, pack, unpack};
use crate::grid::Cell;
use crate::heap::key;
use crate::labels::{Labels, ROOT};
use crate::moves::{E, N, S, STEPS, W, offsets};
use crate::observe::{Event, Observer};

/// `inflate` turns the estimate into what is added to the cost so far. When stopped, it gives the smallest
/// `f` still open.
pub(super) fn search<O: Observer>(
    context: &Context<'_>,
    memory: &mut Memory,
    meter: &mut Meter,
    seen: &mut O,
    inflate: impl Fn(u64) -> u64,
) -> End {
    let (bits, units) = (context.bits, context.units);
    let table = context.rule.table();
    let offsets = offsets(bits.stride());
    let goal = context.id(context.to);
    let (labels, heap) = (&mut memory.labels, &mut memory.heap);
    labels.begin(bits.len());
    heap.clear();
    labels.open(context.id(context.from), 0, ROOT);
    let h = inflate(units.between(context.from, context.to));
    heap.push(key(h, h, units.straight), pack(context.from));
    while let Some((top, packed)) = heap.pop() {
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
            return End::Stopped(top >> 17);
        }
        labels.close(id);
        let g = label.g();
        if O::ON {
            let f = units.cost(top >> 17);
            seen.see(Event::Close { cell, g: units.cost(g), h: f - units.cost(g), f });
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
                step *= u64::from(context.grid.weight(next_cell));
            }
            let next_g = g + step;
            let known = labels.get(next);
            if known.g() <= next_g || known.is_closed() {
                continue;
            }
            labels.open(next, next_g, dir as u8);
            let h = inflate(units.between(next_cell, context.to));
            heap.push(key(next_g + h, h, units.straight), next_packed);
            if O::ON {
                let (g, h) = (units.cost(next_g), units.cost(h));
                seen.see(Event::Open { cell: next_cell, from: cell, g, h, f: g + h });
            }
        }
    }
    End::NoPath
}

/// Four neighbours of equal weight.
pub(super) fn search_four<O: Observer>(
    context: &Context<'_>,
    memory: &mut Memory,
    meter: &mut Meter,
    seen: &mut O,
) -> End {
    let (bits, units) = (context.bits, context.units);
    let offsets = offsets(bits.stride());
    let table = context.rule.table();
    let goal = context.id(context.to);
    let Memory { labels, now, next, .. } = memory;
    labels.begin(bits.len());
    now.clear();
    next.clear();
    labels.open(context.id(context.from), 0, ROOT);
    now.push(pack(context.from));
    let mut f = units.between(context.from, context.to);
    loop {
        let Some(packed) = now.pop() else {
            if next.is_empty() {
                return End::NoPath;
            }
            std::mem::swap(now, next);
            f += 2;
            continue;
        };
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
        let closer = u8::from(context.to.row < cell.row) << N
            | u8::from(context.to.col > cell.col) << E
            | u8::from(context.to.row > cell.row) << S
            | u8::from(context.to.col < cell.col) << W;
        let mut moves = table[bits.square(id)];
        while moves != 0 {
            let dir = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let neighbour = id.wrapping_add(offsets[dir]);
            if labels.get(neighbour).g() <= g + 1 {
                continue;
            }
            labels.open(neighbour, g + 1, dir as u8);
            let neighbour = packed.wrapping_add(PACKED_STEPS[dir]);
            let ahead = closer >> dir & 1 != 0;
            if ahead {
                now.push(neighbour)
            } else {
                next.push(neighbour)
            }
            if O::ON {
                let (g, f) = ((g + 1) as f64, (if ahead { f } else { f + 2 }) as f64);
                seen.see(Event::Open { cell: unpack(neighbour), from: cell, g, h: f - g, f });
            }
        }
    }
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
