//! What bots are told: that it is their turn, what they are offered, that a game is over.

use super::{BotMessage, Task};
use crate::time::moment;
use api::Player;
use game::Seat;
use play::{Action, OfferKind, Opponent};
use std::time::{Duration, Instant};

/// A bot that does not answer an offer declines it after this time.
const ANSWER: Duration = Duration::from_secs(5);

impl Task {
    /// Tells the bot whose turn it is, and the one that has an offer to answer.
    pub(super) fn tell_bots(&self) {
        if let Some((you, what, bot)) = self.offered_to_bot() {
            self.app.bots.tell(bot, &BotMessage::Offer { game: self.id.to_string(), you, what });
        }
        let Some((you, Player::Bot { bot, .. })) = self.live.to_act() else { return };
        if !self.app.bots.is_online(bot) {
            return;
        }
        let turn = BotMessage::Turn {
            game: self.id.to_string(),
            you,
            ply: self.live.session.plies().len(),
            takebacks: self.live.session.takebacks(),
            setup: Box::new(self.live.header.setup.clone()),
            moves: self.live.move_texts(),
            clock: self.live.clock(),
            legal: self.live.legal_texts(),
            board: self.live.view().board,
        };
        self.app.bots.tell(bot, &turn);
    }

    /// The bot that has been offered something.
    fn offered_to_bot(&self) -> Option<(Seat, OfferKind, &str)> {
        let offer = self.live.session.offer()?;
        let seat = offer.seat.other();
        match self.live.header.players.at(seat) {
            Player::Bot { bot, .. } => Some((seat, offer.what, bot)),
            _ => None,
        }
    }

    /// Lets a bot answer an offer: it has a few seconds, or none if it is not there.
    pub(super) fn await_bot(&mut self) {
        let here = self.offered_to_bot().map(|(_, _, bot)| self.app.bots.is_online(bot));
        self.declines = here.map(|here| Instant::now() + if here { ANSWER } else { Duration::ZERO });
    }

    /// Declines for a bot that has not answered. False if the disk failed.
    pub(super) async fn decline_for_bot(&mut self) -> bool {
        if self.declines.is_none_or(|at| at > Instant::now()) {
            return true;
        }
        self.declines = None;
        let Some((seat, what, _)) = self.offered_to_bot() else { return true };
        let action = match what {
            OfferKind::Draw => Action::DeclineDraw,
            OfferKind::Undo => Action::DeclineUndo,
            OfferKind::Rematch => Action::DeclineRematch,
        };
        match self.live.session.act(Some(seat), action, Opponent::Person, "", moment()) {
            Ok((Some(pending), _)) => self.happen(pending).await.is_ok(),
            _ => true,
        }
    }

    /// Tells the bots of a game that it is over.
    pub(super) fn tell_bots_the_end(&self) {
        let Some(end) = self.live.session.end() else { return };
        for player in [&self.live.header.players.first, &self.live.header.players.second] {
            if let Player::Bot { bot, .. } = player {
                let (game, result, reason) = (self.id.to_string(), end.result(), end.termination);
                self.app.bots.tell(bot, &BotMessage::End { game, result, reason });
            }
        }
    }
}
