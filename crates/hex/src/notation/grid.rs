//! Text grids: one line per row, `.` empty, `X` black, `O` white; blanks are ignored, so slanted boards are fine.

use crate::Position;
use game::{Cell, Setup, Side, TextError};

/// Only the letters of a grid, and at least one that starts no move list?
pub(super) fn looks_like_one(text: &str) -> bool {
    let cells = text.chars().filter(|c| !c.is_whitespace());
    text.lines().next().is_some_and(|line| {
        line.chars().all(|c| c.is_whitespace() || matches!(c, '.' | 'X' | 'O' | 'x' | 'o'))
    }) && cells.count() > 0
}

pub(super) fn parse(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let mut setup = Setup { rows: 0, cols: 0, stones: Vec::new(), ..defaults.clone() };
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let mut col: u8 = 0;
        for (column, letter) in line.chars().enumerate() {
            let stone = match letter {
                c if c.is_whitespace() => continue,
                '.' => None,
                'X' | 'x' => Some(Side::Black),
                'O' | 'o' => Some(Side::White),
                c => {
                    let message = format!("'{c}' in a grid; accepted: . X O");
                    return Err(TextError::new(number + 1, column + 1, message));
                }
            };
            if col >= crate::MAX_SIDE || setup.rows >= crate::MAX_SIDE {
                let message = format!("a grid larger than {0}x{0}", crate::MAX_SIDE);
                return Err(TextError::new(number + 1, column + 1, message));
            }
            if let Some(side) = stone {
                setup.stones.push((side, Cell::new(setup.rows, col)));
            }
            col += 1;
        }
        if setup.rows > 0 && col != setup.cols {
            let message = format!("this row has {col} cells, the first one {}", setup.cols);
            return Err(TextError::new(number + 1, 1, message));
        }
        setup.cols = col;
        setup.rows += 1;
    }
    Position::new(&setup).map_err(|error| TextError::new(1, 1, error.0))
}
