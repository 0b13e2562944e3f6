//! The board: stones, groups and winner, updated incrementally by moves and take-backs.

use crate::geometry::{Edge, Geometry, Size};
use crate::groups::Groups;
use game::{Cell, Side};
use std::collections::VecDeque;
use std::sync::Arc;

/// A Hex board. Stones may be placed in any order and number; turns belong to [`crate::Position`].
#[derive(Clone, Debug)]
pub struct Board {
    geometry: Arc<Geometry>,
    stones: Vec<Option<Side>>,
    groups: Groups,
    placed: Vec<Placed>,
    winner: Option<Side>,
    hash: u64,
    turned_hash: u64,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    index: u16,
    side: Side,
    groups: usize,
    won: bool,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Board {
        Board::on(Geometry::new(size))
    }

    /// An empty board that shares a neighbour table.
    pub fn on(geometry: Arc<Geometry>) -> Board {
        let cells = geometry.size().cells();
        Board {
            geometry,
            stones: vec![None; cells],
            groups: Groups::new(cells + 4),
            placed: Vec::with_capacity(cells),
            winner: None,
            hash: 0,
            turned_hash: 0,
        }
    }

    /// The size.
    #[inline]
    pub fn size(&self) -> Size {
        self.geometry.size()
    }

    /// The neighbour table.
    #[inline]
    pub(crate) fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// The stone at an index.
    #[inline]
    pub fn at(&self, index: usize) -> Option<Side> {
        self.stones[index]
    }

    /// The side that has connected its edges.
    #[inline]
    pub fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Number of stones.
    #[inline]
    pub fn len(&self) -> usize {
        self.placed.len()
    }

