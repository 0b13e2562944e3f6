//! The stones of both sides as bits, and lookup tables for a board size. There is no history here: stones may be in any
//! number, and filled-in cells are stones like others.

use crate::bits::{Bits, Lattice};
use crate::{Board, DIRECTIONS, Edge, Size};
use game::Side;
use search::rng::mix;

/// The stones of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones<const W: usize> {
    sides: [Bits<W>; 2],
}

impl<const W: usize> Stones<W> {
    /// No stones.
    pub const EMPTY: Stones<W> = Stones { sides: [Bits::EMPTY; 2] };

    /// The stones of a board.
    pub fn of_board(lattice: &Lattice<W>, board: &Board) -> Stones<W> {
        Stones { sides: Side::BOTH.map(|side| lattice.stones(board, side)) }
    }

    /// Stones from the sets of black and white.
    #[inline]
    pub(crate) const fn from_sides(sides: [Bits<W>; 2]) -> Stones<W> {
        Stones { sides }
    }

    /// A side's stones.
    #[inline]
    pub fn of(&self, side: Side) -> Bits<W> {
        self.sides[side.index()]
    }

    /// All stones.
    #[inline]
    pub fn both(&self) -> Bits<W> {
        self.sides[0] | self.sides[1]
    }

    /// Places a stone on an empty cell.
    #[inline]
    pub fn put(&mut self, side: Side, index: usize) {
        self.sides[side.index()].insert(index);
    }

    /// The stones with one more.
    #[inline]
    pub fn with(mut self, side: Side, index: usize) -> Stones<W> {
        self.put(side, index);
        self
    }

    /// The stones with all of these cells filled for a side.
    #[inline]
    pub(crate) fn with_all(mut self, side: Side, cells: Bits<W>) -> Stones<W> {
        self.sides[side.index()] = self.sides[side.index()] | cells;
        self
    }

    /// Hashes of the stones and of the stones after a half turn of the board.
    pub fn hashes(&self, size: Size) -> [u64; 2] {
        let mut hashes = [0; 2];
        for side in Side::BOTH {
            for index in self.of(side).iter() {
                let [plain, turned] = stone_hashes(size, side, index);
                hashes[0] ^= plain;
                hashes[1] ^= turned;
            }
        }
        hashes
    }
}

/// The keys of one stone for the two hashes of [`Stones::hashes`].
#[inline]
pub(crate) fn stone_hashes(size: Size, side: Side, index: usize) -> [u64; 2] {
    let key = |index: usize| mix((((index as u64) << 1) | side.index() as u64) + 0x4e5);
    [key(index), key(size.turned(index))]
}

/// Lookup tables for a board size: the lattice, and each cell's neighbours as a set and as a ring.
#[derive(Clone, Debug)]
pub struct Shape<const W: usize> {
    lattice: Lattice<W>,
    near: Vec<Bits<W>>,
    rings: Vec<[Neighbour; 6]>,
}

/// One of the six places around a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// A cell of the board.
    Cell(u16),
    /// Beyond an edge of this side: counts as its stone.
    Beyond(Side),
}

impl<const W: usize> Shape<W> {
    /// The shape of a board that fits into `W` words.
    pub fn new(size: Size) -> Shape<W> {
        let lattice = Lattice::new(size);
        let ring = |index: usize| {
            DIRECTIONS.map(|direction| match size.step(size.cell(index), direction) {
                Some(cell) => Neighbour::Cell(size.index(cell) as u16),
                // Beyond a corner both colours meet and either will do: its two places next in the ring are
                // one black and one white.
                None => {
                    let row = i16::from(size.cell(index).row) + i16::from(direction.0);
                    let black = row < 0 || row >= i16::from(size.rows());
                    Neighbour::Beyond(if black { Side::Black } else { Side::White })
                }
            })
        };
        let rings: Vec<_> = (0..size.cells()).map(ring).collect();
        let near = rings
            .iter()
            .map(|ring| {
                let mut set = Bits::EMPTY;
                for place in ring {
                    if let Neighbour::Cell(next) = place {
                        set.insert(*next as usize);
                    }
                }
                set
            })
            .collect();
        Shape { lattice, near, rings }
    }

    /// The size.
    #[inline]
    pub fn size(&self) -> Size {
        self.lattice.size()
    }

    /// The lattice.
    #[inline]
    pub fn lattice(&self) -> &Lattice<W> {
        &self.lattice
    }

    /// The cells adjacent to a cell.
    #[inline]
    pub fn near(&self, index: usize) -> Bits<W> {
        self.near[index]
    }

    /// The places around a cell in the order of [`DIRECTIONS`].
    #[inline]
    pub fn ring(&self, index: usize) -> &[Neighbour; 6] {
        &self.rings[index]
    }

    /// The cells without a stone.
    #[inline]
    pub fn empty(&self, stones: &Stones<W>) -> Bits<W> {
        self.lattice.all() & !stones.both()
    }

    /// The side that has connected its edges.
    pub fn winner(&self, stones: &Stones<W>) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.lattice.joins(side, &stones.of(side)))
    }

    /// The cells of a side's two edges.
    #[inline]
    pub fn edges(&self, side: Side) -> [Bits<W>; 2] {
        Edge::of(side).map(|edge| self.lattice.edge(edge))
    }
}

/// The slow obvious oracle of the tests.
#[cfg(test)]
pub(crate) mod oracle {
    use super::*;
    use search::Rng;
    use std::collections::HashMap;

    /// Minimax to the end of the game, with memoization.
    pub(crate) struct Oracle<'a, const W: usize> {
        shape: &'a Shape<W>,
        known: HashMap<(Stones<W>, Side), bool>,
    }

    impl<'a, const W: usize> Oracle<'a, W> {
        pub(crate) fn new(shape: &'a Shape<W>) -> Oracle<'a, W> {
            Oracle { shape, known: HashMap::new() }
        }

        /// Does the side win if it moves next?
        pub(crate) fn wins(&mut self, stones: &Stones<W>, side: Side) -> bool {
            if let Some(winner) = self.shape.winner(stones) {
                return winner == side;
            }
            if let Some(&known) = self.known.get(&(*stones, side)) {
                return known;
            }
            let empty = self.shape.empty(stones);
            let won = empty.iter().any(|cell| !self.wins(&stones.with(side, cell), side.other()));
            self.known.insert((*stones, side), won);
            won
        }
    }

    /// Stones in any number that leave at most so many cells empty.
    pub(crate) fn random_stones<const W: usize>(shape: &Shape<W>, seed: u64, most_empty: usize) -> Stones<W> {
        let mut rng = Rng::new(seed);
        let cells = shape.size().cells();
        let mut order: Vec<usize> = (0..cells).collect();
        rng.shuffle(&mut order);
        let empty = rng.below(most_empty.min(cells) + 1);
        let mut stones = Stones::EMPTY;
        for &cell in &order[empty..] {
            stones.put(Side::BOTH[rng.below(2)], cell);
        }
        stones
    }
}
