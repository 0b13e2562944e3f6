//! The JSON of a live game: the game itself, and the answers to moves and actions.

use crate::{ClockRule, MoveBody, Players, Setup, View, Visibility};
use game::{Seat, Side};
use play::{ActionOutcome, ChatLine, Comment, GameResult, Offer, Session, Termination};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use web_time::Instant;

/// Everything about a game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GameBody {
    pub id: String,
    pub setup: Setup,
    pub players: Players,
    pub visibility: Visibility,
    pub view: View,
    /// What the game was created with, for another game like it; none without clocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_control: Option<ClockRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockBody>,
    pub status: GameStatus,
    /// Once it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// The winner's colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub winner: Option<Side>,
    /// Why it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Termination>,
    /// How often moves were taken back.
    pub takebacks: u32,
    /// What a player has offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
    pub comments: Vec<Comment>,
    /// What the players wrote to each other; left out for everybody else, and in news to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<Vec<ChatLine>>,
    pub presence: Presences,
    /// The id of the game that the players went on to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
    /// Milliseconds since 1970.
    pub created: i64,
}

impl GameBody {
    /// The game whose `header` this is, at a moment, with the players' chat on request.
    pub fn of(
        header: &GameHeader,
        session: &Session,
        presence: Presences,
        with_chat: bool,
        now: Instant,
    ) -> GameBody {
        let end = session.end();
        let moves = session.plies().iter().map(MoveBody::from).collect();
        GameBody {
            id: header.id.into(),
            setup: header.setup.clone(),
            players: header.players.clone(),
            visibility: header.visibility,
            view: View::of(session.game(), session.position(), Some(moves)),
            time_control: header.clock,
            clock: ClockBody::of(session, header.clock, now),
            status: if end.is_some() { GameStatus::Over } else { GameStatus::Live },
            result: end.map(|end| end.result()),
            winner: end.and_then(|end| end.winner).map(|(_, side)| side),
            reason: end.map(|end| end.termination),
            takebacks: session.takebacks(),
            offer: session.offer(),
            comments: session.comments().to_vec(),
            chat: with_chat.then(|| session.chat().to_vec()),
            presence,
            rematch: session.rematch().map(Into::into),
            created: header.created,
        }
    }
}

/// What never changes about a game.
pub struct GameHeader<'a> {
    pub id: &'a str,
    pub setup: &'a Setup,
    pub players: &'a Players,
    pub visibility: Visibility,
    pub clock: Option<ClockRule>,
    pub created: i64,
}

/// Whether the players are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Presences {
    pub first: Presence,
    pub second: Presence,
}

/// Is a player there?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Presence {
    /// A person who has not come yet.
    Waiting,
    /// Connected; engines always are.
    Here,
    /// Disconnected a moment ago.
    Away,
    /// Disconnected.
    Left,
}

/// Whether the game is still being played.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameStatus {
    Live,
    Over,
}

/// Both clocks.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct ClockBody {
    pub first_ms: i64,
    pub second_ms: i64,
    pub increment_ms: u64,
    /// Whose clock runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub running: Option<Seat>,
}

impl ClockBody {
    /// What both clocks show; none without clocks.
    pub fn of(session: &Session, rule: Option<ClockRule>, now: Instant) -> Option<ClockBody> {
        let clocks = session.clocks()?;
        let [first_ms, second_ms] = clocks.left_ms(now);
        let increment_ms = rule.map_or(0, |rule| rule.increment_ms);
        Some(ClockBody { first_ms, second_ms, increment_ms, running: clocks.running() })
    }
}

/// The answer to a move: it is on disk.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Acknowledged {
    pub ply: usize,
    /// False if it had been played before.
    pub applied: bool,
    /// The game now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Box<View>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockBody>,
}

/// The answer to an action.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Done {
    pub outcome: ActionOutcome,
}
