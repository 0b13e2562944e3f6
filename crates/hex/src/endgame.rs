//! Play once the result is proved: win by the shortest safe way, lose by the longest.

use crate::bits::Bits;
use crate::pruning;
use crate::stones::{Shape, Stones};
use crate::vc::{Connections, Effort};
use game::Side;

/// Stones a side still needs to join its edges if the opponent never answers; `None` if it is cut off.
pub(crate) fn stones_needed<const W: usize>(shape: &Shape<W>, stones: &Stones<W>, side: Side) -> Option<u32> {
    let [from, to] = shape.edges(side);
    let (own, empty) = (stones.of(side), shape.empty(stones));
    let lattice = shape.lattice();
    let mut reached = lattice.flood(from & own, own);
    let mut needed = 0;
    while !reached.meets(&to) {
        let mut next = reached | (lattice.neighbours(&reached) & empty);
        if needed == 0 {
            next = next | (from & empty);
        }
        let next = lattice.flood(next, own | next);
        if next == reached {
            return None;
        }
        reached = next;
        needed += 1;
    }
    Some(needed)
}

/// A line to the end of a game that `winner` has won, the shortest way against the longest defence. It breaks off where
/// connections alone do not prove the win, or when `stop` is set.
pub(crate) fn line<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    (to_move, winner): (Side, Side),
    effort: Effort,
    stop: &dyn Fn() -> bool,
) -> Vec<usize> {
    let (mut stones, mut side) = (*stones, to_move);
    let mut line = Vec::new();
    while shape.winner(&stones).is_none() && !stop() {
        let empty = shape.empty(&stones);
        let cell = if side == winner {
            winning_move(shape, &stones, side, &empty, effort, stop)
        } else {
            longest_loss(shape, &stones, side, &empty)
        };
        let Some(cell) = cell else { break };
        line.push(cell);
        stones.put(side, cell);
        side = side.other();
    }
    line
}

/// A move that keeps a win which virtual connections prove, with or without fill-in.
pub(crate) fn winning_move<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    side: Side,
    allowed: &Bits<W>,
    effort: Effort,
    stop: &dyn Fn() -> bool,
) -> Option<usize> {
    if let Some(cell) = shortest_win(shape, stones, side, allowed, effort, stop) {
        return Some(cell);
    }
    let filled = pruning::fill_in(shape, stones).stones;
    if shape.winner(&filled) != Some(side) {
        let effort = Effort { until_semi: true, ..effort };
        let mut connections = Connections::unbuilt(shape, side);
        connections.rebuild_until(shape, &filled, side, effort, stop);
        let (_, key) = connections.winning().semi?;
        return Some(key).filter(|key| allowed.contains(*key));
    }
    // Won whoever moves: no stone of our own can spoil it.
    let needed = |&cell: &usize| stones_needed(shape, &stones.with(side, cell), side).unwrap_or(u32::MAX);
    (shape.empty(stones) & *allowed).iter().min_by_key(needed)
}

/// A move that keeps a proved win and leaves the fewest stones to play, if connections alone prove one.
fn shortest_win<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    side: Side,
    allowed: &Bits<W>,
    effort: Effort,
    stop: &dyn Fn() -> bool,
) -> Option<usize> {
    let empty = shape.empty(stones) & *allowed;
    let at_once = |&cell: &usize| shape.winner(&stones.with(side, cell)) == Some(side);
    if stones_needed(shape, stones, side) == Some(1)
        && let Some(cell) = empty.iter().find(at_once)
    {
        return Some(cell);
    }
    let mut connections = Connections::unbuilt(shape, side);
    connections.rebuild_until(shape, stones, side, effort, stop);
    let (carrier, key) = connections.winning().semi?;
    if !empty.contains(key) {
        return None;
    }
    // The key is proved already; the others are tried while there is time.
    let needed = |cell: usize| stones_needed(shape, &stones.with(side, cell), side).unwrap_or(u32::MAX);
    let (mut best, mut best_cost) = (key, (needed(key), carrier.len()));
    let mut candidates: Vec<(u32, usize)> =
        (carrier & empty).iter().map(|cell| (needed(cell), cell)).collect();
    candidates.sort_unstable();
    for (stones_left, cell) in candidates {
        if stones_left > best_cost.0 || stop() {
            break;
        }
        connections.rebuild_until(shape, &stones.with(side, cell), side, effort, stop);
        let winning = connections.winning();
        if winning.must_play.is_empty() {
            let cost = (stones_left, winning.semi.map_or(0, |(carrier, _)| carrier.len()));
            if cost < best_cost {
                (best, best_cost) = (cell, cost);
            }
        }
    }
    Some(best)
}

/// The move of a lost position that leaves the opponent the longest way, and ourselves the shortest.
pub(crate) fn longest_loss<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    side: Side,
    allowed: &Bits<W>,
) -> Option<usize> {
    let cost = |&cell: &usize| {
        let after = stones.with(side, cell);
        let theirs = stones_needed(shape, &after, side.other()).unwrap_or(u32::MAX);
        let ours = stones_needed(shape, &after, side).unwrap_or(u32::MAX);
        // Ties by degree (away from the edge), then by index, so that the choice is reproducible.
        (theirs, std::cmp::Reverse(ours), shape.near(cell).len(), cell)
    };
    (shape.empty(stones) & *allowed).iter().max_by_key(cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlay::distances;
    use crate::stones::oracle;
    use crate::{Board, Size};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn stones_needed_are_the_shortest_distance(rows in 1u8..=8, cols in 1u8..=8, seed: u64) {
            let size = Size::new(rows, cols).unwrap();
            let shape = Shape::<1>::new(size);
            let stones = oracle::random_stones(&shape, seed, 40);
            let mut board = Board::new(size);
            for side in Side::BOTH {
                stones.of(side).iter().for_each(|cell| board.place(side, cell));
            }
            for side in Side::BOTH {
                let expected = distances(&board, side).total.map(u32::from);
                prop_assert_eq!(stones_needed(&shape, &stones, side), expected);
            }
        }
    }
}
