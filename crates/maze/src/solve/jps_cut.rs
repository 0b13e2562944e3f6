//! Jump point search for eight neighbours past one blocked corner (Harabor and Grastien 2011).
//!
//! As in `jps`, of all equally long paths only the one that goes diagonally first is followed. Here a wall
//! beside a cell forces a turn at that cell already, not one later, and a diagonal run may itself be forced
//! to turn, so diagonal jump points exist. Runs are followed cell by cell in the bitmap.

use super::jumper::diagonal_first;
use super::{End, Memory, PACKED_STEPS, Run, pack, unpack};
use crate::bits::Bits;
use crate::labels::ROOT;
use crate::moves::{Dir, E, N, NE, NW, S, SE, SW, W, offsets};
use crate::observe::{Event, Observer};

/// The two straight parts of each diagonal: its rows, then its columns.
const PARTS: [(Dir, Dir); 4] = [(N, E), (S, E), (S, W), (N, W)];

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let Memory { labels, parents, buckets, .. } = memory;
    let (units, bits) = (context.units, context.bits);
    let runner = Runner { bits, offsets: offsets(bits.stride()), goal: context.id(context.to) };
    labels.begin(bits.len());
    buckets.begin(units.between(context.from, context.to), units.bucket_shift(), context.span());
    if parents.len() != bits.len() {
        *parents = vec![0; bits.len()];
    }
    labels.open(context.id(context.from), 0, ROOT);
    buckets.push(units.between(context.from, context.to), pack(context.from));
    let mut best = u64::MAX;
    while let Some(packed) = buckets.pop(best) {
        let cell = unpack(packed);
        let id = context.id(cell);
        let label = labels.get(id);
        let (g, h) = (label.g(), units.between(cell, context.to));
        if label.is_closed() || g + h >= best {
            continue;
        }
        if meter.spent() {
            return End::Stopped(buckets.floor());
        }
        labels.close(id);
        if O::ON {
            seen.see(Event::Close { cell, g: units.cost(g), h: units.cost(h), f: units.cost(g + h) });
        }
        let ways = runner.ways(id, label.dir());
        for dir in (0..8).filter(|dir| ways >> dir & 1 != 0) {
            let Some(steps) = runner.jump(id, dir) else { continue };
            let target = packed.wrapping_add(PACKED_STEPS[usize::from(dir)].wrapping_mul(steps));
            let to = unpack(target);
            let (g, h) = (g + u64::from(steps) * units.step(dir), units.between(to, context.to));
            if O::ON {
                seen.see(Event::Jump { from: cell, to });
            }
            if g + h >= best || !labels.improve(context.id(to), g, dir, true) {
                continue;
            }
            parents[context.id(to) as usize] = packed;
            if O::ON {
                let (g, h) = (units.cost(g), units.cost(h));
                seen.see(Event::Open { cell: to, from: cell, g, h, f: g + h });
            }
            if to == context.to {
                best = g;
            } else {
                buckets.push(g + h, target);
            }
        }
    }
    if best == u64::MAX { End::NoPath } else { End::Jumps { cost: best, fill: diagonal_first } }
}

struct Runner<'a> {
    bits: &'a Bits,
    offsets: [u32; 8],
    goal: u32,
}

impl Runner<'_> {
    fn next(&self, id: u32, dir: Dir) -> u32 {
        id.wrapping_add(self.offsets[usize::from(dir)])
    }

    fn free(&self, id: u32, dir: Dir) -> bool {
        self.bits.get(self.next(id, dir))
    }

    /// The directions worth following from a cell that was entered in direction `dir`, as a set.
    fn ways(&self, id: u32, dir: Dir) -> u8 {
        match dir {
            ROOT => u8::MAX,
            N..=W => 1 << dir | self.forced(id, dir),
            _ => {
                let (rows, cols) = PARTS[usize::from(dir - NE)];
                1 << dir | 1 << rows | 1 << cols | self.forced(id, dir)
            }
        }
    }

    /// Diagonals that a wall beside the way in forces: their cells are reached best from here.
    fn forced(&self, id: u32, dir: Dir) -> u8 {
        let turn = |wall: Dir, ahead: Dir, diagonal: Dir| {
            u8::from(!self.free(id, wall) && self.free(id, ahead) && self.free(id, diagonal)) << diagonal
        };
        match dir {
            N => turn(E, N, NE) | turn(W, N, NW),
            E => turn(N, E, NE) | turn(S, E, SE),
            S => turn(E, S, SE) | turn(W, S, SW),
            W => turn(N, W, NW) | turn(S, W, SW),
            NE => turn(W, N, NW) | turn(S, E, SE),
            SE => turn(W, S, SW) | turn(N, E, NE),
            SW => turn(E, S, SE) | turn(N, W, NW),
            _ => turn(E, N, NE) | turn(S, W, SW),
        }
    }

    /// Steps to the next jump point in a direction.
    fn jump(&self, from: u32, dir: Dir) -> Option<u32> {
        let mut id = from;
        for steps in 1.. {
            if dir >= NE {
                let (rows, cols) = PARTS[usize::from(dir - NE)];
                if !self.free(id, rows) && !self.free(id, cols) {
                    return None;
                }
            }
            id = self.next(id, dir);
            if !self.bits.get(id) {
                return None;
            }
            if id == self.goal || self.forced(id, dir) != 0 {
                return Some(steps);
            }
            if dir >= NE {
                let (rows, cols) = PARTS[usize::from(dir - NE)];
                if self.jump(id, rows).is_some() || self.jump(id, cols).is_some() {
                    return Some(steps);
                }
            }
        }
        None
    }
}
