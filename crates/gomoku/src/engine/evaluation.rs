//! The static evaluation: the sum of all point weights, which the board maintains, plus terms for the threats.

use super::params::WIN_SCALE;
use crate::weights::PointWeights;
use crate::weights::tuned::{TEMPO, THREATS};
use crate::{Board, Class, Position};
use ::game::{Position as _, Side, Xray, XrayTerm};

/// Evaluations stay well away from proved results.
const LIMIT: i32 = 20_000;

/// The static value of a position for the side to move.
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

/// The value that a logit of the network, in thousandths, stands for.
pub(super) fn of_logit(thousandths: i32) -> i32 {
    (thousandths * WIN_SCALE as i32 / 1000).clamp(-LIMIT, LIMIT)
}

/// The evaluation term by term: weights of the empty points and threats, for both sides.
pub(crate) fn xray(position: &Position) -> Xray {
    let (board, to_move) = (position.board(), position.to_move());
    let mut terms = vec![XrayTerm {
        name: "tempo".into(),
        side: Some(to_move),
        amount: 1.0,
        value: f64::from(TEMPO),
        cells: Vec::new(),
    }];
    for side in Side::BOTH {
        let sign = if side == to_move { 1.0 } else { -1.0 };
        let threats = &THREATS[usize::from(side != to_move)];
        for class in &Class::ALL[Class::ClosedThree.index()..Class::Five.index()] {
            let count = board.count(side, *class);
            let value = sign * f64::from(threats[class.index()][count.min(3)]);
            // A weight may stand for the absence of a threat too.
            if value != 0.0 {
                let cells = board.points_of(side, *class).map(|point| point.cell()).collect();
                let label = class.label();
                let name = if label.is_empty() { format!("{class:?}") } else { label.to_string() };
                terms.push(XrayTerm { name, side: Some(side), amount: count as f64, value, cells });
            }
        }
        for point in board.empty_points().iter() {
            let weights = PointWeights::of(Board::shapes_of_code(board.code(point, side)));
            if weights.value != 0 {
                let value = sign * f64::from(weights.value);
                let cells = vec![point.cell()];
                terms.push(XrayTerm { name: "point".into(), side: Some(side), amount: 1.0, value, cells });
            }
        }
    }
    let score = f64::from(evaluate(board, to_move));
    Xray { engine: super::INFO.name.into(), score, side: Some(to_move), terms, lines: Vec::new() }
}
