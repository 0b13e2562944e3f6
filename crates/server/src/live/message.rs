//! The WebSocket messages to spectators, players and bots.

use api::{ClockBody, GameBody, Presences};
use api::{MoveBody, ReportBody, Setup, View};
use axum::extract::ws::Utf8Bytes;
use game::{Seat, Side};
use play::{ActionOutcome, ChatLine, GameResult, Offer, OfferKind, Termination};
use serde::Serialize;
use utoipa::ToSchema;

/// News of a game, written once for all who listen.
#[derive(Clone)]
pub(crate) struct Update {
    pub(crate) text: Utf8Bytes,
    /// Not for spectators.
    pub(crate) players_only: bool,
}

impl Update {
    pub(super) fn of(message: &GameMessage) -> Option<Update> {
        let text = serde_json::to_string(message).ok()?;
        Some(Update { text: text.into(), players_only: matches!(message, GameMessage::Chat { .. }) })
    }
}

/// News of a game for everybody who watches it.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum GameMessage {
    /// A move was played.
    Move {
        ply: usize,
        #[serde(rename = "move")]
        mv: Option<MoveBody>,
        view: Box<View>,
        clock: Option<ClockBody>,
    },
    /// An offer was made (or `null`: it is gone).
    Offer {
        offer: Option<Offer>,
        /// `declined` where an engine was asked.
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<ActionOutcome>,
    },
    /// Anything else changed: the whole game.
    State { game: Box<GameBody> },
    /// The game is over.
    End {
        game_id: String,
        result: GameResult,
        #[schema(value_type = Option<String>)]
        winner: Option<Side>,
        reason: Termination,
        view: Box<View>,
        clock: Option<ClockBody>,
    },
    /// Somebody came or went.
    Presence { presence: Presences },
    /// A player wrote something. Spectators do not get it.
    Chat { line: ChatLine },
    /// The players went on to another game.
    Rematch { game_id: String },
    /// What the engine to move thinks.
    Thinking {
        #[schema(value_type = String)]
        seat: Seat,
        report: Box<ReportBody>,
    },
}

/// Messages to a bot about its games.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum BotMessage {
    /// It is to move.
    Turn {
        game: String,
        #[schema(value_type = String)]
        you: Seat,
        ply: usize,
        takebacks: u32,
        setup: Box<Setup>,
        moves: Vec<String>,
        clock: Option<ClockBody>,
        /// Every legal move.
        legal: Vec<String>,
        /// As in a view.
        board: Vec<String>,
    },
    /// The other player offers something. Answer with an action; no answer declines after a few seconds.
    Offer {
        game: String,
        #[schema(value_type = String)]
        you: Seat,
        what: OfferKind,
    },
    /// A game of its is over.
    End { game: String, result: GameResult, reason: Termination },
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use serde_json::json;

    fn written(message: &impl Serialize) -> serde_json::Value {
        serde_json::to_value(message).unwrap()
    }

    #[test]
    fn messages_have_the_words_and_nulls_that_clients_read() {
        let declined = GameMessage::Offer { offer: None, outcome: Some(ActionOutcome::Declined) };
        assert_eq!(written(&declined), json!({ "type": "offer", "offer": null, "outcome": "declined" }));
        let offer = Some(Offer { seat: Seat::First, what: play::OfferKind::Undo });
        let offered = written(&GameMessage::Offer { offer, outcome: None });
        assert_eq!(offered, json!({ "type": "offer", "offer": { "seat": "first", "what": "undo" } }));

        let start = gomoku::GOMOKU.position(&game::Setup::empty(5, 5)).unwrap();
        let view = Box::new(View::of(&gomoku::GOMOKU, &*start, None));
        let board = written(&*view);
        let (result, reason) = (GameResult::None, Termination::Aborted);
        let end = GameMessage::End { game_id: "g".into(), result, winner: None, reason, view, clock: None };
        let wanted = json!({ "type": "end", "game_id": "g", "result": "none", "winner": null,
            "reason": "aborted", "view": board, "clock": null });
        assert_eq!(written(&end), wanted);
        let end = BotMessage::End { game: "g".into(), result, reason };
        assert_eq!(
            written(&end),
            json!({ "type": "end", "game": "g", "result": "none", "reason": "aborted" })
        );
        let view = Box::new(View::of(&gomoku::GOMOKU, &*start, None));
        let moved = written(&GameMessage::Move { ply: 0, mv: None, view, clock: None });
        assert_eq!(moved, json!({ "type": "move", "ply": 0, "move": null, "view": board, "clock": null }));
    }
}
