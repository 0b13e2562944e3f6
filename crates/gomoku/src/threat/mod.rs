//! Threats, read off the board's classes: which moves make a four, which moves stop one, and positions whose
//! forced end is a few plies away. The engine and the solvers share this module, which sits below both.
//!
//! Everything here is exact. A set of replies holds every move that could meet the threat, so an empty set
//! is a proved loss. Two cases are left to search: Caro, where closing the ends also stops a four, and Black's
//! threes under Renju, which may be false.

use crate::{Board, Class, Direction, Point, PointSet, Rule, Shape};
use ::game::Side;

/// A forced end of the game, in plies from now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForcedEnd {
    /// The side to move wins within so many plies.
    Win(i32),
    /// The side to move loses within so many plies.
    Loss(i32),
}

/// The replies that the side to move has.
pub(crate) enum Replies {
    /// No threat has to be met.
    Any,
    /// One of these moves, or lose within `lost_in` plies.
    Forced { moves: Vec<Point>, lost_in: i32 },
}

/// May `side` put a stone on this empty point?
#[inline]
pub(crate) fn may_play(board: &mut Board, point: Point, side: Side) -> bool {
    !board.rule().forbids(side) || board.forbidden(point).is_none()
}

/// Might some point make a four? (For Black under Renju a four can hide behind two apparent threes.)
#[inline]
pub(crate) fn has_four(board: &Board, side: Side) -> bool {
    board.has_at_least(side, Class::Four)
        || board.rule().forbids(side) && board.count(side, Class::DoubleThree) > 0
}

/// Does a stone here make a four (or more), as far as the shapes tell?
#[inline]
pub(crate) fn makes_four(board: &Board, point: Point, side: Side) -> bool {
    match board.class(point, side) {
        class if class >= Class::Four => true,
        Class::DoubleThree if board.rule().forbids(side) => {
            Direction::ALL.iter().any(|direction| board.shape(point, side, *direction).fours() > 0)
        }
        _ => false,
    }
}

/// All points where a side makes a four, legal or not.
pub(crate) fn four_points(board: &Board, side: Side) -> PointSet {
    board.hot_points(side).iter().filter(|point| makes_four(board, *point, side)).collect()
}

/// A point where two fives at once arise, so that one stone cannot stop both. The defender must have no five
/// to make. Under Caro a single stone may close the ends of both, so no four is certain by its shape alone.
#[inline]
pub(crate) fn winning_four(board: &Board, attacker: Side) -> Option<Point> {
    if board.rule() == Rule::Caro {
        return None;
    }
    let strong = [Class::OpenFour, Class::DoubleFour].into_iter();
    strong.flat_map(|class| board.points_of(attacker, class).next()).next()
}

/// The points after which `attacker`, who can make five now, no longer can; empty where no single stone
/// suffices.
#[inline]
pub(crate) fn five_blocks(board: &Board, attacker: Side) -> PointSet {
    if board.rule() == Rule::Caro {
        return caro_five_blocks(board, attacker);
    }
    match board.count(attacker, Class::Five) {
        1 => board.five_point(attacker).into_iter().collect(),
        _ => PointSet::EMPTY,
    }
}

/// Under Caro a five counts for nothing once both its ends are closed, so a stone beside the row can stop it.
fn caro_five_blocks(board: &Board, attacker: Side) -> PointSet {
    let mut common: Option<PointSet> = None;
    for five in board.points_of(attacker, Class::Five) {
        let mut blocks = PointSet::from_iter([five]);
        let mut lines = Direction::ALL.into_iter().filter(|d| board.shape(five, attacker, *d) == Shape::Five);
        // Where two lines make five, a stone beside one of them leaves the other.
        if let (Some(line), None) = (lines.next(), lines.next()) {
            board.defence(five, attacker, line).points(five, line).for_each(|p| blocks.insert(p));
        }
        common = Some(common.map_or(blocks, |common| common.intersection(&blocks)));
    }
    common.unwrap_or_default().intersection(&board.empty_points())
}

/// The moves that keep an open four or a double four at `point` from winning, the defender's own fours aside.
/// Not for Caro.
pub(crate) fn strong_four_blocks(board: &Board, point: Point, attacker: Side) -> PointSet {
    let fours = Direction::ALL.into_iter().filter(|d| board.shape(point, attacker, *d).fours() > 0);
    let lines: Vec<Direction> = fours.collect();
    let strong = lines.iter().filter(|d| board.shape(point, attacker, **d).is_strong_four()).count();
    let mut blocks = PointSet::from_iter([point]);
    // A stone elsewhere breaks one four or weakens one open four; where that leaves two, it does not help.
    if matches!((strong, lines.len()), (1, 1) | (0, 2)) {
        for line in lines {
            board.defence(point, attacker, line).points(point, line).for_each(|p| blocks.insert(p));
        }
    }
    blocks
}

