//! Tic-tac-toe: the game small enough to see whole. 5,478 positions can be reached, and best play is a draw.
//!
//! X moves first and is MAX. Cells are numbered 0 to 8, row by row from the top left.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::adversarial::Game;
use crate::theatre::{self, Record, RecordOptions, Stage, Trim};

/// A position of tic-tac-toe: one bit per cell for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    x: u16,
    o: u16,
}

const FULL: u16 = 0b111_111_111;

/// The eight lines of three.
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

impl TicTacToe {
    /// The empty board.
    pub fn new() -> Self {
        TicTacToe::default()
    }

    /// `'X'`, `'O'` or `'.'`; also `'.'` outside the board.
    pub fn cell(&self, index: u8) -> char {
        let bit = 1u16.checked_shl(u32::from(index)).unwrap_or(0);
        match (self.x & bit != 0, self.o & bit != 0) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '.',
        }
    }

    /// The position with one more mark, X or O, on an empty cell, whoever's turn it is.
    #[must_use]
    pub fn with(mut self, index: u8, x: bool) -> TicTacToe {
        *(if x { &mut self.x } else { &mut self.o }) |=
            FULL & 1u16.checked_shl(u32::from(index)).unwrap_or(0);
        self
    }

    /// `'X'` or `'O'` if one of them has three in a line.
    pub fn winner(&self) -> Option<char> {
        let has_line = |stones: u16| LINES.iter().any(|line| stones & line == *line);
        if has_line(self.x) {
            Some('X')
        } else if has_line(self.o) {
            Some('O')
        } else {
            None
        }
    }
}

impl Game for TicTacToe {
    type Move = u8;

    fn moves(&mut self, out: &mut Vec<u8>) {
        out.extend((0..9).filter(|cell| (self.x | self.o) & (1 << cell) == 0));
    }

    fn play(&mut self, mv: u8) {
        if self.max_to_move() {
            self.x |= 1 << mv;
        } else {
            self.o |= 1 << mv;
        }
    }

    fn undo(&mut self, mv: u8) {
        self.x &= !(1 << mv);
        self.o &= !(1 << mv);
    }

    fn is_over(&self) -> bool {
        self.winner().is_some() || self.x | self.o == FULL
    }

    fn evaluate(&self) -> f64 {
        match self.winner() {
            Some('X') => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        }
    }

    fn max_to_move(&self) -> bool {
        self.x.count_ones() == self.o.count_ones()
    }

    fn result(&self) -> Option<f64> {
        self.is_over().then(|| (self.evaluate() + 1.0) / 2.0)
    }

    fn hash(&self) -> Option<u64> {
        Some(crate::rng::mix(u64::from(self.x) << 9 | u64::from(self.o)))
    }
}

/// Searches a position with a textbook algorithm and writes down what was seen. `wanted.ordering` puts the centre first,
/// then the corners.
pub fn explain(position: &TicTacToe, wanted: &RecordOptions, keep_going: impl FnMut() -> bool) -> Record {
    const RANK: [i64; 9] = [1, 2, 1, 2, 0, 2, 1, 2, 1];
    let ordering = wanted.ordering.unwrap_or(false);
    let key = ordering.then_some(|mv: u8| RANK.get(usize::from(mv)).copied().unwrap_or(9));
    let mut options = BTreeMap::from([("ordering".to_string(), on_off(ordering).to_string())]);
    options.extend(wanted.width.map(|width| ("width".to_string(), width.to_string())));
    let stage = Stage {
        game: "tictactoe".into(),
        rows: 3,
        cols: 3,
        board: position.to_string().lines().map(str::to_string).collect(),
        to_move: if position.max_to_move() { "black".into() } else { "white".into() },
        engine: String::new(),
        options,
    };
    let mut game = Trim { game: *position, key, width: wanted.width };
    theatre::watch(&mut game, wanted, stage, u32::from, keep_going)
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// Three lines of `X`, `O` and `.`.
impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..3 {
            for col in 0..3 {
                write!(f, "{}", self.cell(3 * row + col))?;
            }
            if row < 2 {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// Why a text is no position of tic-tac-toe.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Some other character.
    #[error("line {line}, column {column}: `{found}` is no cell; cells are X, O and .")]
    Character {
        /// What was there.
        found: char,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Too few or too many cells.
    #[error("{found} cells; tic-tac-toe has 9")]
    Cells {
        /// How many there were.
        found: usize,
    },
    /// X and O do not take turns.
    #[error("{x} X and {o} O; X moves first, so there are as many X as O or one more")]
    Turns {
        /// How many X.
        x: u32,
        /// How many O.
        o: u32,
    },
    /// The game went on after a win.
    #[error("the side that moved last did not complete the line of three: the game was over before")]
    Won,
}

impl FromStr for TicTacToe {
    type Err = ParseError;

    /// Reads nine cells; spaces and line ends between them are ignored.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (mut position, mut cells) = (TicTacToe::new(), 0usize);
        for (row, line) in text.lines().enumerate() {
            for (col, found) in line.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
                let bit = 1u16.checked_shl(cells as u32).unwrap_or(0);
                match found {
                    'X' | 'x' => position.x |= bit,
                    'O' | 'o' => position.o |= bit,
                    '.' => {}
                    _ => return Err(ParseError::Character { found, line: row + 1, column: col + 1 }),
                }
                cells += 1;
            }
        }
        if cells != 9 {
            return Err(ParseError::Cells { found: cells });
        }
        let (x, o) = (position.x.count_ones(), position.o.count_ones());
        if x != o && x != o + 1 {
            return Err(ParseError::Turns { x, o });
        }
        let won = |stones: u16| LINES.iter().any(|line| stones & line == *line);
        if if position.max_to_move() { won(position.x) } else { won(position.o) } {
            return Err(ParseError::Won);
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_position_agree() {
        let position: TicTacToe = "X.O\n.X.\nO.X\n".parse().unwrap();
        assert_eq!(position.to_string(), "X.O\n.X.\nO.X");
        assert_eq!(position.winner(), Some('X'));
        assert_eq!("X.O.X.O.X".parse(), Ok(position));
    }

    #[test]
    fn every_bad_text_has_its_own_message() {
        let parse = |text: &str| text.parse::<TicTacToe>().unwrap_err();
        assert_eq!(parse("X.O\n.?."), ParseError::Character { found: '?', line: 2, column: 2 });
        assert_eq!(parse(""), ParseError::Cells { found: 0 });
        assert_eq!(parse(&".".repeat(70)), ParseError::Cells { found: 70 });
        assert_eq!(parse("XX......."), ParseError::Turns { x: 2, o: 0 });
        assert_eq!(parse("O........"), ParseError::Turns { x: 0, o: 1 });
        assert_eq!(parse("XXXOOO..."), ParseError::Won);
        assert_eq!(parse("XXXOO.O.."), ParseError::Won);
    }
}
