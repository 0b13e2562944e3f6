//! Results: counted once, compared with a second run of the same unit, withdrawn when their author lied.

use super::{Change, Store, StoreError, json};
use crate::trust;
use crate::work::{Counted, Failure, Unit, UnitId, UnitResult};
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

/// What became of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeliveryOutcome {
    /// It is in the record and counts.
    Counted,
    /// The unit had counted before, or is not wanted any more.
    NotNeeded,
    /// It was compared with the first run and agrees.
    Agrees,
    /// It was compared with the first run and differs.
    Differs,
    /// The author gets no more work, and why.
    SetAside(String),
}

impl Store {
    /// Takes in a result. `chance` is a random number that decides which result is checked next.
    pub async fn count(
        &self,
        id: &UnitId,
        worker: &str,
        seconds: f64,
        result: &UnitResult,
        chance: u64,
        now: i64,
    ) -> Result<DeliveryOutcome, StoreError> {
        let mut change = self.begin().await?;
        let verdict = change.count(id, worker, seconds, result, chance, now).await?;
        if verdict == DeliveryOutcome::Counted || verdict == DeliveryOutcome::Agrees {
            change.end_if_complete(&id.run, now).await?;
        }
        change.commit().await?;
        Ok(verdict)
    }

    /// Counted results after number `after`, up to about `max_bytes` of them.
    pub async fn results(&self, run: &str, after: i64, max_bytes: usize) -> Result<Vec<Counted>, StoreError> {
        let rows = sqlx::query(
            "SELECT seq, number, worker, seconds, body FROM fleet_results
             WHERE run = $1 AND copy = 0 AND seq > $2 ORDER BY seq LIMIT 500",
        );
        let rows = rows.bind(run).bind(after).fetch_all(&self.pool).await?;
        let mut size = 0;
        let mut results = Vec::new();
        for row in &rows {
            size += row.try_get::<String, _>("body")?.len();
            if size > max_bytes && !results.is_empty() {
                break;
            }
            results.push(counted_of(row)?);
        }
        Ok(results)
    }

    /// Units whose two runs gave different bits, to be settled by a third.
    pub async fn disputed(&self) -> Result<Vec<Unit>, StoreError> {
        let rows = sqlx::query(
            "SELECT u.run, u.number, u.offers, u.spec, r.kind, r.job, r.unit_seconds
             FROM fleet_units u JOIN fleet_runs r ON r.id = u.run WHERE u.state = 'disputed' LIMIT 100",
        );
        let rows = rows.fetch_all(&self.pool).await?;
        let unit = |row: &AnyRow| -> Result<Unit, StoreError> {
            Ok(Unit {
                id: UnitId { run: row.try_get("run")?, number: row.try_get("number")?, copy: 1 },
                offer: row.try_get("offers")?,
                kind: row.try_get("kind")?,
                job: row.try_get("job")?,
                spec: json(row, "spec")?,
                seconds: row.try_get::<i64, _>("unit_seconds")? as u32,
            })
        };
        rows.iter().map(unit).collect()
    }

