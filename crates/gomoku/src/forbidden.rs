//! Renju's forbidden points, judged as the official rules do.
//!
//! Overlines and double-fours are plain from the line shapes. A three, however, counts only if it can become
//! a straight four by a move that is itself legal and makes no five: so each apparent three of a possible
//! double-three is tried out on the board, recursively. Every level adds a stone, so it ends; in practice
//! only points with two apparent threes cost anything at all.

use crate::{Board, Class, Direction, Point, Rule, Shape};
use ::game::Side;

/// Why a point is forbidden to Black under Renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once, each of which can become a straight four.
    DoubleThree,
}

search::named!(
    Forbidden, "kind of forbidden point":
    Overline = "overline", DoubleFour = "double-four", DoubleThree = "double-three",
);

impl Board {
    /// Why Black may not play an empty point, or `None` where Black may (always outside Renju). The board is
    /// used to try moves out and is unchanged afterwards.
    #[inline]
    pub fn forbidden(&mut self, point: Point) -> Option<Forbidden> {
        if self.rule() != Rule::Renju || !self.is_empty(point) {
            return None;
        }
        match self.class(point, Side::Black) {
            Class::Barred => Some(self.barred_kind(point)),
            Class::DoubleThree if self.is_double_three(point) => Some(Forbidden::DoubleThree),
            _ => None,
        }
    }

    /// All points forbidden to Black, in row order.
    pub(crate) fn forbidden_points(&mut self) -> Vec<(Point, Forbidden)> {
        if self.rule() != Rule::Renju {
            return Vec::new();
        }
        let suspects =
            self.empty_points().into_points().filter_map(|point| Some((point, self.forbidden(point)?)));
        suspects.collect()
    }

    fn barred_kind(&self, point: Point) -> Forbidden {
        let overline = Direction::ALL.iter().any(|d| self.shape(point, Side::Black, *d) == Shape::Overline);
        if overline { Forbidden::Overline } else { Forbidden::DoubleFour }
    }

    #[cold]
    fn is_double_three(&mut self, point: Point) -> bool {
        let threes = Direction::ALL.map(|direction| {
            let is_three = self.shape(point, Side::Black, direction).is_three();
            is_three.then(|| (direction, self.gain(point, Side::Black, direction)))
        });
        self.make(point, Side::Black);
        let real = threes.iter().flatten().filter(|(direction, gain)| {
            let mut straight_fours = gain.points(point, *direction);
            straight_fours.any(|four| !self.makes_five(four, Side::Black) && self.forbidden(four).is_none())
        });
        let is_double = real.take(2).count() == 2;
        self.undo();
        is_double
    }
}
