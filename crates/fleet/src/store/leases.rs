//! Leases: a unit is offered, leased by one worker for a while, and offered again when the lease runs out.
//!
//! Locks are taken in one order, a run before its units, so that no two changes wait for each other.

use super::{Change, Store, StoreError, json};
use crate::work::{Failure, Unit, UnitId};
use serde::{Deserialize, Serialize};
use sqlx::Row;
use std::time::Duration;

/// Leases of a unit before it is dead.
const MAX_ATTEMPTS: i64 = 5;
/// Longest log kept of a failure, in characters.
const MAX_LOG: usize = 4_000;

/// How long things may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// A worker that is silent for so long has lost its units.
    pub lease: Duration,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing { lease: Duration::from_secs(30) }
    }
}

impl Timing {
    /// How often a worker shows that it is alive.
    pub fn beat(&self) -> Duration {
        self.lease / 5
    }

    /// A worker that was heard of within this time is alive.
    pub(crate) fn alive_ms(&self) -> i64 {
        self.lease.as_millis() as i64 / 2
    }

    fn lease_ms(&self) -> i64 {
        self.lease.as_millis() as i64
    }
}

/// The answer to a worker that wants to begin a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grant {
    /// It is yours.
    Granted,
    /// It was published again, counted or withdrawn: forget this copy.
    Stale,
    /// Another worker must do it.
    Elsewhere,
    /// You get no more work, and why.
    SetAside(String),
}

impl Store {
    /// Takes at most `limit` queued units of a class to be published.
    pub async fn offer(
        &self,
        class: &str,
        limit: i64,
        timing: &Timing,
        now: i64,
    ) -> Result<Vec<Unit>, StoreError> {
        let mut change = self.begin().await?;
        // By number before run: runs take turns.
        let query = change.locked(
            "SELECT u.run, u.number, u.copy, u.offers, u.spec, r.kind, r.job, r.unit_seconds
             FROM fleet_units u JOIN fleet_runs r ON r.id = u.run
             WHERE u.state = 'queued' AND r.state = 'running' AND r.class = $1
             ORDER BY u.copy DESC, u.number, r.created LIMIT $2",
            "FOR UPDATE OF u SKIP LOCKED",
        );
        let rows = sqlx::query(query).bind(class).bind(limit).fetch_all(change.link()).await?;
        let mut units = Vec::with_capacity(rows.len());
        for row in &rows {
            let id = UnitId {
                run: row.try_get("run")?,
                number: row.try_get("number")?,
                copy: row.try_get("copy")?,
            };
            let unit = Unit {
                offer: row.try_get::<i64, _>("offers")? + 1,
                kind: row.try_get("kind")?,
                job: row.try_get("job")?,
                spec: json(row, "spec")?,
                seconds: row.try_get::<i64, _>("unit_seconds")? as u32,
                id,
            };
            sqlx::query(
                "UPDATE fleet_units SET state = 'offered', offers = $4, until_ms = $5
                 WHERE run = $1 AND number = $2 AND copy = $3",
            )
            .bind(&unit.id.run)
            .bind(unit.id.number)
            .bind(unit.id.copy)
            .bind(unit.offer)
            .bind(now + timing.lease_ms())
            .execute(change.link())
            .await?;
            units.push(unit);
        }
        change.commit().await?;
        Ok(units)
    }

    /// Queues of running runs: class, needs (JSON), units queued, units offered.
    pub(crate) async fn queues(&self) -> Result<Vec<Queue>, StoreError> {
        let rows = sqlx::query(
            "SELECT r.class AS class, MIN(r.needs) AS needs,
                    CAST(SUM(CASE WHEN u.state = 'queued' THEN 1 ELSE 0 END) AS BIGINT) AS queued,
                    CAST(SUM(CASE WHEN u.state = 'offered' THEN 1 ELSE 0 END) AS BIGINT) AS offered
             FROM fleet_runs r JOIN fleet_units u ON u.run = r.id
             WHERE r.state = 'running' AND u.state IN ('queued', 'offered', 'leased') GROUP BY r.class",
        );
        let rows = rows.fetch_all(&self.pool).await?;
        let queue = |row| -> Result<Queue, StoreError> {
            let row: &sqlx::any::AnyRow = row;
            Ok(Queue {
                class: row.try_get("class")?,
                needs: json(row, "needs")?,
                queued: row.try_get("queued")?,
                offered: row.try_get("offered")?,
            })
        };
        rows.iter().map(queue).collect()
    }

    /// A worker wants to begin a unit that it received.
    pub async fn lease(
        &self,
        id: &UnitId,
        offer: i64,
        worker: &str,
        timing: &Timing,
        now: i64,
    ) -> Result<Grant, StoreError> {
        let mut change = self.begin().await?;
        let grant = change.lease(id, offer, worker, timing, now).await?;
        change.commit().await?;
        Ok(grant)
    }