    /// Settles a dispute with a run that is trusted: whoever differs from it is set aside. Returns their names.
    pub async fn settle(&self, id: &UnitId, truth: &UnitResult, now: i64) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query("SELECT worker, digest FROM fleet_results WHERE run = $1 AND number = $2");
        let rows = rows.bind(&id.run).bind(id.number).fetch_all(&self.pool).await?;
        let digest = truth.digest();
        let mut liars = Vec::new();
        for row in rows {
            if row.try_get::<String, _>("digest")? != digest {
                liars.push(row.try_get::<String, _>("worker")?);
            }
        }
        let reason = format!("unit {}.{}: its result differs from that of a second run", id.run, id.number);
        for liar in &liars {
            self.set_aside(liar, &reason, now).await?;
        }
        // Withdrawing a liar's first run has removed the dispute with it; otherwise it ends here.
        let mut change = self.begin().await?;
        change.lock_run(&id.run).await?;
        let closed = sqlx::query(
            "UPDATE fleet_units SET state = 'done' WHERE run = $1 AND number = $2 AND copy = 1 AND state = 'disputed'",
        );
        let closed = closed.bind(&id.run).bind(id.number).execute(change.link()).await?.rows_affected();
        change.checks_made(&id.run, closed as i64).await?;
        change.end_if_complete(&id.run, now).await?;
        change.commit().await?;
        Ok(liars)
    }

    /// Gives a worker no more work, and withdraws its results from all runs that are not over.
    pub async fn set_aside(&self, worker: &str, reason: &str, now: i64) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        sqlx::query("UPDATE fleet_workers SET set_aside = $2 WHERE id = $1 AND set_aside = ''")
            .bind(worker)
            .bind(reason)
            .execute(change.link())
            .await?;
        change.commit().await?;
        // From here on it is given nothing and nothing of it counts, so one pass withdraws everything.
        let rows = sqlx::query(
            "SELECT DISTINCT f.run FROM fleet_results f JOIN fleet_runs r ON r.id = f.run
             WHERE f.worker = $1 AND r.state IN ('running', 'paused') ORDER BY f.run",
        );
        for row in rows.bind(worker).fetch_all(&self.pool).await? {
            let run: String = row.try_get(0)?;
            self.withdraw(&run, worker, now).await?;
        }
        Ok(())
    }

    async fn withdraw(&self, run: &str, worker: &str, now: i64) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        if change.lock_run(run).await?.0.is_over() {
            return Ok(());
        }
        let own = "SELECT number FROM fleet_results WHERE run = $1 AND worker = $2 AND copy = 0";
        let rows = sqlx::query(own).bind(run).bind(worker).fetch_all(change.link()).await?;
        for row in &rows {
            let number: i64 = row.try_get(0)?;
            for copies in [
                "DELETE FROM fleet_results WHERE run = $1 AND number = $2",
                "UPDATE fleet_units SET state = 'queued', attempts = 0, failures = '[]', worker = ''
                 WHERE run = $1 AND number = $2 AND copy = 0",
                "UPDATE fleet_runs SET done = done - 1 WHERE id = $1 AND $2 = $2",
            ] {
                sqlx::query(copies).bind(run).bind(number).execute(change.link()).await?;
            }
            let open = "DELETE FROM fleet_units WHERE run = $1 AND number = $2 AND copy > 0 AND state NOT IN ('done', 'dead')";
            let open = sqlx::query(open).bind(run).bind(number).execute(change.link()).await?;
            change.checks_made(run, open.rows_affected() as i64).await?;
            let compared = "DELETE FROM fleet_units WHERE run = $1 AND number = $2 AND copy > 0";
            sqlx::query(compared).bind(run).bind(number).execute(change.link()).await?;
        }
        change.end_if_complete(run, now).await?;
        change.commit().await
    }

    /// Removes checks that no second worker is there to make.
    pub(crate) async fn drop_checks(&self, now: i64) -> Result<(), StoreError> {
        let rows =
            sqlx::query("SELECT id FROM fleet_runs WHERE checks > 0 AND state IN ('running', 'paused')");
        for row in rows.fetch_all(&self.pool).await? {
            let run: String = row.try_get(0)?;
            let mut change = self.begin().await?;
            change.lock_run(&run).await?;
            let open =
                "DELETE FROM fleet_units WHERE run = $1 AND copy > 0 AND state IN ('queued', 'offered')";
            let dropped = sqlx::query(open).bind(&run).execute(change.link()).await?.rows_affected();
            change.checks_made(&run, dropped as i64).await?;
            change.end_if_complete(&run, now).await?;
            change.commit().await?;
        }
        Ok(())
    }
}