/// The result of a position whose forced end shows in its classes, for `side` to move.
#[inline]
pub(crate) fn forced_end(board: &Board, side: Side) -> Option<ForcedEnd> {
    let other = side.other();
    if board.count(side, Class::Five) > 0 {
        return Some(ForcedEnd::Win(1));
    }
    if board.rule() == Rule::Caro {
        return None;
    }
    match board.count(other, Class::Five) {
        0 => {}
        1 => return None,
        _ => return Some(ForcedEnd::Loss(2)),
    }
    if board.count(side, Class::OpenFour) + board.count(side, Class::DoubleFour) > 0 {
        return Some(ForcedEnd::Win(3));
    }
    if board.rule().forbids(side) {
        return None;
    }
    if board.count(side, Class::FourThree) > 0
        && board.points_of(side, Class::FourThree).any(|point| four_three_wins(board, point, side))
    {
        return Some(ForcedEnd::Win(5));
    }
    if board.count(side, Class::DoubleThree) > 0 && !has_four(board, other) {
        return Some(ForcedEnd::Win(5));
    }
    None
}

/// The replies of `side`, to move, to the opponent's threats. Call it only where [`forced_end`] is `None`.
pub(crate) fn forced_replies(board: &Board, side: Side) -> Replies {
    let other = side.other();
    if board.count(other, Class::Five) > 0 {
        return Replies::Forced { moves: five_blocks(board, other).into_points().collect(), lost_in: 2 };
    }
    if board.rule() == Rule::Caro {
        return Replies::Any;
    }
    let strong =
        [Class::FourThree, Class::DoubleFour, Class::OpenFour].map(|class| board.count(other, class));
    if strong == [0; 3] {
        return Replies::Any;
    }
    let mut common: Option<PointSet> = None;
    let mut lost_in = 4;
    for class in [Class::OpenFour, Class::DoubleFour] {
        for point in board.points_of(other, class) {
            let blocks = strong_four_blocks(board, point, other);
            common = Some(common.map_or(blocks, |common| common.intersection(&blocks)));
        }
    }
    if common.is_none() && !board.rule().forbids(other) && board.count(other, Class::FourThree) > 0 {
        lost_in = 6;
        for point in board.points_of(other, Class::FourThree) {
            if let Some(blocks) = four_three_blocks(board, point, other) {
                common = Some(common.map_or(blocks, |common| common.intersection(&blocks)));
            }
        }
    }
    let Some(blocks) = common else { return Replies::Any };
    let moves = blocks.union(&four_points(board, side)).into_points();
    Replies::Forced { moves: moves.filter(|point| board.is_empty(*point)).collect(), lost_in }
}

/// Does a four with a three win by force? It does unless the block of the four makes a four itself.
fn four_three_wins(board: &Board, point: Point, side: Side) -> bool {
    four_block(board, point, side).is_some_and(|block| !makes_four(board, block, side.other()))
}

/// The point that blocks the four that `side` makes at `point`.
fn four_block(board: &Board, point: Point, side: Side) -> Option<Point> {
    let four = Direction::ALL.into_iter().find(|d| board.shape(point, side, *d) == Shape::Four)?;
    board.gain(point, side, four).points(point, four).next()
}

/// The moves that keep a four-three at `point` from winning, the defender's own fours aside; `None` where it
/// does not win anyway because the block of the four makes a four.
fn four_three_blocks(board: &Board, point: Point, attacker: Side) -> Option<PointSet> {
    let defender = attacker.other();
    if !four_three_wins(board, point, attacker) {
        return None;
    }
    let block = four_block(board, point, attacker)?;
    let mut blocks = PointSet::from_iter([point, block]);
    let threes = Direction::ALL.into_iter().filter(|d| board.shape(point, attacker, *d).is_three());
    let threes: Vec<Direction> = threes.collect();
    if let [three] = threes[..] {
        board.defence(point, attacker, three).points(point, three).for_each(|p| blocks.insert(p));
    }
    // A stone that turns the block into a four gains the tempo to break the three.
    for line in Direction::ALL {
        if board.shape(block, defender, line) >= Shape::ClosedThree {
            let near = (-4..=4).map(|steps| block.step(line, steps));
            near.filter(|near| board.is_empty(*near)).for_each(|near| blocks.insert(near));
        }
    }
    Some(blocks)
}

#[cfg(test)]
pub(crate) mod tests;
