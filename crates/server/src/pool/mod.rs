//! Work off the async threads: a bounded pool of threads, shared fairly.
//!
//! Clients (addresses; a live game counts for the one who created it) take turns, however much one of them has
//! asked for. Play and analysis each have a thread that the other cannot use. A search whose ticket is dropped is
//! told to stop at once; engines obey within 20 ms. A search that has had its share of time is ended (its results
//! stand) when a client with fewer searches waits. Pondering uses only threads that nobody wants: it is never queued
//! behind or before anything, and ends as soon as anybody submits work.
//!
//! Where workers on other machines are ready (see [`elsewhere`]), searches that can travel take their threads before
//! those of this machine, by the same turns.
//!
//! The server has two pools: one for searches, and a small one for work that is bounded by its input (files, maps,
//! pictures), which therefore never waits for a search.

pub(crate) mod elsewhere;
mod queue;

use crate::metrics::Metrics;
use game::{StopFlag, Watch};
use queue::{Queue, QueuedWork};
use std::cell::Cell;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What kind of work it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A move in a live game, or something short that a person waits for.
    Play,
    /// Analysis, which may be long.
    Analysis,
    /// An engine's search in its opponent's time, while nothing else is wanted.
    Ponder,
}

/// What a piece of work takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    threads: usize,
    /// May it run on a worker? It asks [`place`] where it does.
    anywhere: bool,
}

impl Need {
    /// Threads of a worker or of this machine.
    pub(crate) fn anywhere(threads: usize) -> Need {
        Need { threads, anywhere: true }
    }
}

/// Threads of this machine.
impl From<usize> for Need {
    fn from(threads: usize) -> Need {
        Need { threads, anywhere: false }
    }
}

/// Where work runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On this machine.
    Here,
    /// On a worker; the pool's thread only waits for it.
    Worker,
}

thread_local! {
    static PLACE: Cell<Place> = const { Cell::new(Place::Here) };
}

/// Where the work of this thread of a pool has its room.
pub(crate) fn place() -> Place {
    PLACE.get()
}

/// Most threads of workers that one server uses.
const MAX_WORKERS: usize = 1024;

/// Stack of a thread. Trees of moves nest as deep as games are long, and so does the JSON they come in.
const STACK: usize = 64 << 20;

/// The queue is full, for everybody or for this client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// A handle on the pool.
#[derive(Clone)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    metrics: Arc<Metrics>,
    name: String,
    /// How many threads there are.
    threads: Mutex<usize>,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A piece of work that waits or runs; dropping it stops the work.
pub(crate) struct Ticket {
    shared: Arc<Shared>,
    number: u64,
    stop: StopFlag,
}

impl Pool {
    /// Starts the threads, one more than `slots`, named after the work.
    pub(crate) fn start(name: &str, slots: usize, per_client: usize, metrics: Arc<Metrics>) -> Pool {
        let slots = slots.max(1);
        let queue = Mutex::new(Queue::new(slots, per_client));
        let (name, threads) = (name.to_string(), Mutex::new(0));
        let pool =
            Pool { shared: Arc::new(Shared { queue, changed: Condvar::new(), metrics, name, threads }) };
        pool.grow(slots + 1);
        pool
    }

    /// Starts threads until there are so many.
    fn grow(&self, wanted: usize) {
        let mut threads = self.shared.threads.lock().unwrap_or_else(PoisonError::into_inner);
        for number in *threads..wanted {
            let shared = Arc::downgrade(&self.shared);
            let work = move || {
                crate::platform::lower_priority();
                while let Some(shared) = shared.upgrade() {
                    shared.work();
                }
            };
            let name = format!("{}-{number}", self.shared.name);
            if let Err(error) = std::thread::Builder::new().name(name).stack_size(STACK).spawn(work) {
                tracing::error!(%error, "an engine thread could not be started");
                return;
            }
            *threads = number + 1;
        }
    }

    /// So many threads of workers are there now.
    pub(crate) fn set_workers(&self, threads: usize) {
        let threads = threads.min(MAX_WORKERS);
        let mut queue = self.shared.queue();
        queue.set_workers(threads);
        let wanted = queue.slots() + 1 + threads;
        drop(queue);
        // They wait for workers; which threads of the pool compute here is up to the queue.
        self.grow(wanted);
        self.shared.changed.notify_all();
    }

    /// How many threads one analysis may use.
    pub(crate) fn slots(&self) -> usize {
        self.shared.queue().slots()
    }

    /// Queues work for a client. Its watch starts when its turn comes, and tells it to stop. Pondering is refused unless a
    /// thread is idle.
    pub(crate) fn submit(
        &self,
        class: Class,
        client: &str,
        need: impl Into<Need>,
        work: impl FnOnce(&Watch) + Send + 'static,
    ) -> Result<Ticket, Full> {
        let stop = StopFlag::new();
        let number = self.shared.queue().push(class, client, need.into(), stop.clone(), Box::new(work))?;
        self.shared.changed.notify_all();
        Ok(Ticket { shared: self.shared.clone(), number, stop })
    }

