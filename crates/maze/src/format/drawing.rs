//! Our own drawing: what a person types. `#` wall, `.` or space free, `2` to `9` free at that cost,
//! `S` start, `G` goal. `*` marks a path when we write, and is free when we read.

use super::{Located, Problem, check_size, column, lines, too_many_rows, walls};
use crate::grid::{Cell, Grid, MAX_SIDE};
use crate::solve::drawn;

const ACCEPTED: &str = "a drawing holds # (wall), . or space (free), 2 to 9 (free at that cost), S, G and *";

pub(super) fn read(bytes: &[u8]) -> Located<Grid> {
    let skipped = lines(bytes).take_while(|(_, line)| line.is_empty()).count();
    let mut rows: Vec<(u64, &[u8])> = Vec::new();
    for (number, line) in lines(bytes).skip(skipped) {
        if rows.len() > MAX_SIDE as usize {
            return Err(too_many_rows(number, rows[0].1.len() as u64));
        }
        rows.push((number, line));
    }
    while rows.pop_if(|row| row.1.is_empty()).is_some() {}
    let (first, width) = rows.first().map_or((1, 0), |row| (row.0, row.1.len() as u64));
    // A wrong character says more than a wrong size: junk has no rows.
    if let Some((number, i, byte)) = rows.iter().find_map(|&(number, line)| {
        let i = line.iter().position(|&byte| !is_known(byte))?;
        Some((number, i, line[i]))
    }) {
        return Err((number, column(i), Problem::Character { byte, accepted: ACCEPTED }));
    }
    check_size(first, rows.len() as u64, width)?;
    if let Some((r, &(number, line))) = rows.iter().enumerate().find(|(_, row)| row.1.len() as u64 != width) {
        let cells = line.len() as u64;
        let problem = Problem::Ragged { row: r as u64, cells, expected: width };
        return Err((number, cells.min(width) + 1, problem));
    }
    let mut grid = walls(first, rows.len() as u64, width)?;
    for (r, &(number, line)) in rows.iter().enumerate() {
        for (c, &byte) in line.iter().enumerate() {
            let cell = Cell::new(r as u32, c as u32);
            grid.set_free(cell, byte != b'#');
            let end = match byte {
                b'2'..=b'9' => {
                    grid.set_weight(cell, byte - b'0');
                    continue;
                }
                b'S' => &mut grid.entry,
                b'G' => &mut grid.exit,
                _ => continue,
            };
            if end.replace(cell).is_some() {
                return Err((number, column(c), Problem::Second(char::from(byte))));
            }
        }
    }
    Ok(grid)
}

fn is_known(byte: u8) -> bool {
    matches!(byte, b'#' | b'.' | b' ' | b'2'..=b'9' | b'S' | b'G' | b'*')
}

pub(super) fn write(grid: &Grid, path: &[Cell]) -> String {
    let width = grid.width() as usize;
    let mut rows: Vec<Vec<u8>> = (0..grid.height())
        .map(|row| {
            let letter = |col| {
                let cell = Cell { row, col };
                match grid.weight(cell) {
                    _ if !grid.is_free(cell) => b'#',
                    1 => b'.',
                    weight => b'0' + weight,
                }
            };
            (0..grid.width()).map(letter).collect()
        })
        .collect();
    let mut put = |cell: Cell, letter: u8| {
        if let Some(place) = rows.get_mut(cell.row as usize).and_then(|row| row.get_mut(cell.col as usize)) {
            *place = letter;
        }
    };
    drawn(path).into_iter().for_each(|cell| put(cell, b'*'));
    for (end, letter) in
        [(path.first().copied().or(grid.entry), b'S'), (path.last().copied().or(grid.exit), b'G')]
    {
        if let Some(cell) = end.filter(|&cell| grid.is_free(cell)) {
            put(cell, letter);
        }
    }
    let mut text = String::with_capacity((width + 1) * rows.len());
    for row in rows {
        text.extend(row.into_iter().map(char::from));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_walls_weights_and_ends() {
        let grid = read(b"\n#####\nS .3G\n#####\n\n").unwrap();
        assert_eq!((grid.entry, grid.exit), (Some(Cell::new(1, 0)), Some(Cell::new(1, 4))));
        assert_eq!(grid.weight(Cell::new(1, 3)), 3);
        assert!(grid.is_free(Cell::new(1, 1)) && !grid.is_free(Cell::new(0, 0)));
        assert_eq!(write(&grid, &[]), "#####\nS..3G\n#####\n");
        let path: Vec<_> = (0..5).map(|col| Cell::new(1, col)).collect();
        assert_eq!(write(&grid, &path), "#####\nS***G\n#####\n");
    }

    #[test]
    fn errors_point_at_the_place() {
        assert_eq!(read(b"##\n###\n"), Err((2, 3, Problem::Ragged { row: 1, cells: 3, expected: 2 })));
        assert_eq!(read(b"##\n\n##\n"), Err((2, 1, Problem::Ragged { row: 1, cells: 0, expected: 2 })));
        assert_eq!(read(b"#S\nS#\n"), Err((2, 1, Problem::Second('S'))));
        assert!(matches!(read(b"#S\n#?\n"), Err((2, 2, Problem::Character { byte: b'?', .. }))));
    }
}
