//! The opening book: the replies of long searches to every first stone, and the moves after. Their win rates make the swap
//! map: a first stone is worth what its best reply leaves. The books for 11x11, 13x13 and 14x14 ship in `data/hex`, made by
//! `tengen book make hex`.

use crate::engine::Tengen;
use crate::{Position, Size};
use game::{Engine, Limits, Move, Options, Position as _, Side, Watch};
use search::rng::mix;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The book's move in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// The move, in the orientation of the position.
    pub cell: usize,
    /// Win rate of the side to move, 0 to 1.
    pub rate: f64,
}

/// A book for one board size.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    size: Size,
    /// Positions as the moves that lead to them, black's first, in the order of the file.
    entries: Vec<(Vec<usize>, Advice)>,
    /// From sorted stones to the index of the entry.
    index: HashMap<Vec<(Side, usize)>, usize>,
}

/// How a book is made.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The board.
    pub size: Size,
    /// Playouts of each search.
    pub playouts: u64,
    /// Moves played on after each first stone.
    pub plies: usize,
    /// Seed of the searches.
    pub seed: u64,
}

static SHIPPED: LazyLock<Vec<Book>> = LazyLock::new(|| {
    let texts = [
        include_str!("../../../data/hex/book-11.txt"),
        include_str!("../../../data/hex/book-13.txt"),
        include_str!("../../../data/hex/book-14.txt"),
    ];
    texts.into_iter().filter_map(|text| Book::parse(text).ok()).collect()
});

