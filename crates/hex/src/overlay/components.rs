//! Groups of stones that touch each other.

use crate::{Board, Edge};
use game::Side;

/// A maximal set of touching stones of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Whose stones.
    pub side: Side,
    /// Their indices, the first one the smallest.
    pub cells: Vec<usize>,
    /// Which of the side's two edges ([`Edge::of`]) it touches.
    pub touches: [bool; 2],
}

/// All components of a side, by their first cell.
pub fn components(board: &Board, side: Side) -> Vec<Component> {
    let cells = board.size().cells();
    let mut seen = vec![false; cells];
    let mut all = Vec::new();
    for start in 0..cells {
        if board.at(start) != Some(side) || seen[start] {
            continue;
        }
        seen[start] = true;
        let mut members = vec![start];
        let mut at = 0;
        while let Some(&index) = members.get(at) {
            at += 1;
            for &next in board.geometry().neighbours(index) {
                let next = next as usize;
                if board.at(next) == Some(side) && !std::mem::replace(&mut seen[next], true) {
                    members.push(next);
                }
            }
        }
        let touches = Edge::of(side).map(|edge| members.iter().any(|&i| board.geometry().touches(i, edge)));
        all.push(Component { side, cells: members, touches });
    }
    all
}
