//! JSON positions: `{"side":"black","rule":"renju","size":15,"black":["H8"],"white":["I9"]}`.
//!
//! Every field but the stones may be left out; fields that are not listed are left alone, so that puzzle
//! files with answers can be read as they are.

use super::{from_setup, moves, points};
use crate::Position;
use ::game::{Position as _, Setup, Side, TextError};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct JsonPosition {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    side: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    #[serde(default)]
    black: Vec<String>,
    #[serde(default)]
    white: Vec<String>,
    /// Moves played after the stones were set up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
}

/// Reads one JSON object.
pub fn read(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let body = text.trim_start_matches('\u{feff}');
    let json: JsonPosition = serde_json::from_str(body).map_err(|error| {
        let example = r#"{"side":"black","rule":"renju","size":15,"black":["H8"],"white":["I9"]}"#;
        TextError::new(error.line().max(1), error.column().max(1), format!("{error}; accepted: {example}"))
    })?;
    // Where a value stands in the text, for messages; values come from it, so they are found.
    let place = |value: &str| body.find(&format!("\"{value}\"")).unwrap_or(0);
    let mut setup = defaults.clone();
    if let Some(size) = json.size {
        (setup.rows, setup.cols) = (size, size);
    }
    setup.rule = json.rule.unwrap_or(setup.rule);
    setup.opening = json.opening.unwrap_or(setup.opening);
    if let Some(side) = &json.side {
        let parsed = Side::parse(side);
        let message = || format!("side '{side}'; accepted: black, white");
        setup.to_move = Some(parsed.ok_or_else(|| TextError::at(body, place(side), message()))?);
    }
    for (side, names) in [(Side::Black, &json.black), (Side::White, &json.white)] {
        for name in names {
            let cell = points::parse_point(name, setup.rows).map_err(|_| {
                let message = format!("'{name}' is not a point; accepted: {}", points::accepted(setup.rows));
                TextError::at(body, place(name), message)
            })?;
            if setup.stones.iter().any(|(_, other)| *other == cell) {
                return Err(TextError::at(body, place(name), format!("two stones on {name}")));
            }
            setup.stones.push((side, cell));
        }
    }
    match json.moves {
        None => from_setup(body, setup),
        Some(played) => {
            moves::read(&played, &setup).map_err(|error| TextError::at(body, place(&played), error.message))
        }
    }
}

/// Reads JSONL: one position a line, blank lines left out; each with its line number (from 1).
pub fn read_lines<'a>(
    text: &'a str,
    defaults: &'a Setup,
) -> impl Iterator<Item = (usize, Result<Position, TextError>)> + 'a {
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(move |(at, line)| {
        (at + 1, read(line, defaults).map_err(|error| TextError { line: at + error.line, ..error }))
    })
}

/// Writes the board and the side to move as one line of JSON.
pub fn write(position: &Position) -> String {
    let names = |side: Side| {
        let points = position.board().stones_of(side).iter();
        points.map(|p| points::format_point(p.cell(), position.size()).to_ascii_uppercase()).collect()
    };
    let json = JsonPosition {
        side: Some(position.to_move().to_string()),
        rule: Some(position.rule().name().into()),
        size: Some(position.size()),
        opening: None,
        black: names(Side::Black),
        white: names(Side::White),
        moves: None,
    };
    serde_json::to_string(&json).unwrap_or_default()
}
