//! Bridges: two stones, or a stone and an edge, that two empty cells keep connected whatever the opponent
//! does, as each answers an intrusion into the other.

use super::components::components;
use crate::{Board, DIRECTIONS, Edge};
use game::Side;

/// A bridge and the two cells that carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridge {
    /// Whose.
    pub side: Side,
    /// The stone it starts from.
    pub from: usize,
    /// What it connects to.
    pub to: BridgeEnd,
    /// The two empty cells.
    pub carrier: [usize; 2],
}

/// The far end of a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeEnd {
    /// A stone.
    Stone(usize),
    /// An edge of the board.
    Edge(Edge),
}

/// All bridges of a side between stones that do not already touch through others.
pub fn bridges(board: &Board, side: Side) -> Vec<Bridge> {
    let size = board.size();
    let mut component = vec![usize::MAX; size.cells()];
    let all = components(board, side);
    for (number, group) in all.iter().enumerate() {
        group.cells.iter().for_each(|&index| component[index] = number);
    }
    let empty = |cell| board.at(size.index(cell)).is_none();
    let mut found = Vec::new();
    for from in (0..size.cells()).filter(|&index| board.at(index) == Some(side)) {
        let cell = size.cell(from);
        for turn in 0..6 {
            // The two steps to the carrier are neighbouring directions; the far end is their sum.
            let (a, b) = (DIRECTIONS[turn], DIRECTIONS[(turn + 1) % 6]);
            let (Some(first), Some(second)) = (size.step(cell, a), size.step(cell, b)) else { continue };
            if !empty(first) || !empty(second) {
                continue;
            }
            let carrier = [size.index(first), size.index(second)];
            match size.step(cell, (a.0 + b.0, a.1 + b.1)) {
                Some(end) => {
                    let to = size.index(end);
                    // Each pair once, from its smaller index.
                    if board.at(to) == Some(side) && to > from && component[to] != component[from] {
                        found.push(Bridge { side, from, to: BridgeEnd::Stone(to), carrier });
                    }
                }
                None => {
                    for (which, edge) in Edge::of(side).into_iter().enumerate() {
                        let reaches = size.touches(first, edge) && size.touches(second, edge);
                        let needed = !all.get(component[from]).is_some_and(|group| group.touches[which]);
                        if reaches && needed && !size.touches(cell, edge) {
                            found.push(Bridge { side, from, to: BridgeEnd::Edge(edge), carrier });
                        }
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;
    use game::Setup;

    fn found(text: &str) -> Vec<Bridge> {
        let position = notation::parse(text, &Setup::empty(5, 5)).unwrap();
        bridges(position.board(), Side::Black)
    }

    #[test]
    fn a_stone_bridge_and_an_edge_bridge() {
        let list = found(".....\n.X...\n..X..\n.....\n.....");
        assert_eq!(list.len(), 2, "{list:?}");
        let edge = list.iter().find(|b| b.to == BridgeEnd::Edge(Edge::Top)).unwrap();
        assert_eq!((edge.from, edge.carrier), (6, [1, 2]));
        let stone = list.iter().find(|b| b.to == BridgeEnd::Stone(12)).unwrap();
        let mut carrier = stone.carrier;
        carrier.sort();
        assert_eq!((stone.from, carrier), (6, [7, 11]));
    }

    #[test]
    fn an_intrusion_or_a_chain_ends_it() {
        assert_eq!(found(".....\n.XO..\n..X..\n.....\n.....").len(), 1);
        assert!(found(".X...\n.X...\n.XX..\n.....\n.....").is_empty());
    }
}
