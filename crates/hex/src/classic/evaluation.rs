//! A hand-made evaluation: 15 x connectivity + 100 x shortest path + 20 x bridges - 80 x the opponent's path. All constants
//! are those of the source document.

use crate::{Board, Edge};
use game::Side;

pub(super) const CONNECTIVITY_WEIGHT: f64 = 15.0;
pub(super) const PATH_WEIGHT: f64 = 100.0;
pub(super) const BRIDGE_WEIGHT: f64 = 20.0;
pub(super) const THREAT_WEIGHT: f64 = 80.0;

/// What a path pays for an opponent's stone; an empty cell costs 1, an own stone nothing.
const OPPONENT_COST: usize = 5;

/// The pairs of steps that the source document takes for bridges. The fourth is none (its end is a neighbour) and one
/// bridge is missing; kept as printed.
const BRIDGE_STEPS: [[(i8, i8); 2]; 6] = [
    [(1, 0), (1, -1)],
    [(1, 0), (0, 1)],
    [(0, 1), (-1, 1)],
    [(0, 1), (1, -1)],
    [(-1, 0), (-1, 1)],
    [(-1, 0), (0, -1)],
];

/// The value of a position for a side; larger is better for it.
pub(super) fn evaluate(board: &Board, side: Side) -> f64 {
    CONNECTIVITY_WEIGHT * connectivity(board, side)
        + PATH_WEIGHT * path_score(board, side)
        + BRIDGE_WEIGHT * bridges(board, side)
        - THREAT_WEIGHT * threat(path_score(board, side.other()))
}

/// For each group its size squared, 10 for each goal edge it touches, 2 for each stone on a goal edge, half a
/// point for each empty neighbour of each stone, and 1000 when it joins both edges.
pub(super) fn connectivity(board: &Board, side: Side) -> f64 {
    let geometry = board.geometry();
    let edges = Edge::of(side);
    let mut seen = [false; crate::MAX_CELLS];
    let mut stack = Vec::new();
    let mut score = 0.0;
    for (_, start) in board.stones().filter(|(stone, _)| *stone == side) {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        stack.push(start);
        let (mut stones, mut empty_neighbours, mut on_edge) = (0u32, 0u32, [0u32; 2]);
        while let Some(index) = stack.pop() {
            stones += 1;
            for (count, edge) in on_edge.iter_mut().zip(edges) {
                *count += u32::from(geometry.touches(index, edge));
            }
            for &next in geometry.neighbours(index) {
                let next = next as usize;
                match board.at(next) {
                    None => empty_neighbours += 1,
                    Some(stone) if stone == side && !std::mem::replace(&mut seen[next], true) => {
                        stack.push(next);
                    }
                    Some(_) => {}
                }
            }
        }
        let touched = on_edge.iter().filter(|count| **count > 0).count();
        score += f64::from(stones * stones) + 10.0 * touched as f64;
        score += 2.0 * f64::from(on_edge[0] + on_edge[1]) + 0.5 * f64::from(empty_neighbours);
        score += if touched == 2 { 1000.0 } else { 0.0 };
    }
    score
}

/// 100 / (1 + d) for the cheapest path from edge to edge.
pub(super) fn path_score(board: &Board, side: Side) -> f64 {
    100.0 / (1.0 + path_cost(board, side, |_, _| {}).0 as f64)
}

/// The cells of a cheapest path from edge to edge, to be drawn.
pub(super) fn cheapest_path(board: &Board, side: Side) -> Vec<usize> {
    let mut before = vec![usize::MAX; board.size().cells()];
    let (_, end) = path_cost(board, side, |next, from| before[next] = from);
    let mut path: Vec<usize> =
        std::iter::successors(end, |&index| Some(before[index]).filter(|from| *from != usize::MAX)).collect();
    path.reverse();
    path
}