impl Book {
    /// The book that ships for a size.
    pub fn shipped(size: Size) -> Option<&'static Book> {
        SHIPPED.iter().find(|book| book.size == size)
    }

    /// A book without entries.
    pub fn empty(size: Size) -> Book {
        Book { size, entries: Vec::new(), index: HashMap::new() }
    }

    /// Searches the answer to every first stone of black, and on from there; the half turn of a stone is not
    /// searched again. `progress` gets the number of stones done and in all; false cancels.
    pub fn make(
        recipe: &Recipe,
        watch: &Watch,
        progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Book> {
        let mut book = Book::empty(recipe.size);
        let half = Book::first_stones(recipe.size);
        for first in 0..half {
            book.extend(Book::answers(recipe, first, watch)?);
            if !progress(first + 1, half) {
                return None;
            }
        }
        Some(book)
    }

    /// First stones that are searched: the others are their half turns.
    pub fn first_stones(size: Size) -> usize {
        size.cells().div_ceil(2)
    }

    /// The part of a book after one first stone, which depends on no other part.
    pub fn answers(recipe: &Recipe, first: usize, watch: &Watch) -> Option<Book> {
        let Recipe { size, playouts, plies, seed } = *recipe;
        let mut book = Book::empty(size);
        let mut engine = Tengen::new(&Options::new()).ok()?;
        let mut position = Position::empty(size);
        let mut moves = Vec::new();
        let mut next = first;
        for _ in 0..plies {
            position.play(Move::Place(size.cell(next))).ok()?;
            moves.push(next);
            if position.outcome().is_some() {
                break;
            }
            let limits = Limits { seed: mix(seed ^ position.hash()), ..Limits::nodes(playouts) };
            let decision = engine.think(&position, &limits, watch, &mut |_| {}).ok()?;
            next = size.index(decision.mv.cell()?);
            book.add(moves.clone(), Advice { cell: next, rate: decision.report.win_rate });
        }
        Some(book)
    }

    /// Appends the entries of another book of this size.
    pub fn extend(&mut self, other: Book) {
        for (moves, advice) in other.entries {
            self.add(moves, advice);
        }
    }

    fn add(&mut self, moves: Vec<usize>, advice: Advice) {
        self.index.entry(key(moves.iter().copied())).or_insert(self.entries.len());
        self.entries.push((moves, advice));
    }

    /// The size of board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Positions as the moves that lead to them, each with what to play.
    pub fn entries(&self) -> &[(Vec<usize>, Advice)] {
        &self.entries
    }

    /// The entry of a position or of its half turn.
    pub fn find(&self, position: &Position) -> Option<Advice> {
        let size = position.size();
        let board = position.board();
        let mut stones: Vec<(Side, usize)> = board.stones().collect();
        stones.sort_unstable();
        let to_move = if stones.len().is_multiple_of(2) { Side::Black } else { Side::White };
        if size != self.size || position.to_move() != to_move {
            return None;
        }
        if let Some(&at) = self.index.get(&stones) {
            return Some(self.entries[at].1);
        }
        stones.iter_mut().for_each(|stone| stone.1 = size.turned(stone.1));
        stones.sort_unstable();
        let Advice { cell, rate } = self.entries[*self.index.get(&stones)?].1;
        Some(Advice { cell: size.turned(cell), rate })
    }

    /// The book as text: a comment, the size, then a line for each position: its moves, the answer, and
    /// percent.
    pub fn write(&self, comment: &str) -> String {
        let position = Position::empty(self.size);
        let name = |cell: usize| position.format_move(Move::Place(self.size.cell(cell)));
        let mut text = format!("# {comment}\n{} {}\n", self.size.rows(), self.size.cols());
        for (moves, Advice { cell, rate }) in &self.entries {
            let moves: Vec<String> = moves.iter().map(|&cell| name(cell)).collect();
            text += &format!("{} {} {:.1}\n", moves.join(","), name(*cell), rate * 100.0);
        }
        text
    }

    /// Reads what [`Book::write`] writes.
    pub fn parse(text: &str) -> Result<Book, String> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line.split_whitespace().collect::<Vec<_>>()))
            .filter(|(_, words)| words.first().is_some_and(|word| !word.starts_with('#')));
        let side = |word: &str| word.parse::<u8>().ok();
        let size = lines.next().and_then(|(_, words)| match words[..] {
            [rows, cols] => Size::new(side(rows)?, side(cols)?),
            _ => None,
        });
        let mut book = Book::empty(size.ok_or("no board: accepted: rows and columns in the first line")?);
        for (line, words) in lines {
            let wrong =
                |what: &str| format!("line {line}: {what}; accepted: moves with commas, a move, percent");
            let [moves, answer, percent] = words[..] else { return Err(wrong("not three words")) };
            let mut position = Position::empty(book.size);
            let mut cells = Vec::new();
            for word in moves.split(',').chain([answer]) {
                let mv = position.parse_move(word).and_then(|mv| position.play(mv).map(|()| mv));
                let cell = mv.ok().and_then(|mv| mv.cell());
                cells
                    .push(book.size.index(cell.ok_or_else(|| wrong(&format!("'{word}' cannot be played")))?));
            }
            let rate = percent.parse::<f64>().ok().filter(|percent| (0.0..=100.0).contains(percent));
            let rate = rate.ok_or_else(|| wrong(&format!("'{percent}' is not a percentage")))? / 100.0;
            let cell = cells.pop().unwrap_or(0);
            book.add(cells, Advice { cell, rate });
        }
        Ok(book)
    }

    /// The win rate of each first stone.
    pub fn swap_map(&self) -> SwapMap {
        let mut rates = vec![0.5; self.size.cells()];
        for (moves, advice) in &self.entries {
            if let [first] = moves[..] {
                (rates[first], rates[self.size.turned(first)]) = (1.0 - advice.rate, 1.0 - advice.rate);
            }
        }
        SwapMap { size: self.size, rates }
    }
}

fn key(moves: impl Iterator<Item = usize>) -> Vec<(Side, usize)> {
    let mut stones: Vec<(Side, usize)> = Side::BOTH.into_iter().cycle().zip(moves).collect();
    stones.sort_unstable();
    stones
}

/// Win rates of first stones.
#[derive(Clone, Debug, PartialEq)]
pub struct SwapMap {
    size: Size,
    /// For each cell, 0 to 1, for the side whose stone it is.
    rates: Vec<f64>,
}

/// First stones with a win rate this near to 0.5 count as even.
const EVEN_MARGIN: f64 = 0.02;

