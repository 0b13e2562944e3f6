//! The lobby of a server that is alone: in memory.

use super::{ALL, Challenge, Crowded, EACH, Fate, PATIENCE};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

struct Posted {
    challenge: Challenge,
    fate: Fate,
    asked: Instant,
}

/// All challenges, oldest first in lists.
#[derive(Default)]
pub(crate) struct LobbyHere {
    posted: Mutex<HashMap<String, Posted>>,
}

impl LobbyHere {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Posted>) -> T) -> T {
        let mut posted = self.posted.lock().unwrap_or_else(PoisonError::into_inner);
        posted.retain(|_, posted| posted.asked.elapsed() < PATIENCE);
        work(&mut posted)
    }

    pub(super) fn post(&self, challenge: Challenge) -> Result<(), Crowded> {
        self.with(|posted| {
            if posted.len() >= ALL {
                return Err(Crowded::Everybody);
            }
            if posted.values().filter(|other| other.challenge.creator == challenge.creator).count() >= EACH {
                return Err(Crowded::Yours);
            }
            let (id, asked) = (challenge.id.clone(), Instant::now());
            posted.insert(id, Posted { challenge, fate: Fate::Open, asked });
            Ok(())
        })
    }

    /// Those that are open, the oldest first.
    pub(super) fn open(&self) -> Vec<Challenge> {
        let mut open: Vec<_> = self.with(|posted| {
            let open = posted.values().filter(|posted| posted.fate == Fate::Open);
            open.map(|posted| posted.challenge.clone()).collect()
        });
        open.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
        open
    }

    /// What became of it; `None` if there is no such challenge, or not with this secret. Asking keeps it open.
    pub(super) fn ask(&self, id: &str, is_own: impl FnOnce(&str) -> bool) -> Option<Fate> {
        self.with(|posted| {
            let posted = posted.get_mut(id).filter(|posted| is_own(&posted.challenge.secret))?;
            posted.asked = Instant::now();
            Some(posted.fate.clone())
        })
    }

    /// Takes it back, unless a game has come of it.
    pub(super) fn withdraw(&self, id: &str, is_own: impl FnOnce(&str) -> bool) -> bool {
        self.with(|posted| {
            let found = posted
                .get(id)
                .is_some_and(|posted| posted.fate == Fate::Open && is_own(&posted.challenge.secret));
            found && posted.remove(id).is_some()
        })
    }

    /// Takes an open challenge for oneself; [`LobbyHere::settle`] must follow.
    pub(super) fn accept(&self, id: &str) -> Option<Challenge> {
        self.with(|posted| {
            let posted = posted.get_mut(id).filter(|posted| posted.fate == Fate::Open)?;
            posted.fate = Fate::Starting;
            Some(posted.challenge.clone())
        })
    }

    /// Says what came of accepting: a game, or nothing, and the challenge is open again.
    pub(super) fn settle(&self, id: &str, fate: Fate) {
        self.with(|posted| {
            if let Some(posted) = posted.get_mut(id) {
                posted.fate = fate;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::Setup;
    use game::Seat;

    fn challenge(id: &str, creator: [u8; 4]) -> Challenge {
        let setup = Setup {
            game: "hex".into(),
            rows: 11,
            cols: 11,
            rule: String::new(),
            opening: String::new(),
            stones: Vec::new(),
            to_move: None,
        };
        let (secret, creator) = (format!("secret of {id}"), creator.into());
        Challenge { id: id.into(), setup, clock: None, seat: None, name: None, secret, creator, created: 0 }
    }

    #[test]
    fn one_player_accepts_and_the_other_hears_of_it() {
        let lobby = LobbyHere::default();
        lobby.post(challenge("a", [127, 0, 0, 1])).unwrap();
        assert_eq!(lobby.open().len(), 1);
        assert_eq!(lobby.ask("a", |secret| secret == "another"), None);
        assert!(lobby.accept("a").is_some());
        assert!(lobby.accept("a").is_none(), "it is taken");
        assert!(lobby.open().is_empty());
        lobby.settle("a", Fate::Open);
        assert!(lobby.accept("a").is_some(), "no game came of it");
        lobby.settle("a", Fate::Started("game".into(), Seat::Second));
        let own = |secret: &str| secret == "secret of a";
        assert_eq!(lobby.ask("a", own), Some(Fate::Started("game".into(), Seat::Second)));
        assert!(!lobby.withdraw("a", own), "too late");
    }

    #[test]
    fn challenges_are_limited_for_each_client_and_in_total() {
        let lobby = LobbyHere::default();
        for number in 0..EACH {
            lobby.post(challenge(&number.to_string(), [127, 0, 0, 1])).unwrap();
        }
        assert_eq!(lobby.post(challenge("more", [127, 0, 0, 1])), Err(Crowded::Yours));
        for number in EACH..ALL {
            lobby.post(challenge(&number.to_string(), [10, 0, 1, number as u8])).unwrap();
        }
        assert_eq!(lobby.post(challenge("more", [10, 0, 2, 1])), Err(Crowded::Everybody));
        assert!(lobby.withdraw("0", |_| true));
        lobby.post(challenge("more", [10, 0, 2, 1])).unwrap();
    }
}