    /// A worker is still at these units; returns those it should drop. A lease ends for good when the unit has taken
    /// longer than its run allows: a worker that hangs but still answers keeps nothing.
    pub async fn extend(
        &self,
        worker: &str,
        units: &[UnitId],
        timing: &Timing,
        now: i64,
    ) -> Result<Vec<UnitId>, StoreError> {
        let mut change = self.begin().await?;
        let mut dropped = Vec::new();
        for id in units {
            let kept = sqlx::query(
                "UPDATE fleet_units SET until_ms = $5
                 WHERE run = $1 AND number = $2 AND copy = $3 AND state = 'leased' AND worker = $4
                   AND EXISTS (SELECT 1 FROM fleet_runs r WHERE r.id = $1 AND r.state IN ('running', 'paused')
                               AND leased_at + 1000 * r.unit_seconds > $6)",
            )
            .bind(&id.run)
            .bind(id.number)
            .bind(id.copy)
            .bind(worker)
            .bind(now + timing.lease_ms())
            .bind(now)
            .execute(change.link())
            .await?;
            if kept.rows_affected() == 0 {
                dropped.push(id.clone());
            }
        }
        change.commit().await?;
        Ok(dropped)
    }

    /// A worker failed at a unit, or gives it back without blame (`log` is empty).
    pub async fn give_back(&self, id: &UnitId, worker: &str, log: &str, now: i64) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        change.lock_run(&id.run).await?;
        let failure = (!log.is_empty()).then(|| Failure::new(worker, log, false));
        change.release(id, Some(worker), failure, now).await?;
        change.commit().await
    }

    /// An offer could not be published: the unit waits for the next.
    pub(crate) async fn withdraw_offer(&self, id: &UnitId, offer: i64) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        sqlx::query(
            "UPDATE fleet_units SET state = 'queued'
             WHERE run = $1 AND number = $2 AND copy = $3 AND state = 'offered' AND offers = $4",
        )
        .bind(&id.run)
        .bind(id.number)
        .bind(id.copy)
        .bind(offer)
        .execute(change.link())
        .await?;
        change.commit().await
    }

    /// Queues again what was leased or offered for too long. Offers are left alone unless `offers`: they may only be
    /// waiting for a worker.
    pub async fn expire(&self, offers: bool, now: i64) -> Result<Vec<UnitId>, StoreError> {
        let rows = sqlx::query(
            "SELECT u.run, u.number, u.copy, u.worker, u.state,
                    CAST(CASE WHEN u.leased_at + 1000 * r.unit_seconds > $2 THEN 1 ELSE 0 END AS BIGINT)
             FROM fleet_units u JOIN fleet_runs r ON r.id = u.run
             WHERE (u.state = 'leased' OR (u.state = 'offered' AND $1 = 1)) AND u.until_ms < $2 LIMIT 1000",
        );
        let rows = rows.bind(i64::from(offers)).bind(now).fetch_all(&self.pool).await?;
        let mut expired = Vec::new();
        for row in rows {
            let id = UnitId { run: row.try_get(0)?, number: row.try_get(1)?, copy: row.try_get(2)? };
            let (worker, state): (String, String) = (row.try_get(3)?, row.try_get(4)?);
            let mut change = self.begin().await?;
            change.lock_run(&id.run).await?;
            // It may have moved on since it was read.
            let still = "SELECT 1 FROM fleet_units WHERE run = $1 AND number = $2 AND copy = $3 AND state = $4 AND until_ms < $5";
            let query = sqlx::query(still).bind(&id.run).bind(id.number).bind(id.copy).bind(&state).bind(now);
            if query.fetch_optional(change.link()).await?.is_none() {
                continue;
            }
            let silent = row.try_get::<i64, _>(5)? != 0;
            let log = if silent { "was not heard of for too long" } else { "took too long" };
            let leased = state == "leased";
            let failure = leased.then(|| Failure::new(&worker, log, silent));
            change.release(&id, leased.then_some(&*worker), failure, now).await?;
            change.commit().await?;
            expired.push(id);
        }
        Ok(expired)
    }
}

/// A queue and how full it is.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub(crate) class: String,
    pub(crate) needs: crate::work::Needs,
    pub(crate) queued: i64,
    pub(crate) offered: i64,
}

impl Failure {
    fn new(worker: &str, log: &str, silent: bool) -> Failure {
        Failure { worker: worker.into(), log: log.chars().take(MAX_LOG).collect(), silent }
    }
}

