//! The messages that the server sends on WebSockets, except analysis and the updates of a live game.

use crate::store::Who;
use api::{Acknowledged, ClockBody, Done, ErrorBody, GameBody};
use game::Seat;
use serde::Serialize;
use utoipa::ToSchema;

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
