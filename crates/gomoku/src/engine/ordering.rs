//! The order in which moves are tried: hash move first, then by promise, history, killers and counter moves.
//!
//! What a move makes and what it denies (its promise, see [`super::weights`]) knows most; the search's own
//! experience is added to it. Lists live on one stack for all plies of a search.

use super::params::{
    COUNTER_PROMISE, HISTORY_BONUS, HISTORY_LIMIT, HISTORY_PER_PROMISE, KILLER_PROMISE, PLY,
};
use crate::{Board, Class, Point, PointSet};
use ::game::Side;

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub(super) point: Point,
    /// Promise alone.
    pub(super) promise: i16,
    /// Promise with experience.
    score: i16,
}

impl Scored {
    /// Puts the move before all others.
    pub(super) fn prefer(&mut self) {
        self.score = i16::MAX;
    }
}

/// What a search learns about moves, kept from move to move of a game.
pub(super) struct History {
    /// By side, attack or quiet move, and point.
    worth: Box<[[[i16; 1024]; 2]; 2]>,
    /// By side that moved and its point: the best answer seen.
    counters: Box<[[Option<Point>; 1024]; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History { worth: Box::new([[[0; 1024]; 2]; 2]), counters: Box::new([[None; 1024]; 2]) }
    }

    /// What experience says about a move.
    #[inline]
    pub(super) fn of(&self, board: &Board, point: Point, side: Side) -> i32 {
        let attacks = usize::from(board.class(point, side) >= Class::Three);
        i32::from(self.worth[side.index()][attacks][point.index()])
    }

    /// A move was good, or was tried in vain.
    fn note(&mut self, board: &Board, point: Point, side: Side, bonus: i32) {
        let attacks = usize::from(board.class(point, side) >= Class::Three);
        let worth = &mut self.worth[side.index()][attacks][point.index()];
        let old = i32::from(*worth);
        *worth = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    /// The best move of a node was found after others had failed.
    pub(super) fn learn(
        &mut self,
        board: &Board,
        side: Side,
        depth: i32,
        best: Point,
        failed: &[Point],
        last: Option<Point>,
    ) {
        let bonus = (HISTORY_BONUS[0] * depth.max(PLY) / PLY).min(HISTORY_BONUS[1]);
        self.note(board, best, side, bonus);
        for point in failed {
            self.note(board, *point, side, -bonus);
        }
        if let Some(last) = last {
            self.counters[side.other().index()][last.index()] = Some(best);
        }
    }
}

/// What is known at a node besides the board.
pub(super) struct Context {
    pub(super) killers: [Option<Point>; 2],
    pub(super) last: Option<Point>,
}

/// Moves worth a thought where nothing is forced: near stones, and wherever something is made or denied.
pub(super) fn candidates(board: &Board) -> PointSet {
    let near = board.candidates(2);
    near.union(board.hot_points(Side::Black)).union(board.hot_points(Side::White))
}

/// Adds moves to the stack with their scores.
pub(super) fn push_scored(
    moves: &mut Vec<Scored>,
    board: &Board,
    side: Side,
    points: impl Iterator<Item = Point>,
    history: &History,
    context: &Context,
) {
    let counter = context.last.and_then(|last| history.counters[side.other().index()][last.index()]);
    for point in points {
        let promise = board.promise(point, side);
        let mut score = promise + history.of(board, point, side) / HISTORY_PER_PROMISE;
        if context.killers.contains(&Some(point)) {
            score += KILLER_PROMISE;
        }
        if counter == Some(point) {
            score += COUNTER_PROMISE;
        }
        moves.push(Scored { point, promise: promise as i16, score: score as i16 });
    }
}

/// Brings the best of the moves from `at` on to `at` and returns it.
#[inline]
pub(super) fn pick(moves: &mut [Scored], at: usize) -> Option<Scored> {
    let rest = moves.get_mut(at..)?;
    let mut best = 0;
    for (index, scored) in rest.iter().enumerate() {
        if scored.score > rest[best].score {
            best = index;
        }
    }
    if rest.is_empty() {
        return None;
    }
    rest.swap(0, best);
    Some(rest[0])
}
