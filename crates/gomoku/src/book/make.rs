//! Makes a book: the engine opens, chooses and plays against itself, and every position on the way goes in.

use super::{Advice, Book, BookEntry, read_position, start};
use crate::engine::Tengen;
use crate::notation::moves;
use crate::{Opening, Point, Position, Rule};
use ::game::{Decision, Engine, Limits, Move, Options, Position as GamePosition, Watch};
use serde::{Deserialize, Serialize};
use std::collections::{HashSet, VecDeque};

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
    let Ok(mut engine) = Tengen::new(&Options::new()) else { return Vec::new() };
    let mut maker = Maker::new(recipe);
    maker.advance(0, &mut |question| question.decide(&mut engine, recipe.nodes, watch), progress);
    maker.into_entries()
}

/// A decision that a book needs: what to play in a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Question {
    rule: String,
    opening: String,
    size: u8,
    /// The moves that lead to the position.
    position: String,
    seed: u64,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// What to play, the engine's value for the side to move, and the depth it was found at.
    Play(String, i32, u32),
    /// The position is decided: no opening any more.
    Decided,
}

impl Question {
    fn of(position: &Position, seed: u64) -> Question {
        Question {
            rule: position.rule().name().into(),
            opening: position.opening().name().into(),
            size: position.size(),
            position: moves::write(position),
            seed,
        }
    }

    /// Answers by a search from scratch, so that the answer depends on nothing but the question; `None` if stopped.
    pub fn decide(&self, engine: &mut Tengen, nodes: u64, watch: &Watch) -> Option<Answer> {
        if watch.is_stopped() {
            return None;
        }
        let Ok(position) = read_position(&self.rule, &self.opening, self.size, &self.position) else {
            return Some(Answer::Decided);
        };
        engine.new_game();
        let limits = Limits { seed: self.seed, memory_mb: 16, ..Limits::nodes(nodes) };
        let decision = engine.think(&position, &limits, watch, &mut |_| {});
        if watch.is_stopped() {
            return None;
        }
        Some(match decision {
            Ok(Decision { mv, report }) if report.score.abs() < DECIDED => {
                Answer::Play(position.format_move(mv), report.score as i32, report.depth)
            }
            _ => Answer::Decided,
        })
    }
}

/// A game that is played on from a position.
#[derive(Clone)]
struct Walk {
    game: Position,
    played: usize,
    plies: usize,
    seed: u64,
    /// Its first move is the answer to the empty board; every answer to that is a walk of its own.
    opens: bool,
}

/// Makes a book from answers that may come from elsewhere, and in any order: what goes in depends on the recipe alone.
pub struct Maker {
    plies: usize,
    book: Book,
    /// What is still to be played, the walk in progress first.
    walks: VecDeque<Walk>,
}

impl Maker {
    /// A maker that has nothing yet.
    pub fn new(recipe: &Recipe) -> Maker {
        let walk = |opening, plies, seed| {
            let game = start(recipe.rule, recipe.size, opening)?;
            Some(Walk { game, played: 0, plies, seed, opens: opening == Opening::Free })
        };
        // The plain opening: the centre, every answer near it, and what the engine makes of each.
        let plain = walk(Opening::Free, 1, recipe.seed);
        let offered = (0..recipe.openings)
            .filter_map(|number| walk(Opening::Swap2, recipe.plies, recipe.seed.wrapping_add(number)));
        Maker {
            plies: recipe.plies,
            book: Book::default(),
            walks: plain.into_iter().chain(offered).collect(),
        }
    }

    /// Goes on until a question has no answer yet. Returns that question, and those that `ahead` games after this one seem
    /// to need; nothing once the book is complete. `progress` is called with the number of positions.
    pub fn advance(
        &mut self,
        ahead: usize,
        answer: &mut dyn FnMut(&Question) -> Option<Answer>,
        progress: &mut dyn FnMut(usize),
    ) -> Vec<Question> {
        while let Some(mut walk) = self.walks.pop_front() {
            match self.follow(&mut walk, answer, progress) {
                Some(question) => {
                    self.walks.push_front(walk);
                    let later = self.walks.iter().skip(1).take(ahead);
                    let foreseen = later.filter_map(|walk| self.foresee(walk.clone(), answer)).collect();
                    return [vec![question], foreseen].concat();
                }
                None if walk.opens && walk.played > 0 => self.branch(&walk),
                None => {}
            }
        }
        Vec::new()
    }

