//! The record: runs, units, leases, results and workers in PostgreSQL, or in SQLite on one machine.
//!
//! Nothing counts unless it is here. A unit counts once because its result has its name as primary key, and it is
//! worked on by one worker at a time because a lease is taken under the row's lock. Every request may be repeated: a
//! caller that got no answer asks again.

mod leases;
mod results;
mod runs;
#[cfg(test)]
mod tests;
mod workers;

pub use leases::{Grant, Timing};
pub use results::DeliveryOutcome;

use crate::database::{self, DatabaseKind};
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, AnyRow};
use sqlx::migrate::Migrator;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection, Executor, Row, SqlSafeStr};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Why the record could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or did not answer.
    #[error("database: {0}")]
    Sql(#[from] sqlx::Error),
    /// The tables could not be brought up to date.
    #[error("database migration: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// Another kind of database.
    #[error("'{0}' is not a database; accepted: postgres://…, sqlite://…")]
    Unknown(String),
    /// What was read is not what was once written.
    #[error("damaged row: {0}")]
    Damaged(String),
    /// There is no such run.
    #[error("there is no run '{0}'; see `tengen fleet runs`")]
    NoRun(String),
    /// There is no such worker.
    #[error("there is no worker '{0}'; see `tengen fleet status`")]
    NoWorker(String),
    /// The request contradicts what is recorded.
    #[error("{0}")]
    Refused(String),
}

const MIGRATIONS: &[(&str, &str)] = &[("fleet", include_str!("../../migrations/0001_fleet.sql"))];

/// The record.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    postgres: bool,
    /// SQLite has one writer; waiting here is fair and cannot time out as its lock does.
    writer: Arc<Mutex<()>>,
}

impl Store {
    /// Opens `postgres://…` or `sqlite://…` and brings the tables up to date.
    pub async fn open(url: &str) -> Result<Store, StoreError> {
        let scheme = url.split(':').next().unwrap_or_default();
        let kind = DatabaseKind::of(url).ok_or_else(|| StoreError::Unknown(scheme.into()))?;
        let postgres = kind == DatabaseKind::Postgres;
        let options = AnyConnectOptions::from_str(url)?;
        // One connection first: a pool would try again and again and then only say that it timed out.
        let mut first = AnyConnection::connect_with(&options).await?;
        prepare(&mut first, kind).await?;
        // Not `run`: its future cannot be shown to be `Send`.
        migrations(postgres).run_direct(None, &mut first, false).await?;
        let _ = first.close().await;
        let pool = AnyPoolOptions::new()
            .max_connections(8)
            .acquire_timeout(Duration::from_secs(5))
            .after_connect(move |connection, _| Box::pin(prepare(connection, kind)))
            .connect_with(options)
            .await?;
        Ok(Store { pool, postgres, writer: Arc::default() })
    }

    /// Keeps a document or file under its SHA-256.
    pub async fn put_blob(&self, sha256: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        sqlx::query("INSERT INTO fleet_blobs (sha256, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(sha256)
            .bind(bytes.to_vec())
            .execute(change.link())
            .await?;
        change.commit().await
    }

    /// The document or file of this SHA-256.
    pub async fn blob(&self, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let found = sqlx::query("SELECT bytes FROM fleet_blobs WHERE sha256 = $1")
            .bind(sha256)
            .fetch_optional(&self.pool)
            .await?;
        Ok(found.map(|row| row.try_get(0)).transpose()?)
    }

    /// Begins a change of the record.
    async fn begin(&self) -> Result<Change, StoreError> {
        let guard = match self.postgres {
            true => None,
            false => Some(self.writer.clone().lock_owned().await),
        };
        let link = self.pool.acquire().await?;
        let mut change = Change { link: Some(link), postgres: self.postgres, _guard: guard };
        // In SQLite the lock is taken at once: no later statement can fail because another process took it.
        let begin = if self.postgres { "BEGIN" } else { "BEGIN IMMEDIATE" };
        change.link().execute(begin).await?;
        Ok(change)
    }
}

/// A transaction. Dropped without a commit, its connection is closed: after an error nobody can say what state it is in.
struct Change {
    link: Option<PoolConnection<Any>>,
    postgres: bool,
    _guard: Option<OwnedMutexGuard<()>>,
}

impl Change {
    fn link(&mut self) -> &mut AnyConnection {
        self.link.as_mut().expect("a change has its connection until it is committed")
    }

    /// `query` with its rows locked against others, where the database has more than one writer.
    fn locked(&self, query: &str, how: &str) -> sqlx::AssertSqlSafe<String> {
        AssertSqlSafe(if self.postgres { format!("{query} {how}") } else { query.to_string() })
    }

    async fn commit(mut self) -> Result<(), StoreError> {
        self.link().execute("COMMIT").await?;
        self.link = None;
        Ok(())
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        if let Some(mut link) = self.link.take() {
            link.close_on_drop();
        }
    }
}

async fn prepare(connection: &mut AnyConnection, kind: DatabaseKind) -> Result<(), sqlx::Error> {
    if kind == DatabaseKind::Postgres {
        // A server that has lost us must not keep our locks: the next request waits for them.
        connection.execute("SET lock_timeout = '5s'").await?;
        connection.execute("SET statement_timeout = '20s'").await?;
        connection.execute("SET idle_in_transaction_session_timeout = '10s'").await?;
    }
    kind.prepare(connection).await
}

fn migrations(postgres: bool) -> Migrator {
    let mut migrator = database::migrations(MIGRATIONS.iter().map(|(name, sql)| {
        // The one type that the two databases name differently.
        let sql = if postgres { sql.replace("BLOB", "BYTEA") } else { sql.to_string() };
        (*name, AssertSqlSafe(sql).into_sql_str())
    }));
    // The server's own tables may be in the same database, with migrations of their own.
    migrator.dangerous_set_table_name("_fleet_migrations");
    migrator
}

/// JSON in a column.
fn json<T: serde::de::DeserializeOwned>(row: &AnyRow, column: &str) -> Result<T, StoreError> {
    let text: String = row.try_get(column)?;
    serde_json::from_str(&text).map_err(|error| StoreError::Damaged(format!("{column}: {error}")))
}
