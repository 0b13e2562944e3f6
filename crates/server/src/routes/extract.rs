//! Reading requests: the same as axum's, but every refusal is a problem document.

use super::body::BODY;
use api::Problem;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

/// Longer JSON is not read on the async threads.
const INLINE: usize = 64 << 10;

impl<S: Send + Sync, T: DeserializeOwned + Send + 'static> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        let Raw(bytes) = Raw::from_request(request, state).await?;
        let read = if bytes.len() <= INLINE {
            axum::Json::from_bytes(&bytes)
        } else {
            let read = tokio::task::spawn_blocking(move || axum::Json::from_bytes(&bytes)).await;
            read.map_err(|_| Problem::bad("body.unreadable", "the body could not be read"))?
        };
        read.map(|axum::Json(body)| Body(body)).map_err(|rejection| unreadable(&rejection))
    }
}

fn unreadable(rejection: &JsonRejection) -> Problem {
    let detail = rejection.body_text();
    match rejection {
        JsonRejection::JsonSyntaxError(_) => Problem::bad("body.syntax", detail),
        JsonRejection::JsonDataError(_) => Problem::refused("body.shape", detail),
        _ => Problem::bad("body.unreadable", detail),
    }
}

/// A JSON body as it came, to be read with [`read_deep`] on a thread that has the stack for it.
pub(crate) struct Raw(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Raw, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("application/json")) {
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(Problem::new(status, "body.type", "the body must be application/json"));
        }
        Bytes::from_request(request, state).await.map(Raw).map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(BODY),
            _ => Problem::bad("body.unreadable", error.body_text()),
        })
    }
}

pub(crate) fn too_large(limit: usize) -> Problem {
    let detail = format!("a body has at most {limit} bytes here");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body.too-large", detail).with("limit", limit)
}

/// The id in a path.
pub(crate) struct Id(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Id, Problem> {
        let read: Result<Path<String>, PathRejection> = Path::from_request_parts(parts, state).await;
        read.map(|Path(id)| Id(id)).map_err(|error| Problem::bad("path.unreadable", error.body_text()))
    }
}

/// Two ids in a path: a game's and a puzzle's, a class's and a student's.
pub(crate) struct TwoIds(pub(crate) String, pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for TwoIds {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<TwoIds, Problem> {
        let read: Result<Path<(String, String)>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        read.map(|Path((first, second))| TwoIds(first, second))
            .map_err(|error| Problem::bad("path.unreadable", error.body_text()))
    }
}

/// A class and the number of a game in a path.
pub(crate) struct ClassAndNumber(pub(crate) String, pub(crate) u32);

impl<S: Send + Sync> FromRequestParts<S> for ClassAndNumber {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<ClassAndNumber, Problem> {
        let read: Result<Path<(String, u32)>, PathRejection> = Path::from_request_parts(parts, state).await;
        read.map(|Path((class, number))| ClassAndNumber(class, number))
            .map_err(|error| Problem::bad("path.unreadable", error.body_text()))
    }
}

/// The query of an address.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Problem> {
        let read: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        read.map(|Query(asked)| Asked(asked))
            .map_err(|error| Problem::bad("query.unreadable", error.body_text()))
    }
}

/// A WebSocket in the making, with small buffers: thousands are open at once.
pub(crate) struct Upgrade(pub(crate) WebSocketUpgrade);

/// The largest message that comes in on a WebSocket, and the largest that goes out, in bytes. The longest that goes out
/// is the state of a game with all its comments, of which older databases may hold 3 MB.
pub(crate) const MESSAGE: usize = 64 << 10;
pub(crate) const MESSAGE_OUT: usize = 8 << 20;

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Upgrade, Problem> {
        let read: Result<WebSocketUpgrade, WebSocketUpgradeRejection> =
            WebSocketUpgrade::from_request_parts(parts, state).await;
        let upgrade =
            read.map_err(|error| Problem::new(error.status(), "socket.expected", error.body_text()))?;
        Ok(Upgrade(
            upgrade
                .read_buffer_size(4 << 10)
                .write_buffer_size(0)
                .max_write_buffer_size(MESSAGE_OUT)
                .max_message_size(MESSAGE)
                .max_frame_size(MESSAGE),
        ))
    }
}
