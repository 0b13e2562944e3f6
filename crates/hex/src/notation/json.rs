//! JSON positions, one object or one per line; lists of openings; and lines of puzzle files.

use super::draft::Draft;
use super::{point, sgf};
use crate::Position;
use game::{Cell, Position as _, Setup, Side, TextError};
use serde::Deserialize;

/// `{"side","rows","cols","black":[…],"white":[…]}`, or with `"moves"` instead of stones, or an SGF text
/// in `"sgf"`. Fields that other programs add are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Described {
    side: Option<String>,
    size: Option<u8>,
    rows: Option<u8>,
    cols: Option<u8>,
    rule: Option<String>,
    opening: Option<String>,
    black: Vec<String>,
    white: Vec<String>,
    moves: Vec<String>,
    sgf: Option<String>,
}

/// A line of a puzzle file: the file with the position, the question, and the answer if it is known.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Puzzle {
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
pub fn parse_puzzles(text: &str) -> Result<Vec<Puzzle>, TextError> {
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
    let described: Described = from_line(text, 1)?;
    let here = |message: String| TextError::new(1, 1, message);
    let side = match &described.side {
        None => None,
        Some(word) => Some(
            Side::parse(word).ok_or_else(|| here(format!("\"side\":\"{word}\"; accepted: black, white")))?,
        ),
    };
    let mut setup = defaults.clone();
    setup.rows = described.rows.or(described.size).unwrap_or(setup.rows);
    setup.cols = described.cols.or(described.size).unwrap_or(setup.cols);
    setup.rule = described.rule.unwrap_or(setup.rule);
    setup.opening = described.opening.unwrap_or(setup.opening);
    setup.to_move = side.or(setup.to_move);
    if let Some(text) = described.sgf {
        if !text.trim_start().starts_with('(') {
            return Err(here(format!("\"sgf\" names the file {text}: read that file, or put SGF text here")));
        }
        let position =
            sgf::read_position(&text, &setup).map_err(|error| here(format!("in \"sgf\" at {error}")))?;
        return Ok(match side {
            Some(side) if side != position.to_move() => position.as_set_up(side),
            _ => position,
        });
    }
    for (side, names) in [(Side::Black, &described.black), (Side::White, &described.white)] {
        for name in names {
            let cell: Cell = point::parse(name).ok_or_else(|| {
                here(format!("\"{name}\" under \"{side}\" is not a point; accepted: a1, b2, …"))
            })?;
            setup.stones.push((side, cell));
        }
    }
    let mut draft = Draft::new(&setup).map_err(here)?;
    for (at, word) in described.moves.iter().enumerate() {
        draft.word(word).map_err(|error| here(format!("move {} ({word}): {error}", at + 1)))?;
    }
    Ok(draft.finish())
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
