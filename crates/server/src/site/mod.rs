//! Several servers, one site: they share a PostgreSQL database, and forward to each other over NATS.
//!
//! A live game is run by one server, its owner ([`crate::store::Lease`]). Any other that is asked for it passes the
//! question on ([`link`], [`answer`]) and hears the game's news for its own spectators ([`mirror`], [`guests`]). [`beat`]
//! keeps this server alive in the database, finds out who is dead and takes over the games of the dead; [`bots`] reaches bots
//! that are connected elsewhere.
//!
//! Nothing here decides what happened in a game: that is what the database has. A server that was found dead cannot
//! write any more, drops all its games and goes on as a new instance; one without NATS is alone, and buries all others
//! when it starts. A server with SQLite has no site at all.

mod answer;
mod beat;
mod bots;
mod guests;
mod link;
mod mirror;

pub(crate) use bots::wake_games;
pub(crate) use link::{AskError, GameCall};
pub(crate) use mirror::join;

use crate::app::App;
use crate::security::secret;
use crate::store::{Fence, Instance, Lease, Load, Register, Store, StoreError};
use guests::Guests;
use link::Link;
use mirror::Mirrors;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// An instance that has not renewed for so long may be buried.
const LEASE: Duration = Duration::from_millis(2_500);
/// How often it renews, and looks after the others.
const BEAT: Duration = Duration::from_millis(400);
/// After so long without the database a server lets go of its games, and their clients try another.
const CUT_OFF: Duration = Duration::from_secs(5);

/// How long a question may wait for a game that changes hands.
pub(crate) const PATIENCE: Duration = Duration::from_secs(7);

/// What this server is at the moment.
#[derive(Clone, Debug)]
enum Standing {
    Member(Arc<str>),
    /// It was this instance until it was buried or cut off.
    Out(Arc<str>),
    /// It ends; its games go to others.
    Leaving,
}

/// This server among the others.
pub(crate) struct Site {
    standing: Mutex<Standing>,
    /// When the database last heard from us, by our own time, and since when without a failure.
    heard: Mutex<(i64, Option<Instant>)>,
    /// Changes when all games must leave memory.
    term: watch::Sender<u64>,
    claims: AtomicI64,
    alive: Mutex<Vec<Instance>>,
    /// Messages to and from the others, once the broker is there; never if this server is alone.
    link: OnceLock<Link>,
    mirrors: Mirrors,
    guests: Guests,
    alone: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Site {
    /// Enters this server in the database; `None` if it has one for itself.
    pub(crate) async fn enter(store: &Store, alone: bool) -> Result<Option<Arc<Site>>, StoreError> {
        let Some(mut register) = store.register() else { return Ok(None) };
        let id = Site::enter_as_new(store, &mut register).await?;
        if alone {
            register.mark_all_others_dead(&id).await?;
        }
        Ok(Some(Arc::new(Site {
            standing: Mutex::new(Standing::Member(id)),
            heard: Mutex::new((crate::time::now_ms(), Some(Instant::now()))),
            term: watch::Sender::new(0),
            claims: AtomicI64::new(0),
            alive: Mutex::default(),
            link: OnceLock::new(),
            mirrors: Mirrors::default(),
            guests: Guests::default(),
            alone,
        })))
    }

    async fn enter_as_new(store: &Store, register: &mut Register) -> Result<Arc<str>, StoreError> {
        let id: Arc<str> =
            secret::random().map_err(|error| StoreError::Failed(error.to_string()))?.as_str().into();
        register.enter(&id, env!("CARGO_PKG_VERSION"), LEASE, crate::time::now_ms()).await?;
        store.writer.fence(Fence::Instance(id.clone()));
        Ok(id)
    }

    /// Who we are, unless we may own nothing now.
    pub(crate) fn member(&self) -> Option<Arc<str>> {
        match &*lock(&self.standing) {
            Standing::Member(id) => Some(id.clone()),
            Standing::Out(_) | Standing::Leaving => None,
        }
    }

    /// A lease to claim a game with.
    pub(crate) fn next_lease(&self) -> Option<Lease> {
        Some(Lease { owner: self.member()?, epoch: self.claims.fetch_add(1, Relaxed) + 1 })
    }

    /// Changes when all games must leave memory. To be called before a game is claimed.
    pub(crate) fn term(&self) -> watch::Receiver<u64> {
        self.term.subscribe()
    }

    /// Does this server end?
    pub(crate) fn is_leaving(&self) -> bool {
        matches!(*lock(&self.standing), Standing::Leaving)
    }

    /// Some other server that can take a game.
    pub(crate) fn another(&self) -> Option<Arc<str>> {
        let own = self.member();
        let alive = lock(&self.alive);
        alive.iter().find(|it| !it.expired && Some(&it.id) != own.as_ref()).map(|it| it.id.clone())
    }

    /// What only one server of a site does is done by its oldest.
    pub(crate) fn leads(&self) -> bool {
        let Some(own) = self.member() else { return false };
        self.alone || lock(&self.alive).iter().find(|it| !it.expired).is_some_and(|first| first.id == own)
    }

    /// The load of the other servers.
    pub(crate) fn load_elsewhere(&self) -> Load {
        let own = self.member();
        let alive = lock(&self.alive);
        let others = alive.iter().filter(|it| !it.expired && Some(&it.id) != own.as_ref());
        others.fold(Load::default(), |sum, it| Load {
            games: sum.games + it.load.games,
            searches: sum.searches + it.load.searches,
            waiting: sum.waiting + it.load.waiting,
        })
    }

    /// How many servers share what a client may do, at least one.
    pub(crate) fn servers(&self) -> usize {
        lock(&self.alive).iter().filter(|it| !it.expired).count().max(1)
    }

    fn link(&self) -> Option<&Link> {
        self.link.get()
    }

    /// Asks the owner of a game.
    pub(crate) async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        owner: &str,
        game: &str,
        ask: &GameCall,
    ) -> Result<T, AskError> {
        let link = self.link().ok_or(AskError::NotThere)?;
        link.ask(owner, game, ask).await
    }

    /// All games leave memory.
    fn let_go(&self) {
        self.term.send_modify(|term| *term += 1);
        self.guests.clear();
    }

    /// Hands all games over to the others: none is acknowledged here any more.
    pub(crate) async fn leave(&self, app: &App) {
        let Some(id) = self.member() else { return };
        *lock(&self.standing) = Standing::Leaving;
        self.let_go();
        let began = Instant::now();
        // Writes under way end first, so that nobody hears of a failure.
        while !app.live_games.is_empty() && began.elapsed() < LEASE {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        app.store.writer.fence(Fence::Closed);
        let Some(mut register) = app.store.register() else { return };
        match register.leave(&id, crate::time::now_ms()).await {
            Ok(()) => tracing::info!("all games are handed over"),
            Err(error) => {
                tracing::warn!(%error, "the games were not handed over; others take them when our lease ends")
            }
        }
    }
}

/// Starts what keeps this server in its site.
pub(crate) fn start(app: &Arc<App>) {
    let Some(site) = &app.site else { return };
    beat::start(app, site);
    if let Some(nats) = app.config.nats.clone() {
        answer::start(app, site, nats);
        bots::start(app, site);
    }
}