/// Win rates at least this far from 0.5 decide the swap without a search.
const SWAP_MARGIN: f64 = 0.02;

impl SwapMap {
    /// The map that ships for a size.
    pub fn shipped(size: Size) -> Option<SwapMap> {
        Book::shipped(size).map(Book::swap_map)
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The win rate of a first stone.
    pub fn rate(&self, cell: usize) -> Option<f64> {
        self.rates.get(cell).copied()
    }

    /// Should the second player swap this stone?
    pub fn swap(&self, cell: usize) -> bool {
        self.rate(cell).is_some_and(|rate| rate > 0.5)
    }

    /// The same where the map is clear; `None` where a search should decide.
    pub(crate) fn clear_choice(&self, cell: usize) -> Option<bool> {
        self.rate(cell).filter(|rate| (rate - 0.5).abs() >= SWAP_MARGIN).map(|rate| rate > 0.5)
    }

    /// First stones that leave the game about even, most even first.
    pub fn even(&self) -> Vec<usize> {
        let off = |cell: &usize| (self.rates[*cell] - 0.5).abs();
        let mut cells: Vec<usize> = (0..self.rates.len()).collect();
        cells.sort_by(|a, b| off(a).total_cmp(&off(b)));
        let many = cells.iter().take_while(|cell| off(cell) <= EVEN_MARGIN).count().max(1);
        cells.truncate(many);
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_are_made_written_read_and_found() {
        let size = Size::new(3, 3).unwrap();
        let recipe = Recipe { size, playouts: 200, plies: 2, seed: 1 };
        let book = Book::make(&recipe, &Watch::untimed(), &mut |_, _| true).unwrap();
        let map = book.swap_map();
        // The centre wins, two corners lose.
        assert!(map.swap(4) && !map.swap(0) && map.rate(0) == map.rate(8));
        let again = Book::parse(&book.write("test")).unwrap();
        assert_eq!((again.size(), again.entries().len()), (size, book.entries().len()));
        let mut parts = Book::empty(size);
        for first in 0..Book::first_stones(size) {
            let part = Book::answers(&recipe, first, &Watch::untimed()).unwrap();
            parts.extend(Book::parse(&part.write("a part")).unwrap());
        }
        assert_eq!(parts.write("test"), book.write("test"), "made in parts, each sent as text");
        for cell in 0..9 {
            let mut position = Position::empty(size);
            position.play(Move::Place(size.cell(cell))).unwrap();
            let found = again.find(&position).unwrap();
            assert!(position.play(Move::Place(size.cell(found.cell))).is_ok());
            let turned = again.find(&turned(size, cell)).unwrap();
            assert_eq!(turned.rate, found.rate);
            assert!(cell == 4 || turned.cell == size.turned(found.cell));
        }
        assert!(again.find(&Position::empty(size)).is_none());
        assert!(Book::make(&recipe, &Watch::untimed(), &mut |_, _| false).is_none());
    }

    fn turned(size: Size, cell: usize) -> Position {
        let mut position = Position::empty(size);
        position.play(Move::Place(size.cell(size.turned(cell)))).unwrap();
        position
    }

    #[test]
    fn wrong_books_are_refused_with_the_line() {
        for (text, what) in [
            ("", "no board"),
            ("3 x\n", "no board"),
            ("3 3\na1 a1 50", "line 2: 'a1' cannot"),
            ("3 3\n# why\na1 b2 150", "line 3: '150'"),
            ("3 3\na1 b2", "line 2: not three"),
        ] {
            assert!(Book::parse(text).unwrap_err().contains(what), "{text}");
        }
    }

    #[test]
    fn the_shipped_map_swaps_the_centre_and_not_the_acute_corner() {
        let size = Size::new(11, 11).unwrap();
        let map = SwapMap::shipped(size).unwrap();
        assert_eq!((map.clear_choice(60), map.clear_choice(0)), (Some(true), Some(false)));
        assert!((0..121).all(|cell| map.rate(cell) == map.rate(size.turned(cell))));
    }
}
