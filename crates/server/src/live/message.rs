//! The WebSocket messages to spectators, players and bots.

use api::{ClockBody, GameBody, Presences};
use api::{MoveBody, ReportBody, Setup, View};
use axum::extract::ws::Utf8Bytes;
use game::{Seat, Side};
use play::{ActionOutcome, ChatLine, GameResult, Offer, OfferKind, Termination};
use serde::Serialize;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use utoipa::ToSchema;

/// News of a game, written once for all who listen.
#[derive(Clone)]
pub(crate) struct Update {
    pub(crate) text: Utf8Bytes,
    /// Not for spectators.
    pub(crate) players_only: bool,
    /// The task that tells it, and how many news it has told with this one; none for what may get lost.
    pub(crate) number: Option<(u64, u64)>,
}

impl Update {
    pub(super) fn of(message: &GameMessage, number: Option<(u64, u64)>) -> Option<Update> {
        let text = serde_json::to_string(message).ok()?;
        Some(Update { text: text.into(), players_only: matches!(message, GameMessage::Chat { .. }), number })
    }

    /// How many news there have been: whoever has heard fewer has missed some.
    pub(crate) fn count(task: u64, number: u64) -> Update {
        Update { text: Utf8Bytes::default(), players_only: false, number: Some((task, number)) }
    }

    /// No more news come this way.
    pub(crate) fn over() -> Update {
        Update::count(0, 0)
    }
}

/// A listener's place: every numbered update comes once and in order, or an error says that some were missed.
pub(crate) struct Updates {
    receiver: broadcast::Receiver<Update>,
    task: u64,
    heard: u64,
}

impl Updates {
    /// After `heard` news of a task.
    pub(crate) fn new(receiver: broadcast::Receiver<Update>, task: u64, heard: u64) -> Updates {
        Updates { receiver, task, heard }
    }

    /// The task that tells them, and how many were heard or known before.
    pub(crate) fn told(&self) -> (u64, u64) {
        (self.task, self.heard)
    }

    /// The next. `Lagged`: some were missed. `Closed`: the game may go on elsewhere. Cancel safe.
    pub(crate) async fn next(&mut self) -> Result<Update, RecvError> {
        loop {
            let update = self.receiver.recv().await?;
            match update.number {
                None => return Ok(update),
                Some((task, _)) if task != self.task => return Err(RecvError::Closed),
                Some((_, number)) if number <= self.heard => {}
                Some((_, number)) if number == self.heard + 1 && !update.text.is_empty() => {
                    self.heard = number;
                    return Ok(update);
                }
                Some((_, number)) => return Err(RecvError::Lagged(number - self.heard)),
            }
        }
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

    #[tokio::test]
    async fn news_are_heard_once_and_in_order_or_known_to_be_missed() {
        let sender = broadcast::Sender::new(16);
        let told = |number: u64| Update { text: number.to_string().into(), ..Update::count(7, number) };
        let mut updates = Updates::new(sender.subscribe(), 7, 2);
        for number in [1, 2, 3, 3, 4] {
            let _ = sender.send(told(number));
        }
        let _ = sender.send(Update::count(7, 4));
        let _ = sender.send(Update { number: None, ..told(0) });
        for wanted in ["3", "4", "0"] {
            assert_eq!(updates.next().await.unwrap().text.as_str(), wanted);
        }
        let _ = sender.send(told(6));
        assert!(matches!(updates.next().await, Err(RecvError::Lagged(2))), "5 is missing");
        let _ = sender.send(Update::count(7, 5));
        assert!(matches!(updates.next().await, Err(RecvError::Lagged(1))), "the last is missing");
        let _ = sender.send(Update::over());
        assert!(matches!(updates.next().await, Err(RecvError::Closed)));
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
