//! A position as requests give it: a set-up and the moves played from it.

use crate::{Host, Problem, Setup};
use game::{Game, Position};
use serde::Deserialize;
use utoipa::ToSchema;

/// Moves in one request.
const MOVES: usize = 2_000;

/// A set-up and the moves played from it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayedLine {
    /// Where it starts.
    pub setup: Setup,
    /// In the game's notation.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl PlayedLine {
    /// The game and the position.
    pub fn position(&self, host: &Host) -> Result<(&'static dyn Game, Box<dyn Position>), Problem> {
        check_count(self.moves.len())?;
        let game = host.game(&self.setup.game)?;
        Ok((game, self.setup.after(game, &self.moves)?))
    }
}

/// Too many moves are refused before any is played.
pub(crate) fn check_count(moves: usize) -> Result<(), Problem> {
    if moves > MOVES {
        return Err(Problem::refused("moves.too-many", format!("at most {MOVES} moves in one request")));
    }
    Ok(())
}
