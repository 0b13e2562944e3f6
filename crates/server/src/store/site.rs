//! Several servers on one PostgreSQL database: which of them are alive, and which game is whose.
//!
//! An [`Instance`] renews one row; all its games live by it, so that renewing costs the same for one game and for ten
//! thousand. It is dead when somebody else marks its row, which is possible only once it has expired, and for good: a
//! server that is found dead goes on as a new instance without any game. A game belongs to the owner of its lease
//! unless that is dead.
//!
//! No transaction of the dead is left: each group of writes holds its instance's row (`FOR KEY SHARE`), which
//! [`Store::mark_dead`] needs for itself. Whoever takes a game over therefore reads all that was ever acknowledged in it.

use super::database::{Database, Kind};
use super::writer::Write;
use super::{Store, StoreError};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, Row};
use std::sync::Arc;
use std::time::Duration;

/// Milliseconds since 1970 by the database's clock.
pub(super) const NOW: &str = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

/// Selects the games in which something happens without a request: live ones with a clock or an engine.
const NEEDS_SERVER: &str = "g.live = 1 AND (g.initial_ms IS NOT NULL OR g.players LIKE '%\"engine\"%')";

/// Ownership of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lease {
    pub(crate) owner: Arc<str>,
    /// Which of the owner's claims it is.
    pub(crate) epoch: i64,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It was ours already.
    Kept,
    /// It was nobody's.
    New,
    /// It was that of an instance that died; when that was last alive.
    Inherited(Option<i64>),
    /// It belongs to a living instance.
    Theirs(Arc<str>),
}

/// What an instance says of itself when it renews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) games: i64,
    pub(crate) searches: i64,
    pub(crate) waiting: i64,
}

/// A server that is not dead.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) id: Arc<str>,
    pub(crate) expired: bool,
    pub(crate) load: Load,
}

/// A connection for the instances alone: to renew must not wait behind readers.
pub(crate) struct Register {
    database: Database,
    connection: Option<AnyConnection>,
}

impl Register {
    /// The connection, opened anew after an error.
    async fn connection(&mut self) -> Result<&mut AnyConnection, StoreError> {
        if self.connection.is_none() {
            let mut connection = AnyConnection::connect(&self.database.url).await?;
            connection.execute("SET lock_timeout = '4s'").await?;
            connection.execute("SET statement_timeout = '5s'").await?;
            self.connection = Some(connection);
        }
        self.connection.as_mut().ok_or(StoreError::Stopped)
    }

    /// Runs `work`; the connection is not used again after an error or after `patience`.
    pub(super) async fn with<T>(
        &mut self,
        patience: Duration,
        work: impl AsyncFnOnce(&mut AnyConnection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = tokio::time::timeout(patience, async { work(self.connection().await?).await }).await;
        let done =
            done.unwrap_or_else(|_| Err(StoreError::Failed("the database did not answer in time".into())));
        if done.is_err() {
            self.connection = None;
        }
        done
    }

    /// A new instance that lives for `lease`.
    pub(crate) async fn enter(
        &mut self,
        id: &str,
        version: &str,
        lease: Duration,
        at: i64,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT INTO instances (id, version, started, dead, expires, at, games, searches, waiting) \
             VALUES ($1, $2, {NOW}, 0, {NOW} + $3, $4, 0, 0, 0)"
        );
        self.with(PATIENCE, async |connection| {
            let insert = sqlx::query(AssertSqlSafe(sql)).bind(id.to_string()).bind(version.to_string());
            insert.bind(lease.as_millis() as i64).bind(at).execute(connection).await?;
            Ok(())
        })
        .await
    }

