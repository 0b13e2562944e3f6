//! Move ordering: hash move first, then by static score, history, killers and counter move.
//!
//! The static score of a move, what it makes and what it denies the opponent ([`crate::weights`]), carries most
//! of the information; what the search has learnt is added to it. The lists of all plies share one stack.

use super::params::{COUNTER_BONUS, HISTORY_BONUS, HISTORY_DIVISOR, HISTORY_LIMIT, KILLER_BONUS, PLY};
use crate::network::Accumulator;
use crate::{Board, Class, Point, PointSet};
use ::game::Side;

/// Policy logits are kept within this many hundredths, so that bonuses fit on top.
const POLICY_LIMIT: i32 = 3_000;

/// A move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) point: Point,
    /// The static ordering score alone.
    pub(super) prior: i16,
    /// With history, killers and counter move.
    score: i16,
}

impl ScoredMove {
    /// Puts the move before all others.
    pub(super) fn prefer(&mut self) {
        self.score = i16::MAX;
    }
}

/// What a search learns about moves, kept from move to move of a game.
pub(super) struct History {
    /// By side, attack or quiet move, and point.
    scores: Box<[[[i16; 1024]; 2]; 2]>,
    /// By side that moved and its point: the best answer seen.
    counters: Box<[[Option<Point>; 1024]; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History { scores: Box::new([[[0; 1024]; 2]; 2]), counters: Box::new([[None; 1024]; 2]) }
    }

    /// The history score of a move.
    #[inline]
    pub(super) fn of(&self, board: &Board, point: Point, side: Side) -> i32 {
        let attacks = usize::from(board.class(point, side) >= Class::Three);
        i32::from(self.scores[side.index()][attacks][point.index()])
    }

    /// History gravity: a bonus (or malus) that shrinks as the score nears its limit.
    fn update(&mut self, board: &Board, point: Point, side: Side, bonus: i32) {
        let attacks = usize::from(board.class(point, side) >= Class::Three);
        let score = &mut self.scores[side.index()][attacks][point.index()];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
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
        self.update(board, best, side, bonus);
        for point in failed {
            self.update(board, *point, side, -bonus);
        }
        if let Some(last) = last {
            self.counters[side.other().index()][last.index()] = Some(best);
        }
    }
}

/// What move ordering knows about a node besides the board.
pub(super) struct Context {
    pub(super) killers: [Option<Point>; 2],
    pub(super) last: Option<Point>,
}

/// The moves generated where nothing is forced: within two of a stone, and wherever a three or more is made or
/// denied.
pub(super) fn candidates(board: &Board) -> PointSet {
    let near = board.candidates(2);
    near.union(board.hot_points(Side::Black)).union(board.hot_points(Side::White))
}

/// Adds moves to the stack with their scores.
pub(super) fn push_scored(
    moves: &mut Vec<ScoredMove>,
    board: &Board,
    side: Side,
    points: impl Iterator<Item = Point>,
    history: &History,
    context: &Context,
    network: Option<&Accumulator>,
) {
    let counter = context.last.and_then(|last| history.counters[side.other().index()][last.index()]);
    // The network has not learned from positions in which a five is threatened.
    let threatened = Side::BOTH.iter().any(|side| board.count(*side, Class::Five) > 0);
    let network = network.filter(|_| !threatened);
    for point in points {
        let prior = match network {
            Some(network) => network.policy(point, side).clamp(-POLICY_LIMIT, POLICY_LIMIT),
            None => board.ordering_score(point, side),
        };
        let mut score = prior + history.of(board, point, side) / HISTORY_DIVISOR;
        if context.killers.contains(&Some(point)) {
            score += KILLER_BONUS;
        }
        if counter == Some(point) {
            score += COUNTER_BONUS;
        }
        moves.push(ScoredMove { point, prior: prior as i16, score: score as i16 });
    }
}

/// Brings the best of the moves from `at` on to `at` and returns it.
#[inline]
pub(super) fn pick(moves: &mut [ScoredMove], at: usize) -> Option<ScoredMove> {
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
