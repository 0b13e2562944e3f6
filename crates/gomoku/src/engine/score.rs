//! Scores: evaluations near zero, proved wins and losses at the ends of the range.

use super::params::WIN_SCALE;
use crate::threat::ForcedEnd;

/// The score of five on the board; a win in n plies scores n less.
pub(super) const MATE: i32 = 30_000;
/// Scores from here on are proved wins; below its negative, proved losses.
pub(crate) const MATE_BOUND: i32 = 29_000;
/// Larger than any score.
pub(super) const INFINITE: i32 = 32_000;

/// The score of losing at this ply.
pub(super) const fn loss_in(ply: i32) -> i32 {
    ply - MATE
}

/// Is this a proved win or loss?
pub(super) const fn is_decided(score: i32) -> bool {
    score.abs() >= MATE_BOUND
}

/// The score of a forced end seen at `ply`.
#[inline]
pub(super) fn of_forced_end(end: ForcedEnd, ply: i32) -> i32 {
    match end {
        ForcedEnd::Win(plies) => MATE - ply - plies,
        ForcedEnd::Loss(plies) => loss_in(ply + plies),
    }
}

/// The expected result, 0 to 1, of a score.
pub(crate) fn win_rate(score: i32) -> f64 {
    match score {
        win if win >= MATE_BOUND => 1.0,
        loss if loss <= -MATE_BOUND => 0.0,
        score => 1.0 / (1.0 + (-f64::from(score) / WIN_SCALE).exp()),
    }
}
