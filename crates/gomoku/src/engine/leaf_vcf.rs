//! VCF (victory by continuous fours) at the leaves of the main search.
//!
//! A second implementation beside [`crate::solver::Vcf`], on the same [`crate::threat`] primitives. Main search
//! calls it at most leaves with a budget of 80 nodes, which leads to different choices: fours are ordered by the
//! tuned weights (the solver's ordering is hand-made and looks at the last four), the table is 128 KiB so that it
//! stays in the L2 cache of its thread, and there is no line to keep. A win found is proved; a failure may only
//! mean that the budget ran out. Using the solver here changes the search and has to be shown to be no weaker by an
//! SPRT match first.

use crate::threat::{five_blocks, four_points, may_play};
use crate::{Board, Class, Point};
use ::game::Side;

/// Positions known to have no such win.
pub(super) struct Refuted(Box<[u64]>);

impl Refuted {
    pub(super) fn new() -> Refuted {
        Refuted(vec![0; 1 << 14].into())
    }

    fn slot(&mut self, key: u64) -> &mut u64 {
        let at = key as usize & (self.0.len() - 1);
        &mut self.0[at]
    }
}

/// Plies until `side`, to move, makes five by fours alone, if it does so within `budget` nodes. Whatever is
/// left of the budget tells whether a `None` is exact.
pub(super) fn vcf(board: &mut Board, side: Side, refuted: &mut Refuted, budget: &mut u32) -> Option<i32> {
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
    if *refuted.slot(key) == key {
        return None;
    }
    let mut fours: Vec<Point> = four_points(board, side).into_points().collect();
    if forced {
        let blocks = five_blocks(board, other);
        fours.retain(|point| blocks.contains(*point));
    }
    fours.sort_by_key(|point| {
        std::cmp::Reverse((board.class(*point, side), board.ordering_score(*point, side)))
    });
    for four in fours {
        if *budget == 0 {
            return None;
        }
        *budget -= 1;
        if let Some(plies) = try_four(board, four, side, refuted, budget) {
            return Some(plies);
        }
    }
    if *budget > 0 {
        *refuted.slot(key) = key;
    }
    None
}

/// Plies to the win if this four wins against every answer.
fn try_four(
    board: &mut Board,
    four: Point,
    side: Side,
    refuted: &mut Refuted,
    budget: &mut u32,
) -> Option<i32> {
    let other = side.other();
    if !may_play(board, four, side) {
        return None;
    }
    board.make(four, side);
    // Without an answer the five comes two plies later, whatever is played in between.
    let mut longest = Some(3);
    if board.count(other, Class::Five) > 0 {
        longest = None;
    } else {
        for block in five_blocks(board, side).into_points() {
            if !may_play(board, block, other) {
                continue;
            }
            board.make(block, other);
            let plies = vcf(board, side, refuted, budget);
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
