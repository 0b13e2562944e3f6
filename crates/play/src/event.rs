//! What can happen in a game, as it is stored.

use crate::end::{End, Termination};
use game::{Move, MoveNote, Position, Seat, Side};
use serde::{Deserialize, Serialize};

/// Something that happened in a game. The first has number 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number.
    pub seq: i64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What both clocks show after it, in milliseconds; `None` without clocks.
    pub left_ms: Option<[i64; 2]>,
    /// What happened.
    pub kind: EventKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum EventKind {
    /// The player whose turn it is plays a move.
    Move {
        /// The move in the game's notation.
        r#move: String,
        /// What is known about it, such as the engine's score.
        #[serde(default, skip_serializing_if = "is_empty")]
        note: MoveNote,
    },
    /// The last moves are taken back, and an end that is not by the rules is revoked. The clocks go back to
    /// what they showed after the move that is now the last.
    Undo {
        /// How many moves.
        plies: u32,
    },
    /// Moves that were taken back are played again, with the clocks as they were after them.
    Redo {
        /// How many moves.
        plies: u32,
    },
    /// A player asks to take back.
    OfferUndo {
        /// Who asks.
        seat: Seat,
    },
    /// The other player refuses it.
    DeclineUndo,
    /// A player offers a draw.
    OfferDraw {
        /// Who offers.
        seat: Seat,
    },
    /// The other player refuses it.
    DeclineDraw,
    /// The other player accepts it.
    AcceptDraw,
    /// A player resigns.
    Resign {
        /// Who resigns.
        seat: Seat,
    },
    /// A flag falls.
    Timeout {
        /// Whose.
        seat: Seat,
    },
    /// A program broke the rules of play: it gave no legal move in time.
    Forfeit {
        /// Its seat.
        seat: Seat,
        /// What kind of fault.
        #[serde(default = "engine_failed", skip_serializing_if = "is_engine_failed")]
        termination: Termination,
        /// What it did.
        why: String,
    },
    /// A referee ends the game by its own rules.
    Adjudicate {
        /// The winner; `None` is a draw.
        winner: Option<Seat>,
        /// By which rule.
        termination: Termination,
    },
    /// Stopped without a result.
    Abort,
    /// A server took the game up again: the running clock goes on from here.
    Resume,
    /// A player takes the seat.
    Join {
        /// Which.
        seat: Seat,
        /// The name; a guest has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A player writes to the other.
    Chat {
        /// Who.
        seat: Seat,
        /// The line.
        text: String,
    },
    /// A player offers another game.
    OfferRematch {
        /// Who.
        seat: Seat,
    },
    /// The other player refuses it.
    DeclineRematch,
    /// Both go on to another game.
    Rematch {
        /// Its name where games are stored.
        game: String,
    },
    /// Somebody comments.
    Comment {
        /// A player, or the owner of the game.
        seat: Option<Seat>,
        /// The position after so many moves.
        ply: u32,
        /// The comment.
        text: String,
    },
}

fn is_empty(note: &MoveNote) -> bool {
    *note == MoveNote::default()
}

/// What a forfeit was before it said more.
fn engine_failed() -> Termination {
    Termination::EngineFailed
}

fn is_engine_failed(termination: &Termination) -> bool {
    *termination == Termination::EngineFailed
}

/// A checked event that has not happened yet, with everything computed that committing it needs.
pub struct Pending {
    pub(crate) event: Event,
    /// The position after it, where it changes the position.
    pub(crate) position: Option<Box<dyn Position>>,
    /// The move it adds.
    pub(crate) ply: Option<Ply>,
    pub(crate) end: Option<End>,
}

impl Pending {
    /// The event, for whoever stores it.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// The end of the game after it.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The move in the game's notation.
    pub text: String,
    /// The colour that moved.
    pub side: Side,
    /// When, in milliseconds since 1970; `None` for moves that were there before the session.
    pub at: Option<i64>,
    /// What is known about it.
    pub note: MoveNote,
    pub(crate) left_ms: Option<[i64; 2]>,
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offer {
    /// Who made it.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub seat: Seat,
    /// What is offered.
    pub what: OfferKind,
}

/// What can be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// To take back moves.
    Undo,
    /// Another game.
    Rematch,
}

/// A comment on a position of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Comment {
    /// The position after so many moves.
    pub ply: u32,
    /// The player who wrote it; `None` for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub seat: Option<Seat>,
    /// The comment.
    pub text: String,
}

/// What a player wrote to the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChatLine {
    /// Who wrote it.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub seat: Seat,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The line.
    pub text: String,
}
