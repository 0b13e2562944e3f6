//! Makes a book: the engine opens, chooses and plays against itself, and every position on the way goes in.

use super::{Book, BookEntry, start};
use crate::engine::Tengen;
use crate::{Opening, Point, Position, Rule};
use ::game::{Engine, Limits, Move, Options, Position as GamePosition, Watch};
use std::collections::HashSet;

/// What book to make.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Rule variant.
    pub rule: Rule,
    /// Rows, and columns.
    pub size: u8,
    /// Openings that the engine offers itself under Swap2.
    pub openings: u64,
    /// Moves played on after the stones of an opening are on the board.
    pub plies: usize,
    /// Nodes for each decision.
    pub nodes: u64,
    /// Seed of the openings: equal recipes make equal books.
    pub seed: u64,
}

/// Values from here on leave nothing to choose: ten times what decides most games.
const DECIDED: f64 = 2000.0;

/// Makes a book; `progress` is called with the number of its positions. If stopped, returns what was found so far.
pub fn make(recipe: &Recipe, watch: &Watch, progress: &mut dyn FnMut(usize)) -> Vec<BookEntry> {
    let Ok(engine) = Tengen::new(&Options::new()) else { return Vec::new() };
    let mut writer = Writer { recipe, engine, book: Book::default(), watch, progress };
    // The plain opening: the centre, every answer near it, and what the engine makes of each.
    if let Some(mut game) = start(recipe.rule, recipe.size, Opening::Free)
        && let Some(centre) = writer.decide(&game, recipe.seed)
        && game.play(centre).is_ok()
    {
        writer.walk(game.clone(), recipe.plies, recipe.seed);
        let mut seen = HashSet::new();
        for point in game.board().candidates(2).into_points() {
            let mut answered = game.clone();
            if answered.play(place(point)).is_ok() && seen.insert(answered.canonical_hash()) {
                writer.walk(answered, recipe.plies, recipe.seed);
            }
        }
    }
    for number in 0..recipe.openings {
        if let Some(game) = start(recipe.rule, recipe.size, Opening::Swap2) {
            writer.walk(game, recipe.plies, recipe.seed.wrapping_add(number));
        }
    }
    writer.book.entries.into_iter().map(|(_, entry)| entry).collect()
}

struct Writer<'a> {
    recipe: &'a Recipe,
    engine: Tengen,
    book: Book,
    watch: &'a Watch,
    progress: &'a mut dyn FnMut(usize),
}

impl Writer<'_> {
    /// Plays on from a position; the stones and choices of an opening protocol do not count as plies.
    fn walk(&mut self, mut game: Position, plies: usize, seed: u64) {
        let mut played = 0;
        while played < plies && game.outcome().is_none() {
            let opening = game.stones_to_place() > 0 || game.choices().0;
            let Some(mv) = self.decide(&game, seed) else { return };
            if game.play(mv).is_err() {
                return;
            }
            played += usize::from(!opening);
        }
    }

    /// The engine's move, from the book where it is there already; stones of an opening are new for each seed.
    fn decide(&mut self, game: &Position, seed: u64) -> Option<Move> {
        let known = self.book.find(game);
        if let Some(advice) = &known
            && game.stones_to_place() == 0
        {
            return advice.moves.first().copied();
        }
        if self.watch.is_stopped() {
            return None;
        }
        self.engine.new_game();
        let limits = Limits { seed, memory_mb: 16, ..Limits::nodes(self.recipe.nodes) };
        let decision = self.engine.think(game, &limits, self.watch, &mut |_| {}).ok()?;
        // A position that is decided is no opening any more.
        if self.watch.is_stopped() || decision.report.score.abs() >= DECIDED {
            return None;
        }
        match known {
            Some(_) => self.book.add_move(game, decision.mv),
            None => {
                let (score, depth) = (decision.report.score as i32, decision.report.depth);
                self.book.add(game.clone(), BookEntry::new(game, decision.mv, score, depth));
                (self.progress)(self.book.entries.len());
            }
        }
        Some(decision.mv)
    }
}

fn place(point: Point) -> Move {
    Move::Place(point.cell())
}
