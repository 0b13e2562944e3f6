//! Whether the database is whole after the server is gone.

use crate::Fail;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection, Row};
use std::path::Path;

/// What a database of the server must never hold, as queries that find it.
const FAULTS: [&str; 4] = [
    "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
    "SELECT 'events of a game that does not exist: ' || game_id FROM events WHERE game_id NOT IN (SELECT id FROM games)",
    "SELECT 'a gap in the events of ' || game_id FROM events GROUP BY game_id HAVING COUNT(*) <> MAX(seq) + 1",
    "SELECT 'a finished game without result: ' || id FROM games WHERE live = 0 AND (result IS NULL OR reason IS NULL)",
];

/// All faults found, at most a few of each kind.
pub(crate) async fn check(folder: &Path) -> Result<Vec<String>, Fail> {
    let mut database = SqliteConnectOptions::new().filename(folder.join("tengen.db")).connect().await?;
    let mut found = Vec::new();
    for fault in FAULTS {
        for row in sqlx::query(fault).fetch_all(&mut database).await?.iter().take(5) {
            found.push(row.try_get(0)?);
        }
    }
    Ok(found)
}

/// The same in the PostgreSQL database of a site.
pub(crate) async fn check_site(url: &str) -> Result<Vec<String>, Fail> {
    let mut database = PgConnection::connect(url).await?;
    let mut found = Vec::new();
    // The first is SQLite's own.
    for fault in &FAULTS[1..] {
        for row in sqlx::query(*fault).fetch_all(&mut database).await?.iter().take(5) {
            found.push(row.try_get(0)?);
        }
    }
    Ok(found)
}
