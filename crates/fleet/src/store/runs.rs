//! Runs: made, filled with units, paused, stopped, tried again.

use super::{Change, Store, StoreError, json};
use crate::work::{DeadUnit, NewRun, Run, RunState};
use serde_json::Value;
use sqlx::Row;
use sqlx::any::AnyRow;

/// Most units of a run.
const MAX_UNITS: i64 = 1_000_000;

impl Store {
    /// Makes a run called `id`, or finds the unfinished one with the same key; says which it is.
    pub async fn create_run(&self, id: &str, new: &NewRun, now: i64) -> Result<(Run, bool), StoreError> {
        let mut change = self.begin().await?;
        let open = "SELECT id FROM fleet_runs WHERE key = $1 AND state IN ('running', 'paused', 'failed')
                    ORDER BY created DESC LIMIT 1";
        let found = sqlx::query(open).bind(&new.key).fetch_optional(change.link()).await?;
        let (id, continued) = match found {
            Some(row) => (row.try_get::<String, _>(0)?, true),
            None => {
                sqlx::query(
                    "INSERT INTO fleet_runs (id, key, kind, title, job, needs, class, exact, unit_seconds, state, sealed,
                         units, done, dead, checks, seq, summary, created)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'running', 0, 0, 0, 0, 0, 0, 'null', $10)",
                )
                .bind(id)
                .bind(&new.key)
                .bind(&new.kind)
                .bind(&new.title)
                .bind(&new.job)
                .bind(serde_json::json!(new.needs).to_string())
                .bind(new.needs.class())
                .bind(i64::from(new.exact))
                .bind(i64::from(new.unit_seconds))
                .bind(now)
                .execute(change.link())
                .await?;
                (id.to_string(), false)
            }
        };
        change.commit().await?;
        Ok((self.run(&id).await?, continued))
    }

    /// Adds units; those that are there already stay as they are.
    pub async fn add_units(&self, run: &str, units: &[(i64, Value)]) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        let (state, known) = change.lock_run(run).await?;
        if state.is_over() {
            return Err(StoreError::Refused(format!("run {run} is over")));
        }
        if known + units.len() as i64 > MAX_UNITS {
            return Err(StoreError::Refused(format!("a run has at most {MAX_UNITS} units")));
        }
        let mut added = 0;
        for (number, spec) in units {
            let insert = sqlx::query(
                "INSERT INTO fleet_units (run, number, copy, spec, state, offers, attempts, worker, leased_at, until_ms, failures)
                 VALUES ($1, $2, 0, $3, 'queued', 0, 0, '', 0, 0, '[]') ON CONFLICT DO NOTHING",
            );
            let done = insert.bind(run).bind(number).bind(spec.to_string()).execute(change.link()).await?;
            added += done.rows_affected() as i64;
        }
        sqlx::query("UPDATE fleet_runs SET units = units + $2 WHERE id = $1")
            .bind(run)
            .bind(added)
            .execute(change.link())
            .await?;
        change.commit().await
    }

    /// No more units will come: the run ends when all have counted.
    pub async fn seal(&self, run: &str, now: i64) -> Result<Run, StoreError> {
        let mut change = self.begin().await?;
        change.lock_run(run).await?;
        sqlx::query("UPDATE fleet_runs SET sealed = 1 WHERE id = $1")
            .bind(run)
            .execute(change.link())
            .await?;
        change.end_if_complete(run, now).await?;
        change.commit().await?;
        self.run(run).await
    }

    /// Pauses, resumes or stops a run that is not over.
    pub async fn set_run_state(&self, run: &str, to: RunState, now: i64) -> Result<Run, StoreError> {
        let mut change = self.begin().await?;
        let (state, _) = change.lock_run(run).await?;
        let may = match to {
            RunState::Stopped => !matches!(state, RunState::Done | RunState::Stopped),
            _ => !state.is_over(),
        };
        if !may && state != to {
            return Err(StoreError::Refused(format!("run {run} is over: {}", state.word())));
        }
        let ended = to.is_over().then_some(now);
        sqlx::query("UPDATE fleet_runs SET state = $2, ended = $3 WHERE id = $1")
            .bind(run)
            .bind(to.word())
            .bind(ended)
            .execute(change.link())
            .await?;
        if to.is_over() {
            // Nothing of it is given out or compared any more.
            let forget = "DELETE FROM fleet_units WHERE run = $1 AND copy > 0 AND state <> 'done'";
            sqlx::query(forget).bind(run).execute(change.link()).await?;
            let none = "UPDATE fleet_runs SET checks = 0 WHERE id = $1";
            sqlx::query(none).bind(run).execute(change.link()).await?;
        }
        change.commit().await?;
        self.run(run).await
    }

    /// Gives units that failed too often a new start; their number.
    pub async fn retry_run(&self, run: &str) -> Result<i64, StoreError> {
        let mut change = self.begin().await?;
        let (state, _) = change.lock_run(run).await?;
        if matches!(state, RunState::Done | RunState::Stopped) {
            return Err(StoreError::Refused(format!("run {run} is over: {}", state.word())));
        }
        let again = "UPDATE fleet_units SET state = 'queued', attempts = 0, failures = '[]'
                     WHERE run = $1 AND state = 'dead'";
        let retried = sqlx::query(again).bind(run).execute(change.link()).await?.rows_affected() as i64;
        sqlx::query("UPDATE fleet_runs SET state = 'running', ended = NULL, dead = dead - $2 WHERE id = $1")
            .bind(run)
            .bind(retried)
            .execute(change.link())
            .await?;
        change.commit().await?;
        Ok(retried)
    }

    /// What the submitter reports for people.
    pub async fn set_summary(&self, run: &str, summary: &Value) -> Result<(), StoreError> {
        let mut change = self.begin().await?;
        sqlx::query("UPDATE fleet_runs SET summary = $2 WHERE id = $1")
            .bind(run)
            .bind(summary.to_string())
            .execute(change.link())
            .await?;
        change.commit().await
    }

    /// One run.
    pub async fn run(&self, id: &str) -> Result<Run, StoreError> {
        let row = sqlx::query("SELECT * FROM fleet_runs WHERE id = $1").bind(id);
        match row.fetch_optional(&self.pool).await? {
            Some(row) => run_of(&row),
            None => Err(StoreError::NoRun(id.into())),
        }
    }

    /// The newest runs, newest first.
    pub async fn runs(&self, limit: i64) -> Result<Vec<Run>, StoreError> {
        let rows = sqlx::query("SELECT * FROM fleet_runs ORDER BY created DESC, id LIMIT $1").bind(limit);
        rows.fetch_all(&self.pool).await?.iter().map(run_of).collect()
    }

    /// Specifications of a run's units from number `from` on, at most `limit`.
    pub async fn unit_specs(
        &self,
        run: &str,
        from: i64,
        limit: i64,
    ) -> Result<Vec<(i64, Value)>, StoreError> {
        let rows = sqlx::query(
            "SELECT number, spec FROM fleet_units WHERE run = $1 AND copy = 0 AND number >= $2 ORDER BY number LIMIT $3",
        );
        let rows = rows.bind(run).bind(from).bind(limit).fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok((row.try_get("number")?, json(row, "spec")?))).collect()
    }

    /// Units that failed too often, of one run or of all.
    pub async fn dead_units(&self, run: Option<&str>, limit: i64) -> Result<Vec<DeadUnit>, StoreError> {
        let rows = sqlx::query(
            "SELECT run, number, failures FROM fleet_units WHERE state = 'dead' AND (run = $1 OR $1 = '')
             ORDER BY run, number LIMIT $2",
        );
        let rows = rows.bind(run.unwrap_or_default()).bind(limit).fetch_all(&self.pool).await?;
        let dead = |row: &AnyRow| -> Result<DeadUnit, StoreError> {
            Ok(DeadUnit {
                run: row.try_get("run")?,
                number: row.try_get("number")?,
                failures: json(row, "failures")?,
            })
        };
        rows.iter().map(dead).collect()
    }
}

