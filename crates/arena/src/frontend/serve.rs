//! The loop around a frontend: one thread reads, one thread searches, this one decides.
//!
//! Lines and search progress arrive in one channel, in the order in which they happened. An urgent line is
//! handled during the search; every other line waits in a bounded queue until the search has answered. The end of the input lets everything queued finish first, as a script expects.

use super::{Frontend, FrontendStep, SearchJob, Urgency};
use game::{Decision, Engine, EngineError, Limits, Position, Report, StopFlag, Watch};
use std::collections::VecDeque;
use std::io::{BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer lines are cut: no command is, and a client must not fill the memory.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines that may wait for the end of a search: two whole boards of 22x22 with every stone listed, and more.
const MAX_WAITING_LINES: usize = 4096;
/// Their bytes.
const MAX_WAITING_BYTES: usize = 1 << 20;
/// Events on their way to this thread; a client that sends faster has to wait.
const MAX_EVENTS: usize = 64;
/// How often the output is looked at after the input has ended.
const OUTPUT_CHECK: Duration = Duration::from_millis(100);

/// Serves a client until it quits or a write fails. The end of the input lets everything that was sent be
/// answered, unless `output_closed` reports that nobody reads the answers any more.
pub fn serve(
    frontend: &mut dyn Frontend,
    engine: Box<dyn Engine>,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    output_closed: &dyn Fn() -> bool,
) -> std::io::Result<()> {
    let (events, inbox) = sync_channel(MAX_EVENTS);
    let stop = StopFlag::new();
    let orders = start_worker(engine, events.clone());
    thread::spawn(move || read_lines(input, &events));
    let mut serving = ServeLoop {
        frontend,
        output,
        output_closed,
        orders,
        stop,
        busy: Busy::Idle,
        queue: VecDeque::new(),
        waiting_bytes: 0,
        open: true,
        leaving: false,
        left: false,
    };
    let served = serving.run(&inbox);
    // Whatever the reason to leave, a search that still runs is of no use.
    serving.stop.stop();
    served
}

/// What the two other threads report.
enum Event {
    Line(String),
    EndOfInput,
    News(Report),
    Thought(Result<Decision, EngineError>),
    Forgot,
}

/// What the engine's thread is asked to do.
enum Order {
    Think { position: Box<dyn Position>, limits: Box<Limits>, watch: Watch, reports: bool },
    Forget,
}

/// What the engine's thread is doing.
enum Busy {
    Idle,
    Thinking { since: Instant, deadline: Option<Instant> },
    Pondering,
    Forgetting(String),
}

struct ServeLoop<'a> {
    frontend: &'a mut dyn Frontend,
    output: &'a mut dyn Write,
    output_closed: &'a dyn Fn() -> bool,
    orders: Sender<Order>,
    stop: StopFlag,
    busy: Busy,
    queue: VecDeque<String>,
    waiting_bytes: usize,
    /// The input has not ended.
    open: bool,
    /// Searches are cut short: the client wants to leave at once.
    leaving: bool,
    /// The client has said that it leaves.
    left: bool,
}

