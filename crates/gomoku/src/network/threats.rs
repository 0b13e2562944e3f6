//! The threats of both sides as inputs of the value.
//!
//! A single threat is a small part of a sum over the whole board, so the network is told how many points there are of
//! each class; the board keeps the counts anyway.

use super::Network;
use crate::{Board, Class, Rule};
use ::game::Side;
use nn::patterns::{HIDDEN, HiddenRow};
use std::ops::Range;

/// The classes that are counted; weaker ones say nothing that the sums do not, and a five is never evaluated.
const COUNTED_CLASSES: Range<usize> = Class::ClosedThree.index()..Class::Five.index();
/// Counts are told apart up to this.
const MAX_COUNT: usize = 3;
/// Inputs that are on at a time: one for each side and class.
pub(crate) const ACTIVE: usize = 2 * (COUNTED_CLASSES.end - COUNTED_CLASSES.start);
/// Inputs of a side to move.
const INPUTS: usize = ACTIVE * (MAX_COUNT + 1);

/// Inputs in all: where the rule is another for Black and White, White to move has inputs of its own.
pub(crate) const fn threat_inputs(rule: Rule) -> usize {
    if rule.differs_by_side() { 2 * INPUTS } else { INPUTS }
}

/// The inputs that are on, for the side to move first.
pub(crate) fn active(board: &Board, to_move: Side) -> [u8; ACTIVE] {
    let counts = [to_move, to_move.other()].into_iter().flat_map(|side| {
        COUNTED_CLASSES.map(move |class| board.count(side, Class::ALL[class]).min(MAX_COUNT))
    });
    let first = if board.rule().differs_by_side() && to_move == Side::White { INPUTS } else { 0 };
    let mut inputs = [0; ACTIVE];
    for (index, (input, count)) in inputs.iter_mut().zip(counts).enumerate() {
        *input = (first + index * (MAX_COUNT + 1) + count) as u8;
    }
    inputs
}

impl Network {
    /// What the threats add to the hidden layer.
    pub(crate) fn threat_row(&self, board: &Board, to_move: Side) -> HiddenRow {
        let mut sum = [0; HIDDEN];
        for input in active(board, to_move) {
            let row = &self.threats[usize::from(input)];
            sum.iter_mut().zip(row).for_each(|(sum, add)| *sum += add);
        }
        sum
    }
}
