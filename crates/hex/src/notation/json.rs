//! JSON positions, one object or one per line; lists of openings; and lines of puzzle files.

use super::draft::Draft;
use super::{point, sgf};
use crate::Position;
use game::{Cell, Position as _, PositionJson, Setup, TextError, read_for_side};
use serde::Deserialize;

/// A line of a puzzle file: the file with the position, the question, and the answer if it is known.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PuzzleLine {
    /// Name of the SGF file with the position, or SGF text itself.
    pub sgf: String,
    /// `winner` or `winning-moves`.
    pub ask: String,
    /// The side to move.
    pub side: String,
    /// A colour, or the winning moves with blanks between them.
    #[serde(default)]
    pub answer: Option<String>,
}

/// Reads the lines of a puzzle file.
pub fn parse_puzzles(text: &str) -> Result<Vec<PuzzleLine>, TextError> {
    lines(text).map(|(number, line)| from_line(line, number)).collect()
}

/// Reads a file of openings: a JSON list of openings (each a list of moves, a move string or a position
/// object), or a position in any notation on each line; lines that start with `#` followed by a blank are
/// comments.
pub fn parse_openings(text: &str, defaults: &Setup) -> Result<Vec<Position>, TextError> {
    if text.trim_start().starts_with('[') {
        let list: Vec<serde_json::Value> = from_line(text, 1)?;
        return list
            .iter()
            .enumerate()
            .map(|(at, opening)| {
                from_value(opening, defaults).map_err(|error| {
                    TextError::new(error.line, error.column, format!("opening {}: {}", at + 1, error.message))
                })
            })
            .collect();
    }
    if text.trim_start().starts_with("(;") {
        return sgf::read_all(text, defaults).map(|games| games.into_iter().map(|g| g.position).collect());
    }
    lines(text)
        .filter(|(_, line)| !line.trim_start().starts_with("# "))
        .map(|(number, line)| {
            super::parse(line, defaults)
                .map_err(|error| TextError::new(number + error.line - 1, error.column, error.message))
        })
        .collect()
}

pub(super) fn parse(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let json: PositionJson = from_line(text, 1).map_err(|error| TextError {
        message: format!("{}; {}", error.message, PositionJson::ACCEPTED),
        ..error
    })?;
    let here = |message: String| TextError::new(1, 1, message);
    let mut setup = json.setup(defaults).map_err(here)?;
    let inner = |name: &str, error: TextError| here(format!("in \"{name}\" at {error}"));
    if let Some(text) = &json.sgf {
        if !text.trim_start().starts_with('(') {
            return Err(here(format!("\"sgf\" names the file {text}: read that file, or put SGF text here")));
        }
        let position = sgf::read_position(text, &setup).map_err(|error| inner("sgf", error))?;
        return Ok(match setup.to_move {
            Some(side) if side != position.to_move() => position.as_set_up(side),
            _ => position,
        });
    }
    if let Some(text) = &json.position {
        if text.trim_start().starts_with('{') {
            return Err(here("\"position\" holds another notation, not JSON again".into()));
        }
        let read = |setup: &Setup| super::parse(text, setup);
        return read_for_side(&setup, read, |p| p).map_err(|error| inner("position", error));
    }
    for (side, name) in json.stones() {
        let cell: Cell = point::parse(name).ok_or_else(|| {
            here(format!("\"{name}\" under \"{side}\" is not a point; accepted: a1, b2, …"))
        })?;
        setup.stones.push((side, cell));
    }
    let Some(played) = json.moves.map(|moves| moves.text()) else {
        return Draft::new(&setup).map(Draft::finish).map_err(here);
    };
    // With stones, "side" says who plays the first of the moves; without, black does.
    let read = |setup: &Setup| super::moves::parse(&played, setup);
    let found = if setup.stones.is_empty() { read_for_side(&setup, read, |p| p) } else { read(&setup) };
    found.map_err(|error| inner("moves", error))
}

fn from_value(value: &serde_json::Value, defaults: &Setup) -> Result<Position, TextError> {
    match value {
        serde_json::Value::String(moves) => super::parse(moves, defaults),
        serde_json::Value::Array(moves) => {
            let words: Option<Vec<&str>> = moves.iter().map(|word| word.as_str()).collect();
            let words = words.ok_or_else(|| TextError::new(1, 1, "an opening is a list of moves"))?;
            super::moves::parse(&words.join(" "), defaults)
        }
        serde_json::Value::Object(_) => parse(&value.to_string(), defaults),
        _ => Err(TextError::new(1, 1, "accepted: a list of moves, a move string or a position object")),
    }
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty())
}

fn from_line<'a, T: Deserialize<'a>>(text: &'a str, first_line: usize) -> Result<T, TextError> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_string();
        TextError::new(first_line + error.line().max(1) - 1, error.column().max(1), message)
    })
}