    /// Lives for another `lease`; false: it is dead.
    pub(crate) async fn renew(
        &mut self,
        id: &str,
        lease: Duration,
        at: i64,
        load: Load,
    ) -> Result<bool, StoreError> {
        let sql = format!(
            "UPDATE instances SET expires = {NOW} + $2, at = $3, games = $4, searches = $5, waiting = $6 \
             WHERE id = $1 AND dead = 0"
        );
        self.with(lease / 3, async |connection| {
            let renew = sqlx::query(AssertSqlSafe(sql)).bind(id.to_string()).bind(lease.as_millis() as i64);
            let renew = renew.bind(at).bind(load.games).bind(load.searches).bind(load.waiting);
            Ok(renew.execute(connection).await?.rows_affected() > 0)
        })
        .await
    }

    /// All that are not dead, the oldest first.
    pub(crate) async fn alive(&mut self) -> Result<Vec<Instance>, StoreError> {
        let sql = format!(
            "SELECT id, CASE WHEN expires < {NOW} THEN 1 ELSE 0 END AS expired, games, searches, waiting \
             FROM instances WHERE dead = 0 ORDER BY started, id"
        );
        let rows = self
            .with(PATIENCE, async |connection| {
                Ok(sqlx::query(AssertSqlSafe(sql)).fetch_all(connection).await?)
            })
            .await?;
        let read = |row: &sqlx::any::AnyRow| -> Result<Instance, StoreError> {
            Ok(Instance {
                id: row.try_get::<&str, _>("id")?.into(),
                expired: row.try_get::<i32, _>("expired")? != 0,
                load: Load {
                    games: row.try_get("games")?,
                    searches: row.try_get("searches")?,
                    waiting: row.try_get("waiting")?,
                },
            })
        };
        rows.iter().map(read).collect()
    }

    /// Marks an instance dead if it has expired, after its last group of writes; did we do it?
    pub(crate) async fn mark_dead(&mut self, id: &str) -> Result<bool, StoreError> {
        let sql = format!(
            "UPDATE instances SET dead = 1 WHERE id IN \
             (SELECT id FROM instances WHERE id = $1 AND dead = 0 AND expires < {NOW} FOR UPDATE)"
        );
        self.with(PATIENCE, async |connection| {
            Ok(sqlx::query(AssertSqlSafe(sql))
                .bind(id.to_string())
                .execute(connection)
                .await?
                .rows_affected()
                > 0)
        })
        .await
    }

    /// Marks all instances but `id` dead, expired or not: this server is to be the only one.
    pub(crate) async fn mark_all_others_dead(&mut self, id: &str) -> Result<(), StoreError> {
        let sql = "UPDATE instances SET dead = 1 WHERE id IN \
             (SELECT id FROM instances WHERE id <> $1 AND dead = 0 ORDER BY id FOR UPDATE)";
        self.with(PATIENCE, async |connection| {
            sqlx::query(sql).bind(id.to_string()).execute(connection).await?;
            Ok(())
        })
        .await
    }

    /// This instance ends: its games are free at once, and their clocks stand.
    pub(crate) async fn leave(&mut self, id: &str, at: i64) -> Result<(), StoreError> {
        let sql = "UPDATE instances SET dead = 1, at = $2 WHERE id IN \
             (SELECT id FROM instances WHERE id = $1 AND dead = 0 FOR UPDATE)";
        self.with(PATIENCE, async |connection| {
            sqlx::query(sql).bind(id.to_string()).bind(at).execute(connection).await?;
            Ok(())
        })
        .await
    }

