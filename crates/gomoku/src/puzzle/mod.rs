//! Puzzles: positions with one clear winning idea, found in games of the engine with itself.
//!
//! [`shipped`] are the ones in `data/puzzles/gomoku.jsonl`; [`make`] found them, a [`Finder`] game by game, [`check`] has each proved again
//! and every defence tried by the independent verifier, and [`Guide`] plays the other side against a person.

mod check;
mod collection;
mod guide;
mod make;

pub use check::{Fault, check, complete_first_moves};
pub use collection::{Collection, Found};
pub use guide::{Guide, Ruling};
pub use make::{Finder, Recipe, make};

use crate::{Position, notation};
use ::game::{Puzzle, Setup, TextError};
use std::sync::OnceLock;

/// The puzzles that ship with the game, easy ones first.
pub fn shipped() -> &'static [Puzzle] {
    static PUZZLES: OnceLock<Vec<Puzzle>> = OnceLock::new();
    PUZZLES.get_or_init(|| {
        let lines = include_str!("../../../../data/puzzles/gomoku.jsonl").lines();
        lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
    })
}

/// The position of a puzzle.
pub fn position(puzzle: &Puzzle) -> Result<Position, TextError> {
    let mut setup = Setup::empty(puzzle.size.0, puzzle.size.1);
    setup.rule.clone_from(&puzzle.rule);
    setup.to_move = None;
    notation::parse(&puzzle.position, &setup)
}

#[cfg(test)]
mod tests;
