//! Mazes in the pools: paths where searches run, maps where files are read.

use super::docs::Refused;
use super::extract::Body;
use crate::app::App;
use crate::pool::Class;
use crate::security::rate::Peer;
use api::maze::{
    MapBody, MapRecipe, MapText, MazeAnswer, MazeBatch, MazeCosts, MazeGoals, MazeNearest, MazeQuery,
};
use api::{Problem, ProblemBody};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use game::Watch;
use std::sync::Arc;

/// Finds a path.
#[utoipa::path(post, path = "/maze/solve", tag = "mazes", request_body = MazeQuery, responses(
    (status = 200, body = MazeAnswer),
    Refused<422, 429>,
))]
pub(crate) async fn solve(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<MazeQuery>,
) -> Result<Response, Problem> {
    let work = api::maze::solve(asked);
    // Written there too: a trace has megabytes.
    let written = move |watch: &Watch| Ok(serde_json::to_vec(&work(watch)?).unwrap_or_default());
    let text: Result<Vec<u8>, Problem> =
        app.pool.run(Class::Analysis, peer, 1, written).await.map_err(|_| Problem::busy())?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text?).into_response())
}

/// Finds the costs of many paths on one map.
#[utoipa::path(post, path = "/maze/batch", tag = "mazes", request_body = MazeBatch, responses(
    (status = 200, body = MazeCosts),
    (status = 422, body = ProblemBody, content_type = "application/problem+json",
     description = "`params.query` says which query is wrong"),
    Refused<429>,
))]
pub(crate) async fn batch(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<MazeBatch>,
) -> Result<Json<MazeCosts>, Problem> {
    let threads = app.host.threads;
    let found = app.pool.run(Class::Analysis, peer, threads, api::maze::costs(asked, threads)).await;
    Ok(Json(found.map_err(|_| Problem::busy())??))
}

/// Finds the distances from one cell to many, or the nearest few of them.
#[utoipa::path(post, path = "/maze/nearest", tag = "mazes", request_body = MazeGoals, responses(
    (status = 200, body = MazeNearest),
    Refused<422, 429>,
))]
pub(crate) async fn nearest(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<MazeGoals>,
) -> Result<Json<MazeNearest>, Problem> {
    let found = app.pool.run(Class::Analysis, peer, 1, api::maze::nearest(asked)).await;
    Ok(Json(found.map_err(|_| Problem::busy())??))
}

/// Reads a map file.
#[utoipa::path(post, path = "/maze/import", tag = "mazes", request_body = MapText, responses(
    (status = 200, body = MapBody),
    (status = 422, body = ProblemBody, content_type = "application/problem+json",
     description = "`params.line` and `params.column` say where"),
    Refused<429>,
))]
pub(crate) async fn import(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<MapText>,
) -> Result<Json<MapBody>, Problem> {
    let read =
        app.quick.run(Class::Play, peer, 1, move |watch: &Watch| api::maze::import(&asked, watch)).await;
    Ok(Json(read.map_err(|_| Problem::busy())??))
}

/// Makes a map.
#[utoipa::path(post, path = "/maze/generate", tag = "mazes", request_body = MapRecipe, responses(
    (status = 200, body = MapBody),
    Refused<422, 429>,
))]
pub(crate) async fn generate(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<MapRecipe>,
) -> Result<Json<MapBody>, Problem> {
    let work = api::maze::generate(&asked)?;
    Ok(Json(app.quick.run(Class::Play, peer, 1, work).await.map_err(|_| Problem::busy())??))
}
