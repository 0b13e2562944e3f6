//! The coordinator: answers requests from the record and keeps the stream of units filled.
//!
//! It holds nothing that matters in memory. Killed at any moment and started again, or started twice, it goes on from
//! the record: an answer that was lost is asked for again, a unit that was not published is published later.

use crate::broker::{Broker, FleetError};
use crate::executor::{Executor, Failed, MakeExecutor, Work};
use crate::files::Files;
use crate::message::{self, Beat, CoordinatorReply, Request, Results, Status, Submitted, Welcome};
use crate::store::{Store, StoreError, Timing};
use crate::work::{MAX_BODY, RunState, Unit, UnitId};
use crate::{now_ms, random_hex, random_u64};
use async_nats::Message;
use futures_util::StreamExt;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, Notify, Semaphore};

/// Requests answered at the same time.
const REQUESTS_AT_ONCE: usize = 32;
/// How long nothing may happen before the record is looked at again.
const TICK: Duration = Duration::from_millis(250);
/// How long it is left alone in any case.
const REST: Duration = Duration::from_millis(20);
/// Units published ahead of the workers, besides two for each of their threads.
const AHEAD: i64 = 8;
/// Runs, workers and dead units in an answer.
const SHOWN: i64 = 100;

/// What a coordinator needs to know.
#[derive(Clone)]
pub struct CoordinatorConfig {
    /// How long leases last.
    pub timing: Timing,
    /// The bench signature that workers must have.
    pub signature: String,
    /// The version, for messages.
    pub version: String,
    /// Settles disputes: what it computes is true.
    pub executor: MakeExecutor,
    /// Folder for files of jobs.
    pub files: PathBuf,
}

/// A coordinator.
#[derive(Clone)]
pub struct Coordinator {
    store: Store,
    broker: Broker,
    config: CoordinatorConfig,
    files: Files,
    wake: Arc<Notify>,
    referee: Arc<Mutex<Box<dyn Executor>>>,
}

impl Coordinator {
    /// A coordinator of this record and this broker.
    pub fn new(store: Store, broker: Broker, config: CoordinatorConfig) -> Result<Coordinator, FleetError> {
        let files = Files::new(&config.files)?;
        let referee = Arc::new(Mutex::new((config.executor)(0)));
        Ok(Coordinator { store, broker, config, files, wake: Arc::default(), referee })
    }

    /// Works until it is dropped.
    pub async fn run(self) -> Result<(), FleetError> {
        let requests = self.broker.client.queue_subscribe(message::REQUESTS, "coordinators".into()).await;
        let mut requests = requests.map_err(|error| FleetError::Broker(error.to_string()))?;
        let places = Arc::new(Semaphore::new(REQUESTS_AT_ONCE));
        let background =
            [tokio::spawn(self.clone().publish_units()), tokio::spawn(self.clone().settle_disputes())];
        let background = background.map(AbortOnDrop);
        while let Some(request) = requests.next().await {
            let Ok(place) = places.clone().acquire_owned().await else { break };
            let coordinator = self.clone();
            tokio::spawn(async move {
                coordinator.answer(request).await;
                drop(place);
            });
        }
        drop(background);
        Err(FleetError::Broker("the connection was closed".into()))
    }

    async fn answer(&self, request: Message) {
        let answer = match serde_json::from_slice::<Request>(&request.payload) {
            Ok(request) => match self.carry_out(request).await {
                Ok(value) => CoordinatorReply::Ok(value),
                Err(Problem::Later(why)) => CoordinatorReply::Later(why),
                Err(Problem::Refused(why)) => CoordinatorReply::Refused(why),
            },
            Err(error) => CoordinatorReply::Refused(format!("not a request of this version: {error}")),
        };
        let Some(reply) = request.reply else { return };
        if let Ok(body) = serde_json::to_vec(&answer) {
            // An answer that is lost is asked for again.
            let _ = self.broker.client.publish(reply, body.into()).await;
        }
    }

