//! Which kind of database an address names, and what every connection and migration needs. The server opens its own
//! database by the same rules.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, Executor, SqlStr};

/// The two kinds of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    /// One file, one machine.
    Sqlite,
    /// A server that several machines share.
    Postgres,
}

impl DatabaseKind {
    /// By the scheme of `url`; `None` for any other database.
    pub fn of(url: &str) -> Option<DatabaseKind> {
        sqlx::any::install_default_drivers();
        match url.split(':').next()? {
            "sqlite" => Some(DatabaseKind::Sqlite),
            "postgres" | "postgresql" => Some(DatabaseKind::Postgres),
            _ => None,
        }
    }

    /// Settings of every connection.
    pub async fn prepare(self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        if self == DatabaseKind::Sqlite {
            // FULL: in WAL mode the log is synchronised at every commit, so that a commit survives power
            // loss and not only the death of the process.
            connection.execute("PRAGMA busy_timeout = 10000").await?;
            connection.execute("PRAGMA journal_mode = WAL").await?;
            connection.execute("PRAGMA synchronous = FULL").await?;
        }
        Ok(())
    }
}

/// Migrations numbered from 1, each with its name.
pub fn migrations(scripts: impl Iterator<Item = (&'static str, SqlStr)>) -> Migrator {
    let step = |(number, (name, sql)): (i64, (&'static str, SqlStr))| {
        Migration::new(number, name.into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations((1..).zip(scripts).map(step).collect())
}
