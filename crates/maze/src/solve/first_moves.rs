//! Walking a path along a first-move table instead of searching for it (see `crate::first_moves`).

use super::{Context, End, Memory};
use crate::observe::{Event, Observer};

/// An observer sees the cells walked over.
pub(super) fn walk<O: Observer>(context: &Context<'_>, memory: &Memory, seen: &mut O) -> End {
    let table = memory.first_moves.as_deref();
    let Some(cells) = table.and_then(|table| table.walk(context.from, context.to)) else {
        return End::NoPath;
    };
    if O::ON {
        let (mut g, mut before) = (0.0, context.from);
        for &cell in &cells {
            g += context.units.cost(context.units.between(before, cell));
            before = cell;
            let h = context.units.cost(context.units.between(cell, context.to));
            seen.see(Event::Close { cell, g, h, f: g + h });
        }
    }
    End::Path(cells)
}
