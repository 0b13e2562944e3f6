//! Sides, seats, cells and moves: the words every game shares.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The colour of a stone. Black moves first unless a set-up says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Gomoku's first player; in Hex the side that joins top and bottom (drawn red or black).
    Black,
    /// The other one; in Hex the side that joins left and right (drawn blue or white).
    White,
}

impl Side {
    /// Both sides, black first: `Side::BOTH[side.index()] == side`.
    pub const BOTH: [Side; 2] = [Side::Black, Side::White];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// 0 for black, 1 for white.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Reads `black`, `white`, `b`, `w`, `x`, `o` in any case.
    pub fn parse(text: &str) -> Option<Side> {
        match text.trim().to_ascii_lowercase().as_str() {
            "black" | "b" | "x" => Some(Side::Black),
            "white" | "w" | "o" => Some(Side::White),
            _ => None,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Black => "black",
            Side::White => "white",
        })
    }
}

/// A player at the table, whatever colour they hold. Swap rules change colours, never seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player who makes the game's first decision.
    First,
    /// The other player.
    Second,
}

impl Seat {
    /// The player across the table.
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A point of the board; row 0 is the top row, column 0 the left column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    /// Row from the top, 0-based.
    pub row: u8,
    /// Column from the left, 0-based.
    pub col: u8,
}

impl Cell {
    /// The cell at `row`, `col`.
    #[inline]
    pub const fn new(row: u8, col: u8) -> Cell {
        Cell { row, col }
    }
}

/// What a player may do at their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Move {
    /// Put a stone of the side to move.
    Place(Cell),
    /// Take over the opponent's opening (which kind of swap it is, the position's rule says).
    Swap,
    /// Lengthen the opening: put two more stones and hand the choice of colour back (Swap2), or offer ten fifth
    /// moves (Taraguchi-10).
    Extend,
    /// Say how many fifth moves Black will offer.
    Declare(u8),
    /// Offer a fifth move; no stone is put until the opponent chooses one of the offers.
    Offer(Cell),
}

impl Move {
    /// The cell of a placement.
    pub const fn cell(self) -> Option<Cell> {
        match self {
            Move::Place(cell) => Some(cell),
            Move::Swap | Move::Extend | Move::Declare(_) | Move::Offer(_) => None,
        }
    }
}

impl From<Cell> for Move {
    fn from(cell: Cell) -> Move {
        Move::Place(cell)
    }
}
