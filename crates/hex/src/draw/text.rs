//! The slanted text board: `X` black, `O` white, `.` empty, each row further to the right.

use crate::Position;
use crate::notation::point;
use game::{Cell, Outcome, Picture, Position as _, Side};
use std::collections::HashMap;
use std::fmt::Write;

const RESET: &str = "\x1b[0m";
const BOLD_PATH: &str = "\x1b[1;7m";

pub(crate) fn text(position: &Position, picture: &Picture, colour: bool) -> String {
    let size = position.size();
    let mut labels: HashMap<Cell, String> = HashMap::new();
    if picture.numbers {
        for (_, cell, number) in position.numbered_stones() {
            if number > 0 {
                labels.insert(cell, number.to_string());
            }
        }
    }
    for (cell, text) in &picture.marks {
        labels.insert(*cell, text.chars().filter(|c| !c.is_control()).collect());
    }
    let path = match position.outcome() {
        Some(Outcome::Win { cells, .. }) => cells,
        _ => Vec::new(),
    };
    let longest = labels.values().map(|label| label.chars().count()).max().unwrap_or(1);
    // Even, so that half a cell is a whole number of letters.
    let width = (longest + 2) & !1;
    let paint = |side: Side, bold: bool, text: &str| match (colour, bold) {
        (false, _) => text.to_string(),
        (true, false) => format!("{}{text}{RESET}", ansi(side)),
        (true, true) => format!("{}{BOLD_PATH}{text}{RESET}", ansi(side)),
    };

    let mut out = String::new();
    let letters = |out: &mut String, indent: usize| {
        if picture.coordinates {
            let _ = write!(out, "{:indent$}", "");
            for col in 0..size.cols() {
                out.push_str(&paint(Side::Black, false, &format!("{:<width$}", point::column(col))));
            }
            let trimmed = out.trim_end_matches(' ').len();
            out.truncate(trimmed);
            out.push('\n');
        }
    };
    letters(&mut out, 4);
    for row in 0..size.rows() {
        let number = (u16::from(row) + 1).to_string();
        let _ = write!(out, "{:indent$}", "", indent = row as usize * width / 2);
        if picture.coordinates {
            out.push_str(&paint(Side::White, false, &format!("{number:>3} ")));
        }
        for col in 0..size.cols() {
            let cell = Cell::new(row, col);
            let stone = position.at(cell);
            let letter = match stone {
                Some(Side::Black) => "X",
                Some(Side::White) => "O",
                None => ".",
            };
            let label = labels.get(&cell).map_or(letter, String::as_str);
            match stone {
                Some(side) => out.push_str(&paint(side, path.contains(&cell), label)),
                None => out.push_str(label),
            }
            if col + 1 < size.cols() || picture.coordinates {
                let _ = write!(out, "{:pad$}", "", pad = width.saturating_sub(label.chars().count()));
            }
        }
        if picture.coordinates {
            out.push_str(&paint(Side::White, false, &number));
        }
        out.push('\n');
    }
    letters(&mut out, 4 + size.rows() as usize * width / 2);
    out
}

fn ansi(side: Side) -> &'static str {
    match side {
        Side::Black => "\x1b[31m",
        Side::White => "\x1b[34m",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Setup;

    fn board(text: &str) -> Position {
        crate::notation::parse(text, &Setup::empty(3, 3)).unwrap()
    }

    #[test]
    fn a_board_in_plain_text() {
        let drawn = text(&board("b2a1"), &Picture::default(), false);
        assert_eq!(drawn, "    a b c\n  1 O . . 1\n   2 . X . 2\n    3 . . . 3\n       a b c\n");
    }

    #[test]
    fn without_coordinates_it_is_a_grid_that_can_be_read_back() {
        let position = board("b2a1c3");
        let drawn = text(&position, &Picture { coordinates: false, ..Picture::default() }, false);
        assert_eq!(board(&drawn).hash(), position.hash());
    }

    #[test]
    fn numbers_widen_the_cells() {
        let picture = Picture { numbers: true, coordinates: false, ..Picture::default() };
        let marked = Picture { marks: vec![(Cell::new(0, 0), "0.5".into())], ..picture.clone() };
        assert_eq!(text(&board("b2a1"), &picture, false), "2 . .\n . 1 .\n  . . .\n");
        assert_eq!(text(&board("b2"), &marked, false), "0.5 .   .\n  .   1   .\n    .   .   .\n");
    }
}