impl Change {
    async fn count(
        &mut self,
        id: &UnitId,
        worker: &str,
        seconds: f64,
        result: &UnitResult,
        chance: u64,
        now: i64,
    ) -> Result<DeliveryOutcome, StoreError> {
        if let Some(reason) = self.set_aside_reason(worker).await? {
            return Ok(DeliveryOutcome::SetAside(reason));
        }
        let query = self.locked("SELECT state, exact FROM fleet_runs WHERE id = $1", "FOR UPDATE");
        let run = sqlx::query(query).bind(&id.run).fetch_optional(self.link()).await?;
        let run = run.ok_or_else(|| StoreError::NoRun(id.run.clone()))?;
        let exact = run.try_get::<i64, _>("exact")? != 0;
        let wanted = matches!(run.try_get::<String, _>("state")?.as_str(), "running" | "paused");
        let unit = "SELECT state, failures FROM fleet_units WHERE run = $1 AND number = $2 AND copy = $3";
        let unit = sqlx::query(unit).bind(&id.run).bind(id.number).bind(id.copy);
        let Some(unit) = unit.fetch_optional(self.link()).await?.filter(|_| wanted) else {
            return Ok(DeliveryOutcome::NotNeeded);
        };
        let state: String = unit.try_get("state")?;
        if matches!(state.as_str(), "done" | "disputed") {
            return Ok(DeliveryOutcome::NotNeeded);
        }
        let digest = result.digest();
        let seq = if id.copy == 0 { self.next_seq(&id.run, &state).await? } else { 0 };
        sqlx::query(
            "INSERT INTO fleet_results (run, number, copy, seq, worker, digest, body, seconds, at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(&id.run)
        .bind(id.number)
        .bind(id.copy)
        .bind(seq)
        .bind(worker)
        .bind(&digest)
        .bind(serde_json::json!(result).to_string())
        .bind(seconds)
        .bind(now)
        .execute(self.link())
        .await?;
        let verdict = if id.copy == 0 {
            self.credit(worker, exact, id, chance).await?;
            self.blame(&json::<Vec<Failure>>(&unit, "failures")?, worker).await?;
            DeliveryOutcome::Counted
        } else {
            self.compare(id, worker, &digest).await?
        };
        let state = if verdict == DeliveryOutcome::Differs { "disputed" } else { "done" };
        self.set_unit_state(id, state).await?;
        Ok(verdict)
    }

    /// Counts one more result of a run; its number. The run's row is locked.
    async fn next_seq(&mut self, run: &str, unit_state: &str) -> Result<i64, StoreError> {
        // A dead unit may come to life: its last worker was only slow.
        let revived = i64::from(unit_state == "dead");
        let row = sqlx::query(
            "UPDATE fleet_runs SET done = done + 1, seq = seq + 1, dead = dead - $2 WHERE id = $1 RETURNING seq",
        );
        Ok(row.bind(run).bind(revived).fetch_one(self.link()).await?.try_get(0)?)
    }

    /// Credits a worker with a result, and decides whether another worker runs the unit again.
    async fn credit(
        &mut self,
        worker: &str,
        exact: bool,
        id: &UnitId,
        chance: u64,
    ) -> Result<(), StoreError> {
        let row = sqlx::query(
            "UPDATE fleet_workers SET counted = counted + 1 WHERE id = $1 RETURNING counted, check_at",
        );
        let Some(row) = row.bind(worker).fetch_optional(self.link()).await? else { return Ok(()) };
        let (counted, check_at): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        if !exact || counted < check_at {
            return Ok(());
        }
        sqlx::query("UPDATE fleet_workers SET check_at = $2 WHERE id = $1")
            .bind(worker)
            .bind(trust::next_check(counted, chance))
            .execute(self.link())
            .await?;
        let again = sqlx::query(
            "INSERT INTO fleet_units (run, number, copy, spec, state, offers, attempts, worker, leased_at, until_ms, failures)
             SELECT run, number, 1, spec, 'queued', 0, 0, '', 0, 0, '[]' FROM fleet_units
             WHERE run = $1 AND number = $2 AND copy = 0 ON CONFLICT DO NOTHING",
        );
        let added = again.bind(&id.run).bind(id.number).execute(self.link()).await?.rows_affected() as i64;
        self.checks_made(&id.run, -added).await
    }

    /// A unit that some failed at has now been completed: the fault was theirs.
    async fn blame(&mut self, failures: &[Failure], author: &str) -> Result<(), StoreError> {
        for failure in failures.iter().filter(|failure| failure.worker != author && !failure.silent) {
            let reason = format!(
                "failed at {} units that others completed; the last: {}",
                trust::MAX_FAILED,
                failure.log
            );
            sqlx::query(
                "UPDATE fleet_workers SET failed = failed + 1,
                     set_aside = CASE WHEN failed + 1 >= $2 AND set_aside = '' THEN $3 ELSE set_aside END
                 WHERE id = $1",
            )
            .bind(&failure.worker)
            .bind(trust::MAX_FAILED)
            .bind(reason)
            .execute(self.link())
            .await?;
        }
        Ok(())
    }

    async fn compare(
        &mut self,
        id: &UnitId,
        worker: &str,
        digest: &str,
    ) -> Result<DeliveryOutcome, StoreError> {
        let first = "SELECT digest, worker FROM fleet_results WHERE run = $1 AND number = $2 AND copy = 0";
        let first = sqlx::query(first).bind(&id.run).bind(id.number).fetch_optional(self.link()).await?;
        let first = first.ok_or_else(|| StoreError::Damaged(format!("unit {id} has no first run")))?;
        if first.try_get::<String, _>("digest")? != digest {
            return Ok(DeliveryOutcome::Differs);
        }
        let author: String = first.try_get("worker")?;
        for name in [worker, &author] {
            let agreed = "UPDATE fleet_workers SET agreed = agreed + 1 WHERE id = $1";
            sqlx::query(agreed).bind(name).execute(self.link()).await?;
        }
        self.checks_made(&id.run, 1).await?;
        Ok(DeliveryOutcome::Agrees)
    }

    async fn checks_made(&mut self, run: &str, made: i64) -> Result<(), StoreError> {
        let query = "UPDATE fleet_runs SET checks = checks - $2 WHERE id = $1";
        sqlx::query(query).bind(run).bind(made).execute(self.link()).await?;
        Ok(())
    }

    async fn set_unit_state(&mut self, id: &UnitId, state: &str) -> Result<(), StoreError> {
        let query = "UPDATE fleet_units SET state = $4 WHERE run = $1 AND number = $2 AND copy = $3";
        let query = sqlx::query(query).bind(&id.run).bind(id.number).bind(id.copy).bind(state);
        query.execute(self.link()).await?;
        Ok(())
    }
}

fn counted_of(row: &AnyRow) -> Result<Counted, StoreError> {
    Ok(Counted {
        seq: row.try_get("seq")?,
        number: row.try_get("number")?,
        worker: row.try_get("worker")?,
        seconds: row.try_get("seconds")?,
        result: json(row, "body")?,
    })
}