impl Change {
    /// Locks a run's row; its state and number of units.
    pub(super) async fn lock_run(&mut self, run: &str) -> Result<(RunState, i64), StoreError> {
        let query = self.locked("SELECT state, units FROM fleet_runs WHERE id = $1", "FOR UPDATE");
        match sqlx::query(query).bind(run).fetch_optional(self.link()).await? {
            Some(row) => Ok((state_of(&row)?, row.try_get("units")?)),
            None => Err(StoreError::NoRun(run.into())),
        }
    }

    /// Ends a run whose units have all counted or died and whose checks have all been made.
    pub(super) async fn end_if_complete(&mut self, run: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE fleet_runs SET state = CASE WHEN dead = 0 THEN 'done' ELSE 'failed' END, ended = $2
             WHERE id = $1 AND state IN ('running', 'paused') AND sealed = 1 AND done + dead = units AND checks = 0",
        )
        .bind(run)
        .bind(now)
        .execute(self.link())
        .await?;
        Ok(())
    }
}

fn state_of(row: &AnyRow) -> Result<RunState, StoreError> {
    let word: String = row.try_get("state")?;
    RunState::of(&word).ok_or_else(|| StoreError::Damaged(format!("state '{word}'")))
}

fn run_of(row: &AnyRow) -> Result<Run, StoreError> {
    Ok(Run {
        id: row.try_get("id")?,
        kind: row.try_get("kind")?,
        title: row.try_get("title")?,
        state: state_of(row)?,
        sealed: row.try_get::<i64, _>("sealed")? != 0,
        units: row.try_get("units")?,
        done: row.try_get("done")?,
        dead: row.try_get("dead")?,
        checks: row.try_get("checks")?,
        needs: json(row, "needs")?,
        summary: json(row, "summary")?,
        created: row.try_get("created")?,
        ended: row.try_get("ended")?,
    })
}
