//! Light playouts: uniformly random games, played in one go on bit sets. Playouts with a policy are in the main engine.
//!
//! In Hex the order of the remaining moves does not matter and exactly one side wins a full board, so a random
//! game is a random half of the empty cells given to each side. The half is drawn as random words and then
//! corrected to the exact number, which keeps all halves equally likely; one flood finds the winner.

use crate::bits::{Bits, Lattice};
use crate::{Board, Size};
use game::Side;
use search::Rng;

/// A position for playouts.
#[derive(Clone, Debug)]
pub struct LightPlayouts<const W: usize> {
    lattice: Lattice<W>,
    stones: [Bits<W>; 2],
    to_move: Side,
}

impl<const W: usize> LightPlayouts<W> {
    /// The stones of a board that fits into `W` words.
    pub fn new(board: &Board, to_move: Side) -> LightPlayouts<W> {
        let lattice = Lattice::new(board.size());
        let stones = Side::BOTH.map(|side| lattice.stones(board, side));
        LightPlayouts { lattice, stones, to_move }
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.lattice.size()
    }

    /// The side to move.
    #[inline]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> Bits<W> {
        self.lattice.all() & !(self.stones[0] | self.stones[1])
    }

    /// Puts a stone of the side to move on an empty cell.
    #[inline]
    pub fn place(&mut self, index: usize) {
        self.stones[self.to_move.index()].insert(index);
        self.to_move = self.to_move.other();
    }

    /// Removes the last stone.
    #[inline]
    pub fn take_back(&mut self, index: usize) {
        self.to_move = self.to_move.other();
        self.stones[self.to_move.index()].remove(index);
    }

    /// The side that has connected its edges.
    pub fn winner(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.lattice.joins(side, &self.stones[side.index()]))
    }

    /// Fills the board at random and returns the winner.
    #[inline]
    pub fn playout(&self, rng: &mut Rng) -> Side {
        let black = self.stones[0] | self.random_black(rng);
        if self.lattice.joins(Side::Black, &black) { Side::Black } else { Side::White }
    }

    /// A random choice of the empty cells that black gets.
    #[inline]
    fn random_black(&self, rng: &mut Rng) -> Bits<W> {
        let empty = self.empty();
        let many = empty.len();
        let wanted = if self.to_move == Side::Black { many.div_ceil(2) } else { many / 2 };
        let mut words = [0; W];
        words.iter_mut().for_each(|word| *word = rng.next_u64());
        let mut chosen = Bits::from_words(words) & empty;
        let mut count = chosen.len();
        let cells = self.size().cells();
        while count > wanted {
            let index = rng.below(cells);
            if chosen.contains(index) {
                chosen.remove(index);
                count -= 1;
            }
        }
        while count < wanted {
            let index = rng.below(cells);
            if empty.contains(index) && !chosen.contains(index) {
                chosen.insert(index);
                count += 1;
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_width;

    #[test]
    fn fills_are_exact_fair_and_won_by_one_side() {
        let mut board = Board::new(Size::new(4, 5).unwrap());
        board.place(Side::White, 7);
        board.place(Side::Black, 12);
        let playouts = LightPlayouts::<2>::new(&board, Side::Black);
        let mut rng = Rng::new(5);
        let mut given = [0u32; 20];
        for _ in 0..18_000 {
            let black = playouts.random_black(&mut rng);
            assert_eq!(black.len(), 9);
            black.iter().for_each(|index| given[index] += 1);
        }
        assert_eq!((given[7], given[12]), (0, 0));
        let fair = given.iter().enumerate().filter(|(i, _)| ![7, 12].contains(i));
        for (index, count) in fair {
            assert!((8_600..9_400).contains(count), "{index}: {count}");
        }
    }

    #[test]
    fn playouts_agree_with_the_board() {
        for (rows, cols) in [(1, 1), (3, 3), (11, 11), (13, 13), (15, 16), (19, 19)] {
            let size = Size::new(rows, cols).unwrap();
            by_width!(size, W => {
                let mut rng = Rng::new(9);
                let start = LightPlayouts::<W>::new(&Board::new(size), Side::Black);
                for _ in 0..40 {
                    let mut replay = rng.clone();
                    let black = start.random_black(&mut replay);
                    let mut board = Board::new(size);
                    for index in 0..size.cells() {
                        board.place(if black.contains(index) { Side::Black } else { Side::White }, index);
                    }
                    assert_eq!(Some(start.playout(&mut rng)), board.winner());
                }
            });
        }
    }
}
