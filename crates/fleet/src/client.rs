//! The submitter's side: hands in a run and its units, and reads results as they count.

use crate::broker::{Broker, FleetError};
use crate::message::{self, Request, Results, Status, Submitted};
use crate::work::{Counted, MAX_BODY, NewRun, Run, RunState, sha256};
use async_nats::Subscriber;
use futures_util::StreamExt;
use serde_json::Value;
use std::time::Duration;

/// A run waits so long for its coordinator before its submitter gives up; the run itself goes on.
const PATIENCE: Duration = Duration::from_secs(3600);
/// A question of a person waits only so long.
const ANSWER: Duration = Duration::from_secs(5);
/// How long a follower waits before it asks whether something has changed.
const LOOK: Duration = Duration::from_secs(1);

/// A connection to the coordinator.
#[derive(Clone, Debug)]
pub struct Client {
    broker: Broker,
}

impl Client {
    /// Connects.
    pub async fn connect(url: &str) -> Result<Client, FleetError> {
        Ok(Client { broker: Broker::connect(url).await? })
    }

    /// Puts a file into the object store; its SHA-256.
    pub async fn put_file(&self, bytes: &[u8]) -> Result<String, FleetError> {
        self.broker.put_file(bytes).await
    }

    /// Hands in a run: everything in `run` but its key and job, which follow from the document `job`. An unfinished
    /// run of the same job is continued, also if it was paused, and what failed in it is tried again.
    pub async fn submit(&self, run: NewRun, job: &Value) -> Result<Submitted, FleetError> {
        let text = job.to_string();
        let files = job["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let files: Vec<String> = files.map(String::from).collect();
        let job = self.broker.put_file(text.as_bytes()).await?;
        let key = sha256(format!("{} {job}", run.kind).as_bytes());
        let submit = Request::Submit { run: NewRun { key, job, ..run }, files };
        let submitted: Submitted = self.broker.insist(&submit, ANSWER).await?;
        match submitted.run.state {
            RunState::Failed => drop(self.retry(&submitted.run.id).await?),
            RunState::Paused => drop(self.set_state(&submitted.run.id, RunState::Running).await?),
            RunState::Running | RunState::Done | RunState::Stopped => {}
        }
        Ok(submitted)
    }

    /// Adds units to a run.
    pub async fn add(&self, run: &str, units: Vec<(i64, Value)>) -> Result<(), FleetError> {
        let mut batch: Vec<(i64, Value)> = Vec::new();
        let mut size = 0;
        for (number, spec) in units {
            let more = spec.to_string().len() + 32;
            if more > MAX_BODY {
                return Err(FleetError::Refused(format!(
                    "unit {number} has {more} bytes; at most {MAX_BODY}"
                )));
            }
            if size + more > MAX_BODY || batch.len() == 500 {
                self.add_batch(run, std::mem::take(&mut batch)).await?;
                size = 0;
            }
            size += more;
            batch.push((number, spec));
        }
        if batch.is_empty() { Ok(()) } else { self.add_batch(run, batch).await }
    }

    async fn add_batch(&self, run: &str, units: Vec<(i64, Value)>) -> Result<(), FleetError> {
        self.broker.insist(&Request::Add { run: run.into(), units }, PATIENCE).await
    }

    /// All units of a run that were added so far.
    pub async fn units(&self, run: &str) -> Result<Vec<(i64, Value)>, FleetError> {
        let mut all: Vec<(i64, Value)> = Vec::new();
        loop {
            let from = all.last().map_or(0, |(number, _)| number + 1);
            let request = Request::Units { run: run.into(), from };
            let page: Vec<(i64, Value)> = self.broker.insist(&request, PATIENCE).await?;
            if page.is_empty() {
                return Ok(all);
            }
            all.extend(page);
        }
    }

    /// No more units will come.
    pub async fn seal(&self, run: &str) -> Result<Run, FleetError> {
        self.broker.insist(&Request::Seal { run: run.into() }, PATIENCE).await
    }

    /// Tells people how the run stands.
    pub async fn summary(&self, run: &str, summary: Value) -> Result<(), FleetError> {
        self.broker.ask(&Request::Summary { run: run.into(), summary }).await
    }

    /// Reads results of a run from the first on.
    pub async fn follow(&self, run: &str) -> Result<Follower, FleetError> {
        let changes = self.broker.client.subscribe(message::changed_subject(run)).await;
        let changes = changes.map_err(|error| FleetError::Broker(error.to_string()))?;
        Ok(Follower { broker: self.broker.clone(), run: run.into(), after: 0, changes })
    }

    /// Everything people want to know, of one run or of all.
    pub async fn status(&self, run: Option<&str>) -> Result<Status, FleetError> {
        self.broker.insist(&Request::Status { run: run.map(String::from) }, ANSWER).await
    }

    /// Pauses, resumes or stops a run.
    pub async fn set_state(&self, run: &str, state: RunState) -> Result<Run, FleetError> {
        self.broker.insist(&Request::SetState { run: run.into(), state }, ANSWER).await
    }

    /// Gives dead units of a run a new start; their number.
    pub async fn retry(&self, run: &str) -> Result<i64, FleetError> {
        self.broker.insist(&Request::Retry { run: run.into() }, ANSWER).await
    }

    /// Lets a worker that was set aside take part again.
    pub async fn readmit(&self, worker: &str) -> Result<(), FleetError> {
        self.broker.insist(&Request::Readmit { worker: worker.into() }, ANSWER).await
    }
}

/// Reads the results of a run as they count.
#[derive(Debug)]
pub struct Follower {
    broker: Broker,
    run: String,
    after: i64,
    changes: Subscriber,
}

impl Follower {
    /// The run as it stands and results that are new, at once or after about `wait`. A result may replace one of the
    /// same unit that came before: its author was found to be wrong.
    pub async fn next(&mut self, wait: Duration) -> Result<(Run, Vec<Counted>), FleetError> {
        let until = tokio::time::Instant::now() + wait;
        loop {
            let request = Request::Results { run: self.run.clone(), after: self.after };
            let Results { run, results } = self.broker.insist(&request, PATIENCE).await?;
            if let Some(last) = results.last() {
                self.after = last.seq;
            }
            let now = tokio::time::Instant::now();
            if !results.is_empty() || run.state.is_over() || now >= until {
                return Ok((run, results));
            }
            let _ = tokio::time::timeout(LOOK.min(until - now), self.changes.next()).await;
            // Many changes, one question.
            while let Some(Some(_)) = futures_util::FutureExt::now_or_never(self.changes.next()) {}
        }
    }
}
