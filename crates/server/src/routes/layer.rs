//! Knowledge about a position, found in the engine pool.

use super::docs::Refused;
use super::extract::Body;
use crate::app::App;
use crate::pool::Class;
use crate::security::rate::Peer;
use api::{LayerBody, LayerRequest, Problem};
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// Knowledge about a position.
#[utoipa::path(post, path = "/layer", tag = "positions", request_body = LayerRequest, responses(
    (status = 200, body = LayerBody),
    Refused<422, 429>,
))]
pub(crate) async fn layer(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<LayerRequest>,
) -> Result<Json<LayerBody>, Problem> {
    let work = api::layer(&app.host, asked)?;
    Ok(Json(app.pool.run(Class::Play, peer, 1, work).await.map_err(|_| Problem::busy())??))
}
