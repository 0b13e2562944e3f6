//! Playing weaker the way a person does: a shorter look ahead and small errors, but no blindness.

use crate::{Board, Class, Point, Position};
use ::game::{Level, Position as GamePosition, Side};
use search::rng::Rng;

/// How far a level looks ahead.
pub(super) fn plies(level: Level) -> u32 {
    match level {
        Level::Easy => 1,
        Level::Medium => 2,
        Level::Hard | Level::Max => 3,
    }
}

/// Chooses from root values (the mover's view) with an error that grows as the level falls.
pub(super) fn choose(table: &[(u16, f64)], level: Level, seed: u64) -> Option<u16> {
    let best = table.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    // An error is a share of what is at stake, so that it works for scores of any unit.
    let share = match level {
        Level::Easy => 0.35,
        Level::Medium => 0.12,
        Level::Hard => 0.02,
        Level::Max => 0.0,
    };
    let spread = table.iter().map(|(_, value)| best - value).fold(0.0, f64::max).min(best.abs() + 1_000.0);
    let mut rng = Rng::new(seed);
    let noisy = table.iter().map(|(mv, value)| (*mv, value + share * spread * rng.unit()));
    noisy.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(mv, _)| mv)
}

/// Leaves only cells that neither miss a five nor leave the opponent a five or an open four, where there are any.
pub(super) fn keep_safe(position: &Position, allowed: &mut [bool]) {
    let mut board = position.board().clone();
    let side = position.to_move();
    let size = usize::from(board.size());
    let point = |cell: usize| Point::new((cell / size) as u8, (cell % size) as u8);
    for judge in [wins_now, parries] {
        let keep: Vec<bool> =
            (0..allowed.len()).map(|cell| allowed[cell] && judge(&mut board, point(cell), side)).collect();
        if keep.contains(&true) {
            allowed.copy_from_slice(&keep);
            return;
        }
    }
}

fn wins_now(board: &mut Board, at: Point, side: Side) -> bool {
    board.makes_five(at, side)
}

fn parries(board: &mut Board, at: Point, side: Side) -> bool {
    board.make(at, side);
    let opponent = side.other();
    let five = board.count(opponent, Class::Five) > 0;
    let mine = board.count(side, Class::Five) > 0;
    let open_four = board.count(opponent, Class::OpenFour) > 0;
    board.undo();
    !five && (mine || !open_four)
}
