//! Recorded searches and the terms of an evaluation, made in the engine pool.

use super::docs::Refused;
use super::extract::Body;
use crate::app::App;
use crate::pool::Class;
use crate::security::rate::Peer;
use api::explain::{ExplainPath, ExplainRequest, XrayRequest};
use api::{Problem, Work};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// Records a search of a game tree (guide/en/records.md has the format).
#[utoipa::path(post, path = "/explain", tag = "watching", request_body = ExplainRequest, responses(
    (status = 200, description = "a record of kind `tree` or `mcts`", content_type = "application/json"),
    Refused<422, 429>,
))]
pub(crate) async fn explain(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<ExplainRequest>,
) -> Result<Response, Problem> {
    run(&app, peer, api::explain::explain(&app.host, asked)?).await
}

/// Records a path search (guide/en/records.md has the format).
#[utoipa::path(post, path = "/explain/path", tag = "watching", request_body = ExplainPath, responses(
    (status = 200, description = "a record of kind `path`", content_type = "application/json"),
    Refused<422, 429>,
))]
pub(crate) async fn path(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<ExplainPath>,
) -> Result<Response, Problem> {
    run(&app, peer, api::explain::path(asked)).await
}

/// What an engine's evaluation sees: its terms, and line by line the patterns found.
#[utoipa::path(post, path = "/xray", tag = "watching", request_body = XrayRequest, responses(
    (status = 200, description = "`engine`, `score`, `side`, `terms`, `lines`", content_type = "application/json"),
    Refused<422>,
))]
pub(crate) async fn xray(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<XrayRequest>,
) -> Result<Response, Problem> {
    run(&app, peer, api::explain::xray(&app.host, asked)?).await
}

/// Whoever hangs up stops it.
async fn run(app: &App, client: IpAddr, work: Work<String>) -> Result<Response, Problem> {
    let text = app.pool.run(Class::Analysis, client, 1, work).await.map_err(|_| Problem::busy())??;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}
