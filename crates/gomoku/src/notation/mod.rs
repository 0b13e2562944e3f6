//! Reading and writing positions: points, move strings, grids, JSON, SGF, Piskvork files, offset openings.
//!
//! [`parse`] takes any of them and tells them apart by how they start; each format has its own module.
//! Errors name line, column and what is accepted.

pub mod grid;
pub mod json;
pub mod moves;
pub mod offsets;
pub mod points;
pub mod psq;
pub mod sgf;

use crate::Position;
use ::game::{Setup, SetupError, TextError};

/// The longest text that is read as one position or one file of openings.
const MAX_BYTES: usize = 16 << 20;

/// What a text looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Empty,
    Grid,
    Moves,
    Json,
    Sgf,
    Psq,
    Offsets,
}

/// Reads a position in any notation. `defaults` gives what the text leaves open.
pub fn parse(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    check_length(text)?;
    match guess(text) {
        Format::Empty => from_setup(text, defaults.clone()),
        Format::Grid => grid::read(text, defaults),
        Format::Moves => moves::read(text, defaults),
        Format::Json => json::read(text, defaults),
        Format::Sgf => sgf::read(text, defaults),
        Format::Psq => psq::read(text, defaults),
        Format::Offsets => offsets::read(text, defaults),
    }
}

/// Reads a file of openings: one per line (offsets, a move string, JSON or `empty`), blank lines and lines
/// that start with `#` left out; or one SGF, Piskvork or grid file.
pub fn parse_openings(text: &str, defaults: &Setup) -> Result<Vec<Position>, TextError> {
    check_length(text)?;
    let body = text.trim_start_matches('\u{feff}');
    match guess(body) {
        Format::Sgf => return sgf::read_all(body, defaults),
        Format::Psq | Format::Grid => return Ok(vec![parse(body, defaults)?]),
        _ => {}
    }
    let mut openings = Vec::new();
    for (number, line) in body.lines().enumerate() {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        openings.push(parse(content, defaults).map_err(|error| TextError {
            line: number + error.line,
            column: error.column + if error.line == 1 { indent } else { 0 },
            ..error
        })?);
    }
    Ok(openings)
}

fn guess(text: &str) -> Format {
    let text = text.trim_start_matches('\u{feff}').trim();
    let has = |wanted: fn(&char) -> bool| text.chars().any(|c| wanted(&c));
    if text.is_empty() || text.eq_ignore_ascii_case("empty") {
        Format::Empty
    } else if text.starts_with('{') {
        Format::Json
    } else if text.starts_with('(') || text.contains("(;") {
        Format::Sgf
    } else if text.to_ascii_lowercase().starts_with("piskvorky") {
        Format::Psq
    } else if !has(char::is_ascii_digit) && (has(|c| *c == '.') || text.chars().all(grid::is_grid_char)) {
        Format::Grid
    } else if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') {
        Format::Offsets
    } else {
        Format::Moves
    }
}

fn check_length(text: &str) -> Result<(), TextError> {
    if text.len() > MAX_BYTES {
        return Err(TextError::new(1, 1, format!("text larger than {} MiB", MAX_BYTES >> 20)));
    }
    Ok(())
}

/// The position of a set-up that a text describes; what is wrong with it is wrong with the whole text.
fn from_setup(text: &str, setup: Setup) -> Result<Position, TextError> {
    Position::from_setup(&setup).map_err(|SetupError(message)| TextError::at(text, 0, message))
}

#[cfg(test)]
mod tests;
