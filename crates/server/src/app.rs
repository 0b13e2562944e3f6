//! What all requests share.

use crate::bots::Registry;
use crate::config::Config;
use crate::engines::Engines;
use crate::live::{Alarms, KeptEngines, Table};
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::problem::Problem;
use crate::security::origin::Origins;
use crate::security::rate::Clients;
use crate::store::Store;
use game::Game;
use std::sync::Arc;

/// The server's parts.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) games: Vec<&'static dyn Game>,
    pub(crate) engines: Engines,
    pub(crate) origins: Origins,
    pub(crate) store: Store,
    /// When the server that wrote the database before us was last alive.
    pub(crate) alive_before: Option<i64>,
    /// When this server started.
    pub(crate) started: i64,
    /// Searches.
    pub(crate) pool: Pool,
    /// Work bounded by its input: files, maps, pictures. It never waits for a search.
    pub(crate) quick: Pool,
    pub(crate) table: Table,
    /// Engines of live games at rest.
    pub(crate) kept_engines: Arc<KeptEngines>,
    pub(crate) alarms: Arc<Alarms>,
    pub(crate) bots: Arc<Registry>,
    pub(crate) clients: Arc<Clients>,
    pub(crate) metrics: Arc<Metrics>,
}

impl App {
    /// The game of this name.
    pub(crate) fn game(&self, name: &str) -> Result<&'static dyn Game, Problem> {
        self.games.iter().copied().find(|game| game.name() == name).ok_or_else(|| {
            let names: Vec<_> = self.games.iter().map(|game| game.name()).collect();
            let detail = format!("unknown game '{name}'; accepted: {}", names.join(", "));
            Problem::refused("game.kind", detail).with("game", name.chars().take(40).collect::<String>())
        })
    }
}
