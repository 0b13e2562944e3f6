//! A played game with what is known about each move.

use crate::{Move, Setup};
use serde::{Deserialize, Serialize};

/// A game from its set-up to its end, as it goes into files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Where it started.
    pub setup: Setup,
    /// The moves, with notes.
    pub moves: Vec<(Move, MoveNote)>,
    /// Name of the player who sat first.
    pub first: String,
    /// Name of the player who sat second.
    pub second: String,
    /// Result in SGF form: `B+`, `W+Time`, `0` for a draw, `?` while unknown.
    pub result: String,
    /// Why it ended, in words.
    pub reason: String,
    /// Date as `YYYY-MM-DD`, empty where unknown.
    pub date: String,
}

/// What is known about one move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveNote {
    /// Time used, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Score from the mover's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Depth searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// A comment.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

impl MoveNote {
    /// The note as a comment in a file: what the search said on one line, and the words below it.
    pub fn to_comment(&self) -> String {
        let mut facts: Vec<String> = Vec::new();
        facts.extend(self.score.map(|score| format!("score {score}")));
        facts.extend(self.depth.map(|depth| format!("depth {depth}")));
        facts.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        facts.extend(self.seconds.map(|seconds| format!("{seconds:.3} s")));
        [facts.join(", "), self.comment.clone()].join("\n").trim().to_string()
    }
}
