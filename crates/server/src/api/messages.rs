//! The messages that the server sends on WebSockets, except the updates of a live game.

use super::review::Verdict;
use crate::live::{Acknowledged, ClockBody, Done, GameBody};
use crate::problem::Problem;
use crate::shape::{MoveBody, ReportBody};
use crate::store::Who;
use game::Seat;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What was wrong with a message: an RFC 9457 problem without the HTTP response.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// The corresponding HTTP status.
    pub(crate) status: u16,
    /// Stable identifier of the error.
    pub(crate) code: &'static str,
    /// What was wrong and what is accepted.
    pub(crate) detail: String,
    /// Parameters for a translated message.
    #[schema(value_type = Object)]
    pub(crate) params: Map<String, Value>,
}

impl From<Problem> for ErrorBody {
    fn from(problem: Problem) -> ErrorBody {
        let Problem { status, code, detail, params, .. } = problem;
        ErrorBody { status: status.as_u16(), code, detail, params }
    }
}

/// Messages to one client on `/games/{id}/ws`, besides the updates that all clients get.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum GameReply {
    /// The whole game: at the start, and after the client was too slow for single updates.
    State {
        you: You,
        game: Box<GameBody>,
    },
    /// The clocks: the answer to `ping`.
    Clock {
        #[serde(skip_serializing_if = "Option::is_none")]
        clock: Option<ClockBody>,
        ply: usize,
    },
    /// The move is on disk.
    Ack(Acknowledged),
    /// The action is on disk.
    Done(Done),
    Error(ErrorBody),
}

/// Who the client is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum You {
    First,
    Second,
    Owner,
    Spectator,
}

impl From<Option<Who>> for You {
    fn from(who: Option<Who>) -> You {
        match who {
            Some(Who::Seat(Seat::First)) => You::First,
            Some(Who::Seat(Seat::Second)) => You::Second,
            Some(Who::Owner) => You::Owner,
            None => You::Spectator,
        }
    }
}

/// What the server answers a bot on `/bots/ws`, beside its turns.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum BotReply {
    /// The token is right.
    Welcome {
        bot: String,
        name: String,
    },
    /// The answer to `ping`.
    Pong,
    /// The move is on disk.
    Ack {
        game: String,
        ply: usize,
        /// False if it had been played before.
        applied: bool,
    },
    /// The action is on disk.
    Done {
        game: String,
        #[serde(flatten)]
        done: Done,
    },
    Error(ErrorBody),
}

/// What the server says on `/analysis`. `id` is the client's name for the work.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum AnalysisMessage {
    /// The search waits; so many are before it.
    Queued { id: String, place: usize },
    /// What the search has found so far.
    Report { id: String, report: Box<ReportBody> },
    /// The search has ended, by itself or by `stop`.
    Done {
        id: String,
        #[serde(rename = "move")]
        mv: MoveBody,
        report: Box<ReportBody>,
    },
    /// One position of a review.
    Review {
        id: String,
        ply: usize,
        /// Positions of the game.
        total: usize,
        /// None where the game is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<MoveBody>,
        /// Black's win rate.
        black_rate: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        report: Option<Box<ReportBody>>,
    },
    /// The review has ended.
    ReviewDone {
        id: String,
        /// False if it was stopped.
        complete: bool,
        /// Every move of a complete review.
        #[serde(skip_serializing_if = "Option::is_none")]
        moves: Option<Vec<Verdict>>,
    },
    /// The work has ended without a result.
    Failed {
        id: String,
        #[serde(flatten)]
        error: ErrorBody,
    },
    /// A message was refused; with the id of the work it asked for.
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        #[serde(flatten)]
        error: ErrorBody,
    },
}

impl AnalysisMessage {
    /// The work that ends with this message.
    pub(crate) fn ends(&self) -> Option<&str> {
        match self {
            AnalysisMessage::Done { id, .. }
            | AnalysisMessage::ReviewDone { id, .. }
            | AnalysisMessage::Failed { id, .. } => Some(id),
            AnalysisMessage::Queued { .. }
            | AnalysisMessage::Report { .. }
            | AnalysisMessage::Review { .. }
            | AnalysisMessage::Error { .. } => None,
        }
    }

    pub(crate) fn failed(id: &str, problem: Problem) -> AnalysisMessage {
        AnalysisMessage::Failed { id: id.into(), error: problem.into() }
    }

    pub(crate) fn refused(id: &str, problem: Problem) -> AnalysisMessage {
        AnalysisMessage::Error { id: Some(id.into()), error: problem.into() }
    }
}
