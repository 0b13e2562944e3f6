//! How well an engine knows the winner of finished games that it has not learned from, by ply.

use game::{Engine, EngineError, Limits, Position, Watch};

/// The first ply of each range.
pub const PLY_RANGES: [usize; 7] = [0, 5, 10, 20, 30, 45, 60];

/// What was said in the positions of one range of plies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Positions looked at.
    pub positions: u32,
    /// Those in which the later winner was said to be ahead.
    pub right: u32,
    /// Sum of -ln(win rate given to the later winner).
    pub nats: f64,
}

/// A win rate is kept this far from 0 and 1, so that one wrong certainty does not outweigh everything.
const MARGIN: f64 = 0.001;

/// Asks an engine for its win rate in every position of a game, with so many nodes each, and adds it to the range of its ply.
/// `Ok(false)`: the game has no winner on the board, so there is nothing to compare with.
pub fn judge_game(
    engine: &mut dyn Engine,
    game: &dyn Position,
    nodes: u64,
    ranges: &mut [Accuracy; PLY_RANGES.len()],
) -> Result<bool, EngineError> {
    let Some(winner) = game.outcome().and_then(|outcome| outcome.winner()) else { return Ok(false) };
    let mut position = game.boxed();
    while position.undo().is_some() {
        engine.new_game();
        let decision = engine.think(&*position, &Limits::nodes(nodes), &Watch::untimed(), &mut |_| {})?;
        let rate = decision.report.win_rate;
        let rate = if position.to_move() == winner { rate } else { 1.0 - rate };
        let ply = position.history().len();
        let at = PLY_RANGES.iter().rposition(|first| *first <= ply).unwrap_or(0);
        let range = &mut ranges[at];
        range.positions += 1;
        range.right += u32::from(rate > 0.5);
        range.nats -= rate.clamp(MARGIN, 1.0 - MARGIN).ln();
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HEX, engine::Tengen};
    use game::{Game as _, Options, Setup};

    #[test]
    fn every_position_of_a_finished_game_is_counted_in_its_range() {
        let mut engine = Tengen::new(&Options::new()).unwrap();
        let setup = Setup { opening: "none".into(), ..Setup::empty(5, 5) };
        let mut ranges = [Accuracy::default(); PLY_RANGES.len()];
        let open = HEX.parse("c3", &setup).unwrap();
        assert_eq!(judge_game(&mut engine, &*open, 1, &mut ranges), Ok(false));
        assert_eq!(ranges, [Accuracy::default(); PLY_RANGES.len()]);
        // Black wins down the c column after nine moves.
        let won = HEX.parse("c3a1c2a2c1a3c4a4c5", &setup).unwrap();
        assert_eq!(judge_game(&mut engine, &*won, 20, &mut ranges), Ok(true));
        assert_eq!([ranges[0].positions, ranges[1].positions, ranges[2].positions], [5, 4, 0]);
        // After four stones against none the solver in the search leaves no doubt.
        assert_eq!(ranges[1].right, 4, "{ranges:?}");
        assert!(ranges[1].nats < 0.1, "{ranges:?}");
    }
}
