//! Positions to learn from.

use super::super::games::{Labelled, replay};
use crate::engine::{MATE_BOUND, win_rate};
use crate::network::threats::{self, ACTIVE};
use crate::training::TrainingError;
use crate::{Class, Point, Rule};
use ::game::{Position as _, Side};
use std::collections::HashSet;

/// How much the search's value counts in a target; the rest is the game's result.
const SEARCH_SHARE: f64 = 0.7;
/// One game in this many is held out.
const HELD_OUT: usize = 20;

/// The positions of games, without those that a search resolves before it evaluates them.
pub struct TrainingSet {
    pub(super) rule: Rule,
    /// Each with the number of its game.
    samples: Vec<(usize, Sample)>,
    seen: HashSet<u64>,
    games: usize,
}

/// A position.
pub(super) struct Sample {
    pub(super) size: u8,
    pub(super) to_move: Side,
    /// Cells with stones of the side to move and of its opponent: `row * size + column`.
    pub(super) stones: [Box<[u16]>; 2],
    /// The network's inputs by threats that are on.
    pub(super) threats: [u8; ACTIVE],
    /// The expected result for the side to move.
    pub(super) target: f32,
    /// The best move; `None` where the game is lost anyway.
    pub(super) best: Option<u16>,
}

impl Sample {
    pub(super) fn stones(&self) -> usize {
        self.stones[0].len() + self.stones[1].len()
    }
}

impl TrainingSet {
    /// An empty set for a rule.
    pub fn new(rule: Rule) -> TrainingSet {
        TrainingSet { rule, samples: Vec::new(), seen: HashSet::new(), games: 0 }
    }

    /// Adds a game as [`SelfPlay::play`](crate::training::SelfPlay::play) wrote it; `line` is named in errors.
    pub fn add(&mut self, game: &str, line: usize) -> Result<(), TrainingError> {
        self.games += 1;
        let (number, rule) = (self.games, self.rule);
        let TrainingSet { samples, seen, .. } = self;
        replay(rule, game, line, |labelled| {
            let (board, side) = (labelled.position.board(), labelled.position.to_move());
            let decided = Side::BOTH.iter().any(|side| board.count(*side, Class::Five) > 0);
            // Positions that differ by a symmetry have the same value and are learned from once.
            if !decided && seen.insert(board.canonical_hash(side)) {
                samples.push((number, sample(&labelled, side)));
            }
        })
    }

    /// Games and positions.
    pub fn len(&self) -> (usize, usize) {
        (self.games, self.samples.len())
    }

    /// What is learned from, and what is held out.
    pub(super) fn split(&self) -> (Vec<&Sample>, Vec<&Sample>) {
        let (mut kept, mut held_out) = (Vec::new(), Vec::new());
        for (game, sample) in &self.samples {
            if game.is_multiple_of(HELD_OUT) { held_out.push(sample) } else { kept.push(sample) }
        }
        (kept, held_out)
    }
}

fn sample(labelled: &Labelled, side: Side) -> Sample {
    let board = labelled.position.board();
    let size = u16::from(board.size());
    let cell = |point: Point| u16::from(point.row()) * size + u16::from(point.col());
    let searched = win_rate(labelled.score as i32);
    Sample {
        size: board.size(),
        to_move: side,
        stones: [side, side.other()].map(|side| board.stones_of(side).iter().map(cell).collect()),
        threats: threats::active(board, side),
        target: (SEARCH_SHARE * searched + (1.0 - SEARCH_SHARE) * labelled.result) as f32,
        best: (labelled.score > -f64::from(MATE_BOUND)).then(|| cell(labelled.best)),
    }
}