    /// Runs something for a client and returns its answer; it is stopped when nobody waits any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        class: Class,
        client: IpAddr,
        need: impl Into<Need>,
        work: impl FnOnce(&Watch) -> T + Send + 'static,
    ) -> Result<T, Full> {
        let (reply, answer) = tokio::sync::oneshot::channel();
        let ticket = self.submit(class, &client.to_string(), need, move |watch| {
            let _ = reply.send(work(watch));
        })?;
        let answer = answer.await.map_err(|_| Full);
        drop(ticket);
        answer
    }

    /// Ends searches that have had their share while others wait. Called several times a second.
    pub(crate) fn rotate(&self) {
        self.shared.queue().rotate(Instant::now());
    }

    /// Takes no more work, stops what runs, and waits up to `patience` for it to end.
    pub(crate) fn close(&self, patience: Duration) {
        let until = Instant::now() + patience;
        let mut queue = self.shared.queue();
        let dropped = queue.close();
        while queue.running() > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            queue = self.shared.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(queue);
        drop(dropped);
    }

    /// Has the server begun to stop? What a search finds then is not played: it was cut short.
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.queue().is_closed()
    }

    /// Searches waiting and running, without pondering.
    pub(crate) fn load(&self) -> (usize, usize) {
        let queue = self.shared.queue();
        (queue.waiting(), queue.running() - queue.pondering())
    }

    /// Engines that ponder now.
    pub(crate) fn pondering(&self) -> usize {
        self.shared.queue().pondering()
    }
}

impl Shared {
    /// One turn of a thread: takes work, or waits a while for some.
    fn work(&self) {
        let mut queue = self.queue();
        let Some(QueuedWork { number, place, stop, work, .. }) = queue.pop() else {
            // The time-out lets a thread notice that the pool is gone.
            let waited = self.changed.wait_timeout(queue, Duration::from_millis(500));
            drop(waited);
            return;
        };
        drop(queue);
        self.metrics.searches.fetch_add(1, Relaxed);
        PLACE.set(place);
        // An engine that panics must not take a thread with it; whoever waits sees the answer missing.
        if catch_unwind(AssertUnwindSafe(|| work(&Watch::start(stop)))).is_err() {
            tracing::error!("a search panicked");
        }
        self.queue().done(number);
        self.changed.notify_all();
    }
}

impl Ticket {
    /// Ends the work early; its results still come.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// Work that will be done before this; `None` once it runs or is done.
    pub(crate) fn place(&self) -> Option<usize> {
        self.shared.queue().place(self.number)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.stop();
        if self.shared.queue().cancel(self.number) {
            self.shared.metrics.cancelled.fetch_add(1, Relaxed);
            self.shared.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Counts its rounds until it is told to stop; then returns how many it made.
    fn spin(report: mpsc::Sender<u64>) -> impl FnOnce(&Watch) + Send + 'static {
        move |watch| {
            let mut rounds = 0;
            while !watch.is_stopped() {
                rounds += 1;
                if rounds == 1 {
                    report.send(rounds).unwrap();
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            report.send(rounds).unwrap();
        }
    }

    #[test]
    fn a_dropped_ticket_stops_its_work_before_the_next_begins() {
        let pool = Pool::start("test", 1, 8, Arc::default());
        let (sender, receiver) = mpsc::channel();
        let ticket = pool.submit(Class::Analysis, "a", 1, spin(sender)).ok();
        assert_eq!(receiver.recv().unwrap(), 1);
        let (next, began) = mpsc::channel();
        let _waits = pool.submit(Class::Analysis, "a", 1, move |_| next.send(()).unwrap()).ok();
        assert_eq!(pool.load(), (1, 1), "the second waits for the first");
        assert!(began.try_recv().is_err());
        drop(ticket);
        // Both come only because the ticket was dropped: nothing else ever stops the first search.
        receiver.recv().unwrap();
        began.recv().unwrap();
    }

    #[test]
    fn a_closed_pool_has_ended_its_work_and_takes_no_more() {
        let pool = Pool::start("test", 1, 8, Arc::default());
        let (sender, receiver) = mpsc::channel();
        let tickets: Vec<_> =
            (0..3).map(|_| pool.submit(Class::Analysis, "a", 1, spin(sender.clone()))).collect();
        assert_eq!(receiver.recv().unwrap(), 1);
        pool.close(Duration::from_secs(60));
        assert_eq!(pool.load(), (0, 0));
        assert!(pool.submit(Class::Play, "a", 1, |_| {}).is_err());
        assert!(receiver.try_recv().is_ok() && receiver.try_recv().is_err(), "the others never ran");
        drop(tickets);
    }

    #[test]
    fn a_panicking_search_costs_no_thread() {
        let pool = Pool::start("test", 1, 8, Arc::default());
        let mut tickets = Vec::new();
        for _ in 0..4 {
            tickets.push(pool.submit(Class::Play, "a", 1, |_| panic!("an engine's own fault")));
        }
        let (sender, receiver) = mpsc::channel();
        let last = pool.submit(Class::Play, "b", 1, move |_| sender.send(7).unwrap());
        assert_eq!(receiver.recv(), Ok(7));
        drop(last);
    }

    #[test]
    fn a_move_does_not_wait_behind_analysis() {
        let pool = Pool::start("test", 1, 8, Arc::default());
        let (sender, began) = mpsc::channel();
        let thoughts: Vec<_> =
            (0..3).map(|_| pool.submit(Class::Analysis, "a", 1, spin(sender.clone()))).collect();
        began.recv().unwrap();
        let (sender, receiver) = mpsc::channel();
        let play = pool.submit(Class::Play, "b", 1, move |_| sender.send(()).unwrap());
        // The analyses never end by themselves, so the move ran beside them.
        receiver.recv().unwrap();
        drop((thoughts, play));
    }
}
