//! The evaluation: the worth of all points, which the board keeps up to date, and the threats at hand.

use super::tuned::{TEMPO, THREATS};
use super::{MATE_BOUND, Worth, params::WIN_SCALE};
use crate::{Board, Class, Position};
use ::game::{Position as Door, Side, Xray, XrayTerm};

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

/// The evaluation taken apart: what each empty point is worth to each side, and the threats at hand.
pub(crate) fn xray(position: &Position) -> Xray {
    let (board, to_move) = (position.board(), Door::to_move(position));
    let mut terms = vec![XrayTerm {
        name: "tempo".into(),
        side: Some(to_move),
        amount: 1.0,
        value: f64::from(TEMPO),
        cells: Vec::new(),
    }];
    for side in Side::BOTH {
        let sign = if side == to_move { 1.0 } else { -1.0 };
        let weights = &THREATS[usize::from(side != to_move)];
        for class in &Class::ALL[Class::ClosedThree.index()..Class::Five.index()] {
            let count = board.count(side, *class);
            let value = sign * f64::from(weights[class.index()][count.min(3)]);
            // A weight may stand for the absence of a threat too.
            if value != 0.0 {
                let cells = board.points_of(side, *class).map(|point| point.cell()).collect();
                let label = class.label();
                let name = if label.is_empty() { format!("{class:?}") } else { label.to_string() };
                terms.push(XrayTerm { name, side: Some(side), amount: count as f64, value, cells });
            }
        }
        for point in board.empty_points().iter() {
            let worth = Worth::of(Board::shapes_of_code(board.code(point, side)));
            if worth.value != 0 {
                let value = sign * f64::from(worth.value);
                let cells = vec![point.cell()];
                terms.push(XrayTerm { name: "point".into(), side: Some(side), amount: 1.0, value, cells });
            }
        }
    }
    let score = f64::from(evaluate(board, to_move));
    Xray { engine: super::INFO.name.into(), score, side: Some(to_move), terms, lines: Vec::new() }
}

/// The expected result, 0 to 1, that a value stands for.
pub(super) fn win_rate(value: i32) -> f64 {
    match value {
        win if win >= MATE_BOUND => 1.0,
        loss if loss <= -MATE_BOUND => 0.0,
        value => 1.0 / (1.0 + (-f64::from(value) / WIN_SCALE).exp()),
    }
}
