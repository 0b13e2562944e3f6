//! Move strings: `h8i9g7`, with or without spaces or commas, `swap`, `extend`, `declare3` and `(h8)` (an offer) included.

use super::{from_setup, points};
use crate::Position;
use ::game::{IllegalMove, Position as _, Setup, TextError};

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
        let mv = position.parse_move(word).map_err(|error| {
            let what = if matches!(error, IllegalMove::OffBoard { .. }) { "off the board" } else { "not a move" };
            let accepted = points::accepted(position.size());
            let message = format!(
                "'{word}' is {what}; accepted: moves such as h8i9g7 ({accepted}), swap, extend, declare1, (h8)"
            );
            TextError::at(text, at, message)
        })?;
        position.play(mv).map_err(|error| TextError::at(text, at, error.to_string()))?;
        at += length;
    }
    Ok(position)
}

/// Writes the moves of a position since its set-up.
pub fn write(position: &Position) -> String {
    position.history().iter().map(|mv| position.format_move(*mv)).collect::<Vec<_>>().join("")
}

/// Length of the word at the start of a text: a keyword, a letter and its digits, an offer in brackets, or one
/// strange character.
fn word_length(text: &str) -> usize {
    let digits_from = |start: usize| {
        let rest = text.get(start..).unwrap_or_default();
        start + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
    };
    let lower: String = text.chars().take(7).map(|c| c.to_ascii_lowercase()).collect();
    if lower.starts_with("declare") {
        return digits_from("declare".len());
    }
    if let Some(keyword) = ["swap", "extend"].into_iter().find(|keyword| lower.starts_with(keyword)) {
        return keyword.len();
    }
    let Some(first) = text.chars().next() else { return 0 };
    match first {
        '(' => text.char_indices().take(5).find(|(_, c)| *c == ')').map_or(1, |(end, _)| end + 1),
        _ if first.is_ascii_alphabetic() => digits_from(1),
        _ => first.len_utf8(),
    }
}
