//! The evaluation: the worth of all points, which the board keeps up to date, and the threats at hand.

use super::tuned::{TEMPO, THREATS};
use super::{MATE_BOUND, params::WIN_SCALE};
use crate::{Board, Class};
use ::game::Side;

/// Evaluations stay well away from proved results.
const LIMIT: i32 = 20_000;

/// The value of a position to the side to move, without looking ahead.
#[inline]
pub(super) fn evaluate(board: &Board, side: Side) -> i32 {
    let quiet = if side == Side::Black { board.value() } else { -board.value() };
    let threats = |side: Side, weights: &[[i16; 4]; Class::COUNT]| -> i32 {
        // Below a closed three the counts say nothing that the sum over all points does not.
        Class::ALL[Class::ClosedThree.index()..Class::Five.index()]
            .iter()
            .map(|class| i32::from(weights[class.index()][board.count(side, *class).min(3)]))
            .sum()
    };
    let value = quiet + TEMPO + threats(side, &THREATS[0]) - threats(side.other(), &THREATS[1]);
    value.clamp(-LIMIT, LIMIT)
}

/// The expected result, 0 to 1, that a value stands for.
pub(super) fn win_rate(value: i32) -> f64 {
    match value {
        win if win >= MATE_BOUND => 1.0,
        loss if loss <= -MATE_BOUND => 0.0,
        value => 1.0 / (1.0 + (-f64::from(value) / WIN_SCALE).exp()),
    }
}
