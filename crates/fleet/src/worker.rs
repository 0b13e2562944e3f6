//! A worker: joins, takes one unit at a time for each of its threads, and delivers results until they are counted.
//!
//! A unit's message is acknowledged only after the coordinator has said that the result is in the record. A worker
//! that dies at any moment loses only time: its lease runs out and the unit is offered again.

use crate::broker::{Broker, FleetError};
use crate::executor::{Failed, MakeExecutor, Work};
use crate::files::Files;
use crate::live::{self, Load, MakeDesk};
use crate::message::{self, Beat, Request, Welcome};
use crate::noise::Noise;
use crate::store::{DeliveryOutcome, Grant};
use crate::work::{Hello, MAX_BODY, Unit, UnitId, UnitResult};
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use futures_util::StreamExt;
use game::StopFlag;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a worker waits for a unit before it looks at its other queues.
const WAIT: Duration = Duration::from_secs(2);
/// How long a worker tries to deliver a result before it gives the unit up.
const DELIVERY: Duration = Duration::from_secs(600);
/// How long a worker waits after it could not fetch a job.
const AGAIN: Duration = Duration::from_millis(500);
/// A computation that does not stop for so long has hung.
const HUNG: Duration = Duration::from_secs(30);

/// What a worker needs to know.
#[derive(Clone)]
pub struct WorkerConfig {
    /// What it says of itself.
    pub hello: Hello,
    /// Computes units.
    pub executor: MakeExecutor,
    /// Does work that somebody waits for, if this worker takes any.
    pub desk: Option<MakeDesk>,
    /// Folder for files of jobs.
    pub files: PathBuf,
    /// Hears what happens.
    pub events: Arc<dyn Fn(WorkerEvent) + Send + Sync>,
}

/// Something that happened to a worker.
#[derive(Clone, Debug)]
pub enum WorkerEvent {
    /// It has joined.
    Joined,
    /// It waits for the broker or the coordinator.
    Waiting(String),
    /// A unit was computed and counted.
    Counted(UnitId, f64),
    /// A unit failed.
    Failed(UnitId, String),
    /// It is left out of timed games, or takes part again.
    Noisy(bool),
}

/// Why a worker ended.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The fleet cannot be used.
    #[error(transparent)]
    Fleet(#[from] FleetError),
    /// The coordinator gives it no more work.
    #[error("this worker was set aside: {0}")]
    SetAside(String),
    /// A unit does not stop.
    #[error("unit {0} does not stop; its thread is stuck, so this worker ends")]
    Hung(UnitId),
}

/// Joins the fleet and works until `stop` is raised.
pub async fn work(url: &str, config: WorkerConfig, stop: StopFlag) -> Result<(), WorkerError> {
    let events = config.events.clone();
    let say = |error: &FleetError| events(WorkerEvent::Waiting(error.to_string()));
    let broker = tokio::select! {
        connected = Broker::connect_patiently(url, &say) => connected?,
        () = raised(&stop) => return Ok(()),
    };
    let (end, ended) = watch::channel(());
    let load = Arc::new(Load::new(config.hello.threads.max(1) as usize));
    let worker = Arc::new(WorkerState {
        load,
        files: Files::new(&config.files)?,
        broker,
        config,
        classes: watch::Sender::new(Vec::new()),
        held: Mutex::default(),
        stop: stop.clone(),
    });
    let beat = tokio::select! {
        joined = worker.join() => joined?,
        () = raised(&stop) => return Ok(()),
    };
    (worker.config.events)(WorkerEvent::Joined);
    let mut slots = tokio::task::JoinSet::new();
    for slot in 0..worker.config.hello.threads.max(1) as usize {
        slots.spawn(worker.clone().slot(slot, ended.clone()));
    }
    drop(ended);
    let failed = tokio::select! {
        failed = worker.clone().beats(beat) => failed,
        cancelled = worker.clone().hear_cancellations() => cancelled,
        calls = worker.clone().take_calls() => calls,
        Some(done) = slots.join_next() => done.unwrap_or(Ok(())),
        () = raised(&stop) => Ok(()),
    };
    // Stop what is being computed, and give it back: another worker need not wait for our lease to run out.
    stop.stop();
    let units: Vec<UnitId> = worker.held().keys().cloned().collect();
    worker.held().values().for_each(|held| held.stop.stop());
    let leave = Request::Leave { worker: worker.config.hello.id.clone(), units };
    let _ = worker.broker.insist::<()>(&leave, Duration::from_secs(2)).await;
    let _ = tokio::time::timeout(Duration::from_secs(2), end.closed()).await;
    failed
}

