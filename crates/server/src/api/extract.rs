//! Reading requests: the same as axum's, but every refusal is a problem document.

use crate::problem::Problem;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Body(body)),
            Err(rejection) => Err(unreadable(&rejection)),
        }
    }
}

fn unreadable(rejection: &JsonRejection) -> Problem {
    let (status, detail) = (rejection.status(), rejection.body_text());
    match rejection {
        JsonRejection::JsonSyntaxError(_) => Problem::bad("body.syntax", detail),
        JsonRejection::JsonDataError(_) => Problem::refused("body.shape", detail),
        JsonRejection::MissingJsonContentType(_) => {
            Problem::new(status, "body.type", "the body must be application/json")
        }
        _ if status == StatusCode::PAYLOAD_TOO_LARGE => {
            let detail = format!("a body has at most {} bytes", super::BODY);
            Problem::new(status, "body.too-large", detail).with("limit", super::BODY)
        }
        _ => Problem::bad("body.unreadable", detail),
    }
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

/// The largest message on a WebSocket, in bytes.
pub(crate) const MESSAGE: usize = 64 << 10;

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
                .max_write_buffer_size(2 << 20)
                .max_message_size(MESSAGE)
                .max_frame_size(MESSAGE),
        ))
    }
}
