//! Flags that fall in games that are not in memory.
//!
//! A game that waits for somebody's move need not be in memory, however many there are. If a clock runs in it, its id and
//! the moment its flag falls stay here, and it is loaded then.

use super::{LiveGames, WakeError};
use crate::app::App;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// When to look again if nothing is due.
const LONG: Duration = Duration::from_secs(3600);
/// When to load a game again after the storage failed.
const RETRY_DELAY: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Due {
    /// The latest word on each game; an older one in the queue no longer counts.
    games: HashMap<Arc<str>, Instant>,
    queue: BinaryHeap<Reverse<(Instant, Arc<str>)>>,
}

/// All of them.
#[derive(Default)]
pub(crate) struct Alarms {
    due: Mutex<Due>,
    changed: Notify,
}

impl Alarms {
    /// Loads the game then.
    pub(crate) fn set(&self, game: Arc<str>, at: Instant) {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        due.games.insert(game.clone(), at);
        due.queue.push(Reverse((at, game)));
        self.changed.notify_one();
    }

    /// Loads the game again soon if only the storage failed.
    pub(crate) fn retry(&self, game: Arc<str>, error: &WakeError) {
        if matches!(error, WakeError::Storage(_)) {
            self.set(game, Instant::now() + RETRY_DELAY);
        }
    }

    /// The game is in memory again and looks after itself.
    pub(super) fn clear(&self, game: &str) {
        self.due.lock().unwrap_or_else(PoisonError::into_inner).games.remove(game);
    }

    /// Does a clock run somewhere?
    pub(crate) fn any(&self) -> bool {
        !self.due.lock().unwrap_or_else(PoisonError::into_inner).games.is_empty()
    }

    /// The next game that is due, or when to look again.
    fn next(&self) -> Result<Arc<str>, Instant> {
        let now = Instant::now();
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(Reverse((at, _))) = due.queue.peek() {
            let at = *at;
            if at > now {
                return Err(at);
            }
            let Some(Reverse((_, game))) = due.queue.pop() else { break };
            if due.games.get(&game) == Some(&at) {
                due.games.remove(&game);
                return Ok(game);
            }
        }
        Err(now + LONG)
    }

    /// Until the server ends.
    pub(crate) async fn run(app: Weak<App>) {
        loop {
            let Some(app) = app.upgrade() else { return };
            match app.alarms.next() {
                Ok(game) => {
                    if let Err(error) = LiveGames::wake(&app, &game, None).await {
                        tracing::error!(%game, %error, "a game was not loaded at its flag");
                        app.alarms.retry(game, &error);
                    }
                }
                Err(at) => {
                    // Not held while waiting: the server may end meanwhile.
                    let alarms = app.alarms.clone();
                    drop(app);
                    let _ = tokio::time::timeout_at(at.into(), alarms.changed.notified()).await;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

    #[test]
    fn the_last_word_on_a_game_counts() {
        let alarms = Alarms::default();
        let now = Instant::now();
        alarms.set("a".into(), now);
        alarms.set("b".into(), now);
        alarms.set("a".into(), now + LONG);
        assert_eq!(alarms.next(), Ok("b".into()));
        assert_eq!(alarms.next(), Err(now + LONG), "the first alarm of a no longer counts");
        assert!(alarms.any());
        alarms.clear("a");
        assert!(!alarms.any());
    }

    #[test]
    fn a_game_is_loaded_again_only_if_the_storage_failed() {
        let alarms = Alarms::default();
        alarms.retry("a".into(), &WakeError::Refused(api::Problem::missing("game.unknown", "")));
        assert!(!alarms.any());
        alarms.retry("a".into(), &WakeError::Storage(StoreError::Damaged(String::new())));
        assert!(alarms.any());
    }
}
