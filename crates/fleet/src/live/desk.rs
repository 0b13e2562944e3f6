//! The side that does the work: a worker's desks, one for each session.

use super::{BEAT, CallProgress, GONE, Order, READY, Ready, orders_subject};
use crate::broker::{Broker, FleetError};
use crate::random_hex;
use futures_util::StreamExt;
use game::StopFlag;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot, watch};

/// Sessions kept; beyond this the one longest not used is forgotten.
const SESSIONS: usize = 64;
/// A session that is not used for so long is forgotten.
const IDLE: Duration = Duration::from_secs(1800);
/// How often reports are sent at most.
const REPORTS: Duration = Duration::from_millis(50);
/// Stack of a thread that searches: as on a server.
const STACK: usize = 64 << 20;

/// Does the work of one session, one call after the other, and may keep what helps the next.
pub trait Desk: Send {
    /// Carries out a task; ends within 50 ms of `stop` with what it has.
    fn carry_out(
        &mut self,
        task: &Value,
        stop: &StopFlag,
        report: &mut dyn FnMut(Value),
    ) -> Result<Value, String>;
}

/// Makes a desk for each session.
pub type MakeDesk = Arc<dyn Fn() -> Box<dyn Desk> + Send + Sync>;

/// What a worker's threads do.
#[derive(Debug)]
pub(crate) struct Load {
    threads: usize,
    calls: AtomicUsize,
    units: AtomicUsize,
    timed: AtomicUsize,
}

impl Load {
    pub(crate) fn new(threads: usize) -> Load {
        Load { threads, calls: AtomicUsize::new(0), units: AtomicUsize::new(0), timed: AtomicUsize::new(0) }
    }

    /// May another unit begin beside the calls?
    pub(crate) fn has_room(&self) -> bool {
        self.calls.load(Relaxed) + self.units.load(Relaxed) < self.threads
    }

    /// A unit that begins, until the guard is dropped.
    pub(crate) fn unit(self: &Arc<Self>, timed: bool) -> UnitLoad {
        self.units.fetch_add(1, Relaxed);
        self.timed.fetch_add(usize::from(timed), Relaxed);
        UnitLoad { load: self.clone(), timed }
    }

    /// Threads for calls in total.
    fn offered(&self) -> usize {
        if self.timed.load(Relaxed) > 0 { 0 } else { self.threads }
    }

    fn free(&self) -> usize {
        self.offered().saturating_sub(self.calls.load(Relaxed))
    }
}

/// A unit under way.
pub(crate) struct UnitLoad {
    load: Arc<Load>,
    timed: bool,
}

impl Drop for UnitLoad {
    fn drop(&mut self) {
        self.load.units.fetch_sub(1, Relaxed);
        self.load.timed.fetch_sub(usize::from(self.timed), Relaxed);
    }
}

/// A call under way.
struct Running {
    stop: StopFlag,
    /// When its caller was last heard of.
    heard: Instant,
    session: String,
    /// Its caller does not want what would be kept.
    forgotten: bool,
}

/// A call that has ended, with its threads, and its desk unless that failed.
type Ended = (String, usize, Option<Box<dyn Desk>>);

/// A worker's desks.
struct Desks {
    broker: Broker,
    make: MakeDesk,
    load: Arc<Load>,
    address: String,
    signature: String,
    running: HashMap<String, Running>,
    resting: HashMap<String, (Box<dyn Desk>, Instant)>,
    ended: mpsc::Sender<Ended>,
}

/// Takes calls until it is dropped.
pub(crate) async fn serve(
    broker: Broker,
    make: MakeDesk,
    load: Arc<Load>,
    signature: String,
) -> Result<(), FleetError> {
    let address = random_hex();
    let orders = broker.client.subscribe(orders_subject(&address)).await;
    let mut orders = orders.map_err(|error| FleetError::Broker(error.to_string()))?;
    let (ended, mut endings) = mpsc::channel(64);
    let (running, resting) = (HashMap::new(), HashMap::new());
    let mut desks = Desks { broker, make, load, address, signature, running, resting, ended };
    let mut beat = tokio::time::interval(BEAT);
    loop {
        tokio::select! {
            order = orders.next() => {
                let Some(message) = order else { break };
                if let Ok(order) = serde_json::from_slice(&message.payload) {
                    desks.obey(order, message.reply.map(|reply| reply.to_string())).await;
                }
            }
            Some((call, threads, desk)) = endings.recv() => {
                desks.load.calls.fetch_sub(threads, Relaxed);
                desks.rest(&call, desk);
                desks.say_ready().await;
            }
            _ = beat.tick() => {
                desks.clean();
                desks.say_ready().await;
            }
        }
    }
    Err(FleetError::Broker("the connection was closed".into()))
}

