//! Two-distance (van Rijswijck, *Queenbee*, 2000): the opponent may always block the best path, so a cell's distance is one
//! more than that of its second-best neighbour.

use crate::{Board, Edge};
use game::Side;

/// For each empty cell its two-distance from both edges of a side ([`Edge::of`]); `None` where there is none.
///
/// Neighbours are the empty cells next to it, also across a group of the side's own stones. A cell next to
/// the edge, also across a group, has distance 1.
pub(crate) fn two_distances(board: &Board, side: Side) -> [Vec<Option<u16>>; 2] {
    let adjacent: Vec<Option<Adjacent>> = (0..board.size().cells())
        .map(|index| board.at(index).is_none().then(|| adjacent_to(board, side, index)))
        .collect();
    [0, 1].map(|edge| {
        let mut distance: Vec<Option<u16>> = adjacent
            .iter()
            .map(|adjacent| adjacent.as_ref().and_then(|adjacent| adjacent.edges[edge].then_some(1)))
            .collect();
        for level in 2.. {
            let found: Vec<usize> = (0..distance.len())
                .filter(|&index| distance[index].is_none())
                .filter(|&index| {
                    adjacent[index].as_ref().is_some_and(|adjacent| {
                        adjacent.cells.iter().filter(|&&near| distance[near].is_some()).nth(1).is_some()
                    })
                })
                .collect();
            if found.is_empty() {
                break;
            }
            for index in found {
                distance[index] = Some(level);
            }
        }
        distance
    })
}

/// What an empty cell is next to, own groups being transparent.
struct Adjacent {
    cells: Vec<usize>,
    edges: [bool; 2],
}

fn adjacent_to(board: &Board, side: Side, index: usize) -> Adjacent {
    let geometry = board.geometry();
    let mut seen = vec![false; board.size().cells()];
    seen[index] = true;
    let mut stack = vec![index];
    let mut adjacent = Adjacent { cells: Vec::new(), edges: [false; 2] };
    while let Some(at) = stack.pop() {
        for (touched, edge) in adjacent.edges.iter_mut().zip(Edge::of(side)) {
            *touched |= geometry.touches(at, edge);
        }
        for &next in geometry.neighbours(at) {
            let next = next as usize;
            if std::mem::replace(&mut seen[next], true) {
                continue;
            }
            match board.at(next) {
                None => adjacent.cells.push(next),
                Some(stone) if stone == side => stack.push(next),
                Some(_) => {}
            }
        }
    }
    adjacent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;
    use game::Setup;

    #[test]
    fn on_an_empty_board_it_is_the_row() {
        let board = Board::new(crate::Size::new(5, 5).unwrap());
        let [top, bottom] = two_distances(&board, Side::Black);
        for index in 0..25 {
            let (row, col) = (index / 5, index % 5);
            // Two upper neighbours each; only beyond the short diagonal does the missing one at the right
            // end make itself felt.
            if row + col <= 4 {
                assert_eq!(top[index], Some(row as u16 + 1));
            } else if row > 0 {
                assert!(top[index] > Some(row as u16 + 1));
            }
            assert_eq!(bottom[24 - index], top[index]);
        }
    }

    #[test]
    fn groups_are_transparent_and_walls_are_not() {
        let position = notation::parse("..X..\n..X..\n..X..\n.....\n.....", &Setup::empty(5, 5)).unwrap();
        let [top, _] = two_distances(position.board(), Side::Black);
        assert_eq!(top[17], Some(1));
        let walled = notation::parse(".....\nOOOOO\n.....\n.....\n.....", &Setup::empty(5, 5)).unwrap();
        let [top, bottom] = two_distances(walled.board(), Side::Black);
        assert_eq!((top[0], top[12], bottom[0]), (Some(1), None, None));
    }
}
