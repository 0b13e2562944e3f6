//! What can be asked of a live game, and what it answers.

use super::state::Comment;
use crate::problem::Problem;
use crate::shape::{Players, Setup, View, Visibility};
use axum::extract::ws::Utf8Bytes;
use game::{Decision, EngineError, Position, Seat, Side};
use serde::{Deserialize, Serialize};
use tokio::sync::{broadcast, oneshot};
use utoipa::ToSchema;

pub(super) type Reply<T> = oneshot::Sender<Result<T, Problem>>;

/// A question to the task of a game.
pub(super) enum Ask {
    Show {
        reply: Reply<GameBody>,
    },
    Join {
        reply: Reply<Joined>,
    },
    Position {
        reply: Reply<Box<dyn Position>>,
    },
    Record {
        reply: Reply<game::Record>,
    },
    Move {
        seat: Seat,
        order: MoveOrder,
        reply: Reply<Acknowledged>,
    },
    Act {
        seat: Option<Seat>,
        action: Action,
        reply: Reply<Done>,
    },
    /// From the engine pool: the move for the event of this number.
    Thought {
        seq: i64,
        found: Result<Box<Decision>, EngineError>,
    },
    /// A bot has come online: tell it if it is to move.
    Wake,
}

/// A move somebody wants to play.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveOrder {
    /// The number of moves played before it. A number already played is answered, not applied again.
    pub(crate) ply: usize,
    /// In the game's notation.
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// `takebacks` of the game as the client knows it: a move sent before somebody took moves back is then
    /// refused instead of played in another position.
    #[serde(default)]
    pub(crate) takebacks: Option<u32>,
}

/// The answer to a move: it is on disk.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Acknowledged {
    pub(crate) ply: usize,
    /// False if it had been played before.
    pub(crate) applied: bool,
    /// The game now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) view: Option<Box<View>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<ClockBody>,
}

/// What a player or the owner can do besides moving.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub(crate) enum Action {
    Resign,
    /// Take back one's last move (and the answers to it). Another person or bot is asked first.
    Undo,
    AcceptUndo,
    DeclineUndo,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    /// Stop without a result: the owner at any time, a player before the third move.
    Abort,
    /// A remark on the position after `ply` moves (the present one if left out).
    Comment {
        text: String,
        ply: Option<u32>,
    },
}

/// The answer to an action.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    /// `done`, `offered` or `declined`.
    pub(crate) outcome: &'static str,
}

/// Both clocks.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct ClockBody {
    pub(crate) first_ms: i64,
    pub(crate) second_ms: i64,
    pub(crate) increment_ms: u64,
    /// Whose clock runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) running: Option<Seat>,
}

/// A game, complete.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameBody {
    pub(crate) id: String,
    pub(crate) setup: Setup,
    pub(crate) players: Players,
    pub(crate) visibility: Visibility,
    pub(crate) view: View,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<ClockBody>,
    /// `live` or `over`.
    pub(crate) status: &'static str,
    /// `first`, `second`, `draw` or `none` once it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<&'static str>,
    /// The winner's colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) winner: Option<Side>,
    /// Why it is over: `five`, `connection`, `forbidden`, `draw`, `resign`, `timeout`, `agreement`,
    /// `aborted`, `engine-failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// How often moves were taken back.
    pub(crate) takebacks: u32,
    /// What a player has offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offer: Option<OfferBody>,
    pub(crate) comments: Vec<Comment>,
    /// Milliseconds since 1970.
    pub(crate) created: i64,
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct OfferBody {
    /// Who made it.
    #[schema(value_type = String)]
    pub(crate) seat: Seat,
    /// `draw` or `undo`.
    pub(crate) what: &'static str,
}

/// A place among the spectators: the game as it stands, and all that follows.
pub(crate) struct Joined {
    pub(crate) game: GameBody,
    pub(crate) news: broadcast::Receiver<Utf8Bytes>,
}
