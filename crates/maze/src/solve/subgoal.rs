//! Looking a path up in a subgoal table instead of searching for it (see `crate::subgoal`).

use super::{End, Memory, Run, jps, jumper, unpack};
use crate::grid::Cell;
use crate::observe::{Event, Observer};
use crate::subgoal::SubgoalTable;

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let Memory { table: Some(table), columns, last_legs, .. } = memory else {
        // Never so: the table is there before a search begins.
        return jps::search(Run { context, memory, meter, seen });
    };
    let (units, from, to) = (context.units, context.from, context.to);
    let straight = units.between(from, to);
    if jumper::sees(context.bits, columns.get(context.grid), from, to) {
        return End::Subgoals { cost: straight, turns: None };
    }
    last_legs.clear();
    last_legs.extend(table.before(context.id(to)).iter().map(|&last| {
        let leg = units.between(unpack(table.cell(last)), to);
        (last, leg)
    }));
    let (mut best, mut turns) = (u64::MAX, None);
    let firsts = table.after(context.id(from));
    let through = |first: u16| {
        let cell = unpack(table.cell(first));
        (cell, units.between(from, cell), units.between(cell, to))
    };
    // The most promising one comes first: its path rules most of the others out.
    let promising = firsts.iter().copied().min_by_key(|first| {
        let (_, g, h) = through(*first);
        g + h
    });
    for first in promising.into_iter().chain(firsts.iter().copied().filter(|first| promising != Some(*first)))
    {
        let (cell, g, h) = through(first);
        if g + h >= best {
            continue;
        }
        if meter.spent() {
            return End::Stopped(straight);
        }
        if O::ON {
            seen.see(Event::Jump { from, to: cell });
            let (g, h) = (units.cost(g), units.cost(h));
            seen.see(Event::Close { cell, g, h, f: g + h });
        }
        for &(last, leg) in last_legs.iter() {
            if let Some(between) = table.distance(first, last)
                && g + between + leg < best
            {
                (best, turns) = (g + between + leg, Some((first, last)));
            }
        }
    }
    if best == u64::MAX { End::NoPath } else { End::Subgoals { cost: best, turns } }
}

/// The whole path from its first and last subgoal, if it has any.
pub(super) fn trace(
    table: Option<&SubgoalTable>,
    from: Cell,
    turns: Option<(u16, u16)>,
    to: Cell,
) -> Vec<Cell> {
    let mut cells = vec![from];
    let mut at = from;
    let mut go = |cell: Cell| {
        jumper::diagonal_first(at, cell, &mut cells);
        at = cell;
    };
    if let (Some(table), Some((first, last))) = (table, turns) {
        let mut next = Some(first);
        while let Some(subgoal) = next {
            go(unpack(table.cell(subgoal)));
            next = if subgoal == last { None } else { table.next(subgoal, last) };
        }
    }
    go(to);
    cells
}
