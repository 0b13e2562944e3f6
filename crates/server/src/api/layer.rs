//! Knowledge about a position as data to draw over the board.

use super::extract::Body;
use super::view::Line;
use crate::app::App;
use crate::pool::Class;
use crate::problem::{Problem, ProblemBody};
use crate::security::rate::Peer;
use crate::shape::{LayerBody, Setup, layer_body};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Which layer of which position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayerRequest {
    setup: Setup,
    #[serde(default)]
    moves: Vec<String>,
    /// A name from the catalog.
    layer: String,
}

/// Knowledge about a position.
#[utoipa::path(post, path = "/layer", tag = "positions", request_body = LayerRequest, responses(
    (status = 200, body = LayerBody),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn layer(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<LayerRequest>,
) -> Result<Json<LayerBody>, Problem> {
    let (game, position) = Line { setup: asked.setup, moves: asked.moves }.position(&app)?;
    let name = asked.layer;
    let Some((known, _)) = game.layers().iter().find(|(known, _)| *known == name) else {
        let names: Vec<_> = game.layers().iter().map(|(known, _)| *known).collect();
        let detail = format!("{} has no such layer; accepted: {}", game.name(), names.join(", "));
        return Err(Problem::refused("layer.unknown", detail));
    };
    let found = app.pool.run(Class::Play, peer, 1, move |_| game.layer(&*position, known)).await;
    let layer = found.map_err(|_| busy())?;
    layer
        .map(|layer| Json(layer_body(&layer)))
        .ok_or_else(|| Problem::refused("layer.none", "there is nothing to show for this position"))
}

/// The engine pool cannot take a search of this client now.
pub(crate) fn busy() -> Problem {
    Problem::too_many("pool.full", "too many searches at once; wait for one to end")
}
