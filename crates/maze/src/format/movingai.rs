//! The map format of the MovingAI benchmark (Sturtevant 2012): a header of four lines, then rows of
//! terrain letters. `.` and `G` are ground, `S` swamp; `@` and `O` are out of bounds, `T` trees, `W` water.

use super::{Located, Problem, check_size, column, lines, walls};
use crate::grid::{Cell, Grid};

const ACCEPTED: &str = "terrain is . G S (free) or @ O T W (blocked)";

pub(super) fn read(bytes: &[u8]) -> Located<Grid> {
    let mut lines = lines(bytes).skip_while(|(_, line)| line.trim_ascii().is_empty());
    let (height, width, number) = read_header(&mut lines)?;
    check_size(number, height, width)?;
    let rows = read_rows(lines, height, width, number)?;
    let mut grid = walls(number, height, width)?;
    for (row, line) in (0..).zip(rows) {
        for (col, &byte) in (0..).zip(line) {
            grid.set_free(Cell { row, col }, matches!(terrain(byte), Some(true)));
        }
    }
    Ok(grid)
}

/// The rows, all there and of the right length; `number` is the line before the first.
fn read_rows<'b>(
    lines: impl Iterator<Item = (u64, &'b [u8])>,
    height: u64,
    width: u64,
    number: u64,
) -> Located<Vec<&'b [u8]>> {
    let mut rows: Vec<&[u8]> = Vec::new();
    let mut last = number;
    for (number, line) in lines {
        last = number;
        let row = rows.len() as u64;
        if row == height {
            match line.trim_ascii().first() {
                Some(_) => return Err((number, 1, Problem::Surplus { expected: height })),
                None => continue,
            }
        }
        if line.is_empty() {
            break;
        }
        if let Some(i) = line.iter().position(|&byte| terrain(byte).is_none()) {
            return Err((number, column(i), Problem::Character { byte: line[i], accepted: ACCEPTED }));
        }
        let cells = line.len() as u64;
        if cells != width {
            return Err((number, cells.min(width) + 1, Problem::Ragged { row, cells, expected: width }));
        }
        rows.push(line);
    }
    let found = rows.len() as u64;
    if found < height {
        return Err((last, 1, Problem::Truncated { rows: found, expected: height }));
    }
    Ok(rows)
}

/// Is this terrain free? `None` for a letter that is no terrain.
fn terrain(byte: u8) -> Option<bool> {
    match byte {
        b'.' | b'G' | b'S' => Some(true),
        b'@' | b'O' | b'T' | b'W' => Some(false),
        _ => None,
    }
}

/// Height, width and the number of the line `map`.
fn read_header<'b>(lines: &mut impl Iterator<Item = (u64, &'b [u8])>) -> Located<(u64, u64, u64)> {
    let (mut height, mut width) = (None, None);
    let mut last = 1;
    for (number, line) in lines {
        last = number;
        let text = String::from_utf8_lossy(line.get(..line.len().min(80)).unwrap_or(line)).into_owned();
        let mut words = text.split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("type"), Some("octile" | "tile"), None) => {}
            (Some(name @ ("height" | "width")), Some(value), None) => {
                let expected = "a whole number above 0";
                let number_at = text.find(value).map_or(1, column);
                let value = value.parse::<u64>().ok().filter(|&value| value > 0).ok_or_else(|| {
                    (number, number_at, Problem::Number { text: value.to_owned(), expected })
                })?;
                *(if name == "height" { &mut height } else { &mut width }) = Some(value);
            }
            (Some("map"), None, None) => {
                return match (height, width) {
                    (Some(height), Some(width)) => Ok((height, width, number)),
                    (None, _) => Err((number, 1, missing("height"))),
                    _ => Err((number, 1, missing("width"))),
                };
            }
            _ => {
                let found = format!("'{}' is not a header line", text.trim_ascii().escape_debug());
                return Err((number, 1, Problem::Header { found }));
            }
        }
    }
    Err((last, 1, missing("map")))
}

fn missing(name: &str) -> Problem {
    Problem::Header { found: format!("the line '{name}' is missing") }
}

pub(super) fn write(grid: &Grid) -> String {
    let mut text = format!("type octile\nheight {}\nwidth {}\nmap\n", grid.height(), grid.width());
    for row in 0..grid.height() {
        text.extend((0..grid.width()).map(|col| if grid.is_free(Cell { row, col }) { '.' } else { '@' }));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrain_letters() {
        let grid = read(b"type octile\r\nheight 1\r\nwidth 7\r\nmap\r\n.GS@OTW\r\n").unwrap();
        let free: Vec<_> = grid.cells().map(|cell| grid.is_free(cell)).collect();
        assert_eq!(free, [true, true, true, false, false, false, false]);
    }

    #[test]
    fn errors_point_at_the_place() {
        let with = |header: &str, rows: &str| read(format!("type octile\n{header}map\n{rows}").as_bytes());
        let two = "height 2\nwidth 2\n";
        assert!(matches!(with("height 2\n", ".."), Err((3, 1, Problem::Header { .. }))));
        assert!(matches!(with("height two\nwidth 2\n", ""), Err((2, 8, Problem::Number { .. }))));
        assert!(matches!(with("depth 2\n", ""), Err((2, 1, Problem::Header { .. }))));
        assert!(matches!(read(b"type octile\nheight 2\n"), Err((_, 1, Problem::Header { .. }))));
        assert_eq!(with(two, "..\n...\n"), Err((6, 3, Problem::Ragged { row: 1, cells: 3, expected: 2 })));
        assert_eq!(with(two, "..\n.\n"), Err((6, 2, Problem::Ragged { row: 1, cells: 1, expected: 2 })));
        assert_eq!(with(two, "..\n"), Err((6, 1, Problem::Truncated { rows: 1, expected: 2 })));
        assert_eq!(with(two, "..\n..\n..\n"), Err((7, 1, Problem::Surplus { expected: 2 })));
        assert!(matches!(with(two, "..\n.x\n"), Err((6, 2, Problem::Character { byte: b'x', .. }))));
        let huge = "height 999999999999\nwidth 999999999999\n";
        assert!(matches!(with(huge, ""), Err((4, 1, Problem::Size(_)))));
    }
}
