//! The 0/1 matrix of the lab sheet: `0` free, `1` wall, cells apart or together, and perhaps a last line
//! of text that names entry and exit as (row, column) twice.

use super::{Located, Problem, check_size, column, lines, too_many_rows, walls};
use crate::grid::{Cell, Grid, MAX_SIDE};

const ACCEPTED: &str = "a row holds only 0, 1 and spaces";

pub(super) fn read(bytes: &[u8]) -> Located<Grid> {
    let mut rows: Vec<(u64, &[u8])> = Vec::new();
    for (number, line) in lines(bytes).filter(|(_, line)| !line.trim_ascii().is_empty()) {
        // Two lines more: entry and exit may follow the last row.
        if rows.len() >= MAX_SIDE as usize + 2 {
            return Err(too_many_rows(number, count_cells(rows[0].1)));
        }
        rows.push((number, line));
    }
    let width = rows.first().map_or(0, |row| count_cells(row.1));
    let tail = rows.iter().rev().take_while(|row| is_text(row.1, width)).count();
    // Text in place of the matrix is not a tail: it will fail as a row, at its first wrong character.
    let tail = if tail < rows.len() { tail } else { 0 };
    let (rows, tail) = rows.split_at(rows.len() - tail);
    let (first, height) = (rows.first().map_or(1, |row| row.0), rows.len() as u64);
    check_size(first, height, width)?;
    for (r, &(number, line)) in rows.iter().enumerate() {
        check_row(width, r as u64, number, line)?;
    }
    let mut grid = walls(first, height, width)?;
    for (row, &(_, line)) in (0..).zip(rows) {
        let cells = line.iter().filter(|byte| matches!(byte, b'0' | b'1'));
        for (col, &byte) in (0..).zip(cells) {
            grid.set_free(Cell { row, col }, byte == b'0');
        }
    }
    if let Some(&(number, _)) = tail.first() {
        let text: Vec<u8> = tail.iter().flat_map(|row| row.1.iter().copied().chain([b'\n'])).collect();
        let (entry, exit) = ends(&text).ok_or((number, 1, Problem::Ends))?;
        grid.entry = Some(entry);
        grid.exit = Some(exit);
    }
    Ok(grid)
}

fn check_row(width: u64, row: u64, number: u64, line: &[u8]) -> Located<()> {
    let mut cells = 0;
    let mut surplus = None;
    for (i, &byte) in line.iter().enumerate() {
        match byte {
            b'0' | b'1' => {
                if cells == width {
                    surplus = Some(column(i));
                }
                cells += 1;
            }
            b' ' | b'\t' => {}
            _ => return Err((number, column(i), Problem::Character { byte, accepted: ACCEPTED })),
        }
    }
    if cells == width {
        return Ok(());
    }
    let at = surplus.unwrap_or(column(line.trim_ascii_end().len()));
    Err((number, at, Problem::Ragged { row, cells, expected: width }))
}

fn count_cells(line: &[u8]) -> u64 {
    line.iter().filter(|byte| matches!(byte, b'0' | b'1')).count() as u64
}

/// Is this a line of text, not a row, perhaps with a typing error?
fn is_text(line: &[u8], width: u64) -> bool {
    let line = line.trim_ascii();
    if line.iter().all(|byte| matches!(byte, b'0' | b'1' | b' ' | b'\t')) {
        return false;
    }
    // Four bare numbers, not all of one digit, are two places.
    let numbers: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let bare = line.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
    if bare && numbers.len() == 4 && width != 4 && numbers.iter().any(|word| word.len() > 1) {
        return true;
    }
    let starts_like_a_row = matches!(line, [b'0' | b'1', b'0' | b'1' | b' ' | b'\t', ..]);
    !(starts_like_a_row && count_cells(line) * 2 >= width)
}

