//! Open challenges: games that somebody offers to whoever comes.
//!
//! A challenge lives as long as the one who posted it asks about it; only the game that comes of it is kept. The servers of a
//! site have their challenges in the database they share (`store/challenges.rs`), a server that is alone has them in
//! memory ([`here`]).

mod here;

use crate::store::{Store, StoreError};
use api::{ClockRule, Setup};
use game::Seat;
use here::LobbyHere;
use std::net::IpAddr;
use std::time::Duration;

/// A challenge nobody has asked about for so long is gone. Browsers let pages in the background ask once a minute.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// Challenges that may be open: of one client, and in total.
pub(crate) const EACH: usize = 4;
pub(crate) const ALL: usize = 200;

/// What is offered.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    pub(crate) id: String,
    pub(crate) setup: Setup,
    pub(crate) clock: Option<ClockRule>,
    /// The seat of the one who posted it; by chance if `None`.
    pub(crate) seat: Option<Seat>,
    pub(crate) name: Option<String>,
    /// Hash of the secret of the one who posted it, who plays with it later.
    pub(crate) secret: String,
    pub(crate) creator: IpAddr,
    pub(crate) created: i64,
}

impl Challenge {
    /// The seat of the one who posted it, in the game of this id: where chance decides, the last letter of the random id does.
    pub(crate) fn seat_in(&self, game: &str) -> Seat {
        let chance = match game.ends_with(|c: char| (c as u32).is_multiple_of(2)) {
            true => Seat::First,
            false => Seat::Second,
        };
        self.seat.unwrap_or(chance)
    }
}

/// What became of a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Open,
    /// Somebody has accepted, and the game is being created.
    Starting,
    /// The game, and the seat of the one who posted the challenge.
    Started(String, Seat),
}

/// Why a challenge cannot be posted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Crowded {
    /// The client has enough.
    Yours,
    /// All together have.
    Everybody,
}

/// All challenges.
pub(crate) enum Lobby {
    /// Of this server, which is alone.
    Here(LobbyHere),
    /// Of a site.
    Shared,
}

impl Lobby {
    /// The lobby of a server, which may have a site.
    pub(crate) fn new(site: bool) -> Lobby {
        if site { Lobby::Shared } else { Lobby::Here(LobbyHere::default()) }
    }

    pub(crate) async fn post(
        &self,
        store: &Store,
        challenge: Challenge,
    ) -> Result<Result<(), Crowded>, StoreError> {
        match self {
            Lobby::Here(here) => Ok(here.post(challenge)),
            Lobby::Shared => store.post_challenge(&challenge).await,
        }
    }

    /// Those that are open, the oldest first.
    pub(crate) async fn open(&self, store: &Store) -> Result<Vec<Challenge>, StoreError> {
        match self {
            Lobby::Here(here) => Ok(here.open()),
            Lobby::Shared => store.open_challenges().await,
        }
    }

    /// What became of it; `None` if there is no such challenge, or not with this secret. Asking keeps it open.
    pub(crate) async fn ask(
        &self,
        store: &Store,
        id: &str,
        is_own: impl FnOnce(&str) -> bool,
    ) -> Result<Option<Fate>, StoreError> {
        match self {
            Lobby::Here(here) => Ok(here.ask(id, is_own)),
            Lobby::Shared => store.ask_challenge(id, is_own).await,
        }
    }

    /// Takes it back, unless a game has come of it.
    pub(crate) async fn withdraw(
        &self,
        store: &Store,
        id: &str,
        is_own: impl FnOnce(&str) -> bool,
    ) -> Result<bool, StoreError> {
        match self {
            Lobby::Here(here) => Ok(here.withdraw(id, is_own)),
            Lobby::Shared => store.withdraw_challenge(id, is_own).await,
        }
    }

    /// Takes an open challenge for the game of this id; [`Lobby::settle`] must follow.
    pub(crate) async fn accept(
        &self,
        store: &Store,
        id: &str,
        game: &str,
    ) -> Result<Option<Challenge>, StoreError> {
        match self {
            Lobby::Here(here) => Ok(here.accept(id)),
            Lobby::Shared => store.accept_challenge(id, game).await,
        }
    }

    /// Says what came of accepting: the game, or nothing, and the challenge is open again.
    pub(crate) async fn settle(
        &self,
        store: &Store,
        challenge: &Challenge,
        game: &str,
        started: bool,
    ) -> Result<(), StoreError> {
        match self {
            Lobby::Here(here) => {
                let seat = challenge.seat_in(game);
                let fate = if started { Fate::Started(game.into(), seat) } else { Fate::Open };
                here.settle(&challenge.id, fate);
                Ok(())
            }
            // A game that exists speaks for itself.
            Lobby::Shared if started => Ok(()),
            Lobby::Shared => store.reopen_challenge(&challenge.id, game).await,
        }
    }
}
