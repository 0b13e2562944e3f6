//! Names of cells: a column letter and a row number from the top, `a1` top left.

use game::Cell;

/// The name of a cell, such as `f6`.
pub fn format(cell: Cell) -> String {
    format!("{}{}", column(cell.col), u16::from(cell.row) + 1)
}

/// The letter of a column.
pub fn column(col: u8) -> char {
    char::from(b'a' + col.min(25))
}

/// Reads a name such as `f6` in any case. Rows go up to 255; whether it is on the board is not asked.
pub fn parse(text: &str) -> Option<Cell> {
    let mut chars = text.chars();
    let letter = chars.next()?.to_ascii_lowercase();
    let digits = chars.as_str();
    if !letter.is_ascii_lowercase() || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row: u8 = digits.parse().ok()?;
    Some(Cell::new(row.checked_sub(1)?, letter as u8 - b'a'))
}
