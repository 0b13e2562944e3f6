//! The task of one game: the only one who changes it.
//!
//! Whatever happens is first an event on disk, then committed, then acknowledged and broadcast. If
//! the disk fails, nothing has happened: the task ends, and the next question starts a new one from disk.

mod bots;
mod presence;
mod rematch;

use super::engine;
use super::message::{BotMessage, GameMessage, Update, Updates};
use super::request::{Joined, ReplySender, TaskRequest};
use super::seat_engine::SeatEngines;
use super::state::Live;
use crate::app::App;
use crate::pool::Ticket;
use crate::problem::storage_failed;
use crate::security::secret;
use crate::store::{Lease, StoreError, Who};
use crate::time::moment;
use api::{Acknowledged, Done, GameBody, Problem, checked_name};
use game::{Decision, EngineError, MoveNote, Seat};
use play::{Action, EventKind, Moment, MoveOrder, Ordered, Pending, Refusal, Termination};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, broadcast, mpsc, watch};

/// A game that nobody looks at and that waits for nothing leaves memory after this time.
const IDLE: Duration = Duration::from_secs(60);

/// So soon one that was loaded by the server itself, without anybody asking.
const AT_ONCE: Duration = Duration::from_millis(20);

/// A flag that falls sooner is waited for in memory.
const SOON: Duration = Duration::from_secs(2);

/// How soon a game that goes on by itself is loaded again after the disk failed.
const RELOAD: Duration = Duration::from_secs(1);

/// How soon an engine tries again when the pool is full.
const RETRY: Duration = Duration::from_secs(1);

pub(super) struct Task {
    app: Arc<App>,
    id: Arc<str>,
    live: Live,
    inbox: mpsc::Sender<TaskRequest>,
    updates: broadcast::Sender<Update>,
    /// This task among all of this server, and how many news it has told.
    number: u64,
    told: u64,
    attending: presence::Attending,
    /// When an offer to a bot counts as declined.
    declines: Option<Instant>,
    /// Is it counted as a game that goes on?
    counted: bool,
    /// The search for the event of this number.
    search: Option<(i64, Ticket)>,
    /// How often that search had to give way.
    displaced: u32,
    /// The search of an engine in its opponent's turn.
    pondering: Option<Ticket>,
    engines: Arc<SeatEngines>,
    retry: Option<Instant>,
    last_move: Instant,
    touched: Instant,
    stay: Stay,
    /// That the game is ours, where several servers share the database.
    held: Option<Held>,
}

/// A lease, and what changes when it may be lost.
pub(super) type Held = (Lease, watch::Receiver<u64>);

static TASKS: AtomicU64 = AtomicU64::new(0);

/// How long a game with nothing to do stays in memory.
pub(super) enum Stay {
    /// Somebody asked for it, and may ask again.
    Asked,
    /// The server looked whether it has something to do; it may be allowed only so many at a time.
    Woken(#[expect(dead_code, reason = "held, not read")] Option<OwnedSemaphorePermit>),
}

/// Why something did not happen.
enum Failure {
    /// It is not possible.
    Refused(Problem),
    /// The disk failed: what is in memory may no longer be what is stored.
    Disk(StoreError),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal.into())
    }
}

impl Task {
    pub(super) fn new(
        app: Arc<App>,
        live: Live,
        inbox: mpsc::Sender<TaskRequest>,
        stay: Stay,
        held: Option<Held>,
    ) -> Task {
        let id = live.header.id.as_str().into();
        let (updates, _) = broadcast::channel(32);
        let now = Instant::now();
        let engines = SeatEngines::new(&app.kept_engines);
        Task {
            app,
            id,
            live,
            inbox,
            updates,
            number: TASKS.fetch_add(1, Relaxed) + 1,
            told: 0,
            attending: presence::Attending::default(),
            declines: None,
            counted: false,
            search: None,
            displaced: 0,
            pondering: None,
            engines,
            retry: None,
            last_move: now,
            touched: now,
            stay,
            held,
        }
    }

