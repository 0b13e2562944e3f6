//! Opening, listening, and stopping.

use crate::app::App;
use crate::bots::Registry;
use crate::classes::Classes;
use crate::config::{Config, ConfigError};
use crate::engines::{Engines, EnginesError};
use crate::fleet::FleetLink;
use crate::housekeeping;
use crate::ladder::{self, Standings};
use crate::listen::{self, Capacity};
use crate::live::{Alarms, KeptEngines, LiveGames};
use crate::lobby::Lobby;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::pool::elsewhere::Workers;
use crate::routes;
use crate::security::rate::{Clients, Quota};
use crate::site::{self, Site};
use crate::store::{Store, StoreError};
use api::Host;
use game::Game;
use std::net::SocketAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The configuration contradicts itself.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The operator's engines cannot be used.
    #[error(transparent)]
    Engines(#[from] EnginesError),
    /// Classes cannot be held here.
    #[error("no class can start: {0}")]
    Classes(#[from] class::ClassError),
    /// The database does not open.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address is taken or not ours.
    #[error("cannot listen on {addr}: {error}; --addr ADDRESS:PORT chooses another")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// Serving ended with an error.
    #[error("serving ended: {0}")]
    Io(#[from] std::io::Error),
}

/// Threads for work bounded by its input, and how much of it one client may have waiting.
const QUICK: usize = 2;
const QUICK_EACH: usize = 16;

/// How long searches may take to end when the server does.
const FAREWELL: Duration = Duration::from_secs(2);

/// A server that listens.
pub struct Server {
    pub(crate) app: Arc<App>,
    listener: TcpListener,
    capacity: Capacity,
    addr: SocketAddr,
}

impl Server {
    /// Opens the database, wakes the games that were going on, and listens.
    ///
    /// # Errors
    /// When the configuration, the database or the address is refused.
    pub async fn bind(config: Config, games: Vec<&'static dyn Game>) -> Result<Server, ServeError> {
        let origins = config.check()?;
        let engines = Engines::open(config.engines.as_deref(), &config.data, &games)?;
        let classes = config.classes.as_deref().map(|folder| Classes::open(folder, &games)).transpose()?;
        let metrics = Arc::new(Metrics::default());
        let store = Store::open(config.database.as_deref(), &config.data, metrics.clone()).await?;
        let site = Site::enter(&store, config.nats.is_none()).await?;
        // After the database is ours: these are engines of a server that was killed, not of one that runs.
        engines.sweep();
        let addr = config.addr;
        let listener = TcpListener::bind(addr).await.map_err(|error| ServeError::Listen { addr, error })?;
        let addr = listener.local_addr().unwrap_or(addr);
        let capacity = Capacity::raise();
        let quota = config.quota();
        let quota = Quota { all_sockets: quota.all_sockets.min(capacity.sockets), ..quota };
        let alive_before = store.last_alive().await?;
        crate::time::not_before(alive_before.unwrap_or(0));
        let pool = Pool::start("engine", config.workers(), quota.searches, metrics.clone());
        let workers = Workers::new(metrics.clone());
        let elsewhere = config.fleet.is_some().then(|| Arc::new(workers.clone()) as Arc<dyn api::Elsewhere>);
        let host = Host { own: engines.own.clone(), threads: pool.slots(), elsewhere, ..Host::new(games) };
        let fleet = config
            .fleet
            .clone()
            .map(|fleet| FleetLink::start(fleet, config.database.clone(), &config.data, workers.clone()));
        let lobby = Lobby::new(site.is_some());
        let app = Arc::new(App {
            classes: classes.map(Arc::new),
            fleet,
            workers,
            pool,
            quick: Pool::start("quick", QUICK, QUICK_EACH, metrics.clone()),
            alive_before,
            started: crate::time::now_ms(),
            store,
            site,
            engines,
            origins,
            host,
            live_games: LiveGames::default(),
            kept_engines: Arc::new(KeptEngines::new(config.kept_engines)),
            alarms: Arc::default(),
            bots: Arc::new(Registry::default()),
            standings: Standings::default(),
            lobby,
            clients: Arc::new(Clients::new(quota)),
            metrics,
            config,
        });
        if let Some(classes) = app.classes.clone() {
            tokio::task::spawn_blocking(move || classes.resume());
        }
        tokio::spawn(housekeeping::run(Arc::downgrade(&app)));
        tokio::spawn(ladder::run(Arc::downgrade(&app)));
        tokio::spawn(Alarms::run(Arc::downgrade(&app)));
        tokio::spawn(share(Arc::downgrade(&app)));
        site::start(&app);
        let woken = app.clone();
        tokio::spawn(async move {
            wake(&woken, true).await;
            // Not before all clocks are restored: a second crash would charge them for the first.
            if woken.site.is_none() {
                tokio::spawn(beat(Arc::downgrade(&woken)));
            }
            wake(&woken, false).await;
        });
        Ok(Server { app, listener, capacity, addr })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Serves until `stop` is ready.
    ///
    /// # Errors
    /// None today: a connection that cannot be accepted is reported and waited out.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let router = routes::router(self.app.clone());
        tokio::select! {
            () = listen::serve(self.listener, self.app.clone(), router, self.capacity) => {}
            // Nothing needs to be saved: what was acknowledged is on disk.
            () = stop => {}
        }
        let app = self.app;
        if let Some(site) = &app.site {
            site.leave(&app).await;
        }
        let closed = tokio::task::spawn_blocking(move || {
            if let Some(classes) = &app.classes {
                classes.close(FAREWELL);
            }
            app.pool.close(FAREWELL);
            app.engines.sweep();
        });
        let _ = closed.await;
        Ok(())
    }
}

/// So many games are looked at at a time.
const WAKING: usize = 64;

/// Loads the games that go on by themselves, those with a clock or those without one that have an engine: a flag is set
/// for the alarm, an engine that is to move thinks. Games that only wait for somebody leave memory at once. Of those
/// without a clock no more than [`WAKING`] are in memory at the same time; engines take as long as they take.
async fn wake(app: &Arc<App>, clock: bool) {
    let games = match app.store.games_to_wake(clock).await {
        Ok(games) => games,
        Err(error) => return tracing::error!(%error, "live games were not restored"),
    };
    let count = games.len();
    let permits = Arc::new(Semaphore::new(WAKING));
    let mut waking = JoinSet::new();
    for id in games {
        let Ok(permit) = permits.clone().acquire_owned().await else { return };
        let app = app.clone();
        waking.spawn(async move {
            let (own, held) = if clock { (Some(permit), None) } else { (None, Some(permit)) };
            if let Err(error) = LiveGames::wake(&app, &id, held).await {
                // One damaged game must not keep the server from all others.
                tracing::error!(game = %id, %error, "a game was not restored");
            }
            drop(own);
        });
        while waking.try_join_next().is_some() {}
    }
    while waking.join_next().await.is_some() {}
    tracing::info!(count, clock, "live games restored");
}

/// Ten times a second: searches that have had their share of time give way to others that wait, and workers that come or
/// go are noticed.
async fn share(app: Weak<App>) {
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    loop {
        ticks.tick().await;
        let Some(app) = app.upgrade() else { return };
        app.pool.set_workers(app.workers.threads());
        app.pool.rotate();
        app.quick.rotate();
    }
}

/// Twice a second: marks that we live (clocks stand while we do not).
async fn beat(app: Weak<App>) {
    let mut ticks = tokio::time::interval(Duration::from_millis(500));
    loop {
        ticks.tick().await;
        let Some(app) = app.upgrade() else { return };
        let playing = app.metrics.live_games.load(Relaxed) > 0 || app.alarms.any();
        if !playing {
            continue;
        }
        if let Err(error) = app.store.writer.heartbeat(crate::time::now_ms()).await {
            tracing::warn!(%error, "no heartbeat");
        }
    }
}