    async fn carry_out(&self, request: Request) -> Result<Value, Problem> {
        let (store, timing, now) = (&self.store, &self.config.timing, now_ms());
        match request {
            Request::Join { hello } => {
                if hello.signature != self.config.signature {
                    return Err(Problem::Refused(format!(
                        "this worker is Tengen {} with bench signature {}, the fleet runs {} with {}: use the same version",
                        hello.version, hello.signature, self.config.version, self.config.signature
                    )));
                }
                store.join(&hello, now).await?;
                self.wake.notify_one();
                to_value(&Welcome { timing: *timing })
            }
            Request::Beat { worker, noisy, units } => self.beat(&worker, noisy, &units, now).await,
            Request::Leave { worker, units } => {
                for unit in &units {
                    store.give_back(unit, &worker, "", now).await?;
                }
                store.left(&worker).await?;
                self.wake.notify_one();
                to_value(&())
            }
            Request::Lease { unit, offer, worker } => {
                to_value(&store.lease(&unit, offer, &worker, timing, now).await?)
            }
            Request::Deliver { unit, worker, seconds, result } => {
                let verdict = store.count(&unit, &worker, seconds, &result, random_u64(), now).await?;
                self.changed(&unit.run).await;
                to_value(&verdict)
            }
            Request::Fail { unit, worker, log } => {
                store.give_back(&unit, &worker, &log, now).await?;
                self.changed(&unit.run).await;
                to_value(&())
            }
            Request::Restore { sha256 } => {
                let Some(bytes) = store.blob(&sha256).await? else {
                    return Err(Problem::Refused(format!("there is no file {sha256}")));
                };
                self.broker.put_file(&bytes).await.map_err(Problem::from)?;
                to_value(&())
            }
            Request::Submit { run, files } => {
                for name in files.iter().chain([&run.job]) {
                    if store.blob(name).await?.is_none() {
                        let bytes = self.broker.get_file(name).await.map_err(Problem::from)?;
                        let missing = || Problem::Later(format!("the file {name} has not arrived"));
                        store.put_blob(name, &bytes.ok_or_else(missing)?).await?;
                    }
                }
                let (run, continued) = store.create_run(&random_hex(), &run, now).await?;
                to_value(&Submitted { run, continued })
            }
            Request::Add { run, units } => {
                store.add_units(&run, &units).await?;
                self.wake.notify_one();
                to_value(&())
            }
            Request::Seal { run } => {
                let run = store.seal(&run, now).await?;
                self.changed(&run.id).await;
                to_value(&run)
            }
            Request::Summary { run, summary } => {
                store.set_summary(&run, &summary).await?;
                to_value(&())
            }
            Request::Results { run, after } => {
                // The run first: whoever sees it done then has all its results.
                let run = store.run(&run).await?;
                let results = store.results(&run.id, after, MAX_BODY / 2).await?;
                to_value(&Results { run, results })
            }
            Request::Units { run, from } => {
                let mut size = 0;
                let mut units = store.unit_specs(&run, from, 500).await?;
                units.retain(|(_, spec)| {
                    size += spec.to_string().len();
                    size < MAX_BODY
                });
                to_value(&units)
            }
            Request::Status { run } => to_value(&self.status(run.as_deref()).await?),
            Request::SetState { run, state } => {
                let run = store.set_run_state(&run, state, now).await?;
                if state == RunState::Stopped {
                    let _ = self.broker.client.publish(message::CANCEL, run.id.clone().into()).await;
                }
                self.changed(&run.id).await;
                to_value(&run)
            }
            Request::Retry { run } => {
                let retried = store.retry_run(&run).await?;
                self.changed(&run).await;
                to_value(&retried)
            }
            Request::Readmit { worker } => {
                store.readmit(&worker).await?;
                to_value(&())
            }
        }
    }

    /// Everything people want to know, of one run or of all.
    pub async fn status(&self, run: Option<&str>) -> Result<Status, StoreError> {
        Ok(Status {
            runs: match run {
                Some(run) => vec![self.store.run(run).await?],
                None => self.store.runs(SHOWN).await?,
            },
            workers: self.store.workers(SHOWN, &self.config.timing, now_ms()).await?,
            dead: self.store.dead_units(run, SHOWN).await?,
        })
    }

    async fn beat(&self, worker: &str, noisy: bool, units: &[UnitId], now: i64) -> Result<Value, Problem> {
        let timing = &self.config.timing;
        let known = self.store.seen(worker, noisy, timing, now).await?;
        let dropped = self.store.extend(worker, units, timing, now).await?;
        let Some(worker) = known else {
            return to_value(&Beat { unknown: true, classes: Vec::new(), dropped, set_aside: String::new() });
        };
        let queues = self.store.queues().await?;
        let mine = queues.into_iter().filter(|queue| queue.needs.met_by(&worker.hello.programs, noisy));
        let classes = mine.map(|queue| queue.class).collect();
        to_value(&Beat { unknown: false, classes, dropped, set_aside: worker.set_aside })
    }

    /// Tells whoever follows a run, and the publisher, that something has changed.
    async fn changed(&self, run: &str) {
        self.wake.notify_one();
        let _ = self.broker.client.publish(message::changed_subject(run), "".into()).await;
    }

    /// Keeps the stream filled, and takes back what was lost.
    async fn publish_units(self) {
        let mut consumers = HashSet::new();
        let mut solitude = Solitude::default();
        let mut looked = Instant::now();
        let mut failing = false;
        loop {
            let audit = looked.elapsed() > self.config.timing.beat();
            if audit {
                looked = Instant::now();
            }
            match self.publish_once(&mut consumers, &mut solitude, audit).await {
                Ok(()) => failing = false,
                Err(error) => {
                    // The broker may have lost everything it knew, and no worker could show that it is alive.
                    consumers.clear();
                    solitude = Solitude::default();
                    if !failing {
                        tracing::warn!(%error, "units cannot be published now");
                    }
                    failing = true;
                    tokio::time::sleep(TICK).await;
                }
            }
            // Not for every single result: a look at the queues is worth more when several have changed.
            tokio::time::sleep(REST).await;
            let _ = tokio::time::timeout(TICK, self.wake.notified()).await;
        }
    }

