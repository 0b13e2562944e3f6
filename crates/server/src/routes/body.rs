//! Bodies of requests: read whole before a handler runs, within a deadline for all of it.
//!
//! A deadline for each piece alone would let a client hold a connection by sending a byte now and then.

use super::extract::too_large;
use crate::app::App;
use crate::security::client;
use api::Problem;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The largest body of a request, in bytes.
pub(crate) const BODY: usize = 1 << 20;
/// The largest request about a map: one of 1024 x 1024 cells, or of 2000 x 2000.
pub(crate) const MAP: usize = 4 << 20;
/// The largest program that can be handed in.
pub(crate) const UPLOAD: usize = class::submission::MAX_UPLOAD;
/// How long a client may take to send it.
const BODY_TIME: Duration = Duration::from_secs(20);

/// Reads the body and hands on the request with all of it.
pub(crate) async fn read(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let limit = limit_of(parts.uri.path());
    let expected = usize::try_from(body.size_hint().upper().unwrap_or(limit as u64)).unwrap_or(usize::MAX);
    if expected > limit {
        return refuse(too_large(limit));
    }
    let who = client::of_request(&parts, app.config.behind_proxy);
    let Some(_held) = app.clients.body(who, expected) else {
        return refuse(Problem::too_many(
            "body.too-many",
            "too many large requests at once; send one by one",
        ));
    };
    match timeout(BODY_TIME, collect(body, limit)).await {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(problem)) => refuse(problem),
        Err(_) => {
            let detail = format!("the body did not come within {} seconds", BODY_TIME.as_secs());
            refuse(Problem::new(StatusCode::REQUEST_TIMEOUT, "body.slow", detail))
        }
    }
}

async fn collect(body: Body, limit: usize) -> Result<Bytes, Problem> {
    let mut pieces = body.into_data_stream();
    let mut whole = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| Problem::bad("body.unreadable", error.to_string()))?;
        if whole.len() + piece.len() > limit {
            return Err(too_large(limit));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.into())
}

/// The largest body that a path takes.
fn limit_of(path: &str) -> usize {
    let hands_in = path.starts_with("/api/v1/classes/") && path.ends_with("/submissions");
    let has_map = path.starts_with("/api/v1/maze/") || path == "/api/v1/explain/path";
    if hands_in {
        UPLOAD
    } else if has_map {
        MAP
    } else {
        BODY
    }
}

/// What is left of the body is not waited for.
fn refuse(problem: Problem) -> Response {
    let mut response = problem.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
