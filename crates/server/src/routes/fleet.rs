//! The fleet for people: runs, workers and failed units.

use super::health;
use crate::app::App;
use crate::problem::storage_failed;
use api::Problem;
use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use fleet::message::Status;
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;
use utoipa::ToSchema;

/// The fleet as it stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct FleetBody {
    /// Does this server coordinate workers? If not, everything else is empty.
    on: bool,
    /// Has it reached its database and its broker?
    ready: bool,
    #[serde(flatten)]
    status: Status,
}

/// Runs, workers and failed units. On a public server only for its operator, as `/metrics`.
#[utoipa::path(get, path = "/fleet", tag = "fleet", responses((status = 200, body = FleetBody)))]
pub(crate) async fn status(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Json<FleetBody>, Problem> {
    if app.config.public {
        health::check_operator(&app, peer, &headers)?;
    }
    let coordinator = app.fleet.as_ref().and_then(|fleet| fleet.coordinator());
    let status = match coordinator {
        Some(coordinator) => coordinator.status(None).await.map_err(storage_failed)?,
        None => Status { runs: Vec::new(), workers: Vec::new(), dead: Vec::new() },
    };
    Ok(Json(FleetBody { on: app.fleet.is_some(), ready: coordinator.is_some(), status }))
}
