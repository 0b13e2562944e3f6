//! Heavy playouts: a side whose bridge (or link to its edge) was intruded upon saves it; otherwise a cell is drawn at
//! random. Light playouts, without a policy, are in [`crate::light_playout`].
//!
//! Each cell carries the stones of its six neighbours as twelve bits, so that a few bit operations find the bridges that a
//! move intrudes upon. Nothing is allocated.

use crate::bits::Bits;
use crate::stones::{Neighbour, Shape, Stones};
use game::Side;
use search::Rng;

/// No cell.
pub(crate) const NO_CELL: usize = usize::MAX;

/// Codes of a ring of neighbours: black's places in the low six bits, white's in the next six.
pub(crate) const RINGS: usize = 1 << 12;

/// The board that playouts run on; one per thread.
#[derive(Clone)]
pub(crate) struct HeavyPlayout<const W: usize> {
    cells: usize,
    /// Whether bridges are saved.
    saves: bool,
    /// Neighbours in ring order; off the board is index `cells`, a dummy.
    neighbours: Vec<[u16; 6]>,
    /// Ring codes of an empty board: the edges count as stones.
    edge_codes: Vec<u16>,
    rings: Vec<u16>,
    empties: Vec<u16>,
    places: Vec<u16>,
}

impl<const W: usize> HeavyPlayout<W> {
    pub(crate) fn new(shape: &Shape<W>) -> HeavyPlayout<W> {
        let cells = shape.size().cells();
        let mut edge_codes = vec![0u16; cells + 1];
        let mut neighbours = vec![[cells as u16; 6]; cells];
        for cell in 0..cells {
            for (place, neighbour) in shape.ring(cell).iter().enumerate() {
                match *neighbour {
                    Neighbour::Cell(next) => neighbours[cell][place] = next,
                    Neighbour::Beyond(side) => edge_codes[cell] |= 1 << (place + 6 * side.index()),
                }
            }
        }
        HeavyPlayout {
            cells,
            saves: true,
            neighbours,
            rings: edge_codes.clone(),
            edge_codes,
            empties: vec![0; cells],
            places: vec![0; cells],
        }
    }

    /// The same with bridges saved or not.
    pub(crate) fn saving(self, saves: bool) -> HeavyPlayout<W> {
        HeavyPlayout { saves, ..self }
    }

    /// The ring codes after [`HeavyPlayout::set`].
    pub(crate) fn rings(&self) -> &[u16] {
        &self.rings[..self.cells]
    }

    /// Sets the position.
    pub(crate) fn set(&mut self, stones: &Stones<W>) {
        self.rings.copy_from_slice(&self.edge_codes);
        for side in Side::BOTH {
            stones.of(side).iter().for_each(|cell| self.update_neighbours(side, cell));
        }
    }

    #[inline]
    fn update_neighbours(&mut self, side: Side, cell: usize) {
        for (place, &next) in self.neighbours[cell].iter().enumerate() {
            self.rings[next as usize] |= 1 << ((place + 3) % 6 + 6 * side.index());
        }
    }

    /// Plays to the end from a position, after `last` was played, and returns black's cells.
    pub(crate) fn run(
        &mut self,
        stones: &Stones<W>,
        empty: Bits<W>,
        to_move: Side,
        last: usize,
        rng: &mut Rng,
    ) -> Bits<W> {
        self.set(stones);
        let mut left = 0;
        for cell in empty.iter() {
            self.empties[left] = cell as u16;
            self.places[cell] = left as u16;
            left += 1;
        }
        let (mut side, mut last) = (to_move, last);
        let mut black = stones.of(Side::Black);
        while left > 0 {
            let saved = if self.saves { self.save(side, last, rng) } else { None };
            let cell = match saved {
                Some(cell) => cell,
                None => self.empties[rng.below(left)] as usize,
            };
            left -= 1;
            let moved = self.empties[left];
            let place = self.places[cell];
            self.empties[place as usize] = moved;
            self.places[moved as usize] = place;
            self.update_neighbours(side, cell);
            if side == Side::Black {
                black.insert(cell);
            }
            last = cell;
            side = side.other();
        }
        black
    }

    /// The other cell of a bridge that the last move intruded upon.
    #[inline]
    fn save(&self, side: Side, last: usize, rng: &mut Rng) -> Option<usize> {
        let ring = *self.rings[..self.cells].get(last)?;
        let mut saves = saves(side, ring);
        if saves == 0 {
            return None;
        }
        if saves & (saves - 1) != 0 {
            for _ in 0..rng.below(saves.count_ones() as usize) {
                saves &= saves - 1;
            }
        }
        Some(self.neighbours[last][saves.trailing_zeros() as usize] as usize)
    }
}

/// The empty places around an opponent's stone that lie between two of the side's stones: each is the other half of a
/// bridge that the stone intrudes upon.
#[inline]
pub(crate) fn saves(side: Side, ring: u16) -> u16 {
    let own = ring >> (6 * side.index()) & 63;
    let (before, after) = (own << 1 | own >> 5, own >> 1 | own << 5);
    before & after & !(ring | ring >> 6) & 63
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn an_intrusion_is_answered() {
        // Black c2 and b4 are joined by a bridge over b3 and c3; white intrudes at b3.
        let size = Size::new(5, 5).unwrap();
        let shape = Shape::<1>::new(size);
        let at = |row, col| size.index(game::Cell::new(row, col));
        let stones =
            Stones::EMPTY.with(Side::Black, at(1, 2)).with(Side::Black, at(3, 1)).with(Side::White, at(2, 1));
        let mut playout = HeavyPlayout::new(&shape);
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let black = playout.run(&stones, shape.empty(&stones), Side::Black, at(2, 1), &mut rng);
            assert!(black.contains(at(2, 2)));
        }
        let mut careless = playout.clone().saving(false);
        assert!((0..20).any(|seed| {
            let empty = shape.empty(&stones);
            !careless.run(&stones, empty, Side::Black, at(2, 1), &mut Rng::new(seed)).contains(at(2, 2))
        }));
        // A bridge to the edge: the stone in the fourth row is linked to the bottom.
        let near_edge = Stones::EMPTY.with(Side::Black, at(3, 2)).with(Side::White, at(4, 2));
        let empty = shape.empty(&near_edge);
        let black = playout.run(&near_edge, empty, Side::Black, at(4, 2), &mut Rng::new(1));
        assert!(black.contains(at(4, 1)));
    }

    #[test]
    fn a_playout_fills_the_board_in_turns() {
        let size = Size::new(6, 7).unwrap();
        let shape = Shape::<1>::new(size);
        let stones = Stones::EMPTY.with(Side::White, 10);
        let mut playout = HeavyPlayout::new(&shape);
        let black = playout.run(&stones, shape.empty(&stones), Side::Black, NO_CELL, &mut Rng::new(3));
        assert_eq!(black.len(), 21);
        assert!(!black.contains(10));
    }
}
