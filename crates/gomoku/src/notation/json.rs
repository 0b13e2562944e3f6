//! JSON positions: `{"side":"black","rule":"renju","size":15,"black":["H8"],"white":["I9"]}`, or with `"moves"` or
//! `"position"` instead of the stones, so that the lines of a puzzle file are positions too.

use super::{from_setup, moves, points};
use crate::Position;
use ::game::{Position as _, PositionJson, Setup, Side, TextError, read_for_side};

/// Reads one JSON object.
pub fn read(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let body = text.trim_start_matches('\u{feff}');
    let json: PositionJson = serde_json::from_str(body).map_err(|error| {
        let message = format!("{error}; {}", PositionJson::ACCEPTED);
        TextError::new(error.line().max(1), error.column().max(1), message)
    })?;
    // Where a value stands in the text, for messages; values come from it, so they are found.
    let place = |value: &str| body.find(&format!("\"{value}\"")).unwrap_or(0);
    let mut setup = json
        .setup(defaults)
        .map_err(|message| TextError::at(body, json.side.as_deref().map_or(0, place), message))?;
    for (side, name) in json.stones() {
        let cell = points::parse_point(name, setup.rows).map_err(|_| {
            let message = format!("'{name}' is not a point; accepted: {}", points::accepted(setup.rows));
            TextError::at(body, place(name), message)
        })?;
        if setup.stones.iter().any(|(_, other)| *other == cell) {
            return Err(TextError::at(body, place(name), format!("two stones on {name}")));
        }
        setup.stones.push((side, cell));
    }
    let within = |played: &str, error: TextError| TextError::at(body, place(played), error.message);
    if let Some(inner) = json.position.as_ref().or(json.sgf.as_ref()) {
        if inner.trim_start().starts_with('{') {
            return Err(TextError::at(body, 0, "\"position\" holds another notation, not JSON again"));
        }
        let read = |setup: &Setup| super::parse(inner, setup);
        return read_for_side(&setup, read, |p| p).map_err(|error| within(inner, error));
    }
    let Some(played) = json.moves.map(|moves| moves.text()) else { return from_setup(body, setup) };
    // With stones, "side" says who plays the first of the moves; without, black does.
    let read = |setup: &Setup| moves::read(&played, setup);
    let found = if setup.stones.is_empty() { read_for_side(&setup, read, |p| p) } else { read(&setup) };
    found.map_err(|error| within(&played, error))
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
        points
            .map(|p| points::format_point(p.cell(), position.size()).to_ascii_uppercase())
            .collect::<Vec<_>>()
    };
    let json = serde_json::json!({
        "side": position.to_move(),
        "rule": position.rule().name(),
        "size": position.size(),
        "black": names(Side::Black),
        "white": names(Side::White),
    });
    json.to_string()
}
