//! Who is next: clients in a ring, each with its own line.

use super::{Class, Full, Need, Place};
use game::{StopFlag, Watch};
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Work waiting in total; beyond this nobody is let in.
const WAITING: usize = 4096;

/// Time that one of a client's several searches has before it gives way.
const SEVERAL: Duration = Duration::from_secs(1);

impl Class {
    /// Time that a client's only search has before it gives way. People wait for moves, so those get less under
    /// load: a weaker move at once is better than a strong one after the opponent has left.
    fn share(self) -> Duration {
        match self {
            Class::Play => Duration::from_secs(1),
            Class::Analysis => Duration::from_secs(10),
            // It has given way before anybody could wait for it.
            Class::Ponder => Duration::ZERO,
        }
    }
}

pub(super) type Work = Box<dyn FnOnce(&Watch) + Send>;

/// A piece of work in line.
pub(super) struct QueuedWork {
    pub(super) number: u64,
    class: Class,
    threads: usize,
    anywhere: bool,
    /// Where it runs, once it does.
    pub(super) place: Place,
    pub(super) stop: StopFlag,
    pub(super) work: Work,
}

struct Running {
    number: u64,
    client: String,
    class: Class,
    threads: usize,
    place: Place,
    stop: StopFlag,
    since: Instant,
}

/// All lines. A client that has been served goes to the back of the ring.
pub(super) struct Queue {
    slots: usize,
    /// Threads of workers on other machines.
    workers: usize,
    per_client: usize,
    next: u64,
    ring: VecDeque<(String, VecDeque<QueuedWork>)>,
    running: Vec<Running>,
    closed: bool,
}

impl Queue {
    pub(super) fn new(slots: usize, per_client: usize) -> Queue {
        let (ring, running) = (VecDeque::new(), Vec::new());
        Queue { slots, workers: 0, per_client, next: 0, ring, running, closed: false }
    }