    /// Games of dead instances that go on by themselves, at most `limit`. Leases of the dead that keep nobody waiting
    /// are forgotten, and in the end the instances.
    pub(crate) async fn orphaned_games(&mut self, limit: i64) -> Result<Vec<String>, StoreError> {
        self.with(PATIENCE, async |connection| {
            let dead = sqlx::query("SELECT 1 FROM instances WHERE dead = 1 LIMIT 1");
            if dead.fetch_optional(&mut *connection).await?.is_none() {
                return Ok(Vec::new());
            }
            let sql = format!(
                "SELECT l.game_id FROM leases l JOIN instances i ON i.id = l.owner \
                 JOIN games g ON g.id = l.game_id WHERE i.dead = 1 AND {NEEDS_SERVER} LIMIT $1"
            );
            let games: Vec<(String,)> =
                sqlx::query_as(AssertSqlSafe(sql)).bind(limit).fetch_all(&mut *connection).await?;
            if games.is_empty() {
                let forget = format!(
                    "DELETE FROM leases WHERE owner IN (SELECT id FROM instances WHERE dead = 1) AND NOT EXISTS \
                     (SELECT 1 FROM games g WHERE g.id = leases.game_id AND {NEEDS_SERVER})"
                );
                connection.execute(AssertSqlSafe(forget)).await?;
                // A claim made by a server that did not know yet that it is dead finds no row: it is not alive.
                let forget = "DELETE FROM instances WHERE dead = 1 AND NOT EXISTS \
                     (SELECT 1 FROM leases WHERE leases.owner = instances.id)";
                connection.execute(forget).await?;
            }
            Ok(games.into_iter().map(|(id,)| id).collect())
        })
        .await
    }

    /// What the servers of this site sign their messages with.
    pub(crate) async fn signing_key(&mut self, proposal: &str) -> Result<String, StoreError> {
        self.with(PATIENCE, async |connection| {
            let propose = "INSERT INTO site (id, signing_key) VALUES (1, $1) ON CONFLICT DO NOTHING";
            sqlx::query(propose).bind(proposal.to_string()).execute(&mut *connection).await?;
            let (key,): (String,) =
                sqlx::query_as("SELECT signing_key FROM site WHERE id = 1").fetch_one(connection).await?;
            Ok(key)
        })
        .await
    }
}

/// How long anything but a renewal may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(6);

impl Store {
    /// The register of instances; `None` for SQLite, which one server has for itself.
    pub(crate) fn register(&self) -> Option<Register> {
        let database = self.writer.database();
        (database.kind == Kind::Postgres).then(|| Register { database: database.clone(), connection: None })
    }

    /// Claims a game for an instance.
    pub(crate) async fn claim(&self, game: &str, lease: &Lease) -> Result<Claim, StoreError> {
        loop {
            let found = sqlx::query(
                "SELECT l.owner AS owner, i.dead AS dead, i.at AS at FROM leases l \
                 LEFT JOIN instances i ON i.id = l.owner WHERE l.game_id = $1",
            )
            .bind(game)
            .fetch_optional(&self.pool)
            .await?;
            let Some(found) = found else {
                let insert =
                    "INSERT INTO leases (game_id, owner, epoch) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
                let insert = sqlx::query(insert).bind(game).bind(&*lease.owner).bind(lease.epoch);
                if insert.execute(&self.pool).await?.rows_affected() > 0 {
                    return Ok(Claim::New);
                }
                continue;
            };
            let owner: String = found.try_get("owner")?;
            let alive = found.try_get::<Option<i64>, _>("dead")? == Some(0);
            if alive && owner != *lease.owner {
                return Ok(Claim::Theirs(owner.into()));
            }
            // Whoever was dead stays dead, so it is enough that the owner is the same.
            let update = "UPDATE leases SET owner = $2, epoch = $3 WHERE game_id = $1 AND owner = $4";
            let update = sqlx::query(update).bind(game).bind(&*lease.owner).bind(lease.epoch).bind(&*owner);
            if update.execute(&self.pool).await?.rows_affected() > 0 {
                return Ok(match owner == *lease.owner {
                    true => Claim::Kept,
                    false => Claim::Inherited(found.try_get("at")?),
                });
            }
        }
    }

    /// Gives a game back, unless it was claimed again.
    pub(crate) async fn release(&self, game: &str, lease: Lease) -> Result<(), StoreError> {
        self.writer.write(Write::Release { game: game.into(), lease }).await
    }
}
