//! Proofs in the engine pool. The work ends when the client leaves.

use super::docs::Refused;
use super::extract::Body;
use crate::app::App;
use crate::pool::{Class, Need};
use crate::security::rate::Peer;
use api::{Problem, SolveAnswer, SolveRequest};
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// Proves or refutes.
#[utoipa::path(post, path = "/solve", tag = "analysis", request_body = SolveRequest, responses(
    (status = 200, body = SolveAnswer),
    Refused<422, 429>,
))]
pub(crate) async fn solve(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<SolveRequest>,
) -> Result<Json<SolveAnswer>, Problem> {
    let threads = asked.threads(&app.host);
    let work = api::solve(&app.host, asked)?;
    Ok(Json(
        app.pool
            .run(Class::Analysis, peer, Need::anywhere(threads), work)
            .await
            .map_err(|_| Problem::busy())??,
    ))
}