    /// The entries so far.
    pub fn into_entries(self) -> Vec<BookEntry> {
        self.book.entries.into_iter().map(|(_, entry)| entry).collect()
    }

    /// Plays a walk to its end; the question at which it waits otherwise. The stones and choices of an opening protocol do
    /// not count as plies.
    fn follow(
        &mut self,
        walk: &mut Walk,
        answer: &mut dyn FnMut(&Question) -> Option<Answer>,
        progress: &mut dyn FnMut(usize),
    ) -> Option<Question> {
        while !walk.is_over() {
            let known = self.book.find(&walk.game);
            if let Some(mv) = known.as_ref().and_then(|advice| ready_move(&walk.game, advice)) {
                walk.play(mv)?;
                continue;
            }
            let question = Question::of(&walk.game, walk.seed);
            let (mv, score, depth) = match answer(&question) {
                None => return Some(question),
                Some(Answer::Decided) => return None,
                Some(Answer::Play(text, score, depth)) => (walk.game.parse_move(&text).ok()?, score, depth),
            };
            match known {
                Some(_) => self.book.add_move(&walk.game, mv),
                None => {
                    let entry = BookEntry::new(&walk.game, mv, score, depth);
                    self.book.add(walk.game.clone(), entry);
                    progress(self.book.entries.len());
                }
            }
            walk.play(mv)?;
        }
        None
    }

    /// The question at which a later walk would wait if the book stayed as it is. Earlier walks may still change that.
    fn foresee(
        &self,
        mut walk: Walk,
        answer: &mut dyn FnMut(&Question) -> Option<Answer>,
    ) -> Option<Question> {
        while !walk.is_over() {
            let known = self.book.find(&walk.game);
            let mv = match known.as_ref().and_then(|advice| ready_move(&walk.game, advice)) {
                Some(mv) => mv,
                None => {
                    let question = Question::of(&walk.game, walk.seed);
                    match answer(&question) {
                        None => return Some(question),
                        Some(Answer::Decided) => return None,
                        Some(Answer::Play(text, _, _)) => walk.game.parse_move(&text).ok()?,
                    }
                }
            };
            walk.play(mv)?;
        }
        None
    }

    /// The walks after the first stone, before all others.
    fn branch(&mut self, opened: &Walk) {
        let walk = |game| Walk { game, played: 0, plies: self.plies, seed: opened.seed, opens: false };
        let mut branches = vec![walk(opened.game.clone())];
        let mut seen = HashSet::new();
        for point in opened.game.board().candidates(2).into_points() {
            let mut answered = opened.game.clone();
            if answered.play(place(point)).is_ok() && seen.insert(answered.canonical_hash()) {
                branches.push(walk(answered));
            }
        }
        branches.into_iter().rev().for_each(|branch| self.walks.push_front(branch));
    }
}

impl Walk {
    fn is_over(&self) -> bool {
        self.played >= self.plies || self.game.outcome().is_some()
    }

    /// `None` if the move cannot be played: the walk ends there.
    fn play(&mut self, mv: Move) -> Option<()> {
        let opening = self.game.stones_to_place() > 0 || self.game.choices().0;
        self.game.play(mv).ok()?;
        self.played += usize::from(!opening);
        Some(())
    }
}

/// The move of a position that is in the book; stones of an opening are new for each seed.
fn ready_move(game: &Position, advice: &Advice) -> Option<Move> {
    advice.moves.first().copied().filter(|_| game.stones_to_place() == 0)
}

fn place(point: Point) -> Move {
    Move::Place(point.cell())
}
