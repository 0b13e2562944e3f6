//! What can be asked of the task of a live game.

use api::Problem;
use api::{Acknowledged, Done, GameBody};
use axum::extract::ws::Utf8Bytes;
use game::{Decision, EngineError, Position, Seat};
use play::{Action, MoveOrder};
use tokio::sync::{broadcast, oneshot};

pub(super) type ReplySender<T> = oneshot::Sender<Result<T, Problem>>;

/// A question to the task of a game.
pub(super) enum TaskRequest {
    Show {
        reply: ReplySender<GameBody>,
    },
    Join {
        reply: ReplySender<Joined>,
    },
    Position {
        reply: ReplySender<Box<dyn Position>>,
    },
    Record {
        reply: ReplySender<game::Record>,
    },
    Move {
        seat: Seat,
        order: MoveOrder,
        /// Answer with the position after it.
        with_view: bool,
        reply: ReplySender<Acknowledged>,
    },
    Act {
        seat: Option<Seat>,
        action: Action,
        reply: ReplySender<Done>,
    },
    /// From the engine pool: the move for the event of this number.
    Thought {
        seq: i64,
        found: Result<Box<Decision>, EngineError>,
    },
    /// From the engine pool: the search for the event of this number had to give way before it found anything.
    Displaced {
        seq: i64,
    },
    /// A bot has come online: tell it if it is to move.
    Wake,
}

/// A place among the spectators: the game as it stands, and all that follows.
pub(crate) struct Joined {
    pub(crate) game: GameBody,
    pub(crate) updates: broadcast::Receiver<Utf8Bytes>,
}
