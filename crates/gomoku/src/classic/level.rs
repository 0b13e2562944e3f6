//! Playing weaker the way a person does: a shorter look ahead and small errors, but no blindness.

use crate::{Point, Position};
use ::game::{Level, Position as GamePosition};
use search::rng::Rng;

/// How far a level looks ahead.
pub(super) fn plies(level: Level) -> u32 {
    *level.row(&[1, 1, 1, 2, 2, 3, 3, 3, 3])
}

/// Chooses from root values (the mover's view) with an error that grows as the level falls.
pub(super) fn choose(table: &[(u16, f64)], level: Level, seed: u64) -> Option<u16> {
    let best = table.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    // An error is a share of what is at stake, so that it works for scores of any unit.
    let share = level.row(&[0.6, 0.35, 0.2, 0.12, 0.06, 0.02, 0.01, 0.0, 0.0]);
    let spread = table.iter().map(|(_, value)| best - value).fold(0.0, f64::max).min(best.abs() + 1_000.0);
    let mut rng = Rng::new(seed);
    let noisy = table.iter().map(|(mv, value)| (*mv, value + share * spread * rng.unit()));
    noisy.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(mv, _)| mv)
}

/// Leaves only cells that neither miss a five nor leave the opponent a five or an open four, where there are any.
pub(super) fn keep_safe(position: &Position, allowed: &mut [bool]) {
    let size = usize::from(position.board().size());
    let point = |cell: usize| Point::new((cell / size) as u8, (cell % size) as u8);
    let mut moves: Vec<Point> = (0..allowed.len()).filter(|cell| allowed[*cell]).map(point).collect();
    crate::safe_moves::keep_safe(position.board(), position.to_move(), &mut moves);
    allowed.fill(false);
    for at in moves {
        allowed[usize::from(at.row()) * size + usize::from(at.col())] = true;
    }
}
