//! Self-play games as lines of text: the result for Black (1, 0.5, 0), then each move with the score of the
//! search for its mover (`NaN` for the random opening moves).

use super::TrainingError;
use crate::engine::Tengen;
use crate::{Point, Position, Rule};
use ::game::{Engine, Limits, Move, Outcome, Position as _, Side, Watch};
use search::rng::Rng;
use std::fmt::Write;

/// Plays one game from a random opening of two to six moves.
pub fn play_game(engine: &mut Tengen, nodes: u64, rng: &mut Rng) -> Result<String, TrainingError> {
    let mut game = Position::new(Rule::Freestyle, 15);
    engine.new_game();
    let mut moves = String::new();
    let opening = 2 + rng.below(5);
    while game.outcome().is_none() {
        let in_opening = game.board().stones() < opening;
        let random = if in_opening { random_move(&game, rng) } else { None };
        let (mv, score) = match random {
            Some(mv) => (mv, f64::NAN),
            None => {
                let limits = Limits { nodes: Some(nodes), memory_mb: 8, ..Limits::default() };
                let decision = engine.think(&game, &limits, &Watch::default(), &mut |_| {})?;
                (decision.mv, decision.report.score)
            }
        };
        let _ = write!(moves, " {}:{score}", game.format_move(mv));
        game.play(mv).map_err(|problem| TrainingError::Move { line: 0, problem })?;
    }
    let result = match game.outcome() {
        Some(Outcome::Win { side: Side::Black, .. }) => "1",
        Some(Outcome::Win { .. }) => "0",
        _ => "0.5",
    };
    Ok(format!("{result}{moves}"))
}

fn random_move(game: &Position, rng: &mut Rng) -> Option<Move> {
    let near: Vec<Point> = match game.board().stones() {
        0 => vec![Point::new(4 + rng.below(7) as u8, 4 + rng.below(7) as u8)],
        _ => game.board().candidates(2).into_points().collect(),
    };
    rng.pick(&near).map(|point| Move::Place(point.cell()))
}
