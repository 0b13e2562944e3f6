//! The side that has work to send: it knows which workers are ready, and makes calls from its own threads.

use super::{BEAT, CallProgress, GONE, Order, READY, Ready, orders_subject};
use crate::broker::{Broker, FleetError};
use crate::random_hex;
use futures_util::StreamExt;
use game::StopFlag;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc as outgoing;

/// How long a caller looks for a worker with room.
const LOOK: Duration = Duration::from_millis(1500);
/// How long a worker may take to say whether it has room.
const REPLY: Duration = Duration::from_secs(1);
/// How soon a call notices that it is to end.
const POLL: Duration = Duration::from_millis(10);
/// How long a call that was told to end may take.
const FAREWELL: Duration = Duration::from_secs(1);
/// Orders that wait for the connection.
const WAITING: usize = 1024;
/// Answers of one call that wait for their caller. A worker sends at most twenty reports a second.
const UNREAD: usize = 256;

/// Sends work to workers.
#[derive(Clone)]
pub struct Caller {
    inbox: Arc<str>,
    shared: Arc<Mutex<Shared>>,
    outbox: outgoing::Sender<(String, Option<String>, Order)>,
}

#[derive(Default)]
struct Shared {
    workers: HashMap<String, (Ready, Instant)>,
    calls: HashMap<String, std::sync::mpsc::SyncSender<CallProgress>>,
}

/// Calls that belong together: what the worker keeps from one is there for the next while the same worker has room.
#[derive(Debug)]
pub struct Session {
    id: String,
    worker: Option<String>,
}

impl Session {
    /// A session that no worker knows yet.
    pub fn new() -> Session {
        Session { id: random_hex(), worker: None }
    }

    /// Does a worker keep something for it?
    pub fn has_begun(&self) -> bool {
        self.worker.is_some()
    }
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

/// Why a call gave nothing. The caller has to do the work itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// No worker has room.
    #[error("no worker has room")]
    NoRoom,
    /// The worker is gone.
    #[error("the worker is gone")]
    Lost,
    /// The worker could not do it.
    #[error("{0}")]
    Failed(String),
}

