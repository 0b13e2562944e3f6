//! A puzzle: a position with one clear winning idea, as the makers write it and as people are given it.

use serde::{Deserialize, Serialize};

/// One puzzle; a puzzle file is one such object a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzle {
    /// Its name, unique among the game's puzzles and never reused (`g-0001`).
    pub id: String,
    /// The position, in any notation the game reads; a move string where it came from a game.
    pub position: String,
    /// Rows and columns of the board.
    pub size: (u8, u8),
    /// Rule variant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// Who is to move, and wins.
    pub side: crate::Side,
    /// The idea: `vcf` (fours only), `vct` (fours and threes), `win`.
    pub goal: String,
    /// 1 (easy) to 5.
    pub grade: u8,
    /// Length of the proved win in plies against the most stubborn defence that the maker found.
    pub plies: u16,
    /// All first moves that were proved to win by the goal.
    pub first_moves: Vec<String>,
    /// Other first moves that were neither proved to win nor refuted. Recorded where only one first move is proved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
    /// One whole winning line.
    pub line: Vec<String>,
}

impl Puzzle {
    /// Whether exactly one first move wins by the goal: every other one is refuted.
    pub fn unique(&self) -> bool {
        self.first_moves.len() == 1 && self.undecided.is_empty()
    }
}
