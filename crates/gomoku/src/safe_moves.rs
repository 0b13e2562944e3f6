//! Moves that neither miss a five nor leave one: what a person sees who has played a few games, and what every engine
//! keeps to below full strength.

use crate::{Board, Class, Point};
use ::game::Side;

/// Leaves only moves that make a five, else those that leave the opponent neither a five nor an open four, where there
/// are any.
pub(crate) fn keep_safe(board: &Board, side: Side, moves: &mut Vec<Point>) {
    let mut board = board.clone();
    for is_safe in [wins_now, parries] {
        let safe: Vec<Point> = moves.iter().copied().filter(|at| is_safe(&mut board, *at, side)).collect();
        if !safe.is_empty() {
            *moves = safe;
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