/// Dijkstra with a bucket per cost; costs are small integers. Returns the cost and the last cell of the path; `reached`
/// gets each cell with its predecessor.
fn path_cost(board: &Board, side: Side, mut reached: impl FnMut(usize, usize)) -> (usize, Option<usize>) {
    let geometry = board.geometry();
    let cells = board.size().cells();
    let [from, to] = Edge::of(side);
    let cost = |index: usize| match board.at(index) {
        Some(stone) if stone == side => 0,
        Some(_) => OPPONENT_COST,
        None => 1,
    };
    let mut distance = [u16::MAX; crate::MAX_CELLS];
    let mut buckets: [Vec<u16>; OPPONENT_COST + 1] = Default::default();
    for index in (0..cells).filter(|&index| geometry.touches(index, from)) {
        distance[index] = cost(index) as u16;
        buckets[cost(index)].push(index as u16);
    }
    for now in 0..cells * OPPONENT_COST + OPPONENT_COST {
        while let Some(index) = buckets[now % (OPPONENT_COST + 1)].pop() {
            let index = index as usize;
            if distance[index] as usize != now {
                continue;
            }
            if geometry.touches(index, to) {
                return (now, Some(index));
            }
            for &next in geometry.neighbours(index) {
                let next = next as usize;
                let further = now + cost(next);
                if further < distance[next] as usize {
                    distance[next] = further as u16;
                    reached(next, index);
                    buckets[further % (OPPONENT_COST + 1)].push(next as u16);
                }
            }
        }
    }
    (cells * OPPONENT_COST, None)
}

/// The weight of the opponent's path: larger when it is nearer to winning.
pub(super) fn threat(opponent_path: f64) -> f64 {
    if opponent_path > 50.0 {
        opponent_path * 1.5
    } else if opponent_path > 25.0 {
        opponent_path * 1.2
    } else {
        opponent_path * 0.8
    }
}

/// 3 per bridge, 2 or 1 per possible bridge, 4 per double bridge.
pub(super) fn bridges(board: &Board, side: Side) -> f64 {
    let size = board.size();
    let mut score = 0;
    for (_, index) in board.stones().filter(|(stone, _)| *stone == side) {
        let cell = size.cell(index);
        let look = |steps: (i8, i8)| size.step(cell, steps).map(|cell| board.at(size.index(cell)));
        for [a, b] in BRIDGE_STEPS {
            let ends = (look(a), look(b), look((a.0 + b.0, a.1 + b.1)));
            let (Some(first), Some(second), Some(end)) = ends else { continue };
            if end == Some(side) && first.is_none() && second.is_none() {
                score += 3;
            } else if end.is_none() && (first.is_none() || second.is_none()) {
                score += if first == Some(side) || second == Some(side) { 2 } else { 1 };
            }
            let far = (look((2 * a.0, 2 * a.1)), look((2 * b.0, 2 * b.1)));
            let double = far == (Some(Some(side)), Some(Some(side)));
            if double && first.is_none() && second.is_none() {
                score += 4;
            }
        }
    }
    f64::from(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use crate::notation;
    use game::Setup;

    fn board(text: &str) -> Board {
        notation::parse(text, &Setup::empty(5, 5)).unwrap().board().clone()
    }

    #[test]
    fn an_empty_board_has_only_paths() {
        let empty = Board::new(Size::new(11, 11).unwrap());
        let path = 100.0 / 12.0;
        assert!((path_score(&empty, Side::Black) - path).abs() < 1e-9);
        assert!((evaluate(&empty, Side::White) - (100.0 * path - 80.0 * 0.8 * path)).abs() < 1e-9);
    }

    #[test]
    fn each_term_by_hand() {
        // Two black stones apart by a bridge, one on the top edge; a white stone elsewhere.
        let board = board("..X..\n.....\n..X..\nO....\n.....");
        // Stone c1 touches the top edge: 1 + 10 + 2 + 4 empty neighbours / 2; stone c3: 1 + 6 / 2.
        assert_eq!(connectivity(&board, Side::Black), 1.0 + 10.0 + 2.0 + 2.0 + 1.0 + 3.0);
        // c1, one of row 2, c3, d4 or c4, one of row 5: three empty cells.
        assert_eq!(path_score(&board, Side::Black), 25.0);
        // White: a4, then 4 more cells.
        assert_eq!(path_score(&board, Side::White), 20.0);
        assert_eq!(threat(25.0), 20.0);
        assert_eq!(threat(30.0), 36.0);
        assert_eq!(threat(60.0), 90.0);
    }

    #[test]
    fn a_path_may_cross_the_opponent_at_a_price() {
        // White's wall costs 5 to cross.
        let walled = board(".....\nOOOOO\n.....\n.....\n.....");
        assert_eq!(path_cost(&walled, Side::Black, |_, _| {}).0, 4 + 5);
    }

    #[test]
    fn bridges_by_hand() {
        // b2 and c3 are a bridge over c2 and b3, seen from both ends; the rest are places for one.
        let bridged = board(".....\n.X...\n..X..\n.....\n.....");
        let alone = board(".....\n.....\n..X..\n.....\n.....");
        assert_eq!(bridges(&alone, Side::Black), 6.0);
        assert!(bridges(&bridged, Side::Black) >= 6.0 + 2.0 * 2.0);
    }
}
