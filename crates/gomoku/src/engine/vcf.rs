//! Victory by continuous fours, small and quick, for the leaves of the main search.
//!
//! Every four leaves one answer, so the tree is narrow; what makes it large is the order in which fours can be
//! played, and failed positions are remembered against that. A win found is proved; a failure may only mean
//! that the budget ran out.

use super::threat::{five_answers, four_points};
use crate::{Board, Class, Point};
use ::game::Side;

/// Positions known to have no such win.
pub(super) struct Failures(Box<[u64]>);

impl Failures {
    pub(super) fn new() -> Failures {
        Failures(vec![0; 1 << 14].into())
    }

    fn slot(&mut self, key: u64) -> &mut u64 {
        let at = key as usize & (self.0.len() - 1);
        &mut self.0[at]
    }
}

/// Plies until `side`, to move, makes five by fours alone, if it does so within `budget` nodes. Whatever is
/// left of the budget tells whether a `None` is exact.
pub(super) fn vcf(board: &mut Board, side: Side, failures: &mut Failures, budget: &mut u32) -> Option<i32> {
    let other = side.other();
    if board.count(side, Class::Five) > 0 {
        return Some(1);
    }
    let forced = board.count(other, Class::Five) > 0;
    if !forced && board.count(side, Class::OpenFour) + board.count(side, Class::DoubleFour) > 0 {
        // Caro's fours can be stopped at their ends, so there they are played out.
        if board.rule() != crate::Rule::Caro {
            return Some(3);
        }
    }
    if *budget == 0 {
        return None;
    }
    let key = board.hash(side);
    if *failures.slot(key) == key {
        return None;
    }
    let mut fours: Vec<Point> = four_points(board, side).into_points().collect();
    if forced {
        let answers = five_answers(board, other);
        fours.retain(|point| answers.contains(point));
    }
    fours.sort_by_key(|point| std::cmp::Reverse((board.class(*point, side), board.promise(*point, side))));
    for four in fours {
        if *budget == 0 {
            return None;
        }
        *budget -= 1;
        if let Some(plies) = try_four(board, four, side, failures, budget) {
            return Some(plies);
        }
    }
    if *budget > 0 {
        *failures.slot(key) = key;
    }
    None
}

/// Plies to the win if this four wins against every answer.
fn try_four(
    board: &mut Board,
    four: Point,
    side: Side,
    failures: &mut Failures,
    budget: &mut u32,
) -> Option<i32> {
    let other = side.other();
    if side == Side::Black && board.forbidden(four).is_some() {
        return None;
    }
    board.make(four, side);
    // Without an answer the five comes two plies later, whatever is played in between.
    let mut longest = Some(3);
    if board.count(other, Class::Five) > 0 {
        longest = None;
    } else {
        for answer in five_answers(board, side) {
            if other == Side::Black && board.forbidden(answer).is_some() {
                continue;
            }
            board.make(answer, other);
            let plies = vcf(board, side, failures, budget);
            board.undo();
            match plies {
                Some(plies) => longest = longest.max(Some(plies + 2)),
                None => {
                    longest = None;
                    break;
                }
            }
        }
    }
    board.undo();
    longest
}
