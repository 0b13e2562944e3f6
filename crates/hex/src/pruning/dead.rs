//! Dead cells, found by the six places around a cell: in no completion of the board does its colour matter.
//!
//! The table is computed from the definition. The places around a cell form a ring in which neighbours touch.
//! Once all six are coloured, the cell can join something only if the black places form two or more arcs (then
//! the white ones do too). A cell is dead if that happens for no colouring of the places still empty.

use crate::bits::Bits;
use crate::stones::{Neighbour, Shape, Stones};
use game::Side;
use std::sync::LazyLock;

/// One bit for each set of white places, for each set of black places.
static DEAD: LazyLock<[u64; 64]> = LazyLock::new(|| {
    let mut table = [0u64; 64];
    for black in 0..64u8 {
        for white in (0..64u8).filter(|white| white & black == 0) {
            if no_colouring_splits(black, white) {
                table[black as usize] |= 1 << white;
            }
        }
    }
    table
});

fn no_colouring_splits(black: u8, white: u8) -> bool {
    let open = 63 & !(black | white);
    (0..64u8).filter(|more| more & !open == 0).all(|more| arcs(black | more) < 2)
}

/// Maximal runs of set places in the ring.
fn arcs(places: u8) -> u32 {
    let before = (places << 1 | places >> 5) & 63;
    (places & !before).count_ones()
}

/// The stones around a cell, one bit per place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ring {
    stones: [u8; 2],
}

impl Ring {
    #[inline]
    pub(crate) fn of<const W: usize>(shape: &Shape<W>, stones: &Stones<W>, index: usize) -> Ring {
        let (black, white) = (stones.of(Side::Black), stones.of(Side::White));
        let mut ring = [0u8; 2];
        for (place, neighbour) in shape.ring(index).iter().enumerate() {
            match *neighbour {
                Neighbour::Cell(next) => {
                    ring[0] |= u8::from(black.contains(next as usize)) << place;
                    ring[1] |= u8::from(white.contains(next as usize)) << place;
                }
                Neighbour::Beyond(side) => ring[side.index()] |= 1 << place,
            }
        }
        Ring { stones: ring }
    }

    /// The ring with a stone on one more place.
    #[inline]
    pub(crate) fn with(mut self, side: Side, place: usize) -> Ring {
        self.stones[side.index()] |= 1 << place;
        self
    }

    #[inline]
    pub(crate) fn is_dead(self) -> bool {
        DEAD[self.stones[0] as usize] >> self.stones[1] & 1 != 0
    }

    /// A dead cell has at least four stones around it: with fewer than three, one more cannot kill it.
    #[inline]
    pub(crate) fn is_far_from_dead(self) -> bool {
        (self.stones[0] | self.stones[1]).count_ones() < 3
    }
}

/// The opposite place of the ring: a cell's place in the ring of its neighbour.
#[inline]
pub(crate) fn opposite(place: usize) -> usize {
    (place + 3) % 6
}

/// The empty cells that are dead.
pub(crate) fn dead_cells<const W: usize>(shape: &Shape<W>, stones: &Stones<W>) -> Bits<W> {
    let mut found = Bits::EMPTY;
    for index in shape.empty(stones).iter() {
        if Ring::of(shape, stones, index).is_dead() {
            found.insert(index);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dead_patterns() {
        let dead = |black: u8, white: u8| DEAD[black as usize] >> white & 1 != 0;
        // Four in a row of one colour; three of one and, opposite, one of the other; two facing two.
        assert!(dead(0b001111, 0));
        assert!(dead(0b000111, 0b010000));
        assert!(dead(0b000011, 0b011000));
        assert!(!dead(0b000111, 0) && !dead(0b000011, 0b001000) && !dead(0b000111, 0b100000));
        assert!(!dead(0b000101, 0b001010));
    }

    #[test]
    fn deadness_is_symmetric_in_colours_and_rotations() {
        for black in 0..64u8 {
            for white in (0..64u8).filter(|white| white & black == 0) {
                let dead = |black: u8, white: u8| DEAD[black as usize] >> white & 1 != 0;
                let turn = |set: u8| (set << 1 | set >> 5) & 63;
                assert!(!dead(black, white) || (black | white).count_ones() >= 4);
                assert_eq!(dead(black, white), dead(white, black));
                assert_eq!(dead(black, white), dead(turn(black), turn(white)));
            }
        }
    }
}
