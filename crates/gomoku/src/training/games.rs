//! Self-play games as lines of text.
//!
//! A line is the result for Black (`1`, `0.5`, `0`), the board size, and the moves. A move of the random opening is
//! written `h8:-`; any other one as `h8:37`, the best move of the search and its score for the mover, and
//! `h8:37/i9` where another move was played for variety.

use super::TrainingError;
use crate::engine::{MATE_BOUND, Tengen};
use crate::{Point, Position, Rule};
use ::game::{Decision, Engine, Limits, Move, Outcome, Position as _, Side, Watch};
use search::rng::Rng;
use std::fmt::Write;

/// What games are played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// Rule variant.
    pub rule: Rule,
    /// Board sizes, drawn at random: a size that is named twice comes twice as often.
    pub sizes: Vec<u8>,
    /// Nodes per move.
    pub nodes: u64,
}

/// A position of a game with what the search said about it.
pub(super) struct Labelled<'a> {
    pub(super) position: &'a Position,
    pub(super) best: Point,
    /// For the side to move.
    pub(super) score: f64,
    /// Of the game, for the side to move.
    pub(super) result: f64,
}

/// A game is over once two searches in a row have proved its end.
const PROVED: usize = 2;
/// Longer games are draws.
const MOST_STONES: usize = 180;
/// Openings whose score is further from even are mostly thrown away.
const BALANCED: f64 = 140.0;
const UNBALANCED: f64 = 500.0;

impl SelfPlay {
    /// Plays a game from a random opening of one to eight moves that the engine thinks balanced. One move in
    /// twelve is drawn from the first eight of the search, while the game is open. `None` if `watch` was stopped.
    pub fn play(
        &self,
        engine: &mut Tengen,
        rng: &mut Rng,
        watch: &Watch,
    ) -> Result<Option<String>, TrainingError> {
        let size = rng.pick(&self.sizes).unwrap_or(15);
        loop {
            engine.new_game();
            let mut game = Position::new(self.rule, size);
            let mut text = format!(" {size}");
            if watch.is_stopped() {
                return Ok(None);
            }
            if !random_opening(&mut game, rng, &mut text)? {
                continue;
            }
            let limit = if rng.below(10) == 0 { UNBALANCED } else { BALANCED };
            if self.search(engine, &game, watch)?.report.score.abs() <= limit {
                let result = self.play_on(engine, game, rng, watch, &mut text)?;
                return Ok(result.map(|result| format!("{result}{text}")));
            }
        }
    }

    fn play_on(
        &self,
        engine: &mut Tengen,
        mut game: Position,
        rng: &mut Rng,
        watch: &Watch,
        text: &mut String,
    ) -> Result<Option<&'static str>, TrainingError> {
        let won = |side: Side| if side == Side::Black { "1" } else { "0" };
        let mut proved = 0;
        while game.outcome().is_none() && game.board().stones() < MOST_STONES {
            let Decision { mv: best, report } = self.search(engine, &game, watch)?;
            if watch.is_stopped() {
                return Ok(None);
            }
            let side = game.to_move();
            let mut played = best;
            if report.score.abs() < 600.0 && rng.below(12) == 0 {
                let first: Vec<Move> = report.root.iter().take(8).map(|root| root.mv).collect();
                played = rng.pick(&first).unwrap_or(best);
            }
            let _ = write!(text, " {}:{}", game.format_move(best), report.score);
            if played != best {
                let _ = write!(text, "/{}", game.format_move(played));
            }
            play(&mut game, played)?;
            proved = if report.score.abs() >= f64::from(MATE_BOUND) { proved + 1 } else { 0 };
            if proved >= PROVED {
                return Ok(Some(won(if report.score > 0.0 { side } else { side.other() })));
            }
        }
        Ok(Some(match game.outcome() {
            Some(Outcome::Win { side, .. }) => won(side),
            _ => "0.5",
        }))
    }

    fn search(&self, engine: &mut Tengen, game: &Position, watch: &Watch) -> Result<Decision, TrainingError> {
        let limits = Limits { nodes: Some(self.nodes), memory_mb: 8, ..Limits::default() };
        Ok(engine.think(game, &limits, watch, &mut |_| {})?)
    }
}

/// Adds random moves near the centre; `false` if the game is over after them.
fn random_opening(game: &mut Position, rng: &mut Rng, text: &mut String) -> Result<bool, TrainingError> {
    let stones = 1 + rng.below(8);
    let first = game.size() / 2 - game.size().min(7) / 2;
    while game.board().stones() < stones && game.outcome().is_none() {
        let points: Vec<Point> = match game.board().stones() {
            0 => vec![Point::new(first + rng.below(5) as u8, first + rng.below(5) as u8)],
            _ => game.board().candidates(2).into_points().collect(),
        };
        let Some(point) = rng.pick(&points) else { return Ok(false) };
        let mv = Move::Place(point.cell());
        if game.legal(mv).is_ok() {
            let _ = write!(text, " {}:-", game.format_move(mv));
            play(game, mv)?;
        }
    }
    Ok(game.outcome().is_none())
}

fn play(game: &mut Position, mv: Move) -> Result<(), TrainingError> {
    game.play(mv).map_err(|problem| TrainingError::Move { line: 0, problem })
}

/// Replays a game, handing each position that was searched to `visit`.
pub(super) fn replay(
    rule: Rule,
    text: &str,
    line: usize,
    mut visit: impl FnMut(Labelled),
) -> Result<(), TrainingError> {
    let syntax =
        |text: &str, wanted| TrainingError::Syntax { line, text: text.chars().take(40).collect(), wanted };
    let illegal = |problem| TrainingError::Move { line, problem };
    let mut words = text.split(' ');
    let result = words.next().unwrap_or_default();
    let result: f64 = result.parse().map_err(|_| syntax(result, "a result: 1, 0.5 or 0"))?;
    let size = words.next().unwrap_or_default();
    let size = size.parse().ok().filter(|size| (Rule::MIN_SIZE..=Rule::MAX_SIZE).contains(size));
    let size = size.ok_or_else(|| syntax(text, "a game: a board size of 5 to 22 follows the result"))?;
    let mut game = Position::new(rule, size);
    for word in words {
        let wanted = "a move as in h8:-, h8:12 or h8:12/i9";
        let (best, label) = word.split_once(':').ok_or_else(|| syntax(word, wanted))?;
        let (score, played) = label.split_once('/').unwrap_or((label, best));
        if score != "-" {
            let score: f64 = score.parse().map_err(|_| syntax(word, wanted))?;
            let best = game.parse_move(best).map_err(illegal)?.cell().ok_or_else(|| syntax(word, wanted))?;
            let result = if game.to_move() == Side::Black { result } else { 1.0 - result };
            visit(Labelled { position: &game, best: Point::of(best), score, result });
        }
        let mv = game.parse_move(played).map_err(illegal)?;
        game.play(mv).map_err(illegal)?;
    }
    Ok(())
}
