//! The puzzles found so far, taken in the order of their games. Whoever offers the same in the same order gets the same
//! collection, wherever the games were played.

use ::game::Puzzle;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A good puzzle, with the canonical hash of its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The puzzle, without a number.
    pub puzzle: Puzzle,
    /// The same for mirror images and rotations.
    pub hash: u64,
}

/// The puzzles found so far. No grade may crowd out the others, nor wins by threats, of which games have more,
/// those by fours.
pub struct Collection {
    count: usize,
    puzzles: Vec<Puzzle>,
    seen: HashSet<u64>,
}

impl Collection {
    /// An empty one for so many puzzles.
    pub fn new(count: usize) -> Collection {
        Collection { count, puzzles: Vec::new(), seen: HashSet::new() }
    }

    /// Are there enough?
    pub fn is_full(&self) -> bool {
        self.puzzles.len() >= self.count
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// Is there none yet?
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    pub(super) fn has_room_for(&self, puzzle: &Puzzle) -> bool {
        let same_grade = self.puzzles.iter().filter(|other| other.grade == puzzle.grade).count();
        let same_goal = self.puzzles.iter().filter(|other| other.goal == puzzle.goal).count();
        !self.is_full() && same_grade < self.count.div_ceil(4) && same_goal < self.count.div_ceil(3) * 2
    }

    /// Takes a puzzle that is new and for which there is room; the puzzle if it was taken.
    pub fn offer(&mut self, found: &Found) -> Option<&Puzzle> {
        if !self.has_room_for(&found.puzzle) || !self.seen.insert(found.hash) {
            return None;
        }
        self.puzzles.push(found.puzzle.clone());
        self.puzzles.last()
    }

    /// All puzzles, easy ones first, numbered.
    pub fn into_puzzles(self) -> Vec<Puzzle> {
        let mut puzzles = self.puzzles;
        puzzles.sort_by_key(|puzzle| (puzzle.grade, puzzle.plies));
        for (index, puzzle) in puzzles.iter_mut().enumerate() {
            puzzle.id = format!("g-{:04}", index + 1);
        }
        puzzles
    }
}