impl Desks {
    // `&mut`: desks are not shared between threads.
    async fn say_ready(&mut self) {
        let (address, signature) = (self.address.clone(), self.signature.clone());
        let ready = Ready { address, signature, threads: self.load.offered(), free: self.load.free() };
        if let Ok(body) = serde_json::to_vec(&ready) {
            let _ = self.broker.client.publish(READY, body.into()).await;
        }
    }

    async fn obey(&mut self, order: Order, reply: Option<String>) {
        match order {
            Order::Begin { call, session, threads, task } => {
                let Some(reply) = reply else { return };
                let threads = threads.max(1);
                if self.load.free() < threads {
                    say(&self.broker, &reply, &CallProgress::Busy).await;
                    return;
                }
                self.load.calls.fetch_add(threads, Relaxed);
                let stop = StopFlag::new();
                let desk = self.resting.remove(&session).map_or_else(|| (self.make)(), |(desk, _)| desk);
                let running =
                    Running { stop: stop.clone(), heard: Instant::now(), session, forgotten: false };
                self.running.insert(call.clone(), running);
                let (broker, ended) = (self.broker.clone(), self.ended.clone());
                tokio::spawn(async move {
                    let desk = carry_out(&broker, &reply, desk, task, stop).await;
                    let _ = ended.send((call, threads, desk)).await;
                });
            }
            Order::Keep { call } => {
                if let Some(running) = self.running.get_mut(&call) {
                    running.heard = Instant::now();
                }
            }
            Order::Stop { call } => {
                if let Some(running) = self.running.get(&call) {
                    running.stop.stop();
                }
            }
            Order::Forget { session } => {
                self.resting.remove(&session);
                for running in self.running.values_mut().filter(|running| running.session == session) {
                    running.forgotten = true;
                    running.stop.stop();
                }
            }
        }
    }

    /// Keeps a desk for the next call of its session.
    fn rest(&mut self, call: &str, desk: Option<Box<dyn Desk>>) {
        let Some(running) = self.running.remove(call) else { return };
        let Some(desk) = desk.filter(|_| !running.forgotten) else { return };
        self.resting.insert(running.session, (desk, Instant::now()));
        if self.resting.len() > SESSIONS
            && let Some(oldest) = self.resting.iter().min_by_key(|(_, (_, used))| *used)
        {
            let oldest = oldest.0.clone();
            self.resting.remove(&oldest);
        }
    }

    /// Ends calls whose caller is gone, and sessions that nobody uses.
    fn clean(&mut self) {
        self.running.values().filter(|r| r.heard.elapsed() > GONE).for_each(|running| running.stop.stop());
        self.resting.retain(|_, (_, used)| used.elapsed() < IDLE);
    }
}

impl Drop for Desks {
    fn drop(&mut self) {
        self.running.values().for_each(|running| running.stop.stop());
    }
}

async fn say(broker: &Broker, reply: &str, answer: &CallProgress) {
    if let Ok(body) = serde_json::to_vec(answer) {
        // The caller notices what is lost.
        let _ = broker.client.publish(reply.to_string(), body.into()).await;
    }
}

/// Carries out a task on a thread of its own and tells its caller; gives the desk back unless it panicked.
async fn carry_out(
    broker: &Broker,
    reply: &str,
    mut desk: Box<dyn Desk>,
    task: Value,
    stop: StopFlag,
) -> Option<Box<dyn Desk>> {
    say(broker, reply, &CallProgress::Working).await;
    let (latest, mut reports) = watch::channel(Value::Null);
    let (finished, mut done) = oneshot::channel();
    let thread = std::thread::Builder::new().name("call".into()).stack_size(STACK);
    let spawned = thread.spawn(move || {
        let work = std::panic::AssertUnwindSafe(|| {
            let found = desk.carry_out(&task, &stop, &mut |report| drop(latest.send_replace(report)));
            (found, desk)
        });
        let _ = finished.send(std::panic::catch_unwind(work).ok());
    });
    if spawned.is_err() {
        say(broker, reply, &CallProgress::Failed("no thread could be started".into())).await;
        return None;
    }
    let mut tick = tokio::time::interval(REPORTS);
    let mut said = Instant::now();
    loop {
        tokio::select! {
            done = &mut done => {
                let (answer, desk) = match done {
                    Ok(Some((Ok(found), desk))) => (CallProgress::Done(found), Some(desk)),
                    Ok(Some((Err(why), desk))) => (CallProgress::Failed(why), Some(desk)),
                    Ok(None) | Err(_) => (CallProgress::Failed("the computation panicked".into()), None),
                };
                say(broker, reply, &answer).await;
                return desk;
            }
            _ = tick.tick() => {
                let report = reports.has_changed().unwrap_or(false).then(|| reports.borrow_and_update().clone());
                match report {
                    Some(report) => say(broker, reply, &CallProgress::Report(report)).await,
                    None if said.elapsed() > BEAT => say(broker, reply, &CallProgress::Working).await,
                    None => continue,
                }
                said = Instant::now();
            }
        }
    }
}
