//! Samples: which weights a position or a move choice involves, and what should come out.

use super::TrainingError;
use super::games::{Labelled, replay};
use crate::engine::MATE_BOUND;
use crate::weights::tuned;
use crate::{Board, Class, Point, Rule};
use ::game::{Position as _, Side};

pub(super) const SHAPES: usize = 14;
/// Weights of a table: pairs, then the rest.
pub(super) const TABLE: usize = SHAPES * SHAPES + SHAPES;
/// Weights by side to move or not, class, and count up to three.
pub(super) const THREATS: usize = 2 * Class::COUNT * 4;
/// Value table, threats, tempo.
pub(super) const VALUES: usize = TABLE + THREATS + 1;

/// Everything to learn from.
#[derive(Default)]
pub struct Samples {
    pub(super) values: Vec<ValueSample>,
    pub(super) choices: Vec<MoveChoice>,
}

impl Samples {
    /// Positions for the evaluation, and choices for move ordering.
    pub fn len(&self) -> (usize, usize) {
        (self.values.len(), self.choices.len())
    }
}

/// A position for the evaluation: sparse features, and the expected result for the side to move.
pub(super) struct ValueSample {
    pub(super) features: Vec<(u16, f32)>,
    pub(super) target: f32,
}

/// A choice of a move: the weights of every candidate, the chosen one first.
pub(super) struct MoveChoice {
    pub(super) candidates: Vec<[u16; 6]>,
}

/// Reads games as [`SelfPlay::play`](super::SelfPlay::play) writes them, one per line.
pub fn read_games(text: &str) -> Result<Samples, TrainingError> {
    let mut samples = Samples::default();
    for (index, line) in text.lines().enumerate() {
        replay(Rule::Freestyle, line, index + 1, |Labelled { position, best, score, result }| {
            add_samples(position.board(), position.to_move(), best, result as f32, score, &mut samples);
        })?;
    }
    Ok(samples)
}

fn add_samples(board: &Board, side: Side, chosen: Point, result: f32, score: f64, samples: &mut Samples) {
    if Side::BOTH.iter().any(|side| board.count(*side, Class::Five) > 0) {
        return;
    }
    if !board.has_at_least(side, Class::FourThree) {
        let target = 0.5 * result + 0.5 * crate::engine::win_rate(score as i32) as f32;
        samples.values.push(value_sample(board, side, target));
    }
    // Once the game is decided, the move chosen teaches little.
    let forced = Side::BOTH.into_iter().any(|side| board.has_at_least(side, Class::FourThree));
    if !forced && score > -f64::from(MATE_BOUND) {
        samples.choices.push(move_choice(board, side, chosen));
    }
}

/// The indices of a combination's three weights in a table.
fn table_indices(board: &Board, point: Point, side: Side) -> [usize; 3] {
    let mut shapes = Board::shapes_of_code(board.code(point, side));
    shapes.sort_by(|a, b| b.cmp(a));
    let [first, second, third, fourth] = shapes.map(|shape| shape as usize);
    [first * SHAPES + second, SHAPES * SHAPES + third, SHAPES * SHAPES + fourth]
}

fn threat_index(opponent: bool, class: Class, count: usize) -> usize {
    TABLE + (usize::from(opponent) * Class::COUNT + class.index()) * 4 + count.min(3)
}

fn value_sample(board: &Board, side: Side, target: f32) -> ValueSample {
    let mut dense = vec![0f32; VALUES];
    for point in board.empty_points().into_points() {
        for of in Side::BOTH {
            let sign = if of == side { 1.0 } else { -1.0 };
            table_indices(board, point, of).into_iter().for_each(|index| dense[index] += sign);
        }
    }
    for (of, sign) in [(side, 1.0), (side.other(), -1.0)] {
        for class in &Class::ALL[Class::ClosedThree.index()..Class::Five.index()] {
            dense[threat_index(of != side, *class, board.count(of, *class))] += sign;
        }
    }
    dense[VALUES - 1] = 1.0;
    let features = dense.iter().enumerate().filter(|(_, v)| **v != 0.0).map(|(i, v)| (i as u16, *v));
    ValueSample { features: features.collect(), target }
}

fn move_choice(board: &Board, side: Side, chosen: Point) -> MoveChoice {
    let indices = |point: Point| {
        let own = table_indices(board, point, side);
        let other = table_indices(board, point, side.other()).map(|index| index + TABLE);
        [own[0], own[1], own[2], other[0], other[1], other[2]].map(|index| index as u16)
    };
    let others = board.candidates(2).into_points().filter(|point| *point != chosen).map(indices);
    MoveChoice { candidates: [indices(chosen)].into_iter().chain(others).collect() }
}

/// Today's weights in the order of the features: value table, threats, tempo, attack table, defence table.
pub(super) fn current_weights() -> Vec<f32> {
    let table = |table: &crate::weights::ShapeWeights| {
        let pairs = table.pairs.as_flattened().iter().chain(&table.rest);
        pairs.map(|weight| f32::from(*weight)).collect::<Vec<f32>>()
    };
    let threats = tuned::THREATS.as_flattened().as_flattened().iter().map(|weight| f32::from(*weight));
    let mut weights = table(&tuned::VALUE);
    weights.extend(threats);
    weights.push(tuned::TEMPO as f32);
    weights.extend(table(&tuned::ATTACK));
    weights.extend(table(&tuned::DEFENCE));
    weights
}
