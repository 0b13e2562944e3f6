//! What outlives the process: one file of SQLite, or a PostgreSQL database, through the same queries.
//!
//! A game is a header and an append-only list of events. All writing goes through one [`Writer`], which
//! commits whatever has come in since its last commit as one transaction; readers use the pool.

mod bots;
mod games;
mod progress;
mod studies;
mod writer;

pub(crate) use bots::Bot;
pub(crate) use games::{Header, Summary, Who};
pub(crate) use progress::Progress;
pub(crate) use studies::Saved;
pub(crate) use writer::{Finish, Writer};

use crate::metrics::Metrics;
use sqlx::any::AnyPoolOptions;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyPool, Executor, SqlSafeStr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Why storage failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or did not answer.
    #[error("database: {0}")]
    Sql(#[from] sqlx::Error),
    /// The tables could not be brought up to date.
    #[error("database migration: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The folder for the database cannot be made.
    #[error("{path}: {error}")]
    Folder {
        /// The folder.
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

/// The database.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pool: AnyPool,
    pub(crate) writer: Writer,
}

impl Store {
    /// Opens the database `url`, or `tengen.db` in `folder`, and brings its tables up to date.
    pub(crate) async fn open(
        url: Option<&str>,
        folder: &Path,
        metrics: Arc<Metrics>,
    ) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let url = match url {
            Some(url) => url.to_string(),
            None => sqlite_url(folder)?,
        };
        let sqlite = url.starts_with("sqlite:");
        if !sqlite && !url.starts_with("postgres:") && !url.starts_with("postgresql:") {
            return Err(StoreError::Unknown(url.split(':').next().unwrap_or_default().into()));
        }
        let pool = AnyPoolOptions::new()
            .max_connections(8)
            .acquire_timeout(Duration::from_secs(10))
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if sqlite {
                        // FULL: in WAL mode the log is synchronised at every commit, so that a commit
                        // survives power loss and not only the death of the process.
                        connection.execute("PRAGMA journal_mode = WAL").await?;
                        connection.execute("PRAGMA synchronous = FULL").await?;
                        connection.execute("PRAGMA busy_timeout = 10000").await?;
                    }
                    Ok(())
                })
            })
            .connect(&url)
            .await?;
        migrations().run(&pool).await?;
        let writer = Writer::start(pool.clone(), metrics);
        Ok(Store { pool, writer })
    }

    /// Does the database answer?
    pub(crate) async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// When the server was last alive, in milliseconds since 1970.
    pub(crate) async fn last_alive(&self) -> Result<Option<i64>, StoreError> {
        let found: Option<(i64,)> =
            sqlx::query_as("SELECT at FROM heartbeat WHERE id = 1").fetch_optional(&self.pool).await?;
        Ok(found.map(|(at,)| at))
    }
}

fn migrations() -> Migrator {
    let steps = [
        ("games", include_str!("../../migrations/0001_games.sql")),
        ("puzzles", include_str!("../../migrations/0002_puzzles.sql")),
        ("creators", include_str!("../../migrations/0003_creators.sql")),
    ];
    let step = |(number, (name, sql)): (i64, (&'static str, &'static str))| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(steps).map(step).collect())
}

fn sqlite_url(folder: &Path) -> Result<String, StoreError> {
    let fail = |error| StoreError::Folder { path: folder.display().to_string(), error };
    std::fs::create_dir_all(folder).map_err(fail)?;
    let file = folder.canonicalize().map_err(fail)?.join("tengen.db");
    let mut path = String::new();
    for byte in file.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02x}"));
        }
    }
    Ok(format!("sqlite://{path}?mode=rwc"))
}
