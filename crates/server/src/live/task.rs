//! The task of one game: the only one who changes it.
//!
//! Whatever happens is first an event on disk, then committed, then acknowledged and broadcast. If
//! the disk fails, nothing has happened: the task ends, and the next question starts a new one from disk.

use super::engine;
use super::message::{BotMessage, GameMessage};
use super::request::{Joined, ReplySender, TaskRequest};
use super::seat_engine::SeatEngines;
use super::state::Live;
use crate::app::App;
use crate::pool::Ticket;
use crate::problem::storage_failed;
use crate::store::StoreError;
use crate::time::moment;
use api::Player;
use api::Problem;
use api::{Acknowledged, Done};
use axum::extract::ws::Utf8Bytes;
use game::{Decision, EngineError, MoveNote, Seat};
use play::{Action, EventKind, Moment, MoveOrder, Ordered, Pending, Refusal, Termination};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, broadcast, mpsc};

/// A game that nobody looks at and that waits for nothing leaves memory after this time.
const IDLE: Duration = Duration::from_secs(60);

/// So soon one that was loaded by the server itself, without anybody asking.
const AT_ONCE: Duration = Duration::from_millis(20);

/// A flag that falls sooner is waited for in memory.
const SOON: Duration = Duration::from_secs(2);

/// How soon an engine tries again when the pool is full.
const RETRY: Duration = Duration::from_secs(1);

pub(super) struct Task {
    app: Arc<App>,
    id: Arc<str>,
    live: Live,
    inbox: mpsc::Sender<TaskRequest>,
    updates: broadcast::Sender<Utf8Bytes>,
    /// The search for the event of this number.
    search: Option<(i64, Ticket)>,
    /// How often that search had to give way.
    displaced: u32,
    engines: Arc<SeatEngines>,
    retry: Option<Instant>,
    last_move: Instant,
    touched: Instant,
    stay: Stay,
}

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
    pub(super) fn new(app: Arc<App>, live: Live, inbox: mpsc::Sender<TaskRequest>, stay: Stay) -> Task {
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
            search: None,
            displaced: 0,
            engines,
            retry: None,
            last_move: now,
            touched: now,
            stay,
        }
    }

    /// Runs until nobody needs it.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<TaskRequest>) {
        self.app.metrics.live_games.fetch_add(1, Relaxed);
        self.consider();
        loop {
            let wait = tokio::time::sleep_until(self.deadline().into());
            let healthy = tokio::select! {
                ask = requests.recv() => match ask {
                    Some(ask) => self.answer(ask).await,
                    None => false,
                },
                () = wait => self.tick().await,
            };
            if !healthy {
                self.app.live_games.drop_task(&self.id, &self.inbox);
                break;
            }
            if self.is_idle() && self.app.live_games.leave(&self.id, &self.inbox, &requests) {
                if let Some(falls) = self.falls() {
                    self.app.alarms.set(self.id.clone(), falls);
                }
                break;
            }
        }
        self.app.metrics.live_games.fetch_sub(1, Relaxed);
        // Ending a process takes a while.
        let engines = self.engines;
        tokio::task::spawn_blocking(move || engines.clear());
    }

    fn deadline(&self) -> Instant {
        let again = if matches!(self.stay, Stay::Asked) { IDLE / 4 } else { AT_ONCE };
        let idle = (self.touched + self.patience()).max(Instant::now() + again);
        [self.falls(), self.retry].into_iter().flatten().fold(idle, Instant::min)
    }

    fn patience(&self) -> Duration {
        if matches!(self.stay, Stay::Asked) { IDLE } else { Duration::ZERO }
    }

    fn falls(&self) -> Option<Instant> {
        self.live.session.clocks().and_then(|clocks| clocks.falls())
    }

    fn is_idle(&self) -> bool {
        let flag = self.falls().is_some_and(|falls| falls < Instant::now() + SOON);
        let waits = self.search.is_some() || self.retry.is_some() || flag;
        !waits && self.updates.receiver_count() == 0 && self.touched.elapsed() >= self.patience()
    }

    /// Something is due: a fallen flag, or an engine that could not start. False if the disk failed.
    async fn tick(&mut self) -> bool {
        let now = moment();
        if self.retry.is_some_and(|at| now.instant >= at) {
            self.retry = None;
            self.consider();
        }
        self.flag(now).await.is_ok()
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
        if !matches!(ask, TaskRequest::Thought { .. } | TaskRequest::Wake) {
            self.stay = Stay::Asked;
        }
        match ask {
            TaskRequest::Show { reply } => respond(reply, Ok(self.live.body())),
            TaskRequest::Join { reply } => {
                respond(reply, Ok(Joined { game: self.live.body(), updates: self.updates.subscribe() }))
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
        }
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

    async fn act(&mut self, seat: Option<Seat>, action: Action) -> Result<Done, Failure> {
        let against_engine = self.live.against_engine(seat);
        let (pending, outcome) = self.live.session.act(seat, action, against_engine, moment())?;
        match pending {
            Some(pending) => self.happen(pending).await.map_err(Failure::Disk)?,
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
        if self.search.is_none() {
            let (app, engines) = (&self.app, &self.engines);
            match engine::start(&self.live, app, engines, self.displaced, &self.inbox, &self.updates) {
                Some(Ok(ticket)) => self.search = Some((seq, ticket)),
                Some(Err(_)) => self.retry = Some(Instant::now() + RETRY),
                None => {}
            }
        }
        if self.live.session.end().is_some() {
            let engines = self.engines.clone();
            tokio::task::spawn_blocking(move || engines.clear());
        }
        self.tell_bots();
    }

    /// Written once for all who listen, and not even made if nobody does.
    fn tell(&self, message: impl FnOnce(&Live) -> GameMessage) {
        if self.updates.receiver_count() > 0
            && let Ok(text) = serde_json::to_string(&message(&self.live))
        {
            let _ = self.updates.send(text.into());
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
            | EventKind::DeclineDraw
            | EventKind::DeclineUndo => {
                self.tell(|live| GameMessage::Offer { offer: live.session.offer(), outcome: None });
            }
            _ => self.tell(|live| GameMessage::State { game: Box::new(live.body()) }),
        }
        let Some(end) = self.live.session.end() else { return };
        self.tell(|live| GameMessage::End {
            game_id: live.header.id.clone(),
            result: end.result(),
            winner: end.winner.map(|(_, side)| side),
            reason: end.termination,
            view: Box::new(live.view()),
            clock: live.clock(),
        });
        for player in [&self.live.header.players.first, &self.live.header.players.second] {
            if let Player::Bot { bot, .. } = player {
                let (game, result, reason) = (self.id.to_string(), end.result(), end.termination);
                self.app.bots.tell(bot, &BotMessage::End { game, result, reason });
            }
        }
    }

    /// Tells the bot whose turn it is.
    fn tell_bots(&self) {
        let Some((you, Player::Bot { bot, .. })) = self.live.to_act() else { return };
        if !self.app.bots.is_online(bot) {
            return;
        }
        let turn = BotMessage::Turn {
            game: self.id.to_string(),
            you,
            ply: self.live.session.plies().len(),
            takebacks: self.live.session.takebacks(),
            setup: Box::new(self.live.header.setup.clone()),
            moves: self.live.move_texts(),
            clock: self.live.clock(),
            legal: self.live.legal_texts(),
            board: self.live.view().board,
        };
        self.app.bots.tell(bot, &turn);
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
