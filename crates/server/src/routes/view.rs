//! A position reached by moves, to be shown. The move tree and the editor live on it.

use super::extract::Body;
use crate::app::App;
use api::{PlayedLine, Problem, ProblemBody, View};
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// The view of a position reached by moves.
#[utoipa::path(post, path = "/view", tag = "positions", request_body = PlayedLine, responses(
    (status = 200, body = View),
    (status = 422, body = ProblemBody, content_type = "application/problem+json",
     description = "an impossible set-up, or the first bad move: `params.ply` and `params.move`"),
))]
pub(crate) async fn view(
    State(app): State<Arc<App>>,
    Body(line): Body<PlayedLine>,
) -> Result<Json<View>, Problem> {
    Ok(Json(api::view(&app.host, &line)?))
}
