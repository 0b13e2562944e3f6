//! The other side of a game's news: a game that runs on another server, for the clients that are connected here.
//!
//! One mirror per game hears its owner's news and passes them on to all who listen here. News are numbered; whoever
//! misses one asks for the whole game (see [`Updates`]), and every few seconds the owner says how many there were, so
//! that a lost last one is missed too.

use super::answer::Told;
use super::link::{AskError, GameCall, Link};
use super::{Site, lock};
use crate::live::{Joined, Update, Updates};
use crate::store::{Instance, Who};
use futures_util::StreamExt;
use game::Seat;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Notify, broadcast};

/// How often the owner hears that somebody listens here.
const BEAT: Duration = Duration::from_secs(4);
/// News that may wait for one client.
const BACKLOG: usize = 64;

/// All games that somebody here listens to and that run elsewhere.
#[derive(Default)]
pub(super) struct Mirrors {
    games: Mutex<HashMap<Arc<str>, Arc<Mirror>>>,
}

struct Mirror {
    owner: Arc<str>,
    sender: broadcast::Sender<Update>,
    seats: Arc<Seats>,
}

/// Connected players.
#[derive(Default)]
struct Seats {
    counts: [AtomicU32; 2],
    /// Something for the mirror to look at.
    changed: Notify,
    /// The owner is dead.
    orphaned: AtomicBool,
}

impl Seats {
    fn taken(&self) -> [bool; 2] {
        self.counts.each_ref().map(|count| count.load(SeqCst) > 0)
    }
}

/// One connection of a player.
struct SeatHeld {
    seats: Arc<Seats>,
    seat: Seat,
}

impl Drop for SeatHeld {
    fn drop(&mut self) {
        self.seats.counts[self.seat.index()].fetch_sub(1, SeqCst);
        self.seats.changed.notify_one();
    }
}

impl Mirrors {
    /// Ends the mirrors of owners that are not alive.
    pub(super) fn end_orphans(&self, alive: &Mutex<Vec<Instance>>) {
        let alive = lock(alive);
        for mirror in lock(&self.games).values() {
            if !alive.iter().any(|it| it.id == mirror.owner) {
                mirror.seats.orphaned.store(true, SeqCst);
                mirror.seats.changed.notify_one();
            }
        }
    }
}

/// Joins a game that runs on `owner`.
pub(crate) async fn join(
    site: &Arc<Site>,
    owner: &Arc<str>,
    game: &Arc<str>,
    who: Option<Who>,
) -> Result<Joined, AskError> {
    let link = site.link().ok_or(AskError::NotThere)?;
    let from = site.member().ok_or(AskError::NotThere)?;
    let (seats, receiver) = listen(site, link, owner, game).await?;
    let held = match who {
        Some(Who::Seat(seat)) => {
            seats.counts[seat.index()].fetch_add(1, SeqCst);
            Some(SeatHeld { seats: seats.clone(), seat })
        }
        Some(Who::Owner) | None => None,
    };
    let ask = GameCall::Join { who, from: from.to_string(), seats: seats.taken() };
    let told: Told = link.ask(owner, game, &ask).await?;
    let body = told.game.ok_or(AskError::Silent)?;
    Ok(Joined {
        game: *body,
        updates: Updates::new(receiver, told.task, told.number),
        attendance: held.map(|held| Box::new(held) as _),
    })
}

/// A place at the mirror of a game, which is set up if need be.
async fn listen(
    site: &Arc<Site>,
    link: &Link,
    owner: &Arc<str>,
    game: &Arc<str>,
) -> Result<(Arc<Seats>, broadcast::Receiver<Update>), AskError> {
    let place = |mirror: &Mirror| (mirror.seats.clone(), mirror.sender.subscribe());
    if let Some(mirror) = lock(&site.mirrors.games).get(game).filter(|mirror| mirror.owner == *owner) {
        return Ok(place(mirror));
    }
    // Before the owner is asked: nothing may be told in between.
    let news = link.listen(game).await.ok_or(AskError::NotThere)?;
    let mut games = lock(&site.mirrors.games);
    if let Some(mirror) = games.get(game).filter(|mirror| mirror.owner == *owner) {
        return Ok(place(mirror));
    }
    let mirror = Arc::new(Mirror {
        owner: owner.clone(),
        sender: broadcast::Sender::new(BACKLOG),
        seats: Arc::default(),
    });
    let place = place(&mirror);
    if let Some(former) = games.insert(game.clone(), mirror.clone()) {
        former.seats.orphaned.store(true, SeqCst);
        former.seats.changed.notify_one();
    }
    drop(games);
    let (site, game) = (site.clone(), game.clone());
    tokio::spawn(async move {
        reflect(&site, &mirror, &game, news).await;
        let mut games = lock(&site.mirrors.games);
        if games.get(&game).is_some_and(|own| Arc::ptr_eq(own, &mirror)) {
            games.remove(&game);
        }
        drop(games);
        // Whoever listens finds out where the game is now.
        let _ = mirror.sender.send(Update::over());
    });
    Ok(place)
}

/// Passes news on until nobody listens, or the owner is not there any more.
async fn reflect(site: &Site, mirror: &Mirror, game: &str, mut news: async_nats::Subscriber) {
    let Some(link) = site.link() else { return };
    let mut ticks = tokio::time::interval(BEAT);
    ticks.tick().await;
    let mut silent = 0;
    loop {
        tokio::select! {
            message = news.next() => {
                let Some(message) = message else { return };
                if let Some(news) = link.news(game, &message.payload) {
                    let number = news.number.map(|number| (news.task, number));
                    let _ = mirror.sender.send(Update {
                        text: news.text.into(),
                        players_only: news.players_only,
                        number,
                    });
                }
                continue;
            }
            _ = ticks.tick() => if mirror.sender.receiver_count() == 0 {
                return;
            },
            () = mirror.seats.changed.notified() => {}
        }
        let Some(from) = site.member() else { return };
        if mirror.seats.orphaned.load(SeqCst) {
            return;
        }
        let ask = GameCall::Attend { from: from.to_string(), seats: mirror.seats.taken() };
        match link.ask::<Told>(&mirror.owner, game, &ask).await {
            Ok(told) => {
                silent = 0;
                let _ = mirror.sender.send(Update::count(told.task, told.number));
            }
            Err(AskError::Silent) if silent < 1 => silent += 1,
            Err(AskError::Silent | AskError::NotThere | AskError::Refused(_)) => return,
        }
    }
}
