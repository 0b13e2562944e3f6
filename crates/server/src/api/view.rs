//! A position reached by moves, to be shown. The move tree and the editor live on it.

use super::extract::Body;
use crate::app::App;
use crate::problem::{Problem, ProblemBody};
use crate::shape::{Setup, View};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Moves in one request.
pub(crate) const MOVES: usize = 2_000;

/// A set-up and the moves played from it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(crate) setup: Setup,
    /// In the game's notation.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

impl Line {
    /// The game and the position.
    pub(crate) fn position(
        &self,
        app: &App,
    ) -> Result<(&'static dyn game::Game, Box<dyn game::Position>), Problem> {
        check_count(self.moves.len())?;
        let game = app.game(&self.setup.game)?;
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

/// The view of a position reached by moves.
#[utoipa::path(post, path = "/view", tag = "positions", request_body = Line, responses(
    (status = 200, body = View),
    (status = 422, body = ProblemBody, content_type = "application/problem+json",
     description = "an impossible set-up, or the first bad move: `params.ply` and `params.move`"),
))]
pub(crate) async fn view(State(app): State<Arc<App>>, Body(line): Body<Line>) -> Result<Json<View>, Problem> {
    let (game, position) = line.position(&app)?;
    Ok(Json(View::of(game, &*position, None)))
}
