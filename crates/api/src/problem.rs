//! Errors as `application/problem+json` (RFC 9457), with a stable `code` that the browser translates.

use game::{EngineError, IllegalMove, SetupError, TextError};
use http::StatusCode;
use play::Refusal;
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use utoipa::ToSchema;

/// What was wrong with a request.
#[derive(Clone, Debug)]
pub struct Problem {
    /// HTTP status.
    pub status: StatusCode,
    /// Stable machine word such as `move.occupied`.
    pub code: Cow<'static, str>,
    /// For people, in English.
    pub detail: String,
    /// Facts a translation needs, such as the move.
    pub params: Map<String, Value>,
}

/// The document as it is sent.
#[derive(Serialize, ToSchema)]
pub struct ProblemBody {
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
    code: Cow<'static, str>,
    /// Facts a translation needs.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    params: Map<String, Value>,
}

impl Problem {
    /// A problem with a status of one's own.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Problem {
        Problem { status, code: code.into(), detail: detail.into(), params: Map::new() }
    }

    /// 400: the request cannot be read.
    pub fn bad(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// 404.
    pub fn missing(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, code, detail)
    }

    /// 409: right in another state of the game.
    pub fn conflict(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, code, detail)
    }

    /// 422: readable, but not possible.
    pub fn refused(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// 429.
    pub fn too_many(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, code, detail)
    }

    /// 422: what a parser said.
    pub(crate) fn said(code: &'static str, error: impl std::fmt::Display) -> Problem {
        Problem::refused(code, error.to_string())
    }

    /// 429: no thread is free for a search of this client, or nobody waits for it any more.
    pub fn busy() -> Problem {
        Problem::too_many("pool.full", "too many searches at once; wait for one to end")
    }

    /// Adds a fact.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Problem {
        self.params.insert(key.into(), value.into());
        self
    }

    /// The document.
    pub fn body(&self) -> ProblemBody {
        ProblemBody {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error").into(),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            code: self.code.clone(),
            params: self.params.clone(),
        }
    }
}

#[cfg(feature = "axum")]
impl axum_core::response::IntoResponse for Problem {
    fn into_response(self) -> axum_core::response::Response {
        use http::{HeaderValue, header};
        let text = serde_json::to_string(&self.body()).unwrap_or_default();
        let mut response = (self.status, text).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE].contains(&self.status) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// What was wrong with a message: an RFC 9457 problem without the HTTP response.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The corresponding HTTP status.
    status: u16,
    /// Stable identifier of the error.
    code: Cow<'static, str>,
    /// What was wrong and what is accepted.
    detail: String,
    /// Parameters for a translated message.
    #[schema(value_type = Object)]
    params: Map<String, Value>,
}

impl From<Problem> for ErrorBody {
    fn from(problem: Problem) -> ErrorBody {
        let Problem { status, code, detail, params } = problem;
        ErrorBody { status: status.as_u16(), code, detail, params }
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

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let detail = refusal.to_string();
        match refusal {
            Refusal::Illegal(error) => error.into(),
            Refusal::LongMove(_) => Problem::refused("move.syntax", detail),
            Refusal::Over(why) => Problem::conflict("game.over", detail).with("reason", why.name()),
            Refusal::OutOfTime(_) => Problem::conflict("game.over", detail).with("reason", "timeout"),
            Refusal::OtherTurn => Problem::conflict("turn.other", detail),
            Refusal::Late { ply, played } => {
                Problem::conflict("move.late", detail).with("ply", ply).with("played", played)
            }
            Refusal::Early { next, .. } => Problem::conflict("move.early", detail).with("ply", next),
            Refusal::Stale { takebacks } => {
                Problem::conflict("move.stale", detail).with("takebacks", takebacks)
            }
            Refusal::PlayerOnly => Problem::conflict("action.player-only", detail),
            Refusal::NoOffer => Problem::conflict("offer.none", detail),
            Refusal::NothingToUndo | Refusal::NothingToRedo => Problem::conflict("undo.nothing", detail),
            Refusal::LateAbort => Problem::conflict("action.too-late", detail),
            Refusal::NotOver => Problem::conflict("game.live", detail),
            Refusal::Rematched(game) => Problem::conflict("rematch.begun", detail).with("game", game),
            Refusal::NoDraws => Problem::conflict("draw.impossible", detail),
            Refusal::NobodyListens => Problem::conflict("chat.nobody", detail),
            Refusal::Joined => Problem::conflict("seat.taken", detail),
            Refusal::Chat { length, count } => {
                Problem::refused("chat.refused", detail).with("length", length).with("count", count)
            }
            Refusal::Comment { .. } => Problem::refused("comment.refused", detail),
        }
    }
}
