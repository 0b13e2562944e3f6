//! What a combination of four line shapes is worth, to the evaluation and as a move.
//!
//! A combination is judged by its two strongest lines together and by the other two each for itself. The
//! numbers are in [`super::tuned`], fitted to games of the engine with itself.

use super::tuned::{ATTACK, DEFENCE, Table, VALUE};
use crate::Shape;

/// The worth of a point by what a stone of one side would make there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Worth {
    /// To the evaluation of the side.
    pub(crate) value: i16,
    /// As a move of the side: hundredths of a logit.
    pub(crate) attack: i16,
    /// As a move of the opponent, who takes it away.
    pub(crate) defence: i16,
}

impl Worth {
    pub(crate) fn of(mut shapes: [Shape; 4]) -> Worth {
        shapes.sort_by(|a, b| b.cmp(a));
        let [first, second, third, fourth] = shapes.map(|shape| shape as usize);
        let sum = |table: &Table| table.pairs[first][second] + table.rest[third] + table.rest[fourth];
        Worth { value: sum(&VALUE), attack: sum(&ATTACK), defence: sum(&DEFENCE) }
    }
}
