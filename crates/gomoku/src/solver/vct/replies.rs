//! The defender's replies in a VCT, narrowed down without losing one that matters.

use crate::threat::{five_blocks, four_points, strong_four_blocks};
use crate::{Board, Class, Direction, Point, PointSet, Rule};
use ::game::Side;

/// Where the attacker threatens open or double fours: the moves that could stop all of them. `None` where it
/// threatens none.
pub(super) fn strong_four_stops(board: &mut Board, attacker: Side) -> Option<PointSet> {
    let mut stops: Option<PointSet> = None;
    let strong: PointSet = four_points(board, attacker)
        .into_points()
        .filter(|point| is_strong(board, *point, attacker))
        .collect();
    for point in strong.into_points() {
        if let Some(blocks) = stops_of(board, point, attacker) {
            stops = Some(stops.map_or(blocks, |stops| stops.intersection(&blocks)));
        }
    }
    stops
}

/// The moves that could spoil a VCF: `line` is its line. What is neither on the line nor able to make a four
/// together with one of the blocks leaves every four and every block as it was. Where a shape further away
/// can matter (ends under Caro, what is forbidden under Renju) it is every move.
pub(super) fn vcf_zone(board: &mut Board, attacker: Side, line: &[Point]) -> PointSet {
    let defender = attacker.other();
    let mut far = board.rule() == Rule::Caro;
    let mut ends_with_five = false;
    let mut side = attacker;
    for point in line {
        ends_with_five = board.makes_five(*point, side);
        far |= side == attacker && board.class(*point, side) == Class::DoubleThree;
        board.make(*point, side);
        side = side.other();
    }
    line.iter().for_each(|_| {
        board.undo();
    });
    let empty = board.empty_points();
    if far || !ends_with_five {
        return empty;
    }
    let mut zone: PointSet = line.iter().copied().collect();
    for block in line.iter().skip(1).step_by(2) {
        for direction in Direction::ALL {
            for sign in [-1, 1] {
                // A five of the defender's reaches no further than the attacker's next stone.
                let cells = (1..=4).map(|steps| block.step(direction, sign * steps));
                let open =
                    cells.take_while(|cell| board.is_empty(*cell) || board.at(*cell) == Some(defender));
                open.filter(|cell| board.is_empty(*cell)).for_each(|cell| zone.insert(cell));
            }
        }
    }
    zone.intersection(&empty)
}

fn is_strong(board: &Board, point: Point, side: Side) -> bool {
    matches!(board.class(point, side), Class::OpenFour | Class::DoubleFour)
}

/// The defender's moves that could keep the four at `point` from winning; `None` if it does not win anyway.
fn stops_of(board: &mut Board, point: Point, attacker: Side) -> Option<PointSet> {
    if board.rule() == Rule::Caro {
        let reach = Rule::Caro.reach() as isize;
        let lines = Direction::ALL.into_iter().filter(|d| board.shape(point, attacker, *d).fours() > 0);
        let near = lines.flat_map(|d| (-reach..=reach).map(move |steps| point.step(d, steps)));
        let cells = near.filter(|cell| board.is_empty(*cell)).collect();
        board.make(point, attacker);
        let certain = five_blocks(board, attacker).is_empty();
        board.undo();
        return certain.then_some(cells);
    }
    Some(strong_four_blocks(board, point, attacker))
}
