//! Text grids of `.` `X` `O`, row 0 on top, with or without spaces between.

use super::from_setup;
use crate::Position;
use ::game::{Cell, Position as _, Setup, Side, TextError};

/// May this character stand in a grid?
pub(super) fn is_grid_char(c: char) -> bool {
    matches!(c, '.' | '_' | '-' | '+' | 'x' | 'X' | 'o' | 'O' | '0' | ' ' | '\t' | '\r' | '\n')
}

/// Reads a grid. The board is as large as the grid; the side to move comes from `defaults`, or the counts.
pub fn read(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let mut stones = Vec::new();
    let (mut rows, mut cols) = (0usize, None);
    let limit = usize::from(crate::Rule::MAX_SIZE);
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let mut col = 0usize;
        for (column, c) in line.chars().enumerate() {
            let side = match c {
                ' ' | '\t' | '\r' => continue,
                '.' | '_' | '-' | '+' => None,
                'x' | 'X' => Some(Side::Black),
                'o' | 'O' | '0' => Some(Side::White),
                _ => {
                    let message = format!("'{c}' in a grid; accepted: . (empty), X (black), O (white)");
                    return Err(TextError::new(number + 1, column + 1, message));
                }
            };
            if col >= limit || rows >= limit {
                let message = format!("the grid is larger than {limit}x{limit}");
                return Err(TextError::new(number + 1, column + 1, message));
            }
            stones.extend(side.map(|side| (side, Cell::new(rows as u8, col as u8))));
            col += 1;
        }
        if *cols.get_or_insert(col) != col {
            let message = format!("{col} cells in this row, {} in the first", cols.unwrap_or(0));
            return Err(TextError::new(number + 1, 1, message));
        }
        rows += 1;
    }
    let setup = Setup { rows: rows as u8, cols: cols.unwrap_or(0) as u8, stones, ..defaults.clone() };
    from_setup(text, setup)
}

/// Writes the board as a grid.
pub fn write(position: &Position) -> String {
    let size = position.size();
    let mut out = String::new();
    for row in 0..size {
        for col in 0..size {
            out.push(match position.at(Cell::new(row, col)) {
                None => '.',
                Some(Side::Black) => 'X',
                Some(Side::White) => 'O',
            });
        }
        out.push('\n');
    }
    out
}
