//! Properties that mean the same in every game: colours, set-up stones, compressed lists of points.

use super::Node;
use crate::{Cell, Setup, Side};

/// A colour as a property's name or value.
pub const fn letter(side: Side) -> &'static str {
    match side {
        Side::Black => "B",
        Side::White => "W",
    }
}

/// The points of a compressed list such as `aa:cc`, by two opposite corners.
pub fn rectangle(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let rows = from.row.min(to.row)..=from.row.max(to.row);
    let cols = from.col.min(to.col)..=from.col.max(to.col);
    rows.flat_map(move |row| cols.clone().map(move |col| Cell::new(row, col)))
}

impl Node {
    /// Adds the stones of a set-up, `AB` and `AW`, with points as the game writes them.
    pub fn push_stones(&mut self, setup: &Setup, point: impl Fn(Cell) -> String) {
        for (name, side) in [("AB", Side::Black), ("AW", Side::White)] {
            let stones = setup.stones.iter().filter(|(colour, _)| *colour == side);
            let points: Vec<String> = stones.map(|(_, cell)| point(*cell)).collect();
            if !points.is_empty() {
                self.push(name, points);
            }
        }
    }

    /// Adds the properties that have a value.
    pub fn push_known<'a>(&mut self, properties: impl IntoIterator<Item = (&'a str, &'a String)>) {
        for (name, value) in properties {
            if !value.is_empty() {
                self.push(name, [value.as_str()]);
            }
        }
    }
}
