//! A live game: what never changes (its header) and the session, and the shapes made of both.

use crate::store::{Finish, Header, StoreError};
use api::Problem;
use api::{ClockBody, GameBody, GameHeader, Presences};
use api::{MoveBody, Player, Players, View};
use game::{Game, Record, Seat};
use play::{Event, Opponent, Pending, Session};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A live (or finished) game.
pub(super) struct Live {
    pub(super) header: Arc<Header>,
    pub(super) session: Session,
}

impl Live {
    /// The game at its start.
    pub(super) fn new(header: Arc<Header>, game: &'static dyn Game) -> Result<Live, Problem> {
        let position = header.setup.position(game)?;
        let session = Session::new(game, position, header.clock.map(Into::into), header.created);
        Ok(Live { header, session })
    }

    /// The game after what is on disk; `ran` is how long a running clock went on after an event of that time.
    pub(super) fn restore(
        &mut self,
        events: &[Event],
        ran: impl FnOnce(i64) -> Duration,
    ) -> Result<(), StoreError> {
        let now = Instant::now();
        self.session
            .restore(events, now)
            .map_err(|error| StoreError::Damaged(format!("game {}: {error}", self.header.id)))?;
        self.session.charge(ran(self.session.last_at()), now);
        Ok(())
    }

    /// How the game's header changes if this happens: it ends, goes on again, or neither.
    pub(super) fn finish(&self, pending: &Pending) -> Option<Finish> {
        match pending.end() {
            end if end == self.session.end() => None,
            Some(end) => Some(Finish::Over {
                result: end.result().name().into(),
                reason: end.termination.name().into(),
            }),
            None => Some(Finish::Reopened),
        }
    }

    /// Who sits opposite; the owner has nobody there.
    pub(super) fn opponent(&self, seat: Option<Seat>) -> Opponent {
        match seat.map(|seat| self.header.players.at(seat.other())) {
            Some(Player::Engine { .. }) => Opponent::Engine,
            Some(Player::Bot { .. }) => Opponent::Bot,
            Some(Player::Human { .. }) | None => Opponent::Person,
        }
    }

    /// Does something happen in it without anybody asking? Its flag may fall, or an engine move.
    pub(super) fn goes_on_by_itself(&self) -> bool {
        let clock_runs = self.session.clocks().is_some_and(|clocks| clocks.running().is_some());
        clock_runs || matches!(self.to_act(), Some((_, Player::Engine { .. })))
    }

    /// The players under the names they joined with.
    pub(super) fn players(&self) -> Players {
        let named = |seat| match (self.header.players.at(seat), self.session.name(seat)) {
            (Player::Human { .. }, Some(name)) => Player::Human { name: Some(name.into()) },
            (player, _) => player.clone(),
        };
        Players { first: named(Seat::First), second: named(Seat::Second) }
    }

    /// The player who is to move; `None` once it is over.
    pub(super) fn to_act(&self) -> Option<(Seat, &Player)> {
        self.session.turn().map(|seat| (seat, self.header.players.at(seat)))
    }

    pub(super) fn last_move(&self) -> Option<MoveBody> {
        self.session.plies().last().map(MoveBody::from)
    }

    pub(super) fn move_texts(&self) -> Vec<String> {
        self.session.plies().iter().map(|ply| ply.text.clone()).collect()
    }

    /// Every legal move in the game's notation: the smallest bot needs no rules.
    pub(super) fn legal_texts(&self) -> Vec<String> {
        let position = self.session.position();
        position.legal_moves().into_iter().map(|mv| position.format_move(mv)).collect()
    }

    pub(super) fn view(&self) -> View {
        let moves = self.session.plies().iter().map(MoveBody::from).collect();
        View::of(self.session.game(), self.session.position(), Some(moves))
    }

    pub(super) fn clock(&self) -> Option<ClockBody> {
        ClockBody::of(&self.session, self.header.clock, Instant::now())
    }

    /// The whole game, with the players' chat on request.
    pub(super) fn body(&self, presence: Presences, with_chat: bool) -> GameBody {
        let Header { id, setup, visibility, clock, created, .. } = &*self.header;
        let players = &self.players();
        let header =
            GameHeader { id, setup, players, visibility: *visibility, clock: *clock, created: *created };
        GameBody::of(&header, &self.session, presence, with_chat, Instant::now())
    }

    /// The game as it goes into files.
    pub(super) fn record(&self) -> Record {
        let players = self.players();
        self.session.record([players.first.name(), players.second.name()])
    }
}
