//! Mazes in the pools: paths where searches run, maps where files are read.

use super::extract::Body;
use crate::app::App;
use crate::pool::Class;
use crate::security::rate::Peer;
use api::maze::{MapBody, MapRecipe, MapText, MazeAnswer, MazeQuery};
use api::{Problem, ProblemBody};
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// Finds a path.
#[utoipa::path(post, path = "/maze/solve", tag = "mazes", request_body = MazeQuery, responses(
    (status = 200, body = MazeAnswer),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn solve(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<MazeQuery>,
) -> Result<Json<MazeAnswer>, Problem> {
    let found = app.pool.run(Class::Analysis, peer, 1, api::maze::solve(asked)).await;
    Ok(Json(found.map_err(|_| Problem::busy())??))
}

/// Reads a map file.
#[utoipa::path(post, path = "/maze/import", tag = "mazes", request_body = MapText, responses(
    (status = 200, body = MapBody),
    (status = 422, body = ProblemBody, content_type = "application/problem+json",
     description = "`params.line` and `params.column` say where"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn import(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<MapText>,
) -> Result<Json<MapBody>, Problem> {
    let read = app.quick.run(Class::Play, peer, 1, move |_| api::maze::import(&asked)).await;
    Ok(Json(read.map_err(|_| Problem::busy())??))
}

/// Makes a map.
#[utoipa::path(post, path = "/maze/generate", tag = "mazes", request_body = MapRecipe, responses(
    (status = 200, body = MapBody),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn generate(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<MapRecipe>,
) -> Result<Json<MapBody>, Problem> {
    let work = api::maze::generate(&asked)?;
    Ok(Json(app.quick.run(Class::Play, peer, 1, work).await.map_err(|_| Problem::busy())??))
}
