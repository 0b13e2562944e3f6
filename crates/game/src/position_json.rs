//! Positions as JSON objects: the fields that every game reads, and which side a text is read for.

use crate::{Position, Setup, Side, TextError};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// `{"side":"black","rule":"renju","size":15,"black":["h8"],"white":["i9"]}`, with `"moves"` or a `"position"` in
/// another notation instead of stones. A field that is not listed here is refused: it may be a misspelt one.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PositionJson {
    /// The side to move.
    pub side: Option<String>,
    /// Rule variant.
    pub rule: Option<String>,
    /// Opening protocol.
    pub opening: Option<String>,
    /// Rows and columns: one number, or a pair.
    pub size: Option<SizeJson>,
    /// Rows.
    pub rows: Option<u8>,
    /// Columns.
    pub cols: Option<u8>,
    /// Black stones.
    pub black: Option<Vec<String>>,
    /// White stones.
    pub white: Option<Vec<String>>,
    /// Moves from the empty board, or after the stones were set up.
    pub moves: Option<MovesJson>,
    /// The whole position in another notation, as [`Puzzle`](crate::Puzzle) has it.
    pub position: Option<String>,
    /// The whole position as SGF.
    pub sgf: Option<String>,
    // What puzzle files say besides the position: read by those who want it, left alone here.
    id: Option<IgnoredAny>,
    goal: Option<IgnoredAny>,
    grade: Option<IgnoredAny>,
    plies: Option<IgnoredAny>,
    first_moves: Option<IgnoredAny>,
    line: Option<IgnoredAny>,
    forbidden: Option<IgnoredAny>,
    ask: Option<IgnoredAny>,
    answer: Option<IgnoredAny>,
}

/// The size of a board in JSON.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "a size is a number such as 15, or [rows, columns]")]
pub enum SizeJson {
    /// As many rows as columns.
    Square(u8),
    /// Rows and columns.
    Both(u8, u8),
}

/// Moves in JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "moves are one move string, or a list of moves")]
pub enum MovesJson {
    /// A move string.
    Text(String),
    /// A list of moves.
    List(Vec<String>),
}

impl PositionJson {
    /// What an object must have to be a position.
    pub const ACCEPTED: &str = r#"accepted: {"side":"black","size":11,"black":["a1"],"white":["b2"]}, or "moves" or "position" instead of the stones"#;

    /// Size, rule, opening and side to move over the defaults; the stones are left to the game.
    ///
    /// # Errors
    /// An object without a board, and an unknown side.
    pub fn setup(&self, defaults: &Setup) -> Result<Setup, String> {
        let texts = self.moves.is_some() || self.position.is_some() || self.sgf.is_some();
        if !texts && self.black.is_none() && self.white.is_none() {
            return Err(format!("a JSON object without a position; {}", PositionJson::ACCEPTED));
        }
        let (rows, cols) = match self.size {
            None => (defaults.rows, defaults.cols),
            Some(SizeJson::Square(side)) => (side, side),
            Some(SizeJson::Both(rows, cols)) => (rows, cols),
        };
        let parse =
            |word: &String| Side::parse(word).ok_or_else(|| format!("side '{word}'; accepted: black, white"));
        Ok(Setup {
            rows: self.rows.unwrap_or(rows),
            cols: self.cols.unwrap_or(cols),
            rule: self.rule.clone().unwrap_or_else(|| defaults.rule.clone()),
            opening: self.opening.clone().unwrap_or_else(|| defaults.opening.clone()),
            to_move: self.side.as_ref().map(parse).transpose()?.or(defaults.to_move),
            stones: defaults.stones.clone(),
        })
    }

    /// The stones by name, each with its colour.
    pub fn stones(&self) -> impl Iterator<Item = (Side, &String)> {
        let named = |side, names| Option::iter(names).flatten().map(move |name| (side, name));
        named(Side::Black, &self.black).chain(named(Side::White, &self.white))
    }
}

impl MovesJson {
    /// As one move string.
    pub fn text(&self) -> String {
        match self {
            MovesJson::Text(text) => text.clone(),
            MovesJson::List(words) => words.join(" "),
        }
    }
}

/// Reads a text for the side to move that `setup` names, if it names one. Stones alone take that side; moves bring
/// their own, and it must be the same: it never recolours a stone.
///
/// # Errors
/// The result of `read`, and moves after which the other side is to move.
pub fn read_for_side<P>(
    setup: &Setup,
    read: impl Fn(&Setup) -> Result<P, TextError>,
    view: impl Fn(&P) -> &dyn Position,
) -> Result<P, TextError> {
    let Some(side) = setup.to_move else { return read(setup) };
    let has_moves = |position: &P| !view(position).history().is_empty();
    let position = match read(&Setup { to_move: None, ..setup.clone() }) {
        Ok(position) if has_moves(&position) => position,
        Ok(_) => read(setup)?,
        // Stones alone may not tell whose turn it is.
        Err(error) => read(setup).ok().filter(|position| !has_moves(position)).ok_or(error)?,
    };
    let to_move = view(&position).to_move();
    if to_move != side {
        let message = format!(
            "{to_move} is to move here, not {side}; accepted for {side} to move: the stones as a grid or as JSON"
        );
        return Err(TextError::new(1, 1, message));
    }
    Ok(position)
}