    pub(super) fn set_workers(&mut self, threads: usize) {
        self.workers = threads;
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

    /// Searches of this client that run, without pondering.
    fn running_of(&self, client: &str) -> usize {
        self.running
            .iter()
            .filter(|running| running.client == client && running.class != Class::Ponder)
            .count()
    }

    pub(super) fn pondering(&self) -> usize {
        self.running.iter().filter(|running| running.class == Class::Ponder).count()
    }

    /// Is a thread idle and nobody waiting, and does this client not ponder already?
    fn may_ponder(&self, client: &str) -> bool {
        let ponders = |running: &Running| running.class == Class::Ponder && running.client == client;
        self.waiting() == 0 && self.has_idle_thread() && !self.running.iter().any(ponders)
    }

    fn has_idle_thread(&self) -> bool {
        let here = self.running.iter().filter(|running| running.place == Place::Here);
        here.map(|running| running.threads).sum::<usize>() < self.slots
    }

    /// Adds work to a client's line. Other work than pondering ends all that ponder.
    pub(super) fn push(
        &mut self,
        class: Class,
        client: &str,
        need: Need,
        stop: StopFlag,
        work: Work,
    ) -> Result<u64, Full> {
        let line = self.ring.iter().position(|(name, _)| name == client);
        let own = line.map_or(0, |at| self.ring[at].1.len()) + self.running_of(client);
        if self.closed || own >= self.per_client || self.waiting() >= WAITING {
            return Err(Full);
        }
        if class != Class::Ponder {
            let waiting = self.ring.iter().flat_map(|(_, line)| line).map(|entry| (entry.class, &entry.stop));
            let running = self.running.iter().map(|running| (running.class, &running.stop));
            waiting
                .chain(running)
                .filter(|(class, _)| *class == Class::Ponder)
                .for_each(|(_, stop)| stop.stop());
        } else if !self.may_ponder(client) {
            return Err(Full);
        }
        self.next += 1;
        let Need { threads, anywhere } = need;
        let (number, threads) = (self.next, threads.clamp(1, self.slots));
        let entry = QueuedWork { number, class, threads, anywhere, place: Place::Here, stop, work };
        match line {
            Some(at) => self.ring[at].1.push_back(entry),
            None => self.ring.push_back((client.to_string(), VecDeque::from([entry]))),
        }
        Ok(self.next)
    }

    fn used(&self, class: Class) -> usize {
        let here = |running: &&Running| running.class == class && running.place == Place::Here;
        self.running.iter().filter(here).map(|running| running.threads).sum()
    }

    /// Where there is room for this now: on workers before this machine.
    fn place_for(&self, entry: &QueuedWork) -> Option<Place> {
        let away = self.running.iter().filter(|running| running.place == Place::Worker);
        let away: usize = away.map(|running| running.threads).sum();
        if entry.anywhere && away + entry.threads <= self.workers {
            return Some(Place::Worker);
        }
        self.fits(entry).then_some(Place::Here)
    }

    /// Is a thread of this machine free for this now? Each class stays within `slots`, and together within one more; but a class
    /// of which nothing runs may always run one search. So neither play nor analysis can keep the other out, and
    /// never more than `slots + 1` searches run at once.
    fn fits(&self, entry: &QueuedWork) -> bool {
        if entry.class == Class::Ponder {
            return self.has_idle_thread();
        }
        let own = self.used(entry.class);
        let all = self.used(Class::Play) + self.used(Class::Analysis);
        own + entry.threads <= self.slots && (own == 0 || all + entry.threads <= self.slots + 1)
    }

    /// The next work that may run: of the client with the fewest searches running, of those the one longest not
    /// served, its oldest of the class that fits.
    pub(super) fn pop(&mut self) -> Option<QueuedWork> {
        // Once an analysis is held back for want of threads, no later one may overtake it.
        let mut held = false;
        let mut order: Vec<usize> = (0..self.ring.len()).collect();
        order.sort_by_key(|at| self.running_of(&self.ring[*at].0));
        for at in order {
            let line = &self.ring[at].1;
            let mut found = None;
            for (place, entry) in line.iter().enumerate() {
                let allowed = !(held && entry.class == Class::Analysis);
                if allowed && let Some(room) = self.place_for(entry) {
                    found = Some((place, room));
                    break;
                }
                held |= entry.class == Class::Analysis;
            }
            let Some((place, room)) = found else { continue };
            let (client, mut line) = self.ring.remove(at)?;
            let entry = QueuedWork { place: room, ..line.remove(place)? };
            self.running.push(Running {
                number: entry.number,
                client: client.clone(),
                class: entry.class,
                threads: entry.threads,
                place: entry.place,
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

    /// Stops everything for good; what waited is handed back, to be dropped without the lock.
    pub(super) fn close(&mut self) -> impl Drop + use<> {
        self.closed = true;
        self.running.iter().for_each(|running| running.stop.stop());
        std::mem::take(&mut self.ring)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// A search has ended; its client goes behind all who wait.
    pub(super) fn done(&mut self, number: u64) {
        let Some(at) = self.running.iter().position(|running| running.number == number) else { return };
        let Running { client, class, .. } = self.running.swap_remove(at);
        if class != Class::Ponder
            && let Some(line) =
                self.ring.iter().position(|(name, _)| *name == client).and_then(|at| self.ring.remove(at))
        {
            self.ring.push_back(line);
        }
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

    /// Searches of a client that run and have not been told to stop.
    fn active(&self, class: Class, client: &str) -> usize {
        self.running.iter().filter(|r| r.class == class && r.client == client && !r.stop.is_stopped()).count()
    }

    fn waiting_of(&self, class: Class, client: &str) -> usize {
        let line = self.ring.iter().find(|(name, _)| name == client).map(|(_, line)| line);
        line.map_or(0, |line| line.iter().filter(|entry| entry.class == class).count())
    }

    /// Ends searches (their results stand) so that clients who wait get their turn. A waiting client may displace a
    /// search of a client that has more running than itself, once that search has had its share of time: a short one
    /// if its client has asked for several.
    pub(super) fn rotate(&mut self, now: Instant) {
        for class in [Class::Play, Class::Analysis] {
            // Each search that is ending already serves one of those who wait.
            let mut ending = self.running.iter().filter(|r| r.class == class && r.stop.is_stopped()).count();
            let waits = |line: &VecDeque<QueuedWork>| {
                line.iter().any(|e| e.class == class && self.place_for(e).is_none())
            };
            for (client, _) in self.ring.iter().filter(|(_, line)| waits(line)) {
                match self.displaceable(class, client, now) {
                    Some(_) if ending > 0 => ending -= 1,
                    Some(running) => running.stop.stop(),
                    None => {}
                }
            }
        }
    }

    /// The search to end for a waiting client: the oldest one of the client that runs most.
    fn displaceable(&self, class: Class, client: &str, now: Instant) -> Option<&Running> {
        let own = self.active(class, client);
        let candidates = self.running.iter().filter(|running| {
            let theirs = self.active(class, &running.client);
            let several = theirs + self.waiting_of(class, &running.client) > own + 1;
            let share = if several { SEVERAL } else { class.share() };
            running.class == class
                && !running.stop.is_stopped()
                && theirs > own
                && now.saturating_duration_since(running.since) >= share
        });
        candidates.min_by_key(|running| (Reverse(self.active(class, &running.client)), running.since))
    }
}

#[cfg(test)]
mod tests;
