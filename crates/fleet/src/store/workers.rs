//! Workers: what they say of themselves, and what is known of them.

use super::{Change, Store, StoreError, Timing, json};
use crate::work::{Hello, Worker};
use sqlx::Row;
use sqlx::any::AnyRow;

impl Store {
    /// A worker has joined, or joined again. Its first result is checked.
    pub async fn join(&self, hello: &Hello, now: i64) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        sqlx::query(
            "INSERT INTO fleet_workers (id, version, signature, speed, threads, programs, noisy, joined, seen, counted,
                 agreed, failed, check_at, set_aside)
             VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7, 0, 0, 0, 1, '')
             ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, signature = EXCLUDED.signature,
                 speed = EXCLUDED.speed, threads = EXCLUDED.threads, programs = EXCLUDED.programs, seen = EXCLUDED.seen",
        )
        .bind(&hello.id)
        .bind(&hello.version)
        .bind(&hello.signature)
        .bind(hello.speed)
        .bind(hello.threads)
        .bind(serde_json::json!(hello.programs).to_string())
        .bind(now)
        .execute(change.link())
        .await?;
        change.commit().await
    }

    /// A worker shows that it is alive. Returns what is known of it; `None` if it never joined.
    pub async fn seen(
        &self,
        worker: &str,
        noisy: bool,
        timing: &Timing,
        now: i64,
    ) -> Result<Option<Worker>, StoreError> {
        let mut change = self.begin().await?;
        sqlx::query("UPDATE fleet_workers SET seen = $2, noisy = $3 WHERE id = $1")
            .bind(worker)
            .bind(now)
            .bind(i64::from(noisy))
            .execute(change.link())
            .await?;
        let row = sqlx::query(
            "SELECT fleet_workers.*, CAST(0 AS BIGINT) AS leased FROM fleet_workers WHERE id = $1",
        );
        let row = row.bind(worker).fetch_optional(change.link()).await?;
        change.commit().await?;
        row.map(|row| worker_of(&row, timing, now)).transpose()
    }

    /// A worker has left: it is not alive, and not to be waited for.
    pub async fn left(&self, worker: &str) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        let query = "UPDATE fleet_workers SET seen = 0 WHERE id = $1";
        sqlx::query(query).bind(worker).execute(change.link()).await?;
        change.commit().await
    }

    /// Lets a worker that was set aside take part again.
    pub async fn readmit(&self, worker: &str) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        let query =
            "UPDATE fleet_workers SET set_aside = '', failed = 0, check_at = counted + 1 WHERE id = $1";
        let done = sqlx::query(query).bind(worker).execute(change.link()).await?;
        if done.rows_affected() == 0 {
            return Err(StoreError::NoWorker(worker.into()));
        }
        change.commit().await
    }

    /// The workers that were set aside and then the others, those heard of last first, at most `limit` of each: neither many
    /// new names nor many that were set aside hide the rest.
    pub async fn workers(&self, limit: i64, timing: &Timing, now: i64) -> Result<Vec<Worker>, StoreError> {
        let mut workers = Vec::new();
        for works in [0, 1] {
            let rows = sqlx::query(
                "SELECT w.*, (SELECT COUNT(*) FROM fleet_units u WHERE u.state = 'leased' AND u.worker = w.id) AS leased
                 FROM fleet_workers w WHERE CASE WHEN w.set_aside = '' THEN 1 ELSE 0 END = $2
                 ORDER BY w.seen DESC, w.joined DESC, w.id LIMIT $1",
            );
            for row in rows.bind(limit).bind(works).fetch_all(&self.pool).await? {
                workers.push(worker_of(&row, timing, now)?);
            }
        }
        Ok(workers)
    }
}

impl Change {
    /// Why a worker gets no work, if so.
    pub(super) async fn set_aside_reason(&mut self, worker: &str) -> Result<Option<String>, StoreError> {
        let query = "SELECT set_aside FROM fleet_workers WHERE id = $1";
        let row = sqlx::query(query).bind(worker).fetch_optional(self.link()).await?;
        let reason: String = match row {
            Some(row) => row.try_get(0)?,
            None => return Err(StoreError::NoWorker(worker.into())),
        };
        Ok(Some(reason).filter(|reason| !reason.is_empty()))
    }

    /// Has any other worker that gets work been seen since?
    pub(super) async fn others_alive(&mut self, worker: &str, since: i64) -> Result<bool, StoreError> {
        let query = "SELECT 1 FROM fleet_workers WHERE id <> $1 AND seen > $2 AND set_aside = '' LIMIT 1";
        let row = sqlx::query(query).bind(worker).bind(since).fetch_optional(self.link()).await?;
        Ok(row.is_some())
    }
}

fn worker_of(row: &AnyRow, timing: &Timing, now: i64) -> Result<Worker, StoreError> {
    let seen: i64 = row.try_get("seen")?;
    Ok(Worker {
        hello: Hello {
            id: row.try_get("id")?,
            version: row.try_get("version")?,
            signature: row.try_get("signature")?,
            speed: row.try_get("speed")?,
            threads: row.try_get("threads")?,
            programs: json(row, "programs")?,
        },
        noisy: row.try_get::<i64, _>("noisy")? != 0,
        seen,
        alive: seen > now - timing.alive_ms(),
        leased: row.try_get("leased")?,
        counted: row.try_get("counted")?,
        agreed: row.try_get("agreed")?,
        failed: row.try_get("failed")?,
        set_aside: row.try_get("set_aside")?,
    })
}
