//! The HTTP and WebSocket API: one file per resource.

pub(crate) mod actions;
pub(crate) mod analysis;
pub(crate) mod arenas;
pub(crate) mod body;
pub(crate) mod bots;
pub(crate) mod catalog;
pub(crate) mod challenges;
pub(crate) mod classes;
pub(crate) mod docs;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod files;
pub(crate) mod fleet;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod ladder;
pub(crate) mod layer;
pub(crate) mod maze;
pub(crate) mod messages;
pub(crate) mod puzzles;
pub(crate) mod review;
pub(crate) mod socket;
pub(crate) mod solve;
pub(crate) mod studies;
pub(crate) mod view;
pub(crate) mod watch;

use crate::app::App;
use crate::assets;
use crate::security::{headers, origin, rate};
use api::Problem;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

/// Everything that is served.
pub(crate) fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/catalog", get(catalog::catalog))
        .route("/view", post(view::view))
        .route("/layer", post(layer::layer))
        .route("/import", post(files::import))
        .route("/export", post(files::export))
        .route("/games", get(games::list).post(games::create))
        .route("/games/{id}", get(games::show))
        .route("/games/{id}/moves", post(games::play))
        .route("/games/{id}/actions", post(actions::act))
        .route("/games/{id}/hint", post(actions::hint))
        .route("/games/{id}/record", get(files::record))
        .route("/games/{id}/ws", get(watch::watch))
        .route("/challenges", get(challenges::list).post(challenges::post))
        .route("/challenges/{id}", get(challenges::fate).delete(challenges::withdraw))
        .route("/challenges/{id}/accept", post(challenges::accept))
        .route("/analysis", get(analysis::analysis))
        .route("/bots", get(bots::list).post(bots::create))
        .route("/bots/ws", get(bots::connect))
        .route("/ladder/{ladder}", get(ladder::show).put(ladder::join))
        .route("/ladder/{ladder}/games", get(ladder::games))
        .route("/arenas", post(arenas::create))
        .route("/arenas/{id}", delete(arenas::close))
        .route("/arenas/{id}/invitation", put(arenas::invite))
        .route("/arenas/{id}/bots/{bot}", delete(arenas::dismiss))
        .route("/studies", post(studies::create))
        .route("/studies/{id}", get(studies::show).put(studies::save))
        .route("/solve", post(solve::solve))
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/progress", post(puzzles::progress))
        .route("/puzzles/{game}/{id}", get(puzzles::show))
        .route("/puzzles/{game}/{id}/moves", post(puzzles::judge))
        .route("/puzzles/{game}/{id}/hint", post(puzzles::hint))
        .route("/puzzles/{game}/{id}/solution", post(puzzles::solution))
        .route("/maze/generate", post(maze::generate))
        .route("/explain", post(explain::explain))
        .route("/explain/path", post(explain::path))
        .route("/xray", post(explain::xray))
        .route("/maze/solve", post(maze::solve))
        .route("/maze/batch", post(maze::batch))
        .route("/maze/nearest", post(maze::nearest))
        .route("/maze/import", post(maze::import))
        .route("/classes", get(classes::list).post(classes::set_up::create))
        .route("/classes/{id}", get(classes::show))
        .route("/classes/{id}/sessions", post(classes::enter))
        .route(
            "/classes/{id}/submissions",
            get(classes::teach::handed_in)
                .post(classes::hand_in::submit)
                .layer(DefaultBodyLimit::max(body::UPLOAD)),
        )
        .route("/classes/{id}/work", get(classes::hand_in::work))
        .route("/classes/{id}/trials", post(classes::hand_in::try_games))
        .route("/classes/{id}/trials/{number}", get(classes::results::trial))
        .route("/classes/{id}/table", get(classes::results::table))
        .route("/classes/{id}/report", get(classes::results::report))
        .route("/classes/{id}/games", get(classes::results::games))
        .route("/classes/{id}/games/{number}", get(classes::results::game))
        .route("/classes/{id}/settings", put(classes::set_up::change))
        .route("/classes/{id}/students", get(classes::teach::students).post(classes::set_up::add))
        .route("/classes/{id}/students/{student}", delete(classes::set_up::remove))
        .route("/classes/{id}/students/{student}/key", post(classes::set_up::renew))
        .route("/classes/{id}/rounds", get(classes::teach::rounds).post(classes::teach::play))
        .route("/classes/{id}/published", put(classes::teach::publish))
        .route("/classes/{id}/export", get(classes::teach::export))
        .route("/fleet", get(fleet::status))
        .route("/openapi.json", get(docs::openapi))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method);
    Router::new()
        .nest("/api/v1", api)
        .route("/api/docs", get(docs::page))
        .route("/api/docs.js", get(docs::script))
        .route("/api/docs.css", get(docs::style))
        .fallback(assets::serve)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(body::MAP))
        .layer(middleware::from_fn_with_state(app.clone(), body::read))
        .layer(middleware::from_fn_with_state(app.clone(), rate::check))
        .layer(middleware::from_fn_with_state(app.clone(), origin::check))
        // Behind no check: a probe that is turned away takes the server for dead.
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::healthz))
        .route("/metrics", get(health::metrics))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn(headers::put))
        .layer(middleware::from_fn_with_state(app.clone(), log))
        .with_state(app)
}

async fn unknown() -> Problem {
    Problem::missing("path.unknown", "there is nothing at this address; see /api/docs")
}

async fn wrong_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method.unknown",
        "this address takes other methods; see /api/docs",
    )
}

/// Counts and logs an answer. The query is left out: it may carry a secret.
async fn log(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_string());
    let began = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    app.metrics.answered(status);
    if status == 500 {
        app.metrics.panics.fetch_add(1, Relaxed);
    }
    tracing::debug!(%method, %path, status, micros = began.elapsed().as_micros() as u64, "answered");
    response
}

/// A panic is our fault, never the end of the server.
fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!("a request panicked");
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    Problem::new(status, "server.failed", "the server made a mistake; nothing was changed").into_response()
}