/// The four numbers of a text as entry and exit; a word for the exit before one for the entry turns them.
fn ends(text: &[u8]) -> Option<(Cell, Cell)> {
    let words = text.split(|byte| !byte.is_ascii_digit()).filter(|word| !word.is_empty());
    let number = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<u32>().ok();
    let numbers: Vec<u32> = words.map(number).collect::<Option<_>>()?;
    let &[r1, c1, r2, c2] = numbers.as_slice() else { return None };
    let (first, second) = (Cell::new(r1, c1), Cell::new(r2, c2));
    let lower = text.to_ascii_lowercase();
    let position = |words: &[&str]| {
        let find = |word: &&str| lower.windows(word.len()).position(|part| part == word.as_bytes());
        words.iter().filter_map(find).min()
    };
    let exit = position(&["exit", "goal", "end", "出口", "终点"]);
    let entry = position(&["entry", "entrance", "start", "入口", "起点"]);
    Some(if exit.zip(entry).is_some_and(|(exit, entry)| exit < entry) {
        (second, first)
    } else {
        (first, second)
    })
}

pub(super) fn write(grid: &Grid) -> String {
    let mut text = String::with_capacity((grid.width() as usize * 2) * grid.height() as usize);
    for row in 0..grid.height() {
        for col in 0..grid.width() {
            text.push(if grid.is_free(Cell { row, col }) { '0' } else { '1' });
            text.push(if col + 1 == grid.width() { '\n' } else { ' ' });
        }
    }
    if let (Some(entry), Some(exit)) = (grid.entry, grid.exit) {
        text.push_str(&format!("entry ({},{}) exit ({},{})\n", entry.row, entry.col, exit.row, exit.col));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> (u64, u64, Problem) {
        read(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn spaces_line_ends_and_the_last_newline_do_not_matter() {
        let expected = read(b"1 1 1\n0 0 1\n1 0 0\n").unwrap();
        for text in ["111\n001\n100", "1 1 1\r\n0 0 1\r\n1 0 0\r\n", "\n111\n\n001\n1\t0 0\n\n"] {
            assert_eq!(read(text.as_bytes()).unwrap(), expected, "{text:?}");
        }
        assert!(expected.is_free(Cell::new(1, 0)) && !expected.is_free(Cell::new(0, 0)));
    }

    #[test]
    fn a_last_line_names_entry_and_exit() {
        let (entry, exit) = (Some(Cell::new(1, 0)), Some(Cell::new(16, 24)));
        for line in [
            "入口和出口的位置设为(1,0) 和(16,24)",
            "(1, 0) (16, 24)",
            "1 0 16 24",
            "entry: 1,0 exit: 16,24",
            "Exit (16,24), entry (1,0)",
            "入口 (1,0)\n出口 (16,24)\n",
        ] {
            let grid = read(format!("1 1 1 1 1\n0 0 0 0 0\n{line}").as_bytes()).unwrap();
            assert_eq!((grid.entry, grid.exit), (entry, exit), "{line}");
        }
        // The same in a Chinese encoding that is not UTF-8.
        let gbk = b"111\n000\n\xc8\xeb\xbf\xda(1,0)\xb3\xf6\xbf\xda(16,24)\n";
        assert_eq!(read(gbk).unwrap().exit, exit);
    }

    #[test]
    fn errors_point_at_the_place() {
        assert_eq!(problem("111\n01\n").0, 2);
        assert_eq!(problem("1 1 1\n0 1\n"), (2, 4, Problem::Ragged { row: 1, cells: 2, expected: 3 }));
        assert_eq!(problem("111\n1110\n"), (2, 4, Problem::Ragged { row: 1, cells: 4, expected: 3 }));
        let character = |byte| Problem::Character { byte, accepted: ACCEPTED };
        assert_eq!(problem("111\n0x1\n111\n"), (2, 2, character(b'x')));
        assert_eq!(problem("1 1 1\n1 2 1\n"), (2, 3, character(b'2')));
        assert_eq!(problem("1 0 1 0 1\n1 0 x 1 1\n"), (2, 5, character(b'x')));
        assert_eq!(problem("111\n000\nthe end\n"), (3, 1, Problem::Ends));
        assert_eq!(problem("111\n000\n(1,0) (2,3,4)\n"), (3, 1, Problem::Ends));
        assert_eq!(problem("0?"), (1, 2, character(b'?')));
    }

    #[test]
    fn size_is_limited_before_memory_is_taken() {
        let tall = "0\n".repeat(MAX_SIDE as usize + 10);
        assert!(matches!(problem(&tall).2, Problem::Size(_)));
        let wide = "0".repeat(MAX_SIDE as usize + 1);
        assert!(matches!(problem(&wide).2, Problem::Size(_)));
    }
}
