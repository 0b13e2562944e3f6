//! The coordinator of workers on other machines, beside the server and in the same database.

use crate::pool::elsewhere::Workers;
use crate::store::sqlite_url;
use fleet::broker::{Broker, FleetError};
use fleet::coordinator::{Coordinator, CoordinatorConfig};
use fleet::executor::MakeExecutor;
use fleet::live::Caller;
use fleet::store::{Store, Timing};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Which workers to coordinate.
#[derive(Clone)]
pub struct FleetConfig {
    /// The broker: `nats://TOKEN@HOST:PORT`.
    pub nats: String,
    /// The bench signature that workers must have.
    pub signature: String,
    /// The version, for messages.
    pub version: String,
    /// Settles disputes between workers.
    pub executor: MakeExecutor,
    /// How long a worker may be silent before its units are given to others.
    pub lease: Duration,
}

impl std::fmt::Debug for FleetConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The address has the token in it.
        f.debug_struct("FleetConfig").field("version", &self.version).finish_non_exhaustive()
    }
}

/// The coordinator, once database and broker are there.
pub(crate) struct FleetLink {
    coordinator: Arc<OnceLock<Coordinator>>,
}

impl FleetLink {
    /// Starts coordinating; waits for database and broker as long as it takes.
    pub(crate) fn start(
        config: FleetConfig,
        database: Option<String>,
        folder: &Path,
        workers: Workers,
    ) -> FleetLink {
        let coordinator = Arc::new(OnceLock::new());
        let database = database.unwrap_or_else(|| sqlite_url(&folder.join("fleet.db")));
        tokio::spawn(coordinate(config, database, folder.join("fleet"), coordinator.clone(), workers));
        FleetLink { coordinator }
    }

    /// The coordinator; `None` while database or broker are away at the start.
    pub(crate) fn coordinator(&self) -> Option<&Coordinator> {
        self.coordinator.get()
    }
}

async fn coordinate(
    config: FleetConfig,
    database: String,
    files: PathBuf,
    started: Arc<OnceLock<Coordinator>>,
    workers: Workers,
) {
    let store = loop {
        match Store::open(&database).await {
            Ok(store) => break store,
            Err(error) => tracing::error!(%error, "the fleet's tables cannot be opened; trying again"),
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    };
    let say = |error: &FleetError| tracing::warn!(%error, "the fleet waits for its broker");
    let broker = Broker::connect_patiently(&config.nats, &say).await;
    if let Ok(broker) = &broker {
        match Caller::start(broker, &config.signature).await {
            Ok(caller) => workers.open(caller),
            Err(error) => tracing::error!(%error, "workers get no searches of this server"),
        }
    }
    let made = broker.and_then(|broker| {
        let timing = Timing { lease: config.lease };
        let FleetConfig { signature, version, executor, .. } = config;
        Coordinator::new(store, broker, CoordinatorConfig { timing, signature, version, executor, files })
    });
    match made {
        Ok(coordinator) => {
            let coordinator = started.get_or_init(|| coordinator).clone();
            tracing::info!("the fleet is open to workers");
            if let Err(error) = coordinator.run().await {
                tracing::error!(%error, "the fleet has ended");
            }
        }
        Err(error) => tracing::error!(%error, "there is no fleet"),
    }
}
