//! The JSON of a live game: the game itself, and the answers to moves and actions.

use crate::shape::{ClockRule, Players, Setup, View, Visibility};
use game::{Seat, Side};
use play::{ActionOutcome, Comment, GameResult, Offer, Termination};
use serde::Serialize;
use utoipa::ToSchema;

/// A game, complete.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameBody {
    pub(crate) id: String,
    pub(crate) setup: Setup,
    pub(crate) players: Players,
    pub(crate) visibility: Visibility,
    pub(crate) view: View,
    /// What the game was created with, for another game like it; none without clocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time_control: Option<ClockRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<ClockBody>,
    pub(crate) status: GameStatus,
    /// Once it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<GameResult>,
    /// The winner's colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) winner: Option<Side>,
    /// Why it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<Termination>,
    /// How often moves were taken back.
    pub(crate) takebacks: u32,
    /// What a player has offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offer: Option<Offer>,
    pub(crate) comments: Vec<Comment>,
    /// Milliseconds since 1970.
    pub(crate) created: i64,
}

/// Does it go on?
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GameStatus {
    Live,
    Over,
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

/// The answer to an action.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    pub(crate) outcome: ActionOutcome,
}