impl ServeLoop<'_> {
    fn run(&mut self, inbox: &Receiver<Event>) -> std::io::Result<()> {
        loop {
            while matches!(self.busy, Busy::Idle)
                && let Some(line) = self.queue.pop_front()
            {
                self.waiting_bytes -= line.len();
                let step = self.frontend.handle(&line);
                if self.take(step)? {
                    return Ok(());
                }
            }
            if !self.open && matches!(self.busy, Busy::Idle) {
                return Ok(());
            }
            let Some(event) = self.next(inbox) else { return Ok(()) };
            match event {
                Event::EndOfInput => {
                    self.open = false;
                    if matches!(self.busy, Busy::Pondering) {
                        self.stop.stop();
                    }
                }
                Event::Line(_) if self.left => {}
                Event::Line(line) => {
                    if self.line(line)? {
                        return Ok(());
                    }
                }
                Event::News(report) => {
                    if matches!(self.busy, Busy::Thinking { .. }) {
                        let text = self.frontend.report(&report);
                        self.say(&text)?;
                    }
                }
                Event::Thought(result) => {
                    if let Busy::Thinking { since, .. } = std::mem::replace(&mut self.busy, Busy::Idle) {
                        let step = self.frontend.answer(result, since.elapsed());
                        if self.take(step)? {
                            return Ok(());
                        }
                        self.start_pondering();
                    }
                }
                Event::Forgot => {
                    if let Busy::Forgetting(text) = std::mem::replace(&mut self.busy, Busy::Idle) {
                        self.say(&text)?;
                    }
                }
            }
        }
    }

    /// The next event; a search whose time is up is stopped on the way. `None`: nobody is left to serve.
    fn next(&self, inbox: &Receiver<Event>) -> Option<Event> {
        loop {
            let left = match self.busy {
                Busy::Thinking { deadline: Some(deadline), .. } if !self.stop.is_stopped() => {
                    Some(deadline.saturating_duration_since(Instant::now()))
                }
                _ => None,
            };
            // Before looking for events: a client that floods us must not hide the deadline.
            if left.is_some_and(|left| left.is_zero()) {
                self.stop.stop();
                continue;
            }
            let check = (!self.open).then_some(OUTPUT_CHECK);
            let Some(wait) = left.into_iter().chain(check).min() else { return inbox.recv().ok() };
            match inbox.recv_timeout(wait) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if !self.open && (self.output_closed)() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Lets a line wait, or refuses it when too many wait already.
    fn wait_in_queue(&mut self, line: String) -> std::io::Result<()> {
        // The client must always be able to leave; what it sends after that is not read.
        let leaves = matches!(self.frontend.urgency(&line), Urgency::Leave | Urgency::LeaveInOrder);
        self.left |= leaves;
        let full =
            self.queue.len() >= MAX_WAITING_LINES || self.waiting_bytes + line.len() > MAX_WAITING_BYTES;
        if full && !leaves {
            let refusal =
                self.frontend.refuse(&line, "dropped: too many commands are waiting for the search");
            return self.say(&refusal);
        }
        self.waiting_bytes += line.len();
        self.queue.push_back(line);
        Ok(())
    }

    /// Treats a line that has just arrived; `true` to leave.
    fn line(&mut self, line: String) -> std::io::Result<bool> {
        let urgency = self.frontend.urgency(&line);
        match self.busy {
            Busy::Idle | Busy::Forgetting(_) => self.wait_in_queue(line)?,
            Busy::Thinking { .. } => match urgency {
                Urgency::Now => return self.now(&line),
                Urgency::InOrder if self.queue.is_empty() => return self.now(&line),
                Urgency::InOrder | Urgency::LeaveInOrder | Urgency::Wait => self.wait_in_queue(line)?,
                Urgency::Stop => self.stop.stop(),
                Urgency::Leave => {
                    self.leaving = true;
                    self.stop.stop();
                    self.wait_in_queue(line)?;
                }
            },
            Busy::Pondering => match urgency {
                Urgency::Now => return self.now(&line),
                Urgency::InOrder if self.queue.is_empty() => return self.now(&line),
                _ => {
                    self.stop.stop();
                    self.wait_in_queue(line)?;
                }
            },
        }
        Ok(false)
    }

    /// Handles a line while the engine is at work: such lines never need the engine.
    fn now(&mut self, line: &str) -> std::io::Result<bool> {
        match self.frontend.handle(line) {
            FrontendStep::Say(text) | FrontendStep::Forget(text) => self.say(&text).map(|()| false),
            FrontendStep::Quit(text) => self.say(&text).map(|()| true),
            FrontendStep::Think(_) => Ok(false),
        }
    }

    /// Does what the frontend asks for; `true` to leave.
    fn take(&mut self, step: FrontendStep) -> std::io::Result<bool> {
        match step {
            FrontendStep::Say(text) => self.say(&text)?,
            FrontendStep::Quit(text) => {
                self.say(&text)?;
                return Ok(true);
            }
            FrontendStep::Forget(text) => {
                self.busy = Busy::Forgetting(text);
                self.order(Order::Forget)?;
            }
            FrontendStep::Think(job) => {
                let since = Instant::now();
                self.busy = Busy::Thinking { since, deadline: job.deadline.map(|time| since + time) };
                self.search(*job)?;
                if self.leaving {
                    self.stop.stop();
                }
                // What came while the engine was busy otherwise may be urgent now.
                self.waiting_bytes = 0;
                for line in std::mem::take(&mut self.queue) {
                    if self.line(line)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn start_pondering(&mut self) {
        if matches!(self.busy, Busy::Idle)
            && self.queue.is_empty()
            && self.open
            && let Some(job) = self.frontend.ponder()
            && self.search(job).is_ok()
        {
            self.busy = Busy::Pondering;
        }
    }

    fn search(&mut self, job: SearchJob) -> std::io::Result<()> {
        self.stop.reset();
        let watch = Watch::start(self.stop.clone());
        let SearchJob { position, limits, reports, .. } = job;
        self.order(Order::Think { position, limits: Box::new(limits), watch, reports })
    }

    fn order(&self, order: Order) -> std::io::Result<()> {
        self.orders.send(order).map_err(|_| std::io::Error::other("the engine's thread has ended"))
    }

    fn say(&mut self, text: &str) -> std::io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        // One write for the whole reply: a client that reads by line must not see half of one.
        self.output.write_all(format!("{text}\n").as_bytes())?;
        self.output.flush()
    }
}

fn start_worker(mut engine: Box<dyn Engine>, events: SyncSender<Event>) -> Sender<Order> {
    let (orders, inbox) = channel();
    thread::spawn(move || {
        for order in inbox {
            let event = match order {
                Order::Forget => {
                    let _ = catch_unwind(AssertUnwindSafe(|| engine.new_game()));
                    Event::Forgot
                }
                Order::Think { position, limits, watch, reports } => {
                    let mut report = |report: &Report| {
                        // Progress is dropped rather than let a slow client hold up the search.
                        if reports {
                            let _ = events.try_send(Event::News(report.clone()));
                        }
                    };
                    // The client must get an answer even from an engine with a bug.
                    let thought = catch_unwind(AssertUnwindSafe(|| {
                        engine.think(&*position, &limits, &watch, &mut report)
                    }));
                    Event::Thought(
                        thought.unwrap_or_else(|_| Err(EngineError::Failed("the engine panicked".into()))),
                    )
                }
            };
            if events.send(event).is_err() {
                break;
            }
        }
    });
    orders
}

/// Sends every line without its end. Bytes that are no text become replacement characters.
fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") && !skip_line(&mut input) {
            break;
        }
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string();
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// Skips the rest of an overlong line.
fn skip_line(input: &mut impl BufRead) -> bool {
    loop {
        let (used, found) = match input.fill_buf() {
            Ok([]) => return true,
            Err(_) => return false,
            Ok(buffer) => match buffer.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), false),
            },
        };
        input.consume(used);
        if found {
            return true;
        }
    }
}

#[cfg(test)]
mod tests;
