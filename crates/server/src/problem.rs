//! Errors as `application/problem+json` (RFC 9457), with a stable `code` that the browser translates.

use crate::store::NoRoom;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use game::{EngineError, IllegalMove, SetupError, TextError};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What was wrong with a request.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// HTTP status.
    pub(crate) status: StatusCode,
    /// Stable machine word such as `move.occupied`.
    pub(crate) code: &'static str,
    /// For people, in English.
    pub(crate) detail: String,
    /// Facts a translation needs, such as the move.
    pub(crate) params: Map<String, Value>,
}

/// The document as it is sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemBody {
    /// Always `about:blank`: `code` is the identifier.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The HTTP status in words.
    title: String,
    /// The HTTP status.
    status: u16,
    /// What was wrong and what is accepted.
    detail: String,
    /// Stable machine word.
    code: &'static str,
    /// Facts a translation needs.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    params: Map<String, Value>,
}

impl Problem {
    /// A problem with a status of one's own.
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Problem {
        Problem { status, code, detail: detail.into(), params: Map::new() }
    }

    /// 400: the request cannot be read.
    pub(crate) fn bad(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// 404.
    pub(crate) fn missing(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, code, detail)
    }

    /// 409: right in another state of the game.
    pub(crate) fn conflict(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, code, detail)
    }

    /// 422: readable, but not possible.
    pub(crate) fn refused(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// 429.
    pub(crate) fn too_many(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, code, detail)
    }

    /// 503: the disk or the database does not answer; nothing was changed.
    pub(crate) fn storage(error: impl std::fmt::Display) -> Problem {
        tracing::error!(%error, "storage failed");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "storage.failed", "the database did not answer")
    }

    /// Adds a fact.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Problem {
        self.params.insert(key.into(), value.into());
        self
    }

    /// The document.
    pub(crate) fn body(&self) -> ProblemBody {
        ProblemBody {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error").into(),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            code: self.code,
            params: self.params.clone(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let text = serde_json::to_string(&self.body()).unwrap_or_default();
        let mut response = (self.status, text).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<NoRoom> for Problem {
    fn from(error: NoRoom) -> Problem {
        match &error {
            NoRoom::Yours(kind) => Problem::too_many("quota.yours", error.to_string()).with("kind", *kind),
            NoRoom::Everybody(kind) => {
                let status = StatusCode::INSUFFICIENT_STORAGE;
                Problem::new(status, "quota.full", error.to_string()).with("kind", *kind)
            }
            NoRoom::Store(error) => Problem::storage(error),
        }
    }
}

impl From<IllegalMove> for Problem {
    fn from(error: IllegalMove) -> Problem {
        let code = match &error {
            IllegalMove::Occupied(_) => "move.occupied",
            IllegalMove::OffBoard { .. } => "move.off-board",
            IllegalMove::Syntax { .. } => "move.syntax",
            IllegalMove::GameOver => "game.over",
            IllegalMove::Rule(_) => "move.rule",
        };
        Problem::refused(code, error.to_string())
    }
}

impl From<SetupError> for Problem {
    fn from(error: SetupError) -> Problem {
        Problem::refused("setup.refused", error.to_string())
    }
}

impl From<TextError> for Problem {
    fn from(error: TextError) -> Problem {
        let (line, column) = (error.line, error.column);
        Problem::refused("text.unreadable", error.to_string()).with("line", line).with("column", column)
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Problem {
        let code = match &error {
            EngineError::WrongGame { .. } => "engine.wrong-game",
            EngineError::NoMove(_) => "engine.no-move",
            EngineError::Option { .. } => "engine.option",
            EngineError::Unsupported(_) => "engine.unsupported",
            EngineError::Failed(_) => "engine.failed",
        };
        Problem::refused(code, error.to_string())
    }
}
