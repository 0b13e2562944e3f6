//! What outlives the process: one file of SQLite, or a PostgreSQL database, through the same queries.
//!
//! A game is a header and an append-only list of events. All writing goes through one [`Writer`], which
//! commits whatever has come in since its last commit as one transaction; readers use the pool.

mod arenas;
mod backup;
mod bots;
mod challenges;
mod database;
mod expiry;
#[cfg(test)]
mod faults;
mod games;
mod health;
mod ladder;
mod link;
mod online;
mod progress;
mod quota;
mod request;
mod site;
mod studies;
mod write;
mod writer;

pub(crate) use arenas::Arena;
pub use backup::{BackupError, backup, restore};
pub(crate) use bots::Bot;
pub(crate) use database::sqlite_url;
pub(crate) use expiry::Expiring;
pub use expiry::Expiry;
pub(crate) use games::{Header, Summary, Who};
pub(crate) use ladder::{LadderBot, LadderId, LadderResult, arena_of, is_ladder};
pub(crate) use online::OnlineBot;
pub(crate) use quota::{Kept, QuotaError};
pub use quota::{Share, StorageQuota};
pub(crate) use request::PruneFiles;
pub(crate) use site::{Claim, Instance, Lease, Load, Register};
pub(crate) use studies::Saved;
pub(crate) use write::Finish;
pub(crate) use writer::{Fence, Writer};

use crate::metrics::Metrics;
use database::Database;
use sqlx::AnyPool;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Why storage failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or did not answer.
    #[error("database: {0}")]
    Sql(#[from] sqlx::Error),
    /// The tables could not be brought up to date.
    #[error("database migration: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The database cannot be opened.
    #[error("the database cannot be opened: {0}; if its file is damaged, restore a copy or move it away")]
    Unopened(sqlx::Error),
    /// It was written by a later version.
    #[error(
        "the database has schema version {found}, this server knows {known}: use the newer Tengen (nothing was changed)"
    )]
    Newer {
        /// The version of the database.
        found: i64,
        /// The newest this server knows.
        known: i64,
    },
    /// Another server has it open.
    #[error("{0} is in use by another Tengen server; end that one or choose another --data folder")]
    InUse(String),
    /// A file or folder of the database cannot be made or protected.
    #[error("{path}: {error}; --data FOLDER chooses where the database is")]
    File {
        /// The file or folder.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// What was read is not what was once written.
    #[error("damaged row: {0}")]
    Damaged(String),
    /// The writer has ended.
    #[error("the writer has stopped")]
    Stopped,
    /// The transaction that carried this write failed.
    #[error("{0}")]
    Failed(String),
    /// Another database was asked for.
    #[error("'{0}' is not a database; accepted: postgres://…, sqlite://…")]
    Unknown(String),
}

impl StoreError {
    fn unopened(error: sqlx::Error) -> StoreError {
        StoreError::Unopened(error)
    }

    fn file(path: &Path, error: std::io::Error) -> StoreError {
        StoreError::File { path: path.display().to_string(), error }
    }
}

/// The database.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pool: AnyPool,
    pub(crate) writer: Writer,
    usage: Arc<quota::Usage>,
    /// Where requests to prune come in; none for PostgreSQL, where anybody may do it.
    pub(crate) prune: Option<PruneFiles>,
    /// Keeps other servers out of an SQLite file.
    _lock: Option<Arc<File>>,
}

impl Store {
    /// Opens the database `url`, or `tengen.db` in `folder`, and brings its tables up to date.
    pub(crate) async fn open(
        url: Option<&str>,
        folder: &Path,
        metrics: Arc<Metrics>,
    ) -> Result<Store, StoreError> {
        let (database, pool, lock) = Database::open(url, folder).await?;
        let writer = Writer::start(database, metrics)?;
        let prune = Store::prune_files(url, folder);
        Ok(Store { pool, writer, usage: Arc::default(), prune, _lock: lock.map(Arc::new) })
    }

    /// How to ask the server that has an SQLite database open.
    pub(crate) fn prune_files(url: Option<&str>, folder: &Path) -> Option<PruneFiles> {
        Some(PruneFiles::beside(&database::file(url, folder)?))
    }

    /// Time of the last heartbeat, in milliseconds since 1970.
    pub(crate) async fn last_alive(&self) -> Result<Option<i64>, StoreError> {
        let found: Option<(i64,)> =
            sqlx::query_as("SELECT at FROM heartbeat WHERE id = 1").fetch_optional(&self.pool).await?;
        Ok(found.map(|(at,)| at))
    }

    /// Ends all reading, as if the database were gone.
    #[cfg(test)]
    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}

/// JSON for a column.
fn json(value: &impl serde::Serialize) -> Result<String, sqlx::Error> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(error.into()))
}
