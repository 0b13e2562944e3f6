//! Tuned weights of line shapes, for the evaluation and for move ordering.
//!
//! Four line shapes are scored by the pair of the two strongest plus one term for each of the other two.
//! [`crate::class`] stores the sums in its tables, so this module sits below the board and imports no engine
//! code. [`tuned`] holds the numbers, fitted by [`crate::training`] to self-play games.

pub(crate) mod tuned;

use crate::Shape;
use tuned::{ATTACK, DEFENCE, VALUE};

/// Weights by line shape: of the two strongest lines together (the stronger one first), and of each other one.
pub(crate) struct ShapeWeights {
    pub(crate) pairs: [[i16; 14]; 14],
    pub(crate) rest: [i16; 14],
}

impl ShapeWeights {
    fn sum(&self, [first, second, third, fourth]: [usize; 4]) -> i16 {
        self.pairs[first][second] + self.rest[third] + self.rest[fourth]
    }
}

/// Weights of a point, by the shapes a stone of one side would make there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PointWeights {
    /// Term of the evaluation, for the side.
    pub(crate) value: i16,
    /// Move-ordering score for the side: hundredths of a logit.
    pub(crate) attack: i16,
    /// Move-ordering score for the opponent, who denies the point to the side.
    pub(crate) defence: i16,
}

impl PointWeights {
    pub(crate) fn of(mut shapes: [Shape; 4]) -> PointWeights {
        shapes.sort_by(|a, b| b.cmp(a));
        let shapes = shapes.map(|shape| shape as usize);
        PointWeights { value: VALUE.sum(shapes), attack: ATTACK.sum(shapes), defence: DEFENCE.sum(shapes) }
    }
}