impl Change {
    async fn lease(
        &mut self,
        id: &UnitId,
        offer: i64,
        worker: &str,
        timing: &Timing,
        now: i64,
    ) -> Result<Grant, StoreError> {
        if let Some(reason) = self.set_aside_reason(worker).await? {
            return Ok(Grant::SetAside(reason));
        }
        let query = self.locked(
            "SELECT u.state, u.offers, u.worker, u.failures, r.state AS run_state
             FROM fleet_units u JOIN fleet_runs r ON r.id = u.run
             WHERE u.run = $1 AND u.number = $2 AND u.copy = $3",
            "FOR UPDATE OF u",
        );
        let row = sqlx::query(query).bind(&id.run).bind(id.number).bind(id.copy);
        let Some(row) = row.fetch_optional(self.link()).await? else { return Ok(Grant::Stale) };
        let (state, holder): (String, String) = (row.try_get("state")?, row.try_get("worker")?);
        if row.try_get::<String, _>("run_state")? != "running" || row.try_get::<i64, _>("offers")? != offer {
            return Ok(Grant::Stale);
        }
        match state.as_str() {
            // The answer to an earlier request was lost.
            "leased" if holder == worker => return Ok(Grant::Granted),
            "offered" => {}
            _ => return Ok(Grant::Stale),
        }
        let failures: Vec<Failure> = json(&row, "failures")?;
        let failed_here = failures.iter().any(|failure| failure.worker == worker);
        let own = id.copy > 0 && self.author(id).await?.as_deref() == Some(worker);
        if own || (failed_here && self.others_alive(worker, now - timing.alive_ms()).await?) {
            return Ok(Grant::Elsewhere);
        }
        sqlx::query(
            "UPDATE fleet_units SET state = 'leased', worker = $4, attempts = attempts + 1, leased_at = $5, until_ms = $6
             WHERE run = $1 AND number = $2 AND copy = $3",
        )
        .bind(&id.run)
        .bind(id.number)
        .bind(id.copy)
        .bind(worker)
        .bind(now)
        .bind(now + timing.lease_ms())
        .execute(self.link())
        .await?;
        Ok(Grant::Granted)
    }

    /// Queues a unit again, or lets it die after too many attempts. With a worker's name only if that worker has it.
    async fn release(
        &mut self,
        id: &UnitId,
        worker: Option<&str>,
        failure: Option<Failure>,
        now: i64,
    ) -> Result<(), StoreError> {
        let query = self.locked(
            "SELECT state, attempts, failures, worker FROM fleet_units WHERE run = $1 AND number = $2 AND copy = $3",
            "FOR UPDATE",
        );
        let row = sqlx::query(query).bind(&id.run).bind(id.number).bind(id.copy);
        let Some(row) = row.fetch_optional(self.link()).await? else { return Ok(()) };
        let (state, holder): (String, String) = (row.try_get("state")?, row.try_get("worker")?);
        let has_it = worker.is_none_or(|worker| state == "leased" && holder == worker);
        if !has_it || !matches!(state.as_str(), "leased" | "offered") {
            return Ok(());
        }
        let mut failures: Vec<Failure> = json(&row, "failures")?;
        let attempts: i64 = row.try_get("attempts")?;
        // An attempt that its worker gave back without a failure is none.
        let attempts = if worker.is_some() && failure.is_none() { attempts - 1 } else { attempts };
        failures.extend(failure);
        let dead = attempts >= MAX_ATTEMPTS && worker.is_some();
        sqlx::query(
            "UPDATE fleet_units SET state = $4, attempts = $5, failures = $6, worker = ''
             WHERE run = $1 AND number = $2 AND copy = $3",
        )
        .bind(&id.run)
        .bind(id.number)
        .bind(id.copy)
        .bind(if dead { "dead" } else { "queued" })
        .bind(attempts)
        .bind(serde_json::json!(failures).to_string())
        .execute(self.link())
        .await?;
        if dead {
            // A check that nobody can finish compares nothing; it must not hold up its run.
            let count = if id.copy == 0 {
                "UPDATE fleet_runs SET dead = dead + 1 WHERE id = $1"
            } else {
                "UPDATE fleet_runs SET checks = checks - 1 WHERE id = $1"
            };
            sqlx::query(count).bind(&id.run).execute(self.link()).await?;
            self.end_if_complete(&id.run, now).await?;
        }
        Ok(())
    }

    /// Who computed the counted result of a unit.
    async fn author(&mut self, id: &UnitId) -> Result<Option<String>, StoreError> {
        let query = "SELECT worker FROM fleet_results WHERE run = $1 AND number = $2 AND copy = 0";
        let row = sqlx::query(query).bind(&id.run).bind(id.number).fetch_optional(self.link()).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }
}
