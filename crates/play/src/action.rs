//! What players do besides moving: resigning, offers and their answers, take-backs, aborting, comments.

use crate::event::{EventKind, Offer, OfferKind, Pending};
use crate::refusal::Refusal;
use crate::session::{Moment, Session};
use game::Seat;
use serde::{Deserialize, Serialize};

/// Comments a game can hold, how long one may be in characters, and how much all may be in bytes of JSON.
const COMMENTS: usize = 500;
const COMMENT: usize = 1000;
const COMMENT_BYTES: usize = 256 << 10;

/// Bytes of a text in JSON. Control characters, which take six each, are refused before.
fn bytes_in_json(text: &str) -> usize {
    text.len() + text.bytes().filter(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\t')).count()
}

fn is_refused(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

/// What a player or the owner can do besides moving.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum Action {
    /// Give up.
    Resign,
    /// Take back one's last move (and the answers to it). Another person or bot is asked first.
    Undo,
    /// Let the other player take back.
    AcceptUndo,
    /// Do not let the other player take back.
    DeclineUndo,
    /// Offer a draw; accepts one that is offered.
    OfferDraw,
    /// Accept a draw.
    AcceptDraw,
    /// Decline a draw.
    DeclineDraw,
    /// Stop without a result: the owner at any time, a player before the third move.
    Abort,
    /// A remark on the position after `ply` moves (the present one if omitted).
    Comment {
        /// The remark.
        text: String,
        /// How many moves were played.
        ply: Option<u32>,
    },
}

/// What an action led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ActionOutcome {
    /// It is done.
    Done,
    /// The other player is asked.
    Offered,
    /// The engine declined; nothing happened.
    Declined,
}

impl Session {
    /// What an action leads to: an event (none where an engine declines) and the answer. `None` as the seat is
    /// the owner. An engine as opponent agrees to every take-back and to no draw.
    pub fn act(
        &self,
        seat: Option<Seat>,
        action: Action,
        against_engine: bool,
        at: Moment,
    ) -> Result<(Option<Pending>, ActionOutcome), Refusal> {
        let player = || seat.ok_or(Refusal::PlayerOnly);
        if !matches!(action, Action::Comment { .. } | Action::Undo) {
            self.check_live()?;
        }
        let kind = match action {
            Action::Comment { text, ply } => {
                let text = text.trim().to_string();
                let bytes = self.comments().iter().map(|comment| bytes_in_json(&comment.text)).sum::<usize>();
                let full = self.comments().len() >= COMMENTS || bytes + bytes_in_json(&text) > COMMENT_BYTES;
                if text.is_empty() || text.chars().count() > COMMENT || text.contains(is_refused) || full {
                    return Err(Refusal::Comment { length: COMMENT, count: COMMENTS, bytes: COMMENT_BYTES });
                }
                let ply = ply.unwrap_or(u32::MAX).min(self.plies().len() as u32);
                EventKind::Comment { seat, ply, text }
            }
            Action::Undo => {
                let seat = player()?;
                // A game that the rules ended can be reopened against an engine, one that was lost otherwise
                // cannot.
                if !against_engine || self.position().outcome().is_none() {
                    self.check_live()?;
                }
                let plies = self.plies_to_undo(seat)?;
                if against_engine { EventKind::Undo { plies } } else { EventKind::OfferUndo { seat } }
            }
            Action::AcceptUndo => {
                let seat = self.answers(player()?, OfferKind::Undo)?;
                EventKind::Undo { plies: self.plies_to_undo(seat.other())? }
            }
            Action::DeclineUndo => {
                self.answers(player()?, OfferKind::Undo)?;
                EventKind::DeclineUndo
            }
            Action::OfferDraw => {
                let seat = player()?;
                match self.answers(seat, OfferKind::Draw) {
                    Ok(_) => EventKind::AcceptDraw,
                    Err(_) if against_engine => return Ok((None, ActionOutcome::Declined)),
                    Err(_) => EventKind::OfferDraw { seat },
                }
            }
            Action::AcceptDraw => {
                self.answers(player()?, OfferKind::Draw)?;
                EventKind::AcceptDraw
            }
            Action::DeclineDraw => {
                self.answers(player()?, OfferKind::Draw)?;
                EventKind::DeclineDraw
            }
            Action::Resign => EventKind::Resign { seat: player()? },
            Action::Abort if seat.is_none() || self.plies().len() < 3 => EventKind::Abort,
            Action::Abort => return Err(Refusal::LateAbort),
        };
        let outcome = match kind {
            EventKind::OfferUndo { .. } | EventKind::OfferDraw { .. } => ActionOutcome::Offered,
            _ => ActionOutcome::Done,
        };
        Ok((Some(self.prepare(kind, at)?), outcome))
    }

    /// The player, if the other one has made an offer of this kind.
    fn answers(&self, seat: Seat, what: OfferKind) -> Result<Seat, Refusal> {
        let open = self.offer() == Some(Offer { seat: seat.other(), what });
        open.then_some(seat).ok_or(Refusal::NoOffer)
    }

    /// How many moves go back until it is this player's turn before their last move.
    pub fn plies_to_undo(&self, seat: Seat) -> Result<u32, Refusal> {
        let mut position = self.position().boxed();
        let mut plies = 0;
        while position.undo().is_some() {
            plies += 1;
            if position.turn() == seat {
                return Ok(plies);
            }
        }
        Err(Refusal::NothingToUndo)
    }
}
