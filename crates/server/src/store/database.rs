//! Which database, and opening it: private files, one server per file, and clear refusals.

use super::StoreError;
#[cfg(test)]
use super::faults::Faults;
use crate::platform::{make_private, open_private};
pub(super) use fleet::database::DatabaseKind as Kind;
use sqlx::any::AnyPoolOptions;
use sqlx::migrate::Migrator;
use sqlx::{AnyConnection, AnyPool, Connection, SqlSafeStr};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A database that has been opened and is up to date.
#[derive(Clone, Debug)]
pub(super) struct Database {
    pub(super) url: String,
    pub(super) kind: Kind,
    #[cfg(test)]
    pub(super) faults: std::sync::Arc<Faults>,
}

impl Database {
    /// Opens `url`, or `tengen.db` in `folder`, and brings its tables up to date. The file is the lock: as long as it is
    /// open, no other server can open the same SQLite database.
    pub(super) async fn open(
        url: Option<&str>,
        folder: &Path,
    ) -> Result<(Database, AnyPool, Option<File>), StoreError> {
        let (database, lock) = Database::claim(url, folder)?;
        // One connection first: a pool would try again and again and then only say that it timed out.
        let mut first = database.connection().await?;
        let migrated = migrate(&mut first, KNOWN_SCHEMA).await;
        let _ = first.close().await;
        migrated?;
        let kind = database.kind;
        let pool = AnyPoolOptions::new()
            .max_connections(8)
            .acquire_timeout(Duration::from_secs(10))
            .after_connect(move |connection, _| Box::pin(kind.prepare(connection)))
            .connect(&database.url)
            .await?;
        Ok((database, pool, lock))
    }

    /// Which database it is, and for SQLite the lock that keeps others out.
    pub(super) fn claim(url: Option<&str>, folder: &Path) -> Result<(Database, Option<File>), StoreError> {
        let (database, file) = match url {
            None => {
                let file = private_folder(folder)?.join("tengen.db");
                (Database::at(&sqlite_url(&file))?, Some(file))
            }
            Some(url) => (Database::at(url)?, file_of(url)),
        };
        let lock = file.map(|file| lock(&file)).transpose()?;
        Ok((database, lock))
    }

    /// A connection for reading, beside a server that may be using the database.
    pub(super) async fn connect(
        url: Option<&str>,
        folder: &Path,
    ) -> Result<(AnyConnection, Kind), StoreError> {
        let database = match url {
            None => Database::at(&sqlite_url(&folder.join("tengen.db")))?,
            Some(url) => Database::at(url)?,
        };
        Ok((database.connection().await?, database.kind))
    }

    fn at(url: &str) -> Result<Database, StoreError> {
        let scheme = url.split(':').next().unwrap_or_default();
        let kind = Kind::of(url).ok_or_else(|| StoreError::Unknown(scheme.into()))?;
        Ok(Database {
            url: url.to_string(),
            kind,
            #[cfg(test)]
            faults: Default::default(),
        })
    }

    /// A connection to a database that is not of a later version.
    pub(super) async fn connection(&self) -> Result<AnyConnection, StoreError> {
        let mut first = AnyConnection::connect(&self.url).await.map_err(StoreError::unopened)?;
        let usable = match refuse_newer(&mut first, self.kind).await {
            Ok(()) => self.kind.prepare(&mut first).await.map_err(StoreError::unopened),
            Err(error) => Err(error),
        };
        if let Err(error) = usable {
            // Before anything is said: a file that was only looked at has no log beside it afterwards.
            let _ = first.close().await;
            return Err(error);
        }
        Ok(first)
    }
}

/// A database of a later version is left alone. Also the first read: a damaged file is noticed here.
async fn refuse_newer(connection: &mut AnyConnection, kind: Kind) -> Result<(), StoreError> {
    match schema_version(connection, kind).await? {
        found if found > KNOWN_SCHEMA => Err(StoreError::Newer { found, known: KNOWN_SCHEMA }),
        _ => Ok(()),
    }
}

