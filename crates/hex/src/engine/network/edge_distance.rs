//! Distance of every cell to the four edges, as input planes: what a convolution would need many layers to find out.

use crate::Edge;
use crate::bits::{Bits, Lattice};
use crate::stones::Stones;
use game::Side;

/// Distances 0 to `LEVELS - 1` have a plane each; farther cells have none.
const LEVELS: usize = 7;
/// Two sides, two edges each, with and without bridges.
pub(crate) const MAPS: usize = 8;
/// One plane per distance and map.
pub(crate) const PLANES: usize = MAPS * LEVELS;

/// The cells of each plane, the side to move first.
pub(crate) fn planes<const W: usize>(
    lattice: &Lattice<W>,
    stones: &Stones<W>,
    to_move: Side,
) -> impl Iterator<Item = Bits<W>> {
    let empty = lattice.all() & !stones.both();
    let sides = [to_move, to_move.other()].into_iter();
    let maps = sides.flat_map(|side| Edge::of(side).map(|edge| (stones.of(side), edge)));
    maps.flat_map(move |(own, edge)| {
        [false, true].map(|bridges| Distances { lattice, own, empty, bridges }.levels(edge))
    })
    .flatten()
}

/// Distances of a side: by adjacent cells only, or by bridges too.
struct Distances<'a, const W: usize> {
    lattice: &'a Lattice<W>,
    own: Bits<W>,
    empty: Bits<W>,
    bridges: bool,
}

impl<const W: usize> Distances<'_, W> {
    /// The cells that reach the edge with 0, 1, ... more stones; an empty cell's own stone counts.
    fn levels(&self, edge: Edge) -> [Bits<W>; LEVELS] {
        let mut levels = [Bits::EMPTY; LEVELS];
        let border = self.border(edge);
        let mut new = self.connected(border & self.own, self.own);
        let mut unseen = self.own | self.empty;
        for (distance, level) in levels.iter_mut().enumerate() {
            *level = new;
            unseen = unseen & !new;
            let near = if distance == 0 { border } else { Bits::EMPTY } | self.reach(&new);
            let cells = near & unseen & self.empty;
            if cells.is_empty() {
                break;
            }
            let stones = unseen & self.own;
            new = cells | self.connected(self.reach(&cells) & stones, stones);
        }
        levels
    }

    /// All of `stones` that are connected to `from`.
    fn connected(&self, from: Bits<W>, stones: Bits<W>) -> Bits<W> {
        let (mut all, mut last) = (from, from);
        while !last.is_empty() {
            last = self.reach(&last) & stones & !all;
            all = all | last;
        }
        all
    }

    /// The adjacent cells, and those a bridge away: reached by two steps over empty cells in both orders. Some may be off
    /// the board.
    fn reach(&self, from: &Bits<W>) -> Bits<W> {
        let near = self.lattice.neighbours(from);
        if !self.bridges {
            return near;
        }
        let steps: [Bits<W>; 6] = std::array::from_fn(|to| self.lattice.step(to, from) & self.empty);
        (0..6).fold(near, |reached, to| {
            let next = (to + 1) % 6;
            reached | self.lattice.step(next, &steps[to]) & self.lattice.step(to, &steps[next])
        })
    }

    /// The cells on the edge, and those with a bridge to it.
    fn border(&self, edge: Edge) -> Bits<W> {
        let row = self.lattice.edge(edge);
        if !self.bridges {
            return row;
        }
        // Directions from the edge to cells that are adjacent to two of its cells.
        let away = match edge {
            Edge::Top => [3, 4],
            Edge::Right => [4, 5],
            Edge::Bottom => [0, 1],
            Edge::Left => [1, 2],
        };
        let [a, b] = away.map(|to| self.lattice.step(to, &(row & self.empty)));
        row | a & b & self.lattice.all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DIRECTIONS, Size};
    use proptest::prelude::*;
    use search::Rng;

    /// Distances by relaxation over a list of steps, until nothing changes.
    fn slow(size: Size, own: &[bool], empty: &[bool], edge: Edge, bridges: bool) -> Vec<usize> {
        let mut distances = vec![usize::MAX; size.cells()];
        let cost = |cell: usize| usize::from(empty[cell]);
        let usable = |cell: usize| own[cell] || empty[cell];
        loop {
            let before = distances.clone();
            for at in (0..size.cells()).filter(|&at| usable(at)) {
                let here = size.cell(at);
                let mut best = distances[at];
                for turn in 0..6 {
                    let (a, b) = (DIRECTIONS[turn], DIRECTIONS[(turn + 1) % 6]);
                    let [first, second] = [a, b].map(|to| size.step(here, to).map(|cell| size.index(cell)));
                    let from = |cell: Option<usize>| cell.map_or(usize::MAX, |cell| distances[cell]);
                    best = best.min(from(first).saturating_add(cost(at)));
                    let carried = [first, second].iter().all(|cell| cell.is_some_and(|cell| empty[cell]));
                    if bridges && carried {
                        let end = size.step(here, (a.0 + b.0, a.1 + b.1)).map(|cell| size.index(cell));
                        best = best.min(from(end).saturating_add(cost(at)));
                        let touches = |cell: usize| size.touches(size.cell(cell), edge);
                        if [first, second].into_iter().flatten().all(touches) {
                            best = best.min(cost(at));
                        }
                    }
                }
                if size.touches(here, edge) {
                    best = best.min(cost(at));
                }
                distances[at] = best;
            }
            if distances == before {
                return distances;
            }
        }
    }

    fn compare<const W: usize>(size: Size, seed: u64) {
        let mut rng = Rng::new(seed);
        let mut stones = Stones::<W>::EMPTY;
        let few = 2 + rng.below(5);
        for cell in 0..size.cells() {
            match rng.below(few) {
                0 => stones.put(Side::Black, cell),
                1 => stones.put(Side::White, cell),
                _ => {}
            }
        }
        let lattice = Lattice::new(size);
        let empty = lattice.all() & !stones.both();
        let list = |set: Bits<W>| (0..size.cells()).map(|cell| set.contains(cell)).collect::<Vec<_>>();
        for side in Side::BOTH {
            for edge in Edge::of(side) {
                for bridges in [false, true] {
                    let own = stones.of(side);
                    let levels = Distances { lattice: &lattice, own, empty, bridges }.levels(edge);
                    let slow = slow(size, &list(own), &list(empty), edge, bridges);
                    for (cell, &distance) in slow.iter().enumerate() {
                        let found = levels.iter().position(|level| level.contains(cell));
                        assert_eq!(
                            found,
                            Some(distance).filter(|&distance| distance < LEVELS),
                            "{size:?} {edge:?} {cell}"
                        );
                    }
                    let many: usize = levels.iter().map(|level| level.len()).sum();
                    assert!(many <= size.cells());
                }
            }
        }
        assert_eq!(planes(&lattice, &stones, Side::White).count(), PLANES);
    }

    proptest! {
        #[test]
        fn distances_agree_with_relaxation(rows in 1u8..=19, cols in 1u8..=19, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            crate::by_width!(size, W => compare::<W>(size, seed));
        }
    }
}
