//! How many stones a side still needs to join its edges, if the opponent never answers.

use crate::{Board, Edge};
use game::Side;
use std::collections::VecDeque;

/// Shortest-path distances of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// For each cell: empty cells on the cheapest way from each edge ([`Edge::of`]) to it, itself counted;
    /// `None` where the opponent is in the way.
    pub from_edge: [Vec<Option<u16>>; 2],
    /// Stones needed to win; `None` if the opponent has cut the edges apart.
    pub total: Option<u16>,
}

impl Distances {
    /// Stones needed for the cheapest chain through an empty cell.
    pub fn through(&self, index: usize) -> Option<u16> {
        let [a, b] = [0, 1].map(|edge| self.from_edge[edge].get(index).copied().flatten());
        Some((a? + b?).saturating_sub(1))
    }
}

/// Distances of a side from both of its edges.
pub fn distances(board: &Board, side: Side) -> Distances {
    let from_edge = Edge::of(side).map(|edge| from(board, side, edge));
    let goal = Edge::of(side)[1];
    let ends = (0..board.size().cells()).filter(|&index| board.geometry().touches(index, goal));
    let total = ends.filter_map(|index| from_edge[0][index]).min();
    Distances { from_edge, total }
}

/// Breadth-first with costs 0 and 1: own stones go to the front of the queue.
fn from(board: &Board, side: Side, edge: Edge) -> Vec<Option<u16>> {
    let cells = board.size().cells();
    let cost = |index: usize| match board.at(index) {
        None => Some(1),
        Some(stone) if stone == side => Some(0),
        Some(_) => None,
    };
    let mut distance: Vec<Option<u16>> = vec![None; cells];
    let mut queue = VecDeque::new();
    let reach = |index: usize, base: u16, distance: &mut Vec<Option<u16>>, queue: &mut VecDeque<usize>| {
        let Some(cost) = cost(index) else { return };
        if distance[index].is_none_or(|known| base + cost < known) {
            distance[index] = Some(base + cost);
            if cost == 0 { queue.push_front(index) } else { queue.push_back(index) }
        }
    };
    for index in (0..cells).filter(|&index| board.geometry().touches(index, edge)) {
        reach(index, 0, &mut distance, &mut queue);
    }
    while let Some(index) = queue.pop_front() {
        let base = distance[index].unwrap_or_default();
        for &next in board.geometry().neighbours(index) {
            reach(next as usize, base, &mut distance, &mut queue);
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;
    use game::Setup;
    use proptest::prelude::*;
    use search::Rng;

    #[test]
    fn counted_by_hand() {
        let board = notation::parse("..X..\n.....\n..X..\nO....\n.....", &Setup::empty(5, 5)).unwrap();
        let black = distances(board.board(), Side::Black);
        assert_eq!(black.total, Some(3));
        assert_eq!(black.from_edge[0][2], Some(0));
        assert_eq!(black.through(7), Some(3));
        assert_eq!(distances(board.board(), Side::White).total, Some(4));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// The oracle repeats relaxing all cells until nothing changes.
        #[test]
        fn agrees_with_relaxation(rows in 1u8..=7, cols in 1u8..=7, seed: u64) {
            let size = crate::Size::new(rows, cols).unwrap();
            let mut board = Board::new(size);
            let mut rng = Rng::new(seed);
            for index in 0..size.cells() {
                if rng.below(2) == 0 {
                    board.place(Side::BOTH[rng.below(2)], index);
                }
            }
            for side in Side::BOTH {
                let ours = distances(&board, side);
                for (which, edge) in Edge::of(side).into_iter().enumerate() {
                    let mut slow = vec![u16::MAX; size.cells()];
                    loop {
                        let before = slow.clone();
                        for index in (0..size.cells()).filter(|&i| board.at(i) != Some(side.other())) {
                            let near = board.geometry().neighbours(index).iter().map(|n| slow[*n as usize]);
                            let start = if board.geometry().touches(index, edge) { 0 } else { u16::MAX };
                            let least = near.chain([start]).min().unwrap();
                            let cost = u16::from(board.at(index).is_none());
                            slow[index] = slow[index].min(least.saturating_add(cost));
                        }
                        if slow == before {
                            break;
                        }
                    }
                    let slow: Vec<_> = slow.into_iter().map(|d| (d < u16::MAX).then_some(d)).collect();
                    prop_assert_eq!(&ours.from_edge[which], &slow);
                }
                prop_assert_eq!(ours.total == Some(0), board.winner() == Some(side));
                prop_assert_eq!(ours.total.is_none(), board.winner() == Some(side.other()));
            }
        }
    }
}