    /// Runs until nobody needs it.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<TaskRequest>) {
        self.app.metrics.live_games.fetch_add(1, Relaxed);
        self.consider();
        let mut term = self.held.as_ref().map(|(_, term)| term.clone());
        loop {
            self.count(self.live.session.end().is_none());
            let wait = tokio::time::sleep_until(self.deadline().into());
            let healthy = tokio::select! {
                ask = requests.recv() => match ask {
                    Some(ask) => self.answer(ask).await,
                    None => false,
                },
                () = wait => self.tick().await,
                () = lost(&mut term) => {
                    // The game goes on elsewhere.
                    self.app.live_games.drop_task(&self.id, &self.inbox);
                    break;
                }
            };
            self.update_presence();
            if !healthy {
                self.app.live_games.drop_task(&self.id, &self.inbox);
                if self.live.goes_on_by_itself() {
                    self.app.alarms.set(self.id.clone(), Instant::now() + RELOAD);
                }
                break;
            }
            if self.is_idle() && self.app.live_games.leave(&self.id, &self.inbox, &requests) {
                match (self.falls(), self.held.take()) {
                    (Some(falls), _) => self.app.alarms.set(self.id.clone(), falls),
                    (None, Some((lease, _))) => {
                        let (store, id) = (self.app.store.clone(), self.id.clone());
                        // If it fails the game stays ours, which is no harm.
                        tokio::spawn(async move { drop(store.release(&id, lease).await) });
                    }
                    (None, None) => {}
                }
                break;
            }
        }
        self.count(false);
        self.app.metrics.live_games.fetch_sub(1, Relaxed);
        // Ending a process takes a while.
        let engines = self.engines;
        tokio::task::spawn_blocking(move || engines.clear());
    }

    /// Counts the game among those that go on, or no longer.
    fn count(&mut self, goes_on: bool) {
        if std::mem::replace(&mut self.counted, goes_on) != goes_on {
            let games = &self.app.metrics.games_in_progress;
            if goes_on {
                games.fetch_add(1, Relaxed)
            } else {
                games.fetch_sub(1, Relaxed)
            };
        }
    }

    fn deadline(&self) -> Instant {
        let again = if matches!(self.stay, Stay::Asked) { IDLE / 4 } else { AT_ONCE };
        let idle = (self.touched + self.patience()).max(Instant::now() + again);
        let due = [self.falls(), self.retry, self.declines, self.attending.changes()];
        due.into_iter().flatten().fold(idle, Instant::min)
    }

    fn patience(&self) -> Duration {
        if matches!(self.stay, Stay::Asked) { IDLE } else { Duration::ZERO }
    }

    fn falls(&self) -> Option<Instant> {
        self.live.session.clocks().and_then(|clocks| clocks.falls())
    }

    fn is_idle(&self) -> bool {
        let flag = self.falls().is_some_and(|falls| falls < Instant::now() + SOON);
        let waits = self.search.is_some() || self.retry.is_some() || self.declines.is_some() || flag;
        !waits && self.updates.receiver_count() == 0 && self.touched.elapsed() >= self.patience()
    }

    /// Something is due: a fallen flag, or an engine that could not start. False if the disk failed.
    async fn tick(&mut self) -> bool {
        let now = moment();
        if self.retry.is_some_and(|at| now.instant >= at) {
            self.retry = None;
            self.consider();
        }
        self.flag(now).await.is_ok() && self.decline_for_bot().await
    }

    /// Ends the game if a flag has fallen.
    async fn flag(&mut self, now: Moment) -> Result<(), StoreError> {
        match self.live.session.flag(now) {
            Some(timeout) => self.happen(timeout).await,
            None => Ok(()),
        }
    }

    /// Answers a question; false if the disk failed.
    async fn answer(&mut self, ask: TaskRequest) -> bool {
        // A flag that fell while questions waited falls before they are answered.
        if !self.tick().await {
            return false;
        }
        self.touched = Instant::now();
        if !matches!(ask, TaskRequest::Thought { .. } | TaskRequest::Wake | TaskRequest::Look) {
            self.stay = Stay::Asked;
        }
        match ask {
            TaskRequest::Show { who, reply } => respond(reply, Ok(self.body(who))),
            TaskRequest::Join { who, attend, reply } => {
                let attendance = match who {
                    Some(Who::Seat(seat)) if attend => {
                        Some(Box::new(self.attending.attend(seat, self.inbox.clone())) as _)
                    }
                    _ => None,
                };
                let updates = Updates::new(self.updates.subscribe(), self.number, self.told);
                let game = self.body(who);
                respond(reply, Ok(Joined { game, updates, attendance }))
            }
            TaskRequest::Position { reply } => respond(reply, Ok(self.live.session.position().boxed())),
            TaskRequest::Record { reply } => respond(reply, Ok(self.live.record())),
            TaskRequest::Move { seat, order, with_view, reply } => {
                respond(reply, self.play(seat, &order, with_view).await)
            }
            TaskRequest::Act { seat, action, reply } => respond(reply, self.act(seat, action).await),
            TaskRequest::Thought { seq, found } => self.thought(seq, found).await.is_ok(),
            TaskRequest::Displaced { seq } => {
                if self.search.as_ref().is_some_and(|(own, _)| *own == seq) {
                    self.search = None;
                    self.displaced += 1;
                    self.retry = Some(Instant::now());
                }
                true
            }
            TaskRequest::Wake => {
                self.tell_bots();
                true
            }
            TaskRequest::Look => true,
        }
    }

    /// The game as this client may see it: only players read the chat.
    fn body(&self, who: Option<Who>) -> GameBody {
        self.live.body(self.presence(), matches!(who, Some(Who::Seat(_))))
    }

    async fn play(
        &mut self,
        seat: Seat,
        order: &MoveOrder,
        with_view: bool,
    ) -> Result<Acknowledged, Failure> {
        let arrived = moment();
        let applied = match self.live.session.order(seat, order, arrived) {
            Ok(Ordered::Repeated) => false,
            Ok(Ordered::Play(pending)) => {
                self.happen(*pending).await.map_err(Failure::Disk)?;
                self.app.metrics.acknowledged(arrived.instant.elapsed());
                true
            }
            Err(refusal) => {
                self.flag(arrived).await.map_err(Failure::Disk)?;
                let illegal = matches!(refusal, Refusal::Illegal(_));
                let problem = Problem::from(refusal);
                return Err(Failure::Refused(match illegal {
                    true => problem.with("ply", order.ply).with("move", order.text.as_str()),
                    false => problem,
                }));
            }
        };
        let view = with_view.then(|| Box::new(self.live.view()));
        Ok(Acknowledged { ply: order.ply, applied, view, clock: self.live.clock() })
    }

    async fn act(&mut self, seat: Option<Seat>, mut action: Action) -> Result<Done, Failure> {
        if let Action::Join { name: Some(name) } = &mut action {
            *name = checked_name(name).map_err(Failure::Refused)?;
        }
        let next = secret::random().map_err(|error| Failure::Refused(storage_failed(error)))?;
        let opponent = self.live.opponent(seat);
        let (pending, outcome) = self.live.session.act(seat, action, opponent, &next, moment())?;
        match pending {
            Some(pending) => {
                if let EventKind::Rematch { game } = &pending.event().kind {
                    self.begin_rematch(game).await?;
                }
                self.happen(pending).await.map_err(Failure::Disk)?;
            }
            None => self.tell(|_| GameMessage::Offer { offer: None, outcome: Some(outcome) }),
        }
        Ok(Done { outcome })
    }

    /// The engine has decided.
    async fn thought(
        &mut self,
        seq: i64,
        found: Result<Box<Decision>, EngineError>,
    ) -> Result<(), StoreError> {
        if self.search.as_ref().is_none_or(|(own, _)| *own != seq) || seq != self.live.session.next_seq() {
            return Ok(());
        }
        let pace = Duration::from_millis(self.live.header.pace_ms.max(0) as u64);
        let early = pace.saturating_sub(self.last_move.elapsed());
        if !early.is_zero() {
            let inbox = self.inbox.clone();
            tokio::spawn(async move {
                tokio::time::sleep(early).await;
                let _ = inbox.send(TaskRequest::Thought { seq, found }).await;
            });
            return Ok(());
        }
        self.search = None;
        let now = moment();
        let played = found.map_err(|error| error.to_string()).and_then(|decision| {
            match self.live.session.play(decision.mv, MoveNote::default(), now) {
                Err(Refusal::Illegal(error)) => Err(format!("it chose an illegal move: {error}")),
                other => Ok(other),
            }
        });
        match played {
            Ok(Ok(pending)) => self.happen(pending).await,
            // Too late, or the game is over.
            Ok(Err(_)) => self.flag(now).await,
            Err(why) => {
                tracing::error!(game = %self.id, error = why, "an engine failed");
                let seat = self.live.session.position().turn();
                match self
                    .live
                    .session
                    .prepare(EventKind::Forfeit { seat, termination: Termination::EngineFailed, why }, now)
                {
                    Ok(forfeit) => self.happen(forfeit).await,
                    Err(_) => Ok(()),
                }
            }
        }
    }

    /// Makes it so: on disk, then here, then for everybody.
    async fn happen(&mut self, pending: Pending) -> Result<(), StoreError> {
        let finish = self.live.finish(&pending);
        self.app.store.writer.append(self.id.clone(), pending.event().clone(), finish).await?;
        let event = self.live.session.commit(pending, Instant::now());
        self.touched = Instant::now();
        self.displaced = 0;
        self.announce(&event.kind);
        self.await_bot();
        self.consider();
        Ok(())
    }

    /// Lets whoever is to move next get to work, and stops a search that is no longer wanted.
    fn consider(&mut self) {
        let seq = self.live.session.next_seq();
        if self.search.as_ref().is_some_and(|(own, _)| *own != seq) {
            // A remark in between does not change the position, but the numbers moved on: the search is
            // begun again, which costs little and keeps one rule for all.
            self.search = None;
        }
        self.pondering = None;
        if self.search.is_none() {
            let (app, engines) = (&self.app, &self.engines);
            match engine::start(&self.live, app, engines, self.displaced, &self.inbox, &self.updates) {
                Some(Ok(ticket)) => self.search = Some((seq, ticket)),
                Some(Err(_)) => self.retry = Some(Instant::now() + RETRY),
                None => self.pondering = engine::ponder(&self.live, app, engines, &self.updates),
            }
        }
        if self.live.session.end().is_some() {
            let engines = self.engines.clone();
            tokio::task::spawn_blocking(move || engines.clear());
        }
        self.tell_bots();
    }

    /// Written once for all who listen, and not even made if nobody does.
    fn tell(&mut self, message: impl FnOnce(&Live) -> GameMessage) {
        if self.updates.receiver_count() > 0
            && let Some(update) = Update::of(&message(&self.live), Some((self.number, self.told + 1)))
        {
            self.told += 1;
            let _ = self.updates.send(update);
        }
    }

    /// Tells spectators and players what happened.
    fn announce(&mut self, kind: &EventKind) {
        match kind {
            EventKind::Move { .. } => {
                self.last_move = Instant::now();
                self.tell(|live| GameMessage::Move {
                    ply: live.session.plies().len().saturating_sub(1),
                    mv: live.last_move(),
                    view: Box::new(live.view()),
                    clock: live.clock(),
                });
            }
            EventKind::OfferDraw { .. }
            | EventKind::OfferUndo { .. }
            | EventKind::OfferRematch { .. }
            | EventKind::DeclineDraw
            | EventKind::DeclineUndo
            | EventKind::DeclineRematch => {
                self.tell(|live| GameMessage::Offer { offer: live.session.offer(), outcome: None });
                return;
            }
            EventKind::Chat { .. } => {
                if let Some(line) = self.live.session.chat().last().cloned() {
                    self.tell(|_| GameMessage::Chat { line });
                }
                return;
            }
            EventKind::Rematch { game } => {
                self.tell(|_| GameMessage::Rematch { game_id: game.clone() });
                return;
            }
            _ => {
                let presence = self.presence();
                self.tell(|live| GameMessage::State { game: Box::new(live.body(presence, false)) });
            }
        }
        let Some(end) = self.live.session.end().cloned() else { return };
        self.tell(|live| GameMessage::End {
            game_id: live.header.id.clone(),
            result: end.result(),
            winner: end.winner.map(|(_, side)| side),
            reason: end.termination,
            view: Box::new(live.view()),
            clock: live.clock(),
        });
        self.tell_bots_the_end();
    }
}

/// Waits until the game may no longer be ours.
async fn lost(term: &mut Option<watch::Receiver<u64>>) {
    match term {
        Some(term) => drop(term.changed().await),
        None => std::future::pending().await,
    }
}

/// Sends an answer; false if the disk failed.
fn respond<T>(reply: ReplySender<T>, answer: Result<T, Failure>) -> bool {
    let healthy = !matches!(answer, Err(Failure::Disk(_)));
    // Whoever asked may have gone.
    let _ = reply.send(answer.map_err(|failure| match failure {
        Failure::Refused(problem) => problem,
        Failure::Disk(error) => storage_failed(error),
    }));
    healthy
}