impl Caller {
    /// Listens for workers with this bench signature.
    pub async fn start(broker: &Broker, signature: &str) -> Result<Caller, FleetError> {
        let client = broker.client.clone();
        let inbox: Arc<str> = format!("tengen.fleet.called.{}", random_hex()).into();
        let failed = |error: async_nats::SubscribeError| FleetError::Broker(error.to_string());
        let mut ready = client.subscribe(READY).await.map_err(failed)?;
        let mut answers = client.subscribe(format!("{inbox}.*")).await.map_err(failed)?;
        let (outbox, mut orders) = outgoing::channel::<(String, Option<String>, Order)>(WAITING);
        let caller = Caller { inbox, shared: Arc::default(), outbox };
        let (shared, signature) = (caller.shared.clone(), signature.to_string());
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    order = orders.recv() => {
                        let Some((subject, reply, order)) = order else { return };
                        let Ok(body) = serde_json::to_vec(&order) else { continue };
                        // What is lost is noticed by its caller.
                        let _ = match reply {
                            Some(reply) => client.publish_with_reply(subject, reply, body.into()).await,
                            None => client.publish(subject, body.into()).await,
                        };
                    }
                    Some(message) = ready.next() => {
                        if let Ok(ready) = serde_json::from_slice::<Ready>(&message.payload)
                            && ready.signature == signature
                        {
                            lock(&shared).workers.insert(ready.address.clone(), (ready, Instant::now()));
                        }
                    }
                    Some(message) = answers.next() => {
                        let call = message.subject.rsplit('.').next().unwrap_or_default();
                        if let Ok(answer) = serde_json::from_slice(&message.payload)
                            && let Some(call) = lock(&shared).calls.get(call)
                        {
                            let _ = call.try_send(answer);
                        }
                    }
                    else => return,
                }
            }
        });
        Ok(caller)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }

    /// Threads of all workers that take calls now.
    pub fn threads(&self) -> usize {
        let mut shared = self.shared();
        shared.workers.retain(|_, (_, heard)| heard.elapsed() < GONE);
        shared.workers.values().map(|(ready, _)| ready.threads).sum()
    }

    /// Takes room at the session's worker, or else at the one with the most.
    fn take_room(&self, session: &Session, threads: usize) -> Option<(String, usize)> {
        let mut shared = self.shared();
        let room = |(ready, heard): &(Ready, Instant)| if heard.elapsed() < GONE { ready.free } else { 0 };
        let own = session.worker.clone().filter(|own| shared.workers.get(own).is_some_and(|w| room(w) > 0));
        let address = own.or_else(|| {
            let best = shared.workers.iter().max_by_key(|(_, worker)| room(worker))?;
            (room(best.1) > 0).then(|| best.0.clone())
        })?;
        let ready = &mut shared.workers.get_mut(&address)?.0;
        let granted = threads.clamp(1, ready.free);
        // Until the worker says more.
        ready.free -= granted;
        Some((address, granted))
    }

    fn order(&self, address: &str, reply: Option<String>, order: Order) {
        // A full outbox means that the broker is away; calls notice that by themselves.
        let _ = self.outbox.try_send((orders_subject(address), reply, order));
    }

    /// Has a worker do something, from a thread that may block. `task` hears how many of the threads asked for it has.
    /// Once `stop` is raised the worker is told to end, and what it has found is returned.
    pub fn call(
        &self,
        session: &mut Session,
        threads: usize,
        task: &dyn Fn(usize) -> Value,
        stop: &StopFlag,
        report: &mut dyn FnMut(Value),
    ) -> Result<Value, CallError> {
        let until = Instant::now() + LOOK;
        while Instant::now() < until && !stop.is_stopped() {
            let Some((address, granted)) = self.take_room(session, threads) else {
                std::thread::sleep(POLL);
                continue;
            };
            let call = Call::new(self, &address);
            let begin = Order::Begin {
                call: call.id.clone(),
                session: session.id.clone(),
                threads: granted,
                task: task(granted),
            };
            self.order(&address, Some(format!("{}.{}", self.inbox, call.id)), begin);
            match call.answers.recv_timeout(REPLY) {
                Ok(CallProgress::Busy) => {}
                Ok(first) => {
                    session.worker = Some(address.clone());
                    let done = call.follow(first, stop, report);
                    if done == Err(CallError::Lost) {
                        self.shared().workers.remove(&address);
                        session.worker = None;
                    }
                    return done;
                }
                Err(_) => {
                    self.shared().workers.remove(&address);
                }
            }
        }
        Err(CallError::NoRoom)
    }

    /// The session is over: its worker need keep nothing.
    pub fn forget(&self, session: &Session) {
        if let Some(address) = &session.worker {
            self.order(address, None, Order::Forget { session: session.id.clone() });
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A call under way; dropping it ends it.
struct Call<'a> {
    caller: &'a Caller,
    address: &'a str,
    id: String,
    answers: std::sync::mpsc::Receiver<CallProgress>,
}

impl Call<'_> {
    fn new<'a>(caller: &'a Caller, address: &'a str) -> Call<'a> {
        let id = random_hex();
        let (sender, answers) = std::sync::mpsc::sync_channel(UNREAD);
        caller.shared().calls.insert(id.clone(), sender);
        Call { caller, address, id, answers }
    }

    fn follow(
        &self,
        first: CallProgress,
        stop: &StopFlag,
        report: &mut dyn FnMut(Value),
    ) -> Result<Value, CallError> {
        let mut next = Some(first);
        let (mut heard, mut kept) = (Instant::now(), Instant::now());
        let mut told: Option<Instant> = None;
        loop {
            match next.take() {
                Some(CallProgress::Done(value)) => return Ok(value),
                Some(CallProgress::Failed(why)) => return Err(CallError::Failed(why)),
                Some(CallProgress::Report(value)) => report(value),
                Some(CallProgress::Busy | CallProgress::Working) | None => {}
            }
            if stop.is_stopped() && told.is_none() {
                told = Some(Instant::now());
                self.caller.order(self.address, None, Order::Stop { call: self.id.clone() });
            }
            if kept.elapsed() > BEAT {
                kept = Instant::now();
                self.caller.order(self.address, None, Order::Keep { call: self.id.clone() });
            }
            if heard.elapsed() > GONE || told.is_some_and(|told| told.elapsed() > FAREWELL) {
                return Err(CallError::Lost);
            }
            next = self.answers.recv_timeout(POLL).ok();
            if next.is_some() {
                heard = Instant::now();
            }
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.caller.shared().calls.remove(&self.id);
        self.caller.order(self.address, None, Order::Stop { call: self.id.clone() });
    }
}
