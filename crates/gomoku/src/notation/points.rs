//! Points as people write them: a column letter and a row number from the bottom, `h8`.

use ::game::Cell;

/// Why a text is not a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAPoint {
    /// It has the form of a point, but lies outside the board.
    pub off_board: bool,
}

/// Writes a cell as `h8`.
pub(crate) fn format_point(cell: Cell, size: u8) -> String {
    let column = char::from(b'a'.saturating_add(cell.col.min(25)));
    format!("{column}{}", u16::from(size).saturating_sub(u16::from(cell.row)))
}

/// Reads `h8` or `H8`.
pub(crate) fn parse_point(text: &str, size: u8) -> Result<Cell, NotAPoint> {
    let syntax = NotAPoint { off_board: false };
    let mut chars = text.chars();
    let column =
        chars.next().map(|c| c.to_ascii_lowercase()).filter(char::is_ascii_lowercase).ok_or(syntax)?;
    let digits = chars.as_str();
    if digits.is_empty() || digits.len() > 3 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(syntax);
    }
    let row: u16 = digits.parse().map_err(|_| syntax)?;
    let col = column as u8 - b'a';
    if col >= size || row == 0 || row > u16::from(size) {
        return Err(NotAPoint { off_board: true });
    }
    Ok(Cell::new((u16::from(size) - row) as u8, col))
}

/// `a1 to o15`, for messages.
pub fn accepted(size: u8) -> String {
    format!("points a1 to {}", format_point(Cell::new(0, size.saturating_sub(1)), size))
}
