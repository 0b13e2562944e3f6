//! The classic searches for watching: the very games the engines search, with a recorder beside them.
//!
//! No classic Gomoku engine uses Monte Carlo; it is shown on the bare rules, every empty cell
//! tried and played out at random.

use super::lines::{BLACK, EMPTY, Lines, Scorer, WHITE};
use super::player::{Classic, Rooted, allowed_cells, stones};
use super::turn::Turn;
use super::{ac, shapes, squares};
use crate::Position;
use ::game::{EngineError, Limits, Position as GamePosition, Side, Watch};
use search::adversarial::Game;
use search::rng::mix;
use search::stop;
use search::theatre::{Record, RecordOptions, Trim, watch as record};

/// Searches a position as an engine does and writes down what was seen.
pub fn explain(
    position: &Position,
    engine: &str,
    wanted: &RecordOptions,
    watch: &Watch,
) -> Result<Record, EngineError> {
    if wanted.algorithm.plays_out() {
        let allowed = allowed_cells(position, &Limits::default())?;
        let game = Rooted::new(Bare::new(position), allowed);
        return Ok(run(game, position, "", wanted, watch));
    }
    match engine {
        // `classic-ac` has its own width and ordering; the other engines get them from outside.
        "" | "classic-ac" => {
            let settings = ac::Settings::asked(wanted.width, wanted.ordering);
            watched(
                &settings,
                position,
                &RecordOptions { width: None, ordering: None, ..wanted.clone() },
                wanted,
                watch,
            )
        }
        "classic-shapes" => watched(&shapes::Settings::fixed(), position, wanted, wanted, watch),
        "classic-squares" => watched(&squares::Settings::plain(), position, wanted, wanted, watch),
        other => Err(EngineError::Unsupported(format!(
            "{other} cannot be watched; accepted: classic-ac, classic-shapes, classic-squares"
        ))),
    }
}

fn watched<C: Classic>(
    classic: &C,
    position: &Position,
    trim: &RecordOptions,
    wanted: &RecordOptions,
    watch: &Watch,
) -> Result<Record, EngineError> {
    let allowed = allowed_cells(position, &Limits::default())?;
    let game = Rooted::new(classic.game(position), allowed);
    let hashed = Hashed { game, hash: mix(u64::from(position.to_move() == Side::Black)) };
    let key = (trim.ordering == Some(false)).then_some(i64::from as fn(u16) -> i64);
    let game = Trim { game: hashed, key, width: trim.width.filter(|width| *width > 0) };
    Ok(run(game, position, C::NAME, wanted, watch))
}

fn run(
    mut game: impl Game<Move = u16>,
    position: &Position,
    engine: &str,
    wanted: &RecordOptions,
    watch: &Watch,
) -> Record {
    let stage = ::game::stage(position, engine, wanted);
    let keep_going = stop::every(32, || !watch.is_stopped());
    record(&mut game, wanted, stage, u32::from, keep_going).timed(watch.elapsed().as_secs_f64())
}

/// A game with a hash, for the transposition table: one number for each stone, whoever's turn it is.
struct Hashed<G> {
    game: G,
    hash: u64,
}

impl<G: Game<Move = u16>> Hashed<G> {
    fn turn(&mut self, mv: u16) {
        let colour = u64::from(self.game.max_to_move());
        self.hash ^= mix(u64::from(mv) << 1 | colour) ^ mix(u64::MAX);
    }
}

impl<G: Game<Move = u16>> Game for Hashed<G> {
    type Move = u16;

    fn moves(&mut self, out: &mut Vec<u16>) {
        self.game.moves(out);
    }

    fn play(&mut self, mv: u16) {
        self.turn(mv);
        self.game.play(mv);
    }

    fn undo(&mut self, mv: u16) {
        self.game.undo(mv);
        self.turn(mv);
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    fn evaluate(&self) -> f64 {
        self.game.evaluate()
    }

    fn max_to_move(&self) -> bool {
        self.game.max_to_move()
    }

    fn result(&self) -> Option<f64> {
        self.game.result()
    }

    fn hash(&self) -> Option<u64> {
        Some(self.hash)
    }
}

/// Finds nothing in a line: the bare rules only ask for fives.
#[derive(Clone, Copy)]
struct Nothing;

impl Scorer<1> for Nothing {
    fn tally(&self, _line: &[u8], _eligible: u32) -> [i32; 1] {
        [0]
    }
}

/// Gomoku without any evaluation. MAX is Black.
struct Bare {
    lines: Lines<Nothing, 1>,
    turn: Turn,
}

impl Bare {
    fn new(position: &Position) -> Bare {
        let mut lines = Lines::new(usize::from(position.board().size()), Nothing);
        for (side, cell) in stones(position) {
            lines.set(cell, if side == Side::Black { BLACK } else { WHITE });
        }
        Bare { lines, turn: Turn::of(position) }
    }
}

impl Game for Bare {
    type Move = u16;

    fn moves(&mut self, out: &mut Vec<u16>) {
        out.extend((0..self.lines.cells.len() as u16).filter(|c| self.lines.cells[usize::from(*c)] == EMPTY));
    }

    fn play(&mut self, mv: u16) {
        let cell = usize::from(mv);
        self.lines.set(cell, self.turn.stone());
        self.turn.play(|| self.lines.five_through(cell));
    }

    fn undo(&mut self, mv: u16) {
        self.lines.set(usize::from(mv), EMPTY);
        self.turn.undo();
    }

    fn is_over(&self) -> bool {
        self.result().is_some()
    }

    fn evaluate(&self) -> f64 {
        self.result().unwrap_or(0.5)
    }

    fn max_to_move(&self) -> bool {
        self.turn.black_to_move
    }

    fn result(&self) -> Option<f64> {
        self.turn.result(self.lines.stones == self.lines.cells.len())
    }
}
