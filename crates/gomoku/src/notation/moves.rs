//! Move strings: `h8i9g7`, with or without spaces or commas, `swap` and `extend` included.

use super::{from_setup, points};
use crate::Position;
use ::game::{Move, Position as _, Setup, TextError};

/// Reads a move string, played from the set-up that `defaults` describes.
pub fn read(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let mut position = from_setup(text, defaults.clone())?;
    let is_separator = |c: char| c.is_whitespace() || c == ',' || c == ';' || c == '\u{feff}';
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        if is_separator(first) {
            at += first.len_utf8();
            continue;
        }
        let length = word_length(rest);
        let word = &rest[..length];
        let mv = match word.to_ascii_lowercase().as_str() {
            "swap" => Move::Swap,
            "extend" => Move::Extend,
            _ => {
                let size = position.size();
                Move::Place(points::parse_point(word, size).map_err(|problem| {
                    let what = if problem.off_board { "off the board" } else { "not a move" };
                    let accepted = points::accepted(size);
                    TextError::at(
                        text,
                        at,
                        format!(
                            "'{word}' is {what}; accepted: moves such as h8i9g7 ({accepted}), swap, extend"
                        ),
                    )
                })?)
            }
        };
        position.play(mv).map_err(|error| TextError::at(text, at, error.to_string()))?;
        at += length;
    }
    Ok(position)
}

/// Writes the moves of a position since its set-up.
pub fn write(position: &Position) -> String {
    position.history().iter().map(|mv| position.format_move(*mv)).collect::<Vec<_>>().join("")
}

/// Length of the word at the start of a text: a keyword, a letter and its digits, or one strange character.
fn word_length(text: &str) -> usize {
    let lower: String = text.chars().take(6).map(|c| c.to_ascii_lowercase()).collect();
    for keyword in ["swap", "extend"] {
        if lower.starts_with(keyword) {
            return keyword.len();
        }
    }
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else { return 0 };
    if !first.is_ascii_alphabetic() {
        return first.len_utf8();
    }
    chars.find(|(_, c)| !c.is_ascii_digit()).map_or(text.len(), |(end, _)| end)
}
