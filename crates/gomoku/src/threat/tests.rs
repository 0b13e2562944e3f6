use super::{ForcedEnd, Replies, forced_end, forced_replies};
use crate::{Board, Class, Point, Rule};
use ::game::Side;
use proptest::prelude::*;
use search::rng::Rng;

/// Does `side`, to move, win within `plies` against every defence? Slow and obvious.
pub(crate) fn wins_within(board: &mut Board, side: Side, plies: i32) -> bool {
    if board.count(side, Class::Five) > 0 {
        return true;
    }
    if plies < 3 {
        return false;
    }
    let other = side.other();
    for attack in board.hot_points(side).into_points() {
        if side == Side::Black && board.forbidden(attack).is_some() {
            continue;
        }
        board.make(attack, side);
        let mut wins = board.count(other, Class::Five) == 0;
        for reply in board.empty_points().into_points() {
            if !wins {
                break;
            }
            if other == Side::Black && board.forbidden(reply).is_some() {
                continue;
            }
            board.make(reply, other);
            wins = wins_within(board, side, plies - 2);
            board.undo();
        }
        board.undo();
        if wins {
            return true;
        }
    }
    false
}

/// A crowded small board, some of whose positions are forced.
pub(crate) fn crowd(rule: Rule, seed: u64) -> (Board, Side) {
    let mut rng = Rng::new(seed);
    let mut board = Board::new(rule, 9);
    let mut side = Side::Black;
    let moves = 6 + rng.below(16);
    board.make(Point::new(4, 4), side);
    for _ in 0..moves {
        side = side.other();
        let near: Vec<Point> = board.candidates(1).into_points().collect();
        let Some(point) = rng.pick(&near) else { break };
        if board.makes_five(point, side) || side == Side::Black && board.forbidden(point).is_some() {
            continue;
        }
        board.make(point, side);
    }
    (board, side.other())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What is read off the class counts agrees with trying everything.
    #[test]
    fn forced_ends_and_replies_are_exact(seed: u64, rule in 0..4usize) {
        let rule = Rule::ALL[rule];
        let (mut board, side) = crowd(rule, seed);
        match forced_end(&board, side) {
            Some(ForcedEnd::Win(plies)) => {
                prop_assert!(wins_within(&mut board, side, plies));
                prop_assert!(plies != 3 || !wins_within(&mut board, side, 1));
                return Ok(());
            }
            Some(ForcedEnd::Loss(_)) => return Ok(()),
            None => {}
        }
        if let Replies::Forced { moves, lost_in } = forced_replies(&board, side) {
            for point in board.empty_points().into_points() {
                let legal = side != Side::Black || board.forbidden(point).is_none();
                if moves.contains(&point) || !legal {
                    continue;
                }
                board.make(point, side);
                let lost = wins_within(&mut board, side.other(), lost_in - 1);
                board.undo();
                prop_assert!(lost, "{point:?} answers the threat too");
            }
        }
    }
}
