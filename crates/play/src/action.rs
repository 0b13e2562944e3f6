//! What players do besides moving: resigning, offers and their answers, take-backs, aborting, joining, talking.

use crate::event::{EventKind, Offer, OfferKind, Pending};
use crate::refusal::Refusal;
use crate::session::{Moment, Session};
use game::Seat;
use serde::{Deserialize, Serialize};

/// What a player or the owner can do besides moving.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// After the game: offer another one with the colours exchanged; accepts one that is offered. Engines and bots
    /// accept at once.
    OfferRematch,
    /// Accept another game.
    AcceptRematch,
    /// Decline another game.
    DeclineRematch,
    /// Take one's seat, once, under a name or without.
    Join {
        /// 1 to 40 characters.
        name: Option<String>,
    },
    /// Write to the other player; spectators do not see it.
    Chat {
        /// The line.
        text: String,
    },
    /// A remark on the position after `ply` moves (the present one if omitted).
    Comment {
        /// The remark.
        text: String,
        /// How many moves were played.
        ply: Option<u32>,
    },
}

/// What an action led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// Who sits opposite a player who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A person, who is asked.
    Person,
    /// A program that is asked, but plays again whenever somebody wants to.
    Bot,
    /// An engine: it agrees to every take-back, to no draw, and plays again.
    Engine,
}

impl Session {
    /// What an action leads to: an event (none where an engine declines) and the answer. `None` as the seat is
    /// the owner. `next_game` is the name that a rematch would get.
    pub fn act(
        &self,
        seat: Option<Seat>,
        action: Action,
        opponent: Opponent,
        next_game: &str,
        at: Moment,
    ) -> Result<(Option<Pending>, ActionOutcome), Refusal> {
        let player = || seat.ok_or(Refusal::PlayerOnly);
        let kind = match action {
            Action::Comment { text, ply } => self.comment(seat, &text, ply)?,
            Action::Chat { .. } if opponent != Opponent::Person => return Err(Refusal::NobodyListens),
            Action::Chat { text } => self.say(player()?, &text)?,
            Action::Join { name } => match player()? {
                seat if self.has_joined(seat) => return Err(Refusal::Joined),
                seat => EventKind::Join { seat, name },
            },
            Action::OfferRematch | Action::AcceptRematch | Action::DeclineRematch => {
                self.about_rematch(player()?, &action, opponent, next_game)?
            }
            Action::Undo => {
                let seat = player()?;
                let against_engine = opponent == Opponent::Engine;
                // A game that the rules ended can be reopened against an engine, one that was lost otherwise
                // cannot.
                if !against_engine || self.position().outcome().is_none() {
                    self.check_live()?;
                }
                let plies = self.plies_to_undo(seat)?;
                if against_engine { EventKind::Undo { plies } } else { EventKind::OfferUndo { seat } }
            }
            live => {
                self.check_live()?;
                match self.while_live(seat, live, opponent)? {
                    Some(kind) => kind,
                    None => return Ok((None, ActionOutcome::Declined)),
                }
            }
        };
        let outcome = match kind {
            EventKind::OfferUndo { .. } | EventKind::OfferDraw { .. } | EventKind::OfferRematch { .. } => {
                ActionOutcome::Offered
            }
            _ => ActionOutcome::Done,
        };
        Ok((Some(self.prepare(kind, at)?), outcome))
    }

    /// The actions that a game must go on for; `None` if an engine declines.
    fn while_live(
        &self,
        seat: Option<Seat>,
        action: Action,
        opponent: Opponent,
    ) -> Result<Option<EventKind>, Refusal> {
        let player = || seat.ok_or(Refusal::PlayerOnly);
        Ok(Some(match action {
            Action::AcceptUndo => {
                let seat = self.answers(player()?, OfferKind::Undo)?;
                EventKind::Undo { plies: self.plies_to_undo(seat.other())? }
            }
            Action::DeclineUndo => {
                self.answers(player()?, OfferKind::Undo)?;
                EventKind::DeclineUndo
            }
            Action::OfferDraw if !self.game().has_draws() => return Err(Refusal::NoDraws),
            Action::OfferDraw => {
                let seat = player()?;
                match self.answers(seat, OfferKind::Draw) {
                    Ok(_) => EventKind::AcceptDraw,
                    Err(_) if opponent == Opponent::Engine => return Ok(None),
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
            // What is left is an abort; other actions do not come here.
            _ => return Err(Refusal::LateAbort),
        }))
    }

    fn about_rematch(
        &self,
        seat: Seat,
        action: &Action,
        opponent: Opponent,
        next_game: &str,
    ) -> Result<EventKind, Refusal> {
        if self.end().is_none() {
            return Err(Refusal::NotOver);
        }
        if let Some(game) = self.rematch() {
            return Err(Refusal::Rematched(game.into()));
        }
        let asked = self.answers(seat, OfferKind::Rematch);
        let rematch = || EventKind::Rematch { game: next_game.into() };
        Ok(match action {
            Action::DeclineRematch => asked.map(|_| EventKind::DeclineRematch)?,
            Action::AcceptRematch => asked.map(|_| rematch())?,
            _ if asked.is_ok() || opponent != Opponent::Person => rematch(),
            _ => EventKind::OfferRematch { seat },
        })
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
