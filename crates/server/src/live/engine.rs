//! An engine's turn in a live game: a search in the pool whose answer comes back as a question to the task. In its
//! opponent's turn it may ponder.

use super::message::{GameMessage, Update};
use super::request::TaskRequest;
use super::seat_engine::SeatEngines;
use super::state::Live;
use crate::app::App;
use crate::pool::{Class, Full, Need, Ticket};
use api::{Player, ReportBody};
use game::{EngineError, Level, Limits, Report, Watch};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{broadcast, mpsc};

/// Spectators hear of a search at most this often.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// Pondering ends after this time at the latest, in case the opponent has left the browser open.
const PONDER_TIME: Duration = Duration::from_secs(30);

/// Sends the answer back; if the engine panics, a failure instead of nothing.
struct EngineReply {
    inbox: mpsc::Sender<TaskRequest>,
    seq: i64,
    sent: bool,
}

impl EngineReply {
    fn send(&mut self, found: Result<Box<game::Decision>, EngineError>) {
        self.tell(TaskRequest::Thought { seq: self.seq, found });
    }

    fn tell(&mut self, message: TaskRequest) {
        self.sent = true;
        // The game may be over and its task gone.
        let _ = self.inbox.blocking_send(message);
    }
}

impl Drop for EngineReply {
    fn drop(&mut self) {
        if !self.sent {
            self.send(Err(EngineError::Failed("the engine stopped working".into())));
        }
    }
}

/// Starts the search of the engine whose turn it is; `None` if it is no engine's turn. A search that had to give way so
/// many times already gets less time, so that it ends before its share does.
pub(super) fn start(
    live: &Live,
    app: &App,
    seats: &Arc<SeatEngines>,
    displaced: u32,
    inbox: &mpsc::Sender<TaskRequest>,
    updates: &broadcast::Sender<Update>,
) -> Option<Result<Ticket, Full>> {
    let (seat, player) = live.to_act()?;
    let Player::Engine { engine, .. } = player else { return None };
    let (mut limits, options) = player.limits()?;
    limits.memory_mb = app.config.engine_memory_mb;
    limits.move_time = limits.move_time.map(|time| time / (1 << displaced.min(8)));
    limits.clock = live.session.clocks().map(|clocks| clocks.for_engine(seat, Instant::now()));
    limits.seed = live.session.seed(&live.header.id);
    let choice = app.host.engine(live.session.game(), engine).ok();
    let position = live.session.position().boxed();
    let (inbox, updates, seq, engine) =
        (inbox.clone(), updates.clone(), live.session.next_seq(), engine.clone());
    let (pool, seats) = (app.pool.clone(), seats.clone());
    // However many games somebody makes, together they have one client's share.
    Some(app.pool.submit(Class::Play, &live.header.creator, Need::anywhere(1), move |watch| {
        let mut answer = EngineReply { inbox, seq, sent: false };
        let mut last_report: Option<Instant> = None;
        let mut report = |report: &Report| {
            if updates.receiver_count() > 0
                && last_report.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL)
            {
                last_report = Some(Instant::now());
                let report = Box::new(ReportBody::of(&*position, report));
                if let Some(update) = Update::of(&GameMessage::Thinking { seat, report }, None) {
                    let _ = updates.send(update);
                }
            }
        };
        let (loan, kept) = seats.borrow(seat);
        // Lent engines must not keep a game alive that has left.
        drop(seats);
        let made = match (kept, choice) {
            (Some(engine), _) => Ok(engine),
            (None, Some(choice)) => choice.make(&options),
            (None, None) => Err(EngineError::Failed(format!("there is no engine '{engine}' any more"))),
        };
        let found = made.and_then(|mut engine| {
            let found = engine.think(&*position, &limits, &watch.restarted(), &mut report)?;
            loan.keep(engine);
            Ok(found)
        });
        if pool.is_closed() {
            // The next server begins this search anew.
            answer.sent = true;
            return;
        }
        match found {
            // A built-in engine has a move whenever it is stopped; a program may have said nothing yet.
            Err(_) if watch.is_stopped() => answer.tell(TaskRequest::Displaced { seq }),
            found => answer.send(found.map(Box::new)),
        }
    }))
}

/// Lets the engine that waits for its opponent ponder, if a thread is idle and somebody watches the game. Only engines at
/// full strength do: the lower levels are weak by searching little.
pub(super) fn ponder(
    live: &Live,
    app: &App,
    seats: &Arc<SeatEngines>,
    updates: &broadcast::Sender<Update>,
) -> Option<Ticket> {
    let (opponent, _) = live.to_act()?;
    let seat = opponent.other();
    let (limits, _) = live.header.players.at(seat).limits()?;
    if limits.level != Level::MAX || updates.receiver_count() == 0 {
        return None;
    }
    let memory_mb = app.config.engine_memory_mb;
    let limits = Limits { move_time: Some(PONDER_TIME), memory_mb, ..limits };
    let (position, seats) = (live.session.position().boxed(), seats.clone());
    let work = move |watch: &Watch| {
        let (loan, kept) = seats.borrow(seat);
        drop(seats);
        let Some(mut engine) = kept else { return };
        let able = engine.can_ponder() && !watch.is_stopped();
        if !able || engine.think(&*position, &limits, watch, &mut |_| {}).is_ok() {
            loan.keep(engine);
        }
    };
    app.pool.submit(Class::Ponder, &live.header.creator, 1, work).ok()
}