    async fn publish_once(
        &self,
        consumers: &mut HashSet<String>,
        solitude: &mut Solitude,
        audit: bool,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let (store, timing, now) = (&self.store, &self.config.timing, now_ms());
        let queues = store.queues().await?;
        let workers = store.workers(10_000, timing, now).await?;
        let working = || workers.iter().filter(|worker| worker.alive && worker.set_aside.is_empty());
        if audit {
            let mut stream = self.broker.stream().await?;
            let waiting = stream.info().await?.state.messages as i64;
            let offered: i64 = queues.iter().map(|queue| queue.offered).sum();
            store.expire(waiting < offered, now).await?;
            // Whatever the broker says: nothing waits for ever.
            store.expire(true, now - 10 * timing.lease.as_millis() as i64).await?;
            if solitude.has_lasted(working().count(), timing.lease, Instant::now()) {
                store.drop_checks(now).await?;
            }
            consumers.clear();
        }
        for queue in queues {
            let able = working().filter(|worker| queue.needs.met_by(&worker.hello.programs, worker.noisy));
            let threads: i64 = able.map(|worker| worker.hello.threads).sum();
            let room = 2 * threads + AHEAD - queue.offered;
            if queue.queued == 0 || room <= 0 {
                continue;
            }
            if !consumers.contains(&queue.class) {
                let stream = self.broker.stream().await?;
                self.broker.make_consumer(&stream, &queue.class, timing.lease).await?;
                consumers.insert(queue.class.clone());
            }
            let units = store.offer(&queue.class, room, timing, now).await?;
            for unit in self.broker.publish(&queue.class, units).await {
                store.withdraw_offer(&unit.id, unit.offer).await?;
            }
        }
        Ok(())
    }

    /// Computes units whose two runs differ: that settles who is right.
    async fn settle_disputes(self) {
        loop {
            tokio::time::sleep(TICK).await;
            let Ok(disputed) = self.store.disputed().await else { continue };
            for unit in disputed {
                if let Err(error) = self.settle(&unit).await {
                    tracing::warn!(%error, unit = %unit.id, "a dispute is not settled yet");
                }
            }
        }
    }

    async fn settle(&self, unit: &Unit) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let job = self.files.job(&self.broker, &unit.job).await?;
        let (referee, folder, unit) = (self.referee.clone(), self.files.folder().to_path_buf(), unit.clone());
        let id = unit.id.clone();
        let computed = tokio::task::spawn_blocking(move || {
            let work =
                Work { kind: &unit.kind, job_id: &unit.job, job: &job, spec: &unit.spec, files: &folder };
            referee.blocking_lock().execute(&work, &game::StopFlag::new())
        });
        let truth = match computed.await? {
            Ok(truth) => truth,
            Err(Failed::Stopped) => return Err("stopped".into()),
            Err(Failed::Because(why)) => return Err(why.into()),
        };
        for liar in self.store.settle(&id, &truth, now_ms()).await? {
            tracing::warn!(worker = liar, unit = %id, "a worker was set aside: its result is wrong");
        }
        self.changed(&id.run).await;
        Ok(())
    }
}

/// Since when there have been fewer than two workers, so that nobody can check another's results. An outage makes all of
/// them look dead for a moment, so checks are dropped only after a whole lease without it.
#[derive(Default)]
struct Solitude {
    since: Option<Instant>,
}

impl Solitude {
    fn has_lasted(&mut self, workers: usize, lease: Duration, now: Instant) -> bool {
        if workers >= 2 {
            self.since = None;
            return false;
        }
        now.duration_since(*self.since.get_or_insert(now)) >= lease
    }
}

struct AbortOnDrop(tokio::task::JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Why a request was not carried out.
enum Problem {
    Later(String),
    Refused(String),
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Sql(_) | StoreError::Migrate(_) => Problem::Later(error.to_string()),
            _ => Problem::Refused(error.to_string()),
        }
    }
}

impl From<FleetError> for Problem {
    fn from(error: FleetError) -> Problem {
        if error.is_passing() {
            Problem::Later(error.to_string())
        } else {
            Problem::Refused(error.to_string())
        }
    }
}

fn to_value(value: &impl Serialize) -> Result<Value, Problem> {
    serde_json::to_value(value).map_err(|error| Problem::Refused(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_wait_a_whole_lease_for_a_second_worker() {
        let (began, lease) = (Instant::now(), Duration::from_secs(30));
        let mut solitude = Solitude::default();
        let mut after =
            |seconds, workers| solitude.has_lasted(workers, lease, began + Duration::from_secs(seconds));
        // The first look after an outage: nobody has been heard of for longer than any lease.
        assert!(!after(100, 0));
        assert!(!after(129, 1));
        assert!(after(130, 1));
        assert!(after(200, 1), "and all that come later, until");
        assert!(!after(201, 2), "there are two again");
        assert!(!after(202, 1));
        assert!(after(232, 1));
    }
}
