//! Sets of cells as bits, and neighbours as shifts: a flood fill advances its whole frontier at once.
//!
//! `W` is the number of 64-bit words; 1 is enough up to 8x8, 2 up to 11x11, 6 for 19x19. Code that searches is generic in
//! it, and [`by_width!`](crate::by_width) picks the width once at the root.

use crate::{Board, Edge, Size};
use game::Side;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of cell indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// The empty set.
    pub const EMPTY: Bits<W> = Bits([0; W]);

    /// A set from its words, lowest indices first.
    pub(crate) const fn from_words(words: [u64; W]) -> Bits<W> {
        Bits(words)
    }

    /// The words, lowest indices first.
    #[inline]
    pub const fn words(&self) -> &[u64; W] {
        &self.0
    }

    /// The indices for which `holds` is true.
    pub(crate) fn where_true(cells: usize, holds: impl Fn(usize) -> bool) -> Bits<W> {
        let mut bits = Bits::EMPTY;
        (0..cells).filter(|&index| holds(index)).for_each(|index| bits.insert(index));
        bits
    }

    /// Adds an index.
    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Removes an index.
    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    /// Is the index in the set?
    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    /// How many indices.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Is it empty?
    #[inline]
    pub fn is_empty(&self) -> bool {
        let mut all = 0;
        for at in 0..W {
            all |= self.0[at];
        }
        all == 0
    }

    /// Do the sets intersect?
    #[inline]
    pub fn meets(&self, other: &Bits<W>) -> bool {
        let mut common = 0;
        for at in 0..W {
            common |= self.0[at] & other.0[at];
        }
        common != 0
    }

    /// Is every index also in `other`?
    #[inline]
    pub(crate) fn is_subset(&self, other: &Bits<W>) -> bool {
        let mut rest = 0;
        for at in 0..W {
            rest |= self.0[at] & !other.0[at];
        }
        rest == 0
    }

    /// The smallest index.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(at * 64 + self.0[at].trailing_zeros() as usize)
    }

    /// The set with one more index.
    #[inline]
    pub fn with(mut self, index: usize) -> Bits<W> {
        self.insert(index);
        self
    }

    /// The set without an index.
    #[inline]
    pub fn without(mut self, index: usize) -> Bits<W> {
        self.remove(index);
        self
    }

    /// The set after a half turn of the board.
    pub(crate) fn turned(self, size: Size) -> Bits<W> {
        let mut turned = Bits::EMPTY;
        self.iter().for_each(|index| turned.insert(size.turned(index)));
        turned
    }

    /// The indices in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(at * 64 + bit)
            })
        })
    }

    /// Every index larger by `by`, which is below 64; what leaves the words is lost.
    #[inline]
    fn up(&self, by: u32) -> Bits<W> {
        let mut out = [0; W];
        for (at, word) in out.iter_mut().enumerate() {
            // Two shifts, so that `by` may be 0.
            let carried = if at == 0 { 0 } else { (self.0[at - 1] >> 1) >> (63 - by) };
            *word = self.0[at] << by | carried;
        }
        Bits(out)
    }

    /// Every index smaller by `by`, which is below 64.
    #[inline]
    fn down(&self, by: u32) -> Bits<W> {
        let mut out = [0; W];
        for (at, word) in out.iter_mut().enumerate() {
            let carried = if at + 1 == W { 0 } else { (self.0[at + 1] << 1) << (63 - by) };
            *word = self.0[at] >> by | carried;
        }
        Bits(out)
    }
}

macro_rules! word_by_word {
    ($name:ident, $method:ident, $op:tt) => {
        impl<const W: usize> $name for Bits<W> {
            type Output = Bits<W>;
            #[inline]
            fn $method(self, other: Bits<W>) -> Bits<W> {
                let mut out = self.0;
                for at in 0..W {
                    out[at] $op other.0[at];
                }
                Bits(out)
            }
        }
    };
}
word_by_word!(BitAnd, bitand, &=);
word_by_word!(BitOr, bitor, |=);
word_by_word!(BitXor, bitxor, ^=);

impl<const W: usize> Not for Bits<W> {
    type Output = Bits<W>;
    /// All other indices, those beyond the board included.
    #[inline]
    fn not(self) -> Bits<W> {
        let mut out = self.0;
        for word in &mut out {
            *word = !*word;
        }
        Bits(out)
    }
}

/// The board's cells and edges as bit sets.
#[derive(Clone, Debug)]
pub struct Lattice<const W: usize> {
    size: Size,
    all: Bits<W>,
    not_first_col: Bits<W>,
    not_last_col: Bits<W>,
    /// Cells of each edge, in the order of [`Edge`].
    edges: [Bits<W>; 4],
}

