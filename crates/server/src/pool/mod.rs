//! Engine work: a bounded pool of threads, shared fairly.
//!
//! Clients take turns, whoever has asked most. Moves of live games have a thread that analysis may not
//! use, so that a game never waits behind somebody's long thought. A search whose ticket is dropped is
//! told to stop at once; engines obey within 20 ms. An analysis that has had its share is ended (its
//! results stand) when somebody else waits.

mod queue;

use crate::metrics::Metrics;
use game::StopFlag;
use queue::{Entry, Queue};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What kind of work it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A move in a live game, or something short that a person waits for.
    Play,
    /// Analysis, which may be long.
    Analysis,
}

/// Stack of a thread. Trees of moves nest as deep as games are long, and so does the JSON they come in.
const STACK: usize = 64 << 20;

/// After this time an analysis gives way to others that wait.
const SHARE: Duration = Duration::from_secs(10);

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
    /// Starts the threads: `slots` for everything, and one more for play only.
    pub(crate) fn start(slots: usize, per_client: usize, metrics: Arc<Metrics>) -> Pool {
        let slots = slots.max(1);
        let queue = Mutex::new(Queue::new(slots, per_client));
        let shared = Arc::new(Shared { queue, changed: Condvar::new(), metrics });
        for number in 0..=slots {
            let shared = Arc::downgrade(&shared);
            let work = move || {
                while let Some(shared) = shared.upgrade() {
                    shared.work();
                }
            };
            let builder = std::thread::Builder::new().name(format!("engine-{number}")).stack_size(STACK);
            let spawned = builder.spawn(work);
            if let Err(error) = spawned {
                tracing::error!(%error, "an engine thread could not be started");
            }
        }
        Pool { shared }
    }

    /// How many threads one analysis may use.
    pub(crate) fn slots(&self) -> usize {
        self.shared.queue().slots()
    }

    /// Queues work for a client. It gets the switch that tells it to stop.
    pub(crate) fn submit(
        &self,
        class: Class,
        client: &str,
        threads: usize,
        work: impl FnOnce(&StopFlag) + Send + 'static,
    ) -> Result<Ticket, Full> {
        let stop = StopFlag::new();
        let number = self.shared.queue().push(class, client, threads, stop.clone(), Box::new(work))?;
        self.shared.changed.notify_all();
        Ok(Ticket { shared: self.shared.clone(), number, stop })
    }

    /// Runs something for a client and returns its answer; it is stopped when nobody waits any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        class: Class,
        client: IpAddr,
        threads: usize,
        work: impl FnOnce(&StopFlag) -> T + Send + 'static,
    ) -> Result<T, Full> {
        let (reply, answer) = tokio::sync::oneshot::channel();
        let ticket = self.submit(class, &client.to_string(), threads, move |stop| {
            let _ = reply.send(work(stop));
        })?;
        let answer = answer.await.map_err(|_| Full);
        drop(ticket);
        answer
    }

    /// Ends analyses that have had their share while others wait. Called now and then.
    pub(crate) fn rotate(&self) {
        self.shared.queue().rotate(SHARE);
    }

    /// Searches waiting and running.
    pub(crate) fn load(&self) -> (usize, usize) {
        let queue = self.shared.queue();
        (queue.waiting(), queue.running())
    }
}

impl Shared {
    /// One turn of a thread: takes work, or waits a while for some.
    fn work(&self) {
        let mut queue = self.queue();
        let Some(Entry { number, stop, work, .. }) = queue.pop() else {
            // The time-out lets a thread notice that the pool is gone.
            let waited = self.changed.wait_timeout(queue, Duration::from_millis(500));
            drop(waited);
            return;
        };
        drop(queue);
        self.metrics.searches.fetch_add(1, Relaxed);
        // An engine that panics must not take a thread with it; whoever waits sees the answer missing.
        if catch_unwind(AssertUnwindSafe(|| work(&stop))).is_err() {
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
    use std::time::Instant;

    #[test]
    fn a_dropped_ticket_stops_its_work_at_once() {
        let pool = Pool::start(1, 8, Arc::default());
        let (sender, receiver) = mpsc::channel();
        let began = sender.clone();
        let ticket = pool.submit(Class::Analysis, "a", 1, move |stop| {
            began.send(Instant::now()).unwrap();
            while !stop.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            began.send(Instant::now()).unwrap();
        });
        receiver.recv_timeout(Duration::from_secs(5)).unwrap();
        let left = Instant::now();
        drop(ticket);
        let stopped = receiver.recv_timeout(Duration::from_secs(5)).unwrap();
        assert!(stopped - left < Duration::from_millis(50), "{:?}", stopped - left);
    }

    #[test]
    fn a_panicking_search_costs_no_thread() {
        let pool = Pool::start(1, 8, Arc::default());
        let mut tickets = Vec::new();
        for _ in 0..4 {
            tickets.push(pool.submit(Class::Play, "a", 1, |_| panic!("an engine's own fault")));
        }
        let (sender, receiver) = mpsc::channel();
        let last = pool.submit(Class::Play, "b", 1, move |_| sender.send(7).unwrap());
        assert_eq!(receiver.recv_timeout(Duration::from_secs(5)), Ok(7));
        drop(last);
    }

    #[test]
    fn a_move_does_not_wait_behind_analysis() {
        let pool = Pool::start(1, 8, Arc::default());
        let spin = |stop: &StopFlag| {
            while !stop.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let thoughts: Vec<_> = (0..3).map(|_| pool.submit(Class::Analysis, "a", 1, spin)).collect();
        let (sender, receiver) = mpsc::channel();
        let play = pool.submit(Class::Play, "b", 1, move |_| sender.send(()).unwrap());
        receiver.recv_timeout(Duration::from_secs(5)).expect("the move got its thread");
        drop((thoughts, play));
    }
}
