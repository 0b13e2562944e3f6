//! An opening book of our own making: what the engine found, given time, in openings that it thinks balanced.
//!
//! The book is a list of positions with the moves to play there, each position standing for its eight mirror
//! images and rotations. [`shipped`] is `data/gomoku/book.jsonl`, [`make`] wrote it, and the engine reads it
//! where its option `book` is on.

mod make;

pub use make::{Answer, Maker, Question, Recipe, make};

use crate::notation::moves;
use crate::{Opening, Point, Position, Rule};
use ::game::{Move, Position as GamePosition, Setup, TextError};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::OnceLock;

/// One position of the book, as its file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookEntry {
    /// Rule variant.
    pub rule: String,
    /// Opening protocol.
    pub opening: String,
    /// Rows, and columns.
    pub size: u8,
    /// The moves that lead to the position.
    pub position: String,
    /// The moves to play, any of them.
    pub moves: Vec<String>,
    /// The engine's value for the side to move.
    pub score: i32,
    /// The depth it was found at.
    pub depth: u32,
}

/// A book entry for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The moves to play, as they are on this board.
    pub moves: Vec<Move>,
    /// The engine's value for the side to move.
    pub score: i32,
    /// The depth it was found at.
    pub depth: u32,
}

/// An opening book indexed by canonical position.
#[derive(Default)]
pub struct Book {
    entries: Vec<(Position, BookEntry)>,
    /// Canonical hash to the number of the entry.
    index: HashMap<u64, usize>,
}

/// The book that ships with the game.
pub fn shipped() -> &'static Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(|| Book::read(include_str!("../../../../data/gomoku/book.jsonl")).unwrap_or_default())
}

impl Book {
    /// Reads a book: one JSON object per line.
    pub fn read(text: &str) -> Result<Book, TextError> {
        let mut book = Book::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |message: String| TextError::new(number + 1, 1, message);
            let entry: BookEntry = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            let position = entry.read_position().map_err(|error| wrong(format!("position: {error}")))?;
            for text in &entry.moves {
                let legal = position.parse_move(text).and_then(|mv| position.legal(mv));
                legal.map_err(|error| wrong(format!("move '{text}': {error}")))?;
            }
            book.add(position, entry);
        }
        Ok(book)
    }

    /// The entries, in the order of the file.
    pub fn entries(&self) -> impl Iterator<Item = &BookEntry> {
        self.entries.iter().map(|(_, entry)| entry)
    }

    /// Looks up a position or a mirror image of it.
    pub fn find(&self, position: &Position) -> Option<Advice> {
        let (stored, entry) = &self.entries[*self.index.get(&position.canonical_hash())?];
        let symmetry = symmetry_to(stored, position)?;
        let map = |mv: Move| match mv {
            Move::Place(cell) => Move::Place(position.board().mapped(Point::of(cell), symmetry).cell()),
            choice => choice,
        };
        let moves: Vec<Move> =
            entry.moves.iter().filter_map(|text| stored.parse_move(text).ok()).map(map).collect();
        let legal = moves.iter().all(|mv| position.legal(*mv).is_ok());
        (legal && !moves.is_empty()).then_some(Advice { moves, score: entry.score, depth: entry.depth })
    }

    fn add(&mut self, position: Position, entry: BookEntry) {
        self.index.entry(position.canonical_hash()).or_insert(self.entries.len());
        self.entries.push((position, entry));
    }

    /// One more move for a position that is in the book already.
    fn add_move(&mut self, position: &Position, mv: Move) {
        let Some((stored, entry)) =
            self.index.get(&position.canonical_hash()).and_then(|at| self.entries.get_mut(*at))
        else {
            return;
        };
        // The symmetries are their own group: one of them leads back.
        let Some(back) = symmetry_to(position, stored) else { return };
        let mapped = match mv {
            Move::Place(cell) => Move::Place(stored.board().mapped(Point::of(cell), back).cell()),
            choice => choice,
        };
        let text = stored.format_move(mapped);
        if !entry.moves.contains(&text) {
            entry.moves.push(text);
        }
    }
}

impl BookEntry {
    fn new(position: &Position, mv: Move, score: i32, depth: u32) -> BookEntry {
        BookEntry {
            rule: position.rule().name().into(),
            opening: position.opening().name().into(),
            size: position.size(),
            position: moves::write(position),
            moves: vec![position.format_move(mv)],
            score,
            depth,
        }
    }

    fn read_position(&self) -> Result<Position, TextError> {
        read_position(&self.rule, &self.opening, self.size, &self.position)
    }
}

fn read_position(rule: &str, opening: &str, size: u8, text: &str) -> Result<Position, TextError> {
    let mut setup = Setup::empty(size, size);
    (setup.rule, setup.opening) = (rule.into(), opening.into());
    moves::read(text, &setup)
}

/// The symmetry that maps the stones of one position onto those of another.
fn symmetry_to(from: &Position, to: &Position) -> Option<usize> {
    if from.board().stones() != to.board().stones() || from.size() != to.size() {
        return None;
    }
    (0..8).find(|symmetry| {
        ::game::Side::BOTH.iter().all(|side| {
            let stones = from.board().stones_of(*side).iter();
            stones.map(|point| to.board().mapped(point, *symmetry)).all(|at| to.board().at(at) == Some(*side))
        })
    })
}

/// An empty board of this rule, size and opening protocol.
fn start(rule: Rule, size: u8, opening: Opening) -> Option<Position> {
    let mut setup = Setup::empty(size, size);
    (setup.rule, setup.opening) = (rule.name().into(), opening.name().into());
    Position::from_setup(&setup).ok()
}

#[cfg(test)]
mod tests;
