//! Forced situations, read off the class counts: won and lost positions a few plies from their end, and the
//! only moves that can answer a threat.
//!
//! Everything claimed here is exact. A set of answers holds every move that could possibly meet the threat,
//! so "no answer" is a proved loss with a true distance. Two cases are left to the search: Caro, where closing
//! the ends also stops a four, and Black's threes under Renju, which may be false.

use super::{MATE, mated_in};
use crate::{Board, Class, Direction, Point, PointSet, Rule, Shape};
use ::game::Side;

/// What the side to move must do.
pub(super) enum Duty {
    /// Nothing in particular.
    Free,
    /// One of these moves, or lose in so many plies.
    Answer { moves: Vec<Point>, lost_in: i32 },
}

/// The value of a position whose end is plain, from the view of `side` to move at `ply`.
#[inline]
pub(super) fn plain_result(board: &Board, side: Side, ply: i32) -> Option<i32> {
    let other = side.other();
    if board.count(side, Class::Five) > 0 {
        return Some(MATE - ply - 1);
    }
    if board.rule() == Rule::Caro {
        return None;
    }
    match board.count(other, Class::Five) {
        0 => {}
        1 => return None,
        _ => return Some(mated_in(ply + 2)),
    }
    if board.count(side, Class::OpenFour) + board.count(side, Class::DoubleFour) > 0 {
        return Some(MATE - ply - 3);
    }
    if board.rule().forbids(side) {
        return None;
    }
    if board.count(side, Class::FourThree) > 0
        && board.points_of(side, Class::FourThree).any(|point| four_three_wins(board, point, side))
    {
        return Some(MATE - ply - 5);
    }
    if board.count(side, Class::DoubleThree) > 0 && !can_make_four(board, other) {
        return Some(MATE - ply - 5);
    }
    None
}

/// May `side` have a point that makes a four? (Under Renju some of Black's are classed as double-threes.)
#[inline]
pub(super) fn can_make_four(board: &Board, side: Side) -> bool {
    board.has_at_least(side, Class::Four)
        || board.rule().forbids(side) && board.count(side, Class::DoubleThree) > 0
}

/// Does a four with a three win by force? It does unless the answer to the four makes a four itself.
fn four_three_wins(board: &Board, point: Point, side: Side) -> bool {
    four_answer(board, point, side).is_some_and(|answer| !makes_four(board, answer, side.other()))
}

/// Would a stone here make a four, or more?
fn makes_four(board: &Board, point: Point, side: Side) -> bool {
    let class = board.class(point, side);
    class >= Class::Four
        || class == Class::DoubleThree
            && board.rule().forbids(side)
            && Direction::ALL.iter().any(|d| board.shape(point, side, *d).fours() > 0)
}

/// The point that answers the four that `side` makes at `point`.
fn four_answer(board: &Board, point: Point, side: Side) -> Option<Point> {
    let four = Direction::ALL.into_iter().find(|d| board.shape(point, side, *d) == Shape::Four)?;
    board.gain(point, side, four).points(point, four).next()
}

/// The points that stop `attacker` from making five, where it threatens to.
pub(super) fn five_answers(board: &Board, attacker: Side) -> Vec<Point> {
    if board.rule() == Rule::Caro {
        return caro_five_answers(board, attacker);
    }
    match board.count(attacker, Class::Five) {
        1 => board.five_point(attacker).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Under Caro a five counts for nothing once both its ends are closed.
fn caro_five_answers(board: &Board, attacker: Side) -> Vec<Point> {
    let mut common: Option<PointSet> = None;
    for five in board.points_of(attacker, Class::Five) {
        let mut answers = PointSet::from_iter([five]);
        let mut lines = Direction::ALL.into_iter().filter(|d| board.shape(five, attacker, *d) == Shape::Five);
        if let (Some(line), None) = (lines.next(), lines.next()) {
            board.defence(five, attacker, line).points(five, line).for_each(|p| answers.insert(p));
        }
        common = Some(common.map_or(answers, |common| common.intersection(&answers)));
    }
    common.unwrap_or_default().into_points().filter(|point| board.is_empty(*point)).collect()
}

/// What `side`, to move, must do. Call it only where [`plain_result`] has nothing to say.
pub(super) fn duty(board: &Board, side: Side) -> Duty {
    let other = side.other();
    if board.count(other, Class::Five) > 0 {
        return Duty::Answer { moves: five_answers(board, other), lost_in: 2 };
    }
    if board.rule() == Rule::Caro {
        return Duty::Free;
    }
    let strong =
        [Class::FourThree, Class::DoubleFour, Class::OpenFour].map(|class| board.count(other, class));
    if strong == [0; 3] {
        return Duty::Free;
    }
    let mut common: Option<PointSet> = None;
    let mut lost_in = 4;
    for class in [Class::OpenFour, Class::DoubleFour] {
        for point in board.points_of(other, class) {
            let answers = strong_four_answers(board, point, other);
            common = Some(common.map_or(answers, |common| common.intersection(&answers)));
        }
    }
    if common.is_none() && !board.rule().forbids(other) && board.count(other, Class::FourThree) > 0 {
        lost_in = 6;
        for point in board.points_of(other, Class::FourThree) {
            if let Some(answers) = four_three_answers(board, point, other) {
                common = Some(common.map_or(answers, |common| common.intersection(&answers)));
            }
        }
    }
    let Some(mut answers) = common else { return Duty::Free };
    answers = answers.union(&four_points(board, side));
    Duty::Answer { moves: answers.into_points().filter(|point| board.is_empty(*point)).collect(), lost_in }
}

/// The points where `side` makes a four.
pub(super) fn four_points(board: &Board, side: Side) -> PointSet {
    board.hot_points(side).iter().filter(|point| makes_four(board, *point, side)).collect()
}

/// The moves that keep an open four or a double four at `point` from winning, own fours aside.
fn strong_four_answers(board: &Board, point: Point, attacker: Side) -> PointSet {
    let fours = Direction::ALL.into_iter().filter(|d| board.shape(point, attacker, *d).fours() > 0);
    let lines: Vec<Direction> = fours.collect();
    let strong = lines.iter().filter(|d| board.shape(point, attacker, **d).is_strong_four()).count();
    let mut answers = PointSet::from_iter([point]);
    // A stone elsewhere breaks one four or weakens one open four; where that leaves two, it is no answer.
    if matches!((strong, lines.len()), (1, 1) | (0, 2)) {
        for line in lines {
            board.defence(point, attacker, line).points(point, line).for_each(|p| answers.insert(p));
        }
    }
    answers
}

/// The moves that keep a four-three at `point` from winning, own fours aside; `None` where it does not win
/// anyhow because the answer to the four makes a four.
fn four_three_answers(board: &Board, point: Point, attacker: Side) -> Option<PointSet> {
    let defender = attacker.other();
    if !four_three_wins(board, point, attacker) {
        return None;
    }
    let block = four_answer(board, point, attacker)?;
    let mut answers = PointSet::from_iter([point, block]);
    let threes = Direction::ALL.into_iter().filter(|d| board.shape(point, attacker, *d).is_three());
    let threes: Vec<Direction> = threes.collect();
    if let [three] = threes[..] {
        board.defence(point, attacker, three).points(point, three).for_each(|p| answers.insert(p));
    }
    // A stone that turns the block into a four gains the tempo to break the three.
    for line in Direction::ALL {
        if board.shape(block, defender, line) >= Shape::ClosedThree {
            let near = (-4..=4).map(|steps| block.step(line, steps));
            near.filter(|near| board.is_empty(*near)).for_each(|near| answers.insert(near));
        }
    }
    Some(answers)
}
