//! Knowledge about a position as data to draw over the board.

use crate::{Host, LayerBody, PlayedLine, Problem, Setup, Work, layer_body};
use serde::Deserialize;
use utoipa::ToSchema;

/// Which layer of which position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LayerRequest {
    setup: Setup,
    #[serde(default)]
    moves: Vec<String>,
    /// A name from the catalog.
    layer: String,
}

/// Knowledge about a position.
pub fn layer(host: &Host, asked: LayerRequest) -> Result<Work<LayerBody>, Problem> {
    let (game, position) = PlayedLine { setup: asked.setup, moves: asked.moves }.position(host)?;
    let Some((known, _)) = game.layers().iter().find(|(known, _)| *known == asked.layer) else {
        let names: Vec<_> = game.layers().iter().map(|(known, _)| *known).collect();
        let detail = format!("{} has no such layer; accepted: {}", game.name(), names.join(", "));
        return Err(Problem::refused("layer.unknown", detail));
    };
    Ok(Box::new(move |_| match game.layer(&*position, known) {
        Some(layer) => Ok(layer_body(&layer)),
        None => Err(Problem::refused("layer.none", "there is nothing to show for this position")),
    }))
}
