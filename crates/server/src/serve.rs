//! Opening, listening, and stopping.

use crate::api;
use crate::app::App;
use crate::bots::Registry;
use crate::config::{Config, ConfigError};
use crate::engines::{Engines, EnginesError};
use crate::live::Table;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::security::rate::Clients;
use crate::store::{Store, StoreError};
use axum::serve::ListenerExt;
use game::Game;
use std::net::SocketAddr;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::net::TcpListener;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The configuration contradicts itself.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The operator's engines cannot be used.
    #[error(transparent)]
    Engines(#[from] EnginesError),
    /// The database does not open.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address is taken or not ours.
    #[error("cannot listen on {addr}: {error}")]
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

/// A server that listens.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    addr: SocketAddr,
}

impl Server {
    /// Opens the database, wakes the games that were going on, and listens.
    ///
    /// # Errors
    /// When the configuration, the database or the address is refused.
    pub async fn bind(config: Config, games: Vec<&'static dyn Game>) -> Result<Server, ServeError> {
        let origins = config.check()?;
        let engines = Engines::open(config.engines.as_deref(), &games)?;
        let metrics = Arc::new(Metrics::default());
        let store = Store::open(config.database.as_deref(), &config.data, metrics.clone()).await?;
        let addr = config.addr;
        let listener = TcpListener::bind(addr).await.map_err(|error| ServeError::Listen { addr, error })?;
        let addr = listener.local_addr().unwrap_or(addr);
        let quota = config.quota();
        let alive_before = store.last_alive().await?;
        crate::time::not_before(alive_before.unwrap_or(0));
        let app = Arc::new(App {
            pool: Pool::start(config.workers(), quota.searches, metrics.clone()),
            alive_before,
            started: crate::time::now_ms(),
            store,
            engines,
            origins,
            games,
            table: Table::default(),
            bots: Arc::new(Registry::default()),
            clients: Arc::new(Clients::new(quota)),
            metrics,
            config,
        });
        let woken = app.clone();
        tokio::spawn(async move {
            wake(&woken).await;
            // Not before all clocks are restored: a second crash would charge them for the first.
            let app = Arc::downgrade(&woken);
            drop(woken);
            beat(app).await;
        });
        Ok(Server { app, listener, addr })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Serves until `stop` is ready.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let service = api::router(self.app).into_make_service_with_connect_info::<SocketAddr>();
        // Small messages must not wait for one another.
        let listener = self.listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        tokio::select! {
            served = axum::serve(listener, service) => served?,
            // Nothing needs to be saved: what was acknowledged is on disk.
            () = stop => {}
        }
        Ok(())
    }
}

/// Starts the games that go on by themselves: clocks run, engines think.
async fn wake(app: &Arc<App>) {
    let games = match app.store.games_to_wake().await {
        Ok(games) => games,
        Err(error) => return tracing::error!(%error, "live games were not restored"),
    };
    let count = games.len();
    for id in games {
        if let Err(problem) = Table::find(app, &id).await {
            // One damaged game must not keep the server from all others.
            tracing::error!(game = %id, code = problem.code, detail = %problem.detail, "a game was not restored");
        }
    }
    tracing::info!(count, "live games restored");
}

/// Twice a second: marks that we live (clocks stand while we do not), and lets long analyses give way.
async fn beat(app: Weak<App>) {
    let mut ticks = tokio::time::interval(Duration::from_millis(500));
    loop {
        ticks.tick().await;
        let Some(app) = app.upgrade() else { return };
        app.pool.rotate();
        let playing = app.metrics.live_games.load(std::sync::atomic::Ordering::Relaxed) > 0;
        if !playing {
            continue;
        }
        if let Err(error) = app.store.writer.heartbeat(crate::time::now_ms()).await {
            tracing::warn!(%error, "no heartbeat");
        }
    }
}
