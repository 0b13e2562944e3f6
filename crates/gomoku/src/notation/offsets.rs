//! Offset openings as Gomocup writes them: `0,0, 1,-1, 2,0`, pairs of column and row offsets from the
//! centre, rows growing downwards, black first. On boards of even size the centre is the point right of and
//! below the middle.

use super::from_setup;
use crate::Position;
use ::game::{Cell, Setup, Side, TextError};

/// Reads an opening; its stones become the set-up.
pub fn read(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let mut setup = defaults.clone();
    let mut numbers: Vec<(usize, i16)> = Vec::new();
    let mut at = 0;
    for word in text.split(',') {
        let offset = at + word.len() - word.trim_start().len();
        at += word.len() + 1;
        let trimmed = word.trim().trim_start_matches('\u{feff}');
        if trimmed.is_empty() && at > text.len() {
            break;
        }
        let number = trimmed.parse::<i16>().map_err(|_| {
            let message =
                format!("'{trimmed}' is not an offset; accepted: column,row pairs such as 0,0, 1,-1, 2,0");
            TextError::at(text, offset, message)
        })?;
        numbers.push((offset, number));
    }
    if !numbers.len().is_multiple_of(2) {
        let offset = numbers.last().map_or(0, |(offset, _)| *offset);
        return Err(TextError::at(text, offset, "a column offset without its row offset"));
    }
    for pair in numbers.chunks_exact(2) {
        let [(offset, dx), (_, dy)] = [pair[0], pair[1]];
        let place = |delta: i16, size: u8| {
            let at = i32::from(size / 2) + i32::from(delta);
            u8::try_from(at).ok().filter(|at| *at < size)
        };
        let (Some(col), Some(row)) = (place(dx, setup.cols), place(dy, setup.rows)) else {
            let message = format!("{dx},{dy} is off the {}x{} board", setup.rows, setup.cols);
            return Err(TextError::at(text, offset, message));
        };
        let cell = Cell::new(row, col);
        if setup.stones.iter().any(|(_, other)| *other == cell) {
            return Err(TextError::at(text, offset, format!("two stones on {dx},{dy}")));
        }
        let side = Side::BOTH[setup.stones.len() % 2];
        setup.stones.push((side, cell));
    }
    from_setup(text, setup)
}

/// Writes the stones of a position in the order they came. `None` where colours do not alternate from black.
pub fn write(position: &Position) -> Option<String> {
    let stones = position.stones_in_order();
    if stones.iter().enumerate().any(|(at, (side, _))| *side != Side::BOTH[at % 2]) {
        return None;
    }
    let centre = i16::from(position.size() / 2);
    let pair = |cell: &Cell| format!("{},{}", i16::from(cell.col) - centre, i16::from(cell.row) - centre);
    Some(stones.iter().map(|(_, cell)| pair(cell)).collect::<Vec<_>>().join(", "))
}
