//! Who listens to our games on other servers: as long as somebody does, the game's news are published.

use super::link::News;
use super::{Site, lock};
use crate::live::{Here, Joined, Updates};
use crate::store::Who;
use game::Seat;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::broadcast::error::RecvError;
use tokio::task::AbortHandle;

/// A server that has not said for so long that it has listeners has none.
const GONE: Duration = Duration::from_secs(15);

/// Held as long as a player is connected.
type Held = Box<dyn Any + Send + Sync>;

/// All games with listeners elsewhere.
#[derive(Default)]
pub(super) struct Guests {
    games: Mutex<HashMap<String, Listened>>,
}

struct Listened {
    /// The task whose news are published.
    task: u64,
    pump: AbortHandle,
    servers: HashMap<String, Server>,
}

struct Server {
    heard: Instant,
    seats: [Option<Held>; 2],
}

impl Drop for Listened {
    fn drop(&mut self) {
        self.pump.abort();
    }
}

impl Guests {
    pub(super) fn clear(&self) {
        lock(&self.games).clear();
    }

    /// A server has listeners to a game, among them players of these seats. The task and how many news it has told;
    /// `None` if it has ended.
    pub(super) async fn attend(
        &self,
        site: &Arc<Site>,
        game: &str,
        here: &Here,
        from: &str,
        seats: [bool; 2],
    ) -> Option<(u64, u64)> {
        let mut arrived = [None, None];
        for (seat, index) in [(Seat::First, 0), (Seat::Second, 1)] {
            let known = lock(&self.games).get(game).is_some_and(|listened| {
                listened.servers.get(from).is_some_and(|server| server.seats[index].is_some())
            });
            if seats[index] && !known {
                arrived[index] = here.join(Some(Who::Seat(seat)), true).await?.ok()?.attendance;
            }
        }
        let Joined { updates, .. } = here.join(None, false).await?.ok()?;
        let told = updates.told();
        let mut games = lock(&self.games);
        if games.get(game).is_none_or(|listened| listened.task != told.0 || listened.pump.is_finished()) {
            let pump = tokio::spawn(pump(site.clone(), game.to_string(), updates)).abort_handle();
            let mut listened = Listened { task: told.0, pump, servers: HashMap::new() };
            if let Some(mut former) = games.remove(game) {
                listened.servers = std::mem::take(&mut former.servers);
                // Seats that were held in a task that has ended are to be taken again.
                for server in listened.servers.values_mut().filter(|_| former.task != told.0) {
                    server.seats = [None, None];
                }
            }
            games.insert(game.to_string(), listened);
        }
        if let Some(listened) = games.get_mut(game) {
            let server = listened
                .servers
                .entry(from.to_string())
                .or_insert_with(|| Server { heard: Instant::now(), seats: [None, None] });
            server.heard = Instant::now();
            for (index, arrived) in arrived.into_iter().enumerate() {
                match seats[index] {
                    true => server.seats[index] = server.seats[index].take().or(arrived),
                    false => server.seats[index] = None,
                }
            }
        }
        Some(told)
    }

    /// Does anybody still listen? Forgets who has gone.
    fn is_listened(&self, game: &str, task: u64) -> bool {
        let mut games = lock(&self.games);
        let Some(listened) = games.get_mut(game).filter(|listened| listened.task == task) else {
            return false;
        };
        listened.servers.retain(|_, server| server.heard.elapsed() < GONE);
        if listened.servers.is_empty() {
            games.remove(game);
            return false;
        }
        true
    }
}

/// Publishes a game's news as long as somebody listens.
async fn pump(site: Arc<Site>, game: String, mut updates: Updates) {
    let (task, _) = updates.told();
    let mut ticks = tokio::time::interval(GONE / 3);
    loop {
        tokio::select! {
            update = updates.next() => match update {
                Ok(update) => {
                    let (number, players_only) = (update.number.map(|(_, number)| number), update.players_only);
                    let text = update.text.as_str().to_string();
                    let Some(link) = site.link() else { return };
                    link.publish(&game, &News { task, number, players_only, text }).await;
                }
                // The listeners notice the gap and ask for the game.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
            _ = ticks.tick() => if !site.guests.is_listened(&game, task) {
                return;
            },
        }
    }
}
