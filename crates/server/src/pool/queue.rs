//! Who is next: clients in a ring, each with its own line.

use super::{Class, Full};
use game::StopFlag;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Work waiting in total; beyond this nobody is let in.
const WAITING: usize = 4096;

pub(super) type Work = Box<dyn FnOnce(&StopFlag) + Send>;

/// A piece of work in line.
pub(super) struct Entry {
    pub(super) number: u64,
    class: Class,
    threads: usize,
    pub(super) stop: StopFlag,
    pub(super) work: Work,
}

struct Running {
    number: u64,
    client: String,
    class: Class,
    threads: usize,
    stop: StopFlag,
    since: Instant,
}

/// All lines. A client at the front of the ring is served next and then goes to the back.
pub(super) struct Queue {
    slots: usize,
    per_client: usize,
    next: u64,
    ring: VecDeque<(String, VecDeque<Entry>)>,
    running: Vec<Running>,
}

impl Queue {
    pub(super) fn new(slots: usize, per_client: usize) -> Queue {
        Queue { slots, per_client, next: 0, ring: VecDeque::new(), running: Vec::new() }
    }

    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    pub(super) fn waiting(&self) -> usize {
        self.ring.iter().map(|(_, line)| line.len()).sum()
    }

    pub(super) fn running(&self) -> usize {
        self.running.len()
    }

    /// Adds work to a client's line.
    pub(super) fn push(
        &mut self,
        class: Class,
        client: &str,
        threads: usize,
        stop: StopFlag,
        work: Work,
    ) -> Result<u64, Full> {
        let line = self.ring.iter().position(|(name, _)| name == client);
        let own = line.map_or(0, |at| self.ring[at].1.len())
            + self.running.iter().filter(|running| running.client == client).count();
        if own >= self.per_client || self.waiting() >= WAITING {
            return Err(Full);
        }
        self.next += 1;
        let entry = Entry { number: self.next, class, threads: threads.clamp(1, self.slots), stop, work };
        match line {
            Some(at) => self.ring[at].1.push_back(entry),
            None => self.ring.push_back((client.to_string(), VecDeque::from([entry]))),
        }
        Ok(self.next)
    }

    fn used(&self, class: Class) -> usize {
        self.running.iter().filter(|running| running.class == class).map(|running| running.threads).sum()
    }

    /// Is there room for this now? Analysis stays within `slots`; play may also use the extra thread.
    fn fits(&self, entry: &Entry) -> bool {
        let analysis = self.used(Class::Analysis);
        match entry.class {
            Class::Analysis => {
                analysis + self.used(Class::Play).min(self.slots - 1) + entry.threads <= self.slots
            }
            Class::Play => analysis + self.used(Class::Play) < self.slots + 1,
        }
    }

    /// The next work that may run: of the client longest not served, its oldest of the class that fits.
    pub(super) fn pop(&mut self) -> Option<Entry> {
        // Once an analysis is held back for want of threads, no later one may overtake it.
        let mut held = false;
        for at in 0..self.ring.len() {
            let line = &self.ring[at].1;
            let mut found = None;
            for (place, entry) in line.iter().enumerate() {
                let allowed = !(held && entry.class == Class::Analysis);
                if allowed && self.fits(entry) {
                    found = Some(place);
                    break;
                }
                held |= entry.class == Class::Analysis;
            }
            let Some(place) = found else { continue };
            let (client, mut line) = self.ring.remove(at)?;
            let entry = line.remove(place)?;
            self.running.push(Running {
                number: entry.number,
                client: client.clone(),
                class: entry.class,
                threads: entry.threads,
                stop: entry.stop.clone(),
                since: Instant::now(),
            });
            if !line.is_empty() {
                self.ring.push_back((client, line));
            }
            return Some(entry);
        }
        None
    }

    pub(super) fn done(&mut self, number: u64) {
        self.running.retain(|running| running.number != number);
    }

    /// Takes work out of line; false if it is not waiting and not running.
    pub(super) fn cancel(&mut self, number: u64) -> bool {
        let mut found = self.running.iter().any(|running| running.number == number);
        for (_, line) in &mut self.ring {
            let before = line.len();
            line.retain(|entry| entry.number != number);
            found |= line.len() < before;
        }
        self.ring.retain(|(_, line)| !line.is_empty());
        found
    }

    /// How much work goes before this one, turn by turn; `None` if it does not wait.
    pub(super) fn place(&self, number: u64) -> Option<usize> {
        let (own, place) = self.ring.iter().enumerate().find_map(|(at, (_, line))| {
            line.iter().position(|entry| entry.number == number).map(|place| (at, place))
        })?;
        let before = self.ring.iter().enumerate().map(|(at, (_, line))| match at.cmp(&own) {
            std::cmp::Ordering::Less => line.len().min(place + 1),
            std::cmp::Ordering::Equal => place,
            std::cmp::Ordering::Greater => line.len().min(place),
        });
        Some(before.sum())
    }

    /// Ends analyses older than `share` while work of other clients waits.
    pub(super) fn rotate(&mut self, share: Duration) {
        for running in
            self.running.iter().filter(|r| r.class == Class::Analysis && r.since.elapsed() >= share)
        {
            if self.ring.iter().any(|(client, _)| *client != running.client) {
                running.stop.stop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(queue: &mut Queue, client: &str) -> Result<u64, Full> {
        queue.push(Class::Analysis, client, 1, StopFlag::new(), Box::new(|_| {}))
    }

    #[test]
    fn clients_take_turns() {
        let mut queue = Queue::new(1, 10);
        let greedy: Vec<_> = (0..5).map(|_| push(&mut queue, "greedy").unwrap()).collect();
        let modest = push(&mut queue, "modest").unwrap();
        assert_eq!(queue.place(modest), Some(1));
        let mut order = Vec::new();
        while let Some(entry) = queue.pop() {
            order.push(entry.number);
            queue.done(entry.number);
        }
        assert_eq!(order, [greedy[0], modest, greedy[1], greedy[2], greedy[3], greedy[4]]);
    }

    #[test]
    fn one_client_has_a_limit_and_a_cancelled_entry_frees_it() {
        let mut queue = Queue::new(1, 2);
        let first = push(&mut queue, "a").unwrap();
        push(&mut queue, "a").unwrap();
        assert_eq!(push(&mut queue, "a"), Err(Full));
        assert!(queue.cancel(first));
        assert!(!queue.cancel(first));
        push(&mut queue, "a").unwrap();
    }

    #[test]
    fn a_search_with_many_threads_is_not_overtaken_for_ever() {
        let mut queue = Queue::new(2, 10);
        let one = push(&mut queue, "a").unwrap();
        queue.push(Class::Analysis, "b", 2, StopFlag::new(), Box::new(|_| {})).unwrap();
        push(&mut queue, "c").unwrap();
        assert_eq!(queue.pop().map(|entry| entry.number), Some(one));
        assert!(queue.pop().is_none(), "the wide search waits, and nobody overtakes it");
        queue.done(one);
        assert_eq!(queue.pop().map(|entry| entry.threads), Some(2));
    }

    #[test]
    fn a_long_analysis_gives_way() {
        let mut queue = Queue::new(1, 10);
        push(&mut queue, "a").unwrap();
        let running = queue.pop().unwrap();
        queue.rotate(Duration::ZERO);
        assert!(!running.stop.is_stopped(), "nobody waits");
        push(&mut queue, "b").unwrap();
        queue.rotate(Duration::ZERO);
        assert!(running.stop.is_stopped());
    }
}