async fn raised(stop: &StopFlag) {
    while !stop.is_stopped() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A unit that a slot is at.
struct Held {
    stop: StopFlag,
    acker: Arc<Acker>,
}

struct WorkerState {
    broker: Broker,
    load: Arc<Load>,
    config: WorkerConfig,
    files: Files,
    /// Queues that we may take units from.
    classes: watch::Sender<Vec<String>>,
    held: Mutex<BTreeMap<UnitId, Held>>,
    stop: StopFlag,
}

impl WorkerState {
    fn held(&self) -> MutexGuard<'_, BTreeMap<UnitId, Held>> {
        self.held.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn say(&self, event: WorkerEvent) {
        (self.config.events)(event);
    }

    /// Joins; how often to show that we are alive.
    async fn join(&self) -> Result<Duration, FleetError> {
        let join = Request::Join { hello: self.config.hello.clone() };
        loop {
            match self.broker.insist::<Welcome>(&join, Duration::from_secs(5)).await {
                Ok(welcome) => return Ok(welcome.timing.beat()),
                Err(error) if error.is_passing() => self.say(WorkerEvent::Waiting(error.to_string())),
                Err(error) => return Err(error),
            }
        }
    }

    /// Shows that we are alive, keeps leases, and learns what to take and what to drop.
    async fn beats(self: Arc<Self>, every: Duration) -> Result<(), WorkerError> {
        let mut noise = Noise::new(self.config.hello.threads);
        let mut noisy = false;
        let mut silent = false;
        loop {
            if let Some(now) = noise.measure()
                && now != noisy
            {
                noisy = now;
                self.say(WorkerEvent::Noisy(now));
            }
            let (units, ackers): (Vec<UnitId>, Vec<Arc<Acker>>) =
                self.held().iter().map(|(id, held)| (id.clone(), held.acker.clone())).unzip();
            for acker in ackers {
                // Fire and forget: the lease is kept by the coordinator's answer.
                let _ = acker.ack_with(AckKind::Progress).await;
            }
            let worker = self.config.hello.id.clone();
            match self.broker.ask::<Beat>(&Request::Beat { worker, noisy, units }).await {
                Ok(beat) if beat.unknown => drop(self.join().await?),
                Ok(beat) if !beat.set_aside.is_empty() => return Err(WorkerError::SetAside(beat.set_aside)),
                Ok(beat) => {
                    silent = false;
                    for id in &beat.dropped {
                        if let Some(held) = self.held().get(id) {
                            held.stop.stop();
                        }
                    }
                    self.classes.send_if_modified(|classes| {
                        let changed = *classes != beat.classes;
                        *classes = beat.classes;
                        changed
                    });
                }
                Err(error) if error.is_passing() => {
                    if !silent {
                        self.say(WorkerEvent::Waiting(error.to_string()));
                    }
                    silent = true;
                }
                Err(error) => return Err(error.into()),
            }
            // While there is nothing to do, look more often: a new run should begin at once.
            let idle = self.classes.borrow().is_empty();
            tokio::time::sleep(if idle { every.min(Duration::from_millis(500)) } else { every }).await;
        }
    }

    async fn hear_cancellations(self: Arc<Self>) -> Result<(), WorkerError> {
        let cancelled = self.broker.client.subscribe(message::CANCEL).await;
        let mut cancelled = cancelled.map_err(|error| FleetError::Broker(error.to_string()))?;
        while let Some(run) = cancelled.next().await {
            let held = self.held();
            held.iter()
                .filter(|(id, _)| id.run.as_bytes() == &run.payload[..])
                .for_each(|(_, held)| held.stop.stop());
        }
        std::future::pending().await
    }

    async fn take_calls(self: Arc<Self>) -> Result<(), WorkerError> {
        let Some(desk) = self.config.desk.clone() else { return std::future::pending().await };
        let (broker, signature) = (self.broker.clone(), self.config.hello.signature.clone());
        Ok(live::serve(broker, desk, self.load.clone(), signature).await?)
    }

    /// One thread's worth of work.
    async fn slot(self: Arc<Self>, index: usize, _ended: watch::Receiver<()>) -> Result<(), WorkerError> {
        let mut executor = (self.config.executor)(index);
        let mut jobs: Option<(String, Arc<Value>)> = None;
        let mut consumers: HashMap<String, PullConsumer> = HashMap::new();
        let mut classes = self.classes.subscribe();
        let mut turn = index;
        while !self.stop.is_stopped() {
            let names = classes.borrow_and_update().clone();
            if names.is_empty() {
                let _ = tokio::time::timeout(WAIT, classes.changed()).await;
                continue;
            }
            if !self.load.has_room() {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
            turn += 1;
            let class = &names[turn % names.len()];
            let wait = if names.len() > 1 { WAIT / 8 } else { WAIT };
            let Some((unit, acker)) = self.next(class, wait, &mut consumers).await else {
                continue;
            };
            let id = unit.id.clone();
            let worker = self.config.hello.id.clone();
            let lease = Request::Lease { unit: id.clone(), offer: unit.offer, worker: worker.clone() };
            match self.broker.insist::<Grant>(&lease, Duration::from_secs(20)).await {
                Ok(Grant::Granted) => {}
                Ok(Grant::SetAside(why)) => return Err(WorkerError::SetAside(why)),
                Ok(Grant::Elsewhere) => {
                    let _ = acker.ack_with(AckKind::Nak(Some(Duration::from_millis(300)))).await;
                    continue;
                }
                Ok(Grant::Stale) => {
                    let _ = acker.ack().await;
                    continue;
                }
                // The lease may or may not be ours; it will run out, and the unit comes again.
                Err(_) => continue,
            }
            let stop = StopFlag::new();
            // Third-party programs may measure time too.
            let _load = self.load.unit(class != "free");
            let acker = Arc::new(acker);
            let held = Held { stop: stop.clone(), acker: acker.clone() };
            self.held().insert(id.clone(), held);
            let began = Instant::now();
            let computed = match self.job(&unit, &mut jobs).await {
                Ok(job) => {
                    let (back, computed) = self.compute(executor, unit, job, stop).await?;
                    executor = back;
                    computed
                }
                Err(error) => Err(self.without_job(&id, error).await),
            };
            let told = self.deliver(&id, began.elapsed().as_secs_f64(), computed).await;
            self.held().remove(&id);
            match told {
                // Twice: the second confirms that the broker has heard the first. If not, the unit comes again and is
                // found to have counted.
                Ok(()) => drop(acker.double_ack().await),
                Err(WorkerError::Fleet(error)) => self.say(WorkerEvent::Waiting(error.to_string())),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next unit of a class, if there is one soon.
    async fn next(
        &self,
        class: &str,
        wait: Duration,
        consumers: &mut HashMap<String, PullConsumer>,
    ) -> Option<(Unit, Acker)> {
        let consumer = match consumers.get(class) {
            Some(consumer) => consumer,
            None => match self.broker.consumer(class).await {
                Ok(consumer) => consumers.entry(class.into()).or_insert(consumer),
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    return None;
                }
            },
        };
        let fetched = async {
            let mut batch = consumer.batch().max_messages(1).expires(wait).messages().await.ok()?;
            Some(batch.next().await)
        };
        // The answer may be lost with the connection; then ask again.
        match tokio::time::timeout(wait + Duration::from_secs(1), fetched).await {
            Ok(Some(None)) => None,
            Ok(Some(Some(Ok(message)))) => {
                let (message, acker) = message.split();
                match serde_json::from_slice(&message.payload) {
                    Ok(unit) => Some((unit, acker)),
                    Err(_) => {
                        let _ = acker.ack_with(AckKind::Term).await;
                        None
                    }
                }
            }
            _ => {
                // The broker may have been restarted without what it knew.
                consumers.remove(class);
                tokio::time::sleep(Duration::from_millis(100)).await;
                None
            }
        }
    }

    async fn job(
        &self,
        unit: &Unit,
        last: &mut Option<(String, Arc<Value>)>,
    ) -> Result<Arc<Value>, FleetError> {
        if let Some((name, job)) = last
            && *name == unit.job
        {
            return Ok(job.clone());
        }
        let job = Arc::new(self.files.job(&self.broker, &unit.job).await?);
        *last = Some((unit.job.clone(), job.clone()));
        Ok(job)
    }

    /// The job of a unit is not here. What passes is nobody's fault: the unit goes back without blame.
    async fn without_job(&self, id: &UnitId, error: FleetError) -> Failed {
        if !error.is_passing() {
            return Failed::Because(error.to_string());
        }
        self.say(WorkerEvent::Waiting(error.to_string()));
        let worker = self.config.hello.id.clone();
        let back = Request::Fail { unit: id.clone(), worker, log: String::new() };
        // If nobody hears it the lease runs out.
        let _ = self.broker.insist::<()>(&back, DELIVERY).await;
        tokio::time::sleep(AGAIN).await;
        Failed::Stopped
    }

    /// Computes a unit on a thread of its own, within its time.
    async fn compute(
        &self,
        mut executor: Box<dyn crate::executor::Executor>,
        unit: Unit,
        job: Arc<Value>,
        stop: StopFlag,
    ) -> Result<(Box<dyn crate::executor::Executor>, Result<UnitResult, Failed>), WorkerError> {
        let id = unit.id.clone();
        let limit = Duration::from_secs(u64::from(unit.seconds));
        let (folder, flag) = (self.files.folder().to_path_buf(), stop.clone());
        let mut thread = tokio::task::spawn_blocking(move || {
            let work =
                Work { kind: &unit.kind, job_id: &unit.job, job: &job, spec: &unit.spec, files: &folder };
            let run = std::panic::AssertUnwindSafe(|| executor.execute(&work, &flag));
            let computed = std::panic::catch_unwind(run)
                .unwrap_or_else(|_| Err(Failed::Because("the computation panicked".into())));
            (executor, computed)
        });
        let began = Instant::now();
        let mut told: Option<Instant> = None;
        loop {
            match tokio::time::timeout(Duration::from_millis(100), &mut thread).await {
                Ok(Ok((executor, computed))) => {
                    let late = began.elapsed() > limit && computed == Err(Failed::Stopped);
                    let why = || Failed::Because(format!("took longer than {} s", limit.as_secs()));
                    return Ok((executor, if late { Err(why()) } else { computed }));
                }
                Ok(Err(_)) => return Err(WorkerError::Hung(id)),
                Err(_) => {}
            }
            if began.elapsed() > limit {
                stop.stop();
            }
            if stop.is_stopped() && told.get_or_insert_with(Instant::now).elapsed() > HUNG {
                return Err(WorkerError::Hung(id));
            }
        }
    }

    /// Tells the coordinator what a unit gave, until it has heard.
    async fn deliver(
        &self,
        id: &UnitId,
        seconds: f64,
        computed: Result<UnitResult, Failed>,
    ) -> Result<(), WorkerError> {
        let worker = self.config.hello.id.clone();
        let computed = computed.and_then(|result| {
            let size = serde_json::to_vec(&result).map_or(usize::MAX, |text| text.len());
            let long =
                || Failed::Because(format!("the result has {size} bytes; at most {MAX_BODY} are accepted"));
            if size > MAX_BODY { Err(long()) } else { Ok(result) }
        });
        match computed {
            Ok(result) => {
                let deliver = Request::Deliver { unit: id.clone(), worker, seconds, result };
                match self.broker.insist::<DeliveryOutcome>(&deliver, DELIVERY).await? {
                    DeliveryOutcome::SetAside(why) => return Err(WorkerError::SetAside(why)),
                    DeliveryOutcome::NotNeeded => {}
                    _ => self.say(WorkerEvent::Counted(id.clone(), seconds)),
                }
            }
            // Dropped by the coordinator, or we are leaving and give everything back.
            Err(Failed::Stopped) => {}
            Err(Failed::Because(log)) => {
                self.say(WorkerEvent::Failed(id.clone(), log.clone()));
                let fail = Request::Fail { unit: id.clone(), worker, log };
                self.broker.insist::<()>(&fail, DELIVERY).await?;
            }
        }
        Ok(())
    }
}