impl<const W: usize> Lattice<W> {
    /// The lattice of a board that fits into `W` words.
    pub fn new(size: Size) -> Lattice<W> {
        debug_assert!(size.cells() <= W * 64);
        let on = |edge| Bits::where_true(size.cells(), |index| size.touches(size.cell(index), edge));
        let all = Bits::where_true(size.cells(), |_| true);
        let edges = [Edge::Top, Edge::Bottom, Edge::Left, Edge::Right].map(on);
        Lattice {
            size,
            all,
            not_first_col: all & !edges[Edge::Left as usize],
            not_last_col: all & !edges[Edge::Right as usize],
            edges,
        }
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// All cells.
    #[inline]
    pub fn all(&self) -> Bits<W> {
        self.all
    }

    /// The cells of an edge.
    #[inline]
    pub fn edge(&self, edge: Edge) -> Bits<W> {
        self.edges[edge as usize]
    }

    /// A side's stones.
    pub fn stones(&self, board: &Board, side: Side) -> Bits<W> {
        Bits::where_true(self.size.cells(), |index| board.at(index) == Some(side))
    }

    /// The cells adjacent to a set, perhaps with cells of the set and bits beyond the board: intersect the result with a
    /// set of cells.
    #[inline]
    pub fn neighbours(&self, set: &Bits<W>) -> Bits<W> {
        let row = u32::from(self.size.cols());
        // Steps to the left must not start in the first column, steps to the right not in the last.
        let (left, right) = (*set & self.not_first_col, *set & self.not_last_col);
        (set.up(row) | set.down(row))
            | (right.up(1) | left.down(1))
            | (left.up(row - 1) | right.down(row - 1))
    }

    /// The cells one step from a set, in a direction of [`DIRECTIONS`](crate::DIRECTIONS); see [`Lattice::neighbours`].
    #[inline]
    pub fn step(&self, direction: usize, set: &Bits<W>) -> Bits<W> {
        let row = u32::from(self.size.cols());
        let (left, right) = (*set & self.not_first_col, *set & self.not_last_col);
        match direction {
            0 => set.down(row),
            1 => right.down(row - 1),
            2 => right.up(1),
            3 => set.up(row),
            4 => left.up(row - 1),
            _ => left.down(1),
        }
    }

    /// Flood fill: all cells of `within` connected to `seed`.
    #[inline]
    pub fn flood(&self, seed: Bits<W>, within: Bits<W>) -> Bits<W> {
        let mut reached = seed & within;
        loop {
            let next = (reached | self.neighbours(&reached)) & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Do these stones of a side connect its edges?
    #[inline]
    pub fn joins(&self, side: Side, stones: &Bits<W>) -> bool {
        let [from, to] = Edge::of(side);
        let goal = self.edge(to);
        let mut reached = self.edge(from) & *stones;
        loop {
            // Two steps per round: the tests cost as much as a step.
            let once = (reached | self.neighbours(&reached)) & *stones;
            let next = (once | self.neighbours(&once)) & *stones;
            if next.meets(&goal) {
                return true;
            }
            if next == reached {
                return false;
            }
            reached = next;
        }
    }
}

/// Evaluates an expression with a constant `W`, the number of words that a board needs: `by_width!(size, W => f::<W>())`.
#[macro_export]
macro_rules! by_width {
    ($size:expr, $width:ident => $body:expr) => {
        match $size.cells().div_ceil(64) {
            0..=1 => {
                const $width: usize = 1;
                $body
            }
            2 => {
                const $width: usize = 2;
                $body
            }
            3 => {
                const $width: usize = 3;
                $body
            }
            4 => {
                const $width: usize = 4;
                $body
            }
            _ => {
                const $width: usize = 6;
                $body
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geometry;
    use proptest::prelude::*;
    use search::Rng;

    fn compare<const W: usize>(size: Size, seed: u64) {
        let geometry = Geometry::new(size);
        let lattice = Lattice::<W>::new(size);
        let mut rng = Rng::new(seed);
        let set = Bits::<W>::where_true(size.cells(), |_| false);
        let mut set = set;
        (0..size.cells()).filter(|_| rng.below(3) == 0).for_each(|index| set.insert(index));
        let expected = Bits::<W>::where_true(size.cells(), |index| {
            geometry.neighbours(index).iter().any(|&n| set.contains(n as usize))
        });
        assert_eq!(lattice.neighbours(&set) & lattice.all(), expected, "{size:?}");
        assert_eq!(set.iter().count(), set.len());
        assert!(set.iter().all(|index| set.contains(index)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn neighbours_agree_with_the_table(rows in 1u8..=19, cols in 1u8..=19, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            by_width!(size, W => compare::<W>(size, seed));
            compare::<6>(size, seed);
        }

        #[test]
        fn joins_agrees_with_the_board(rows in 1u8..=19, cols in 1u8..=19, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            let mut rng = Rng::new(seed);
            let mut board = Board::new(size);
            for index in 0..size.cells() {
                match rng.below(5) {
                    0 | 1 => board.place(Side::Black, index),
                    2 | 3 => board.place(Side::White, index),
                    _ => {}
                }
            }
            let lattice = Lattice::<6>::new(size);
            for side in Side::BOTH {
                let joined = lattice.joins(side, &lattice.stones(&board, side));
                prop_assert_eq!(joined, board.winner() == Some(side));
            }
        }
    }
}
