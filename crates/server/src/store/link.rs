//! The writer's own connection.
//!
//! After any error it is closed, never used again: SQLite rolls some transactions back by itself, and sqlx's count of
//! open transactions then no longer agrees with the database (a later "commit" would only release a savepoint). So
//! transactions are begun and committed by plain statements, on a connection that has not failed yet.

use super::database::{Database, Kind};
#[cfg(test)]
use super::faults::Faults;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, Connection, Executor};

pub(super) struct Link {
    connection: AnyConnection,
    kind: Kind,
    #[cfg(test)]
    faults: std::sync::Arc<Faults>,
}

impl Link {
    pub(super) async fn open(database: &Database) -> Result<Link, sqlx::Error> {
        #[cfg(test)]
        database.faults.on_connect()?;
        let mut connection = AnyConnection::connect(&database.url).await?;
        database.kind.prepare(&mut connection).await?;
        if database.kind == Kind::Postgres {
            // A server that has lost us must not keep our locks: the next connection waits for them.
            connection.execute("SET lock_timeout = '5s'").await?;
            connection.execute("SET statement_timeout = '8s'").await?;
            connection.execute("SET idle_in_transaction_session_timeout = '2s'").await?;
        }
        Ok(Link {
            connection,
            kind: database.kind,
            #[cfg(test)]
            faults: database.faults.clone(),
        })
    }

    pub(super) async fn begin(&mut self) -> Result<(), sqlx::Error> {
        // In SQLite the lock is taken at once: no later statement can fail because another took it.
        self.control(if self.kind == Kind::Sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" }).await
    }

    pub(super) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        self.control("COMMIT").await
    }

    pub(super) async fn rollback(&mut self) -> Result<(), sqlx::Error> {
        self.control("ROLLBACK").await
    }

    async fn control(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        #[cfg(test)]
        self.faults.before(&mut self.connection).await?;
        self.connection.execute(statement).await?;
        #[cfg(test)]
        self.faults.after()?;
        Ok(())
    }

    /// Runs a statement; the number of rows it changed.
    pub(super) async fn run(&mut self, query: Query<'_, Any, AnyArguments>) -> Result<u64, sqlx::Error> {
        #[cfg(test)]
        self.faults.before(&mut self.connection).await?;
        let done = query.execute(&mut self.connection).await?;
        #[cfg(test)]
        self.faults.after()?;
        Ok(done.rows_affected())
    }
}