/// The number of the last migration that was applied; 0 if there was none.
pub(super) async fn schema_version(connection: &mut AnyConnection, kind: Kind) -> Result<i64, StoreError> {
    let tables = match kind {
        Kind::Sqlite => "SELECT COUNT(*) FROM sqlite_master WHERE name = '_sqlx_migrations'",
        Kind::Postgres => "SELECT COUNT(*) FROM pg_tables WHERE tablename = '_sqlx_migrations'",
    };
    let (known,): (i64,) =
        sqlx::query_as(tables).fetch_one(&mut *connection).await.map_err(StoreError::unopened)?;
    if known == 0 {
        return Ok(0);
    }
    let (found,): (Option<i64>,) =
        sqlx::query_as("SELECT MAX(version) FROM _sqlx_migrations").fetch_one(connection).await?;
    Ok(found.unwrap_or(0))
}

/// Brings the tables to schema version `to`.
pub(super) async fn migrate(connection: &mut AnyConnection, to: i64) -> Result<(), StoreError> {
    Ok(migrations().run_to(to, connection).await?)
}

/// The newest schema version.
pub(super) const KNOWN_SCHEMA: i64 = MIGRATIONS.len() as i64;

const MIGRATIONS: &[(&str, &str)] = &[
    ("games", include_str!("../../migrations/0001_games.sql")),
    ("puzzles", include_str!("../../migrations/0002_puzzles.sql")),
    ("creators", include_str!("../../migrations/0003_creators.sql")),
    ("storage", include_str!("../../migrations/0004_storage.sql")),
    ("ladder", include_str!("../../migrations/0005_ladder.sql")),
    ("site", include_str!("../../migrations/0006_site.sql")),
    ("arenas", include_str!("../../migrations/0007_arenas.sql")),
    ("lobby", include_str!("../../migrations/0008_lobby.sql")),
];

fn migrations() -> Migrator {
    fleet::database::migrations(MIGRATIONS.iter().map(|(name, sql)| (*name, sql.into_sql_str())))
}

/// The folder, made if need be. One of ours is closed to other users.
fn private_folder(folder: &Path) -> Result<PathBuf, StoreError> {
    let fail = |error| StoreError::file(folder, error);
    let ours = !folder.exists() || folder.join("tengen.db").exists();
    std::fs::create_dir_all(folder).map_err(fail)?;
    if ours {
        make_private(folder).map_err(fail)?;
    }
    folder.canonicalize().map_err(fail)
}

/// Makes the database file private and takes it for this process.
fn lock(file: &Path) -> Result<File, StoreError> {
    for name in [file.to_path_buf(), beside(file, "-wal"), beside(file, "-shm")] {
        if name.exists() {
            make_private(&name).map_err(|error| StoreError::file(&name, error))?;
        }
    }
    // SQLite gives its other files the mode of this one.
    open_private(file).map_err(|error| StoreError::file(file, error))?;
    let lock = beside(file, ".lock");
    let held = open_private(&lock).map_err(|error| StoreError::file(&lock, error))?;
    match held.try_lock() {
        Ok(()) => Ok(held),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(file.display().to_string())),
        Err(TryLockError::Error(error)) => Err(StoreError::file(&lock, error)),
    }
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The file of an SQLite address; `None` for one in memory.
fn file_of(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"))?;
    let path = path.split('?').next().unwrap_or_default();
    (!path.is_empty() && path != ":memory:").then(|| PathBuf::from(path))
}

/// The file of the SQLite database `url`, or of the one in `folder`; none if it is not SQLite's.
pub(super) fn file(url: Option<&str>, folder: &Path) -> Option<PathBuf> {
    url.map_or_else(|| Some(folder.join("tengen.db")), file_of)
}

/// The address of an SQLite file.
pub(crate) fn sqlite_url(file: &Path) -> String {
    let mut path = String::new();
    for byte in file.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02x}"));
        }
    }
    format!("sqlite://{path}?mode=rwc")
}
