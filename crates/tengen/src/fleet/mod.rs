//! Commands on many machines: `--fleet URL`, and what a worker does with the units of each kind.

mod desk;
mod executor;
mod games;
mod lines;
mod pieces;

pub(crate) use desk::make_desk;
pub(crate) use executor::make_executor;
pub(crate) use games::play;
pub(crate) use lines::answer_lines;
pub(crate) use pieces::{News, PieceRun, Piecework, all, in_order};

use anyhow::Context;
use fleet::client::{Client, Follower};
use fleet::work::{Counted, DeadUnit, NewRun, Run, RunState, Worker};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The bench signature of this version; a worker must compute the same.
pub(crate) const SIGNATURE: &str = include_str!("../../../../BENCH").trim_ascii();

/// The option of every command that can run on the fleet.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct FleetArgs {
    /// Run on the workers of this fleet: nats://TOKEN@HOST:PORT
    #[arg(long = "fleet", value_name = "URL")]
    pub(crate) url: Option<String>,
}

/// A connection to the fleet, for commands that wait for its answers.
pub(crate) struct Connection {
    runtime: tokio::runtime::Runtime,
    client: Client,
}

impl Connection {
    /// Connects.
    pub(crate) fn open(url: &str) -> anyhow::Result<Connection> {
        let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
        let client = runtime.block_on(Client::connect(url))?;
        Ok(Connection { runtime, client })
    }

    /// Puts a file where workers find it; its SHA-256.
    pub(crate) fn put_file(&self, path: &Path) -> anyhow::Result<String> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        self.ask(async |client| client.put_file(&bytes).await)
    }

    /// Waits for an answer.
    pub(crate) fn ask<T>(
        &self,
        question: impl AsyncFnOnce(&Client) -> Result<T, fleet::broker::FleetError>,
    ) -> anyhow::Result<T> {
        Ok(self.runtime.block_on(question(&self.client))?)
    }
}

/// A run that was handed in and is being followed.
struct Submission {
    connection: Connection,
    run: String,
    follower: Follower,
    /// Units that were there when we came.
    known: BTreeMap<i64, Value>,
}

impl Submission {
    /// Hands in a run, or finds it again.
    fn new(url: &str, run: NewRun, job: &Value) -> anyhow::Result<Submission> {
        let connection = Connection::open(url)?;
        let (submitted, follower, known) = connection.ask(async |client| {
            let submitted = client.submit(run, job).await?;
            let id = submitted.run.id.clone();
            let known = if submitted.continued { client.units(&id).await? } else { Vec::new() };
            Ok((submitted, client.follow(&id).await?, known))
        })?;
        let id = submitted.run.id;
        if submitted.continued {
            eprintln!(
                "tengen: continuing run {id} with {} of {} units done",
                submitted.run.done, submitted.run.units
            );
        }
        Ok(Submission { connection, run: id, follower, known: known.into_iter().collect() })
    }

    fn add(&self, units: Vec<(i64, Value)>) -> anyhow::Result<()> {
        self.connection.ask(async |client| client.add(&self.run, units).await)
    }

    /// New results, or none after a while.
    fn next(&mut self) -> anyhow::Result<(Run, Vec<Counted>)> {
        let next = self.follower.next(Duration::from_millis(200));
        let (run, results) = self.connection.runtime.block_on(next)?;
        if run.state == RunState::Stopped {
            anyhow::bail!("run {} was stopped by `tengen fleet stop`", run.id);
        }
        // With the last result of a run that cannot be completed.
        if results.is_empty() && run.dead > 0 && run.done + run.dead == run.units {
            let dead = self.connection.ask(async |client| client.status(Some(&run.id)).await)?.dead;
            anyhow::bail!("{}", dead_words(&run, &dead));
        }
        Ok((run, results))
    }

    /// Ends the run: everything has been added and counted, or nothing more is wanted.
    fn end(&self, stopped: bool) -> anyhow::Result<()> {
        let ended = if stopped {
            self.connection.ask(async |client| client.set_state(&self.run, RunState::Stopped).await)
        } else {
            self.connection.ask(async |client| client.seal(&self.run).await)
        };
        ended.map(drop)
    }

    /// Gives no more units out; the same command goes on with what was computed.
    fn pause(&self) -> anyhow::Result<()> {
        self.connection.ask(async |client| client.set_state(&self.run, RunState::Paused).await)?;
        let id = &self.run;
        eprintln!("tengen: run {id} is paused: the same command goes on, `tengen fleet stop {id}` ends it");
        Ok(())
    }

    /// Threads of the workers that are there.
    fn threads(&self) -> anyhow::Result<usize> {
        let status = self.connection.ask(async |client| client.status(Some(&self.run)).await)?;
        let works = |worker: &&Worker| worker.alive && worker.set_aside.is_empty();
        Ok(status.workers.iter().filter(works).map(|worker| worker.hello.threads.max(0) as usize).sum())
    }

    fn summary(&self, summary: Value) {
        // Only for people: it is sent again with the next result.
        let _ = self.connection.ask(async |client| client.summary(&self.run, summary).await);
    }
}

/// Why a run cannot be completed.
fn dead_words(run: &Run, dead: &[DeadUnit]) -> String {
    let mut words = format!("{} of {} units of run {} failed too often", run.dead, run.units, run.id);
    if let Some(unit) = dead.first()
        && let Some(failure) = unit.failures.last()
    {
        words += &format!("; unit {} on {}: {}", unit.number, failure.worker, failure.log);
    }
    words += &format!(". `tengen fleet retry {}` and the same command again continue it", run.id);
    words
}

/// A run of this kind with everything but its key and job.
fn new_run(kind: &str, title: String, exact: bool, unit_seconds: u32) -> NewRun {
    NewRun {
        key: String::new(),
        kind: kind.into(),
        title,
        job: String::new(),
        needs: fleet::work::Needs::default(),
        exact,
        unit_seconds,
    }
}
