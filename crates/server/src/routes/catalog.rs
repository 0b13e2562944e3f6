//! What this server knows: games, rules, engines, levels.

use crate::app::App;
use api::Catalog;
use axum::Json;
use axum::extract::State;
use std::sync::Arc;

/// What this server knows.
#[utoipa::path(get, path = "/catalog", tag = "catalog", responses((status = 200, body = Catalog)))]
pub(crate) async fn catalog(State(app): State<Arc<App>>) -> Json<Catalog> {
    Json(api::catalog(&app.host))
}
