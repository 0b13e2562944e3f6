//! Plain move lists: `a1b2`, `a1 b2`, `1. a1 2. b2`, `a1, swap-pieces, c3`.

use super::draft::Draft;
use crate::Position;
use game::{Setup, TextError};

pub(super) fn parse(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let mut draft = Draft::new(defaults).map_err(|error| TextError::new(1, 1, error))?;
    for (offset, word) in words(text) {
        draft.word(word).map_err(|error| TextError::at(text, offset, error))?;
    }
    Ok(draft.finish())
}

/// Splits a list into moves, each with its byte offset; move numbers (`12.`) are dropped.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let mut rest = text;
    while let Some(start) = rest.find(|c| !separator(c)) {
        let from = text.len() - rest.len() + start;
        let chunk = &text[from..];
        let chunk = &chunk[..chunk.find(separator).unwrap_or(chunk.len())];
        rest = &text[from + chunk.len()..];
        let digits = chunk.bytes().take_while(u8::is_ascii_digit).count();
        let skip = if digits > 0 && chunk.as_bytes().get(digits) == Some(&b'.') { digits + 1 } else { 0 };
        split_run(&chunk[skip..], from + skip, &mut words);
    }
    words
}

/// Splits `a1b2c3` where a letter follows a digit; words without digits stay whole.
fn split_run<'a>(run: &'a str, offset: usize, words: &mut Vec<(usize, &'a str)>) {
    let bytes = run.as_bytes();
    let mut start = 0;
    for at in 1..=bytes.len() {
        let cut = at == bytes.len() || (bytes[at - 1].is_ascii_digit() && !bytes[at].is_ascii_digit());
        if cut && at > start && run.is_char_boundary(at) {
            words.push((offset + start, &run[start..at]));
            start = at;
        }
    }
}
