//! `/healthz`, `/readyz` and `/metrics`, for whoever operates the server.
//!
//! Probes may use any address or host name, as often as they like: the first two have no checks. Metrics would tell strangers
//! how busy the server is, so they need this machine or the token.

use crate::app::App;
use crate::problem::storage_failed;
use crate::security::{origin, secret};
use api::Problem;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use std::net::SocketAddr;
use std::sync::Arc;

/// 200 while what is acknowledged reaches the disk, 503 while it does not, or while this server may run no games.
pub(crate) async fn healthz(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    if app.site.as_ref().is_some_and(|site| site.member().is_none()) {
        let detail = "this server hands its games over, or was found dead and comes back";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "site.outside", detail));
    }
    app.store.check().await.map_err(storage_failed)?;
    Ok(concat!("ok\ntengen ", env!("CARGO_PKG_VERSION"), "\n"))
}

/// Counters in Prometheus' text format.
pub(crate) async fn metrics(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    check_operator(&app, peer, &headers)?;
    let (waiting, running) = app.pool.load();
    let page = app.metrics.page(&[
        ("tengen_sockets", "open WebSockets", app.clients.sockets() as u64),
        ("tengen_engines_kept", "engines of live games kept between moves", app.kept_engines.count() as u64),
        ("tengen_searches_waiting", "searches in line", waiting as u64),
        ("tengen_searches_running", "searches at work", running as u64),
        ("tengen_engines_pondering", "engines that ponder", app.pool.pondering() as u64),
    ]);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], page))
}

/// Refuses clients that are neither on this machine nor have the token.
pub(super) fn check_operator(app: &App, peer: SocketAddr, headers: &HeaderMap) -> Result<(), Problem> {
    if is_local(peer, headers) || has_token(app, headers) {
        return Ok(());
    }
    let detail = "this is for the machine of the server, or for Authorization: Bearer TOKEN";
    Err(Problem::new(StatusCode::FORBIDDEN, "metrics.guarded", detail))
}

/// From this machine to this machine, and not through a proxy on it.
fn is_local(peer: SocketAddr, headers: &HeaderMap) -> bool {
    let forwarded = headers.contains_key(header::FORWARDED) || headers.contains_key("x-forwarded-for");
    let host = headers.get(header::HOST);
    let named = host.is_none_or(|host| host.to_str().is_ok_and(origin::is_loopback));
    peer.ip().to_canonical().is_loopback() && named && !forwarded
}

fn has_token(app: &App, headers: &HeaderMap) -> bool {
    let token = app.config.metrics_token.as_deref().filter(|token| !token.is_empty());
    token.zip(secret::bearer(headers)).is_some_and(|(own, given)| secret::matches(given, &secret::hash(own)))
}