    /// Are there no stones?
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// The stones in the order of placement.
    pub fn stones(&self) -> impl DoubleEndedIterator<Item = (Side, usize)> + '_ {
        self.placed.iter().map(|p| (p.side, p.index as usize))
    }

    /// Indices of the empty cells, in order.
    pub fn empty_cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.stones.iter().enumerate().filter(|(_, stone)| stone.is_none()).map(|(index, _)| index)
    }

    /// A hash of the stones.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash of the board after a half turn.
    #[inline]
    pub(crate) fn turned_hash(&self) -> u64 {
        self.turned_hash
    }

    /// Puts a stone on an empty cell.
    pub fn place(&mut self, side: Side, index: usize) {
        debug_assert!(self.stones[index].is_none());
        let groups = self.groups.mark();
        self.stones[index] = Some(side);
        self.hash ^= key(index, side);
        self.turned_hash ^= key(self.size().turned(index), side);
        let geometry = &self.geometry;
        for &next in geometry.neighbours(index) {
            if self.stones[next as usize] == Some(side) {
                self.groups.join(index, next as usize);
            }
        }
        for edge in Edge::of(side) {
            if geometry.touches(index, edge) {
                self.groups.join(index, edge_node(geometry.size(), edge));
            }
        }
        let won = self.winner.is_none() && self.joined(side);
        if won {
            self.winner = Some(side);
        }
        self.placed.push(Placed { index: index as u16, side, groups, won });
    }

    /// Removes the last stone.
    pub fn take_back(&mut self) -> Option<(Side, usize)> {
        let Placed { index, side, groups, won } = self.placed.pop()?;
        let index = index as usize;
        self.stones[index] = None;
        self.groups.back_to(groups);
        self.hash ^= key(index, side);
        self.turned_hash ^= key(self.size().turned(index), side);
        if won {
            self.winner = None;
        }
        Some((side, index))
    }

    /// Would a stone of this side on that empty cell connect its edges?
    pub(crate) fn wins_at(&self, side: Side, index: usize) -> bool {
        let [from, to] = Edge::of(side);
        self.reaches(side, index, from) && self.reaches(side, index, to)
    }

    /// Is the stone's group joined to that edge of its own side?
    pub(crate) fn group_touches(&self, index: usize, edge: Edge) -> bool {
        self.groups.find(index) == self.groups.find(edge_node(self.size(), edge))
    }

    /// A shortest chain of the winner's stones from edge to edge.
    pub(crate) fn winning_chain(&self) -> Option<Vec<Cell>> {
        let side = self.winner?;
        let [from, to] = Edge::of(side);
        let cells = self.size().cells();
        let mut before = vec![usize::MAX; cells];
        let mut queue: VecDeque<usize> =
            (0..cells).filter(|&i| self.stones[i] == Some(side) && self.geometry.touches(i, from)).collect();
        for &start in &queue {
            before[start] = start;
        }
        while let Some(at) = queue.pop_front() {
            if self.geometry.touches(at, to) {
                let mut chain = vec![self.size().cell(at)];
                let mut at = at;
                while before[at] != at {
                    at = before[at];
                    chain.push(self.size().cell(at));
                }
                chain.reverse();
                return Some(chain);
            }
            for &next in self.geometry.neighbours(at) {
                let next = next as usize;
                if self.stones[next] == Some(side) && before[next] == usize::MAX {
                    before[next] = at;
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn joined(&self, side: Side) -> bool {
        let [from, to] = Edge::of(side).map(|edge| edge_node(self.size(), edge));
        self.groups.find(from) == self.groups.find(to)
    }

    fn reaches(&self, side: Side, index: usize, edge: Edge) -> bool {
        self.geometry.touches(index, edge)
            || self.geometry.neighbours(index).iter().any(|&next| {
                self.stones[next as usize] == Some(side) && self.group_touches(next as usize, edge)
            })
    }
}

/// The node of the groups that stands for an edge.
fn edge_node(size: Size, edge: Edge) -> usize {
    size.cells() + edge as usize
}

/// Zobrist key of a stone, by a mixing function instead of a table.
fn key(index: usize, side: Side) -> u64 {
    search::rng::mix((((index as u64) << 1) | side.index() as u64) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use search::Rng;

    /// The obvious oracle: a flood from one edge, cell by cell.
    fn flood_winner(board: &Board) -> Option<Side> {
        let size = board.size();
        Side::BOTH.into_iter().find(|&side| {
            let [from, to] = Edge::of(side);
            let mut seen = vec![false; size.cells()];
            let mut stack: Vec<usize> = (0..size.cells())
                .filter(|&i| board.at(i) == Some(side) && size.touches(size.cell(i), from))
                .collect();
            while let Some(at) = stack.pop() {
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                for &next in board.geometry().neighbours(at) {
                    if board.at(next as usize) == Some(side) {
                        stack.push(next as usize);
                    }
                }
            }
            (0..size.cells()).any(|i| seen[i] && size.touches(size.cell(i), to))
        })
    }

    /// Random stones with random steps back, checked at every step.
    fn random_walk(size: Size, seed: u64, check: impl Fn(&Board)) -> Board {
        let mut rng = Rng::new(seed);
        let mut board = Board::new(size);
        while board.len() < size.cells() {
            if rng.below(4) == 0 {
                board.take_back();
            } else {
                let empty: Vec<usize> = board.empty_cells().collect();
                let side = Side::BOTH[rng.below(2)];
                board.place(side, empty[rng.below(empty.len())]);
            }
            check(&board);
        }
        board
    }

    fn mapped(board: &Board, size: Size, map: impl Fn(Side, Cell) -> (Side, Cell)) -> Board {
        let mut image = Board::new(size);
        for (side, index) in board.stones() {
            let (side, cell) = map(side, board.size().cell(index));
            image.place(side, size.index(cell));
        }
        image
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn winner_agrees_with_a_flood_at_every_step(rows in 1u8..=8, cols in 1u8..=8, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            random_walk(size, seed, |board| assert_eq!(board.winner(), flood_winner(board)));
        }

        #[test]
        fn a_full_board_has_exactly_one_winner(rows in 1u8..=19, cols in 1u8..=19, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            let mut rng = Rng::new(seed);
            let mut board = Board::new(size);
            for index in 0..size.cells() {
                board.place(Side::BOTH[rng.below(2)], index);
            }
            let other = mapped(&board, size, |side, cell| (side.other(), cell));
            prop_assert!(board.winner().is_some() && other.winner().is_some());
            // Flooding each colour on its own: one of them gets through, never both.
            let through = Side::BOTH.map(|side| {
                let mut only = Board::new(size);
                board.stones().filter(|(s, _)| *s == side).for_each(|(s, i)| only.place(s, i));
                flood_winner(&only).is_some()
            });
            prop_assert!(through[0] != through[1]);
            prop_assert_eq!(board.winner(), Some(Side::BOTH[usize::from(through[1])]));
        }

        #[test]
        fn symmetries_keep_the_winner(rows in 1u8..=8, cols in 1u8..=8, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            random_walk(size, seed, |board| {
                let turned = mapped(board, size, |side, cell| {
                    (side, size.cell(size.turned(size.index(cell))))
                });
                assert_eq!(turned.winner(), board.winner());
                assert_eq!((turned.hash(), turned.turned_hash()), (board.turned_hash(), board.hash()));
                let flipped = Size::new(cols, rows).unwrap();
                let mirrored = mapped(board, flipped, |side, cell| (side.other(), size.mirrored(cell)));
                assert_eq!(mirrored.winner(), board.winner().map(Side::other));
            });
        }

        #[test]
        fn taking_back_restores_everything(rows in 1u8..=9, cols in 1u8..=9, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            let mut board = random_walk(size, seed, |_| {});
            while let Some((side, index)) = board.take_back() {
                let (hash, winner) = (board.hash(), board.winner());
                let wins = board.wins_at(side, index);
                board.place(side, index);
                prop_assert_eq!(winner.is_none() && wins, winner.is_none() && board.winner() == Some(side));
                board.take_back();
                prop_assert_eq!((hash, winner), (board.hash(), board.winner()));
            }
            prop_assert_eq!((board.hash(), board.turned_hash(), board.winner()), (0, 0, None));
        }

        #[test]
        fn the_chain_joins_the_edges(rows in 1u8..=12, cols in 1u8..=12, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            let board = random_walk(size, seed, |_| {});
            let side = board.winner().unwrap();
            let chain = board.winning_chain().unwrap();
            let [from, to] = Edge::of(side);
            prop_assert!(size.touches(chain[0], from) && size.touches(*chain.last().unwrap(), to));
            for pair in chain.windows(2) {
                let next = size.index(pair[1]) as u16;
                prop_assert!(board.geometry().neighbours(size.index(pair[0])).contains(&next));
            }
            prop_assert!(chain.iter().all(|c| board.at(size.index(*c)) == Some(side)));
        }
    }

    #[test]
    fn the_chain_is_shortest() {
        let size = Size::new(3, 3).unwrap();
        let mut board = Board::new(size);
        for index in [0, 1, 2, 4, 5, 7, 8] {
            board.place(Side::Black, index);
        }
        assert_eq!(board.winning_chain().unwrap().len(), 3);
    }
}
