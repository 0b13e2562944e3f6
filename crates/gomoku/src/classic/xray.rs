//! The classic evaluations taken apart: which patterns each finds in which line, and what they add.
//!
//! All scores are for Black. The sums are the engines' own: a test compares them with what their games evaluate to.

use super::lines::{BLACK, EMPTY, WHITE};
use super::{ac, shapes, squares};
use crate::Position;
use ::game::{Cell, Pattern, Position as GamePosition, Side, Xray, XrayLine};

/// What an engine's evaluation sees; `None` for an engine that is not classic.
pub fn xray(position: &Position, engine: &str) -> Option<Xray> {
    let mut lines = lines(position);
    let terms = match engine {
        "classic-ac" => {
            lines.iter_mut().for_each(ac::xray_line);
            Vec::new()
        }
        "classic-shapes" => {
            lines.iter_mut().for_each(shapes::xray_line);
            Vec::new()
        }
        "classic-squares" => squares::xray(position, &mut lines),
        _ => return None,
    };
    let lines: Vec<XrayLine> = lines.into_iter().map(|line| line.found).collect();
    let score =
        terms.iter().map(|term| term.value).sum::<f64>() + lines.iter().map(|line| line.score).sum::<f64>();
    Some(Xray { engine: engine.into(), score, side: Some(Side::Black), terms, lines })
}

/// A line of the board with its content and what has been found in it so far.
pub(super) struct Content {
    pub(super) cells: Vec<u8>,
    pub(super) found: XrayLine,
}

impl Content {
    /// Notes a pattern, once with all its places.
    pub(super) fn note(&mut self, pattern: &str, side: Side, start: i32, value: f64) {
        let same = |known: &&mut Pattern| known.pattern == pattern && known.side == side;
        match self.found.patterns.iter_mut().find(same) {
            Some(known) => {
                known.starts.push(start);
                known.value += value;
            }
            None => {
                let pattern = pattern.to_string();
                self.found.patterns.push(Pattern { pattern, side, starts: vec![start], value });
            }
        }
    }
}

/// Every line of the board: rows, columns, falling and rising diagonals.
fn lines(position: &Position) -> Vec<Content> {
    let size = i32::from(position.rows());
    let mut found = Vec::new();
    let mut add = |direction, start: (i32, i32), step: (i32, i32)| {
        let inside = |(row, col): &(i32, i32)| (0..size).contains(row) && (0..size).contains(col);
        let next = |(row, col): &(i32, i32)| Some((row + step.0, col + step.1));
        let cells: Vec<Cell> = std::iter::successors(Some(start), next)
            .take_while(inside)
            .map(|(row, col)| Cell::new(row as u8, col as u8))
            .collect();
        let content = cells.iter().map(|cell| match position.at(*cell) {
            None => EMPTY,
            Some(Side::Black) => BLACK,
            Some(Side::White) => WHITE,
        });
        found.push(Content {
            cells: content.collect(),
            found: XrayLine { direction, cells, score: 0.0, patterns: Vec::new(), states: Vec::new() },
        });
    };
    for i in 0..size {
        add("row", (i, 0), (0, 1));
        add("column", (0, i), (1, 0));
    }
    for i in 0..2 * size - 1 {
        add("falling", ((size - 1 - i).max(0), (i - size + 1).max(0)), (1, 1));
        add("rising", (i.min(size - 1), (i - size + 1).max(0)), (-1, 1));
    }
    found
}
