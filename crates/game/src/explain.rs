//! What an evaluation sees: the parts a score is the sum of, and where on the board they are.

use crate::{Cell, Position, Side};
use search::theatre::{RecordOptions, Stage};
use serde::Serialize;
use std::collections::BTreeMap;

/// An evaluation taken apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Xray {
    /// The engine.
    pub engine: String,
    /// The score for [`Xray::side`]: the sum of the terms.
    pub score: f64,
    /// Whose score it is.
    pub side: Option<Side>,
    /// The parts.
    pub terms: Vec<XrayTerm>,
    /// The board's lines with what was found in each, where the evaluation looks at lines.
    pub lines: Vec<XrayLine>,
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct XrayTerm {
    /// A stable word such as `path` or `open-three`.
    pub name: String,
    /// Whose stones it counts.
    pub side: Option<Side>,
    /// What was counted or measured.
    pub amount: f64,
    /// What it adds to the score.
    pub value: f64,
    /// Where.
    pub cells: Vec<Cell>,
}

/// One line of the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct XrayLine {
    /// `row`, `column`, `falling` or `rising`.
    pub direction: &'static str,
    /// Its cells in order.
    pub cells: Vec<Cell>,
    /// What it adds to the score.
    pub score: f64,
    /// What was found in it.
    pub patterns: Vec<Pattern>,
    /// The states of the automaton after each cell, where there is one.
    pub states: Vec<AutomatonStep>,
}

/// A pattern found in a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pattern {
    /// Its cells: `1` own, `0` empty, `2` opponent or edge.
    pub pattern: String,
    /// Whose it is.
    pub side: Side,
    /// Where in the line it begins; -1 where it begins at the edge.
    pub starts: Vec<i32>,
    /// What it adds to the score.
    pub value: f64,
}

/// A state of an Aho-Corasick automaton.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AutomatonStep {
    /// The state's number in the automaton.
    pub state: u32,
    /// The longest ending of what was read that begins a pattern; `1` black, `2` white, `0` empty.
    pub text: String,
    /// Patterns that end here.
    pub found: Vec<String>,
}

/// The stage of a record: the board, the side to move, and what was asked of the engine.
pub fn stage(position: &dyn Position, engine: &str, wanted: &RecordOptions) -> Stage {
    let letter = |row, col| match position.at(Cell::new(row, col)) {
        Some(Side::Black) => 'X',
        Some(Side::White) => 'O',
        None => '.',
    };
    let mut options = BTreeMap::new();
    options.extend(wanted.width.map(|width| ("width".to_string(), width.to_string())));
    let on_off = |on: bool| if on { "on" } else { "off" }.to_string();
    options.extend(wanted.ordering.map(|on| ("ordering".to_string(), on_off(on))));
    Stage {
        game: position.game().into(),
        rows: u32::from(position.rows()),
        cols: u32::from(position.cols()),
        board: (0..position.rows())
            .map(|row| (0..position.cols()).map(|col| letter(row, col)).collect())
            .collect(),
        to_move: position.to_move().to_string(),
        engine: engine.into(),
        options,
    }
}
