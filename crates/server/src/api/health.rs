//! `/healthz` and `/metrics`, for whoever operates the server.

use crate::app::App;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use std::sync::Arc;

/// 200 when the database answers.
pub(crate) async fn healthz(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    app.store.ping().await.map_err(Problem::storage)?;
    Ok("ok\n")
}

/// Counters in Prometheus' text format.
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let (waiting, running) = app.pool.load();
    let page = app.metrics.page(&[
        ("tengen_sockets", "open WebSockets", app.clients.sockets() as u64),
        ("tengen_engines_kept", "engines of live games kept between moves", app.kept_engines.count() as u64),
        ("tengen_searches_waiting", "searches in line", waiting as u64),
        ("tengen_searches_running", "searches at work", running as u64),
    ]);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], page)
}
