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
/// How long a client may take to send it.
const BODY_TIME: Duration = Duration::from_secs(20);

/// Reads the body and hands on the request with all of it.
pub(crate) async fn read(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let expected = usize::try_from(body.size_hint().upper().unwrap_or(BODY as u64)).unwrap_or(usize::MAX);
    if expected > BODY {
        return refuse(too_large());
    }
    let who = client::of_request(&parts, app.config.behind_proxy);
    let Some(_held) = app.clients.body(who, expected) else {
        return refuse(Problem::too_many(
            "body.too-many",
            "too many large requests at once; send one by one",
        ));
    };
    match timeout(BODY_TIME, collect(body)).await {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(problem)) => refuse(problem),
        Err(_) => {
            let detail = format!("the body did not come within {} seconds", BODY_TIME.as_secs());
            refuse(Problem::new(StatusCode::REQUEST_TIMEOUT, "body.slow", detail))
        }
    }
}

async fn collect(body: Body) -> Result<Bytes, Problem> {
    let mut pieces = body.into_data_stream();
    let mut whole = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| Problem::bad("body.unreadable", error.to_string()))?;
        if whole.len() + piece.len() > BODY {
            return Err(too_large());
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.into())
}

/// What is left of the body is not waited for.
fn refuse(problem: Problem) -> Response {
    let mut response = problem.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
