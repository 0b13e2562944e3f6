//! What can be asked of the task of a live game.

use super::message::Updates;
use crate::store::Who;
use api::Problem;
use api::{Acknowledged, Done, GameBody};
use game::{Decision, EngineError, Position, Seat};
use play::{Action, MoveOrder};
use std::any::Any;
use tokio::sync::oneshot;

pub(super) type ReplySender<T> = oneshot::Sender<Result<T, Problem>>;

/// A question to the task of a game.
pub(super) enum TaskRequest {
    /// The game as this client may see it.
    Show {
        who: Option<Who>,
        reply: ReplySender<GameBody>,
    },
    Join {
        who: Option<Who>,
        /// A player is connected as long as the answer's `attendance` is held.
        attend: bool,
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
    /// Somebody came or went: see who is there.
    Look,
}

/// A place among the spectators: the game as it stands, and all that follows.
pub(crate) struct Joined {
    pub(crate) game: GameBody,
    pub(crate) updates: Updates,
    /// Held as long as the client is there.
    pub(crate) attendance: Option<Box<dyn Any + Send + Sync>>,
}
