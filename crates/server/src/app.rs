//! What all requests share.

use crate::bots::Registry;
use crate::classes::Classes;
use crate::config::Config;
use crate::engines::Engines;
use crate::fleet::FleetLink;
use crate::ladder::Standings;
use crate::live::{Alarms, KeptEngines, LiveGames};
use crate::lobby::Lobby;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::pool::elsewhere::Workers;
use crate::security::origin::Origins;
use crate::security::rate::Clients;
use crate::site::Site;
use crate::store::Store;
use api::Host;
use std::sync::Arc;

/// The server's parts.
pub(crate) struct App {
    pub(crate) config: Config,
    /// Games and engines.
    pub(crate) host: Host,
    pub(crate) engines: Engines,
    pub(crate) origins: Origins,
    pub(crate) store: Store,
    /// The other servers on the same database; none on SQLite.
    pub(crate) site: Option<Arc<Site>>,
    /// When the server that wrote the database before us was last alive.
    pub(crate) alive_before: Option<i64>,
    /// When this server started.
    pub(crate) started: i64,
    /// Searches.
    pub(crate) pool: Pool,
    /// Work bounded by its input: files, maps, pictures. It never waits for a search.
    pub(crate) quick: Pool,
    pub(crate) live_games: LiveGames,
    /// Engines of live games at rest.
    pub(crate) kept_engines: Arc<KeptEngines>,
    pub(crate) alarms: Arc<Alarms>,
    pub(crate) bots: Arc<Registry>,
    pub(crate) standings: Standings,
    pub(crate) lobby: Lobby,
    pub(crate) clients: Arc<Clients>,
    pub(crate) metrics: Arc<Metrics>,
    /// Classes, if this server has any.
    pub(crate) classes: Option<Arc<Classes>>,
    /// Workers on other machines, if this server coordinates any.
    pub(crate) fleet: Option<FleetLink>,
    /// Their threads for searches.
    pub(crate) workers: Workers,
}
