//! The task of one game: the only one who changes it.
//!
//! Whatever happens is first an event on disk, then applied, then acknowledged and told to everybody. If
//! the disk fails, nothing has happened: the task ends, and the next question starts a new one from disk.

use super::ask::{Acknowledged, Action, Ask, ClockBody, Done, Joined, MoveOrder};
use super::engine;
use super::state::{Checked, State};
use crate::app::App;
use crate::pool::Ticket;
use crate::problem::Problem;
use crate::shape::{MoveBody, Player, View};
use crate::store::{Event, What};
use axum::extract::ws::Utf8Bytes;
use game::{Decision, EngineError, Seat};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::{broadcast, mpsc};

/// A game that nobody looks at and that waits for nothing leaves memory after this time.
const IDLE: Duration = Duration::from_secs(60);

/// How soon an engine tries again when the pool is full.
const RETRY: Duration = Duration::from_secs(1);

pub(super) struct Task {
    app: Arc<App>,
    id: Arc<str>,
    state: State,
    inbox: mpsc::Sender<Ask>,
    news: broadcast::Sender<Utf8Bytes>,
    /// The search for the event of this number.
    search: Option<(i64, Ticket)>,
    retry: Option<Instant>,
    last_move: Instant,
    touched: Instant,
}

impl Task {
    pub(super) fn new(app: Arc<App>, state: State, inbox: mpsc::Sender<Ask>) -> Task {
        let id = state.header.id.as_str().into();
        let (news, _) = broadcast::channel(32);
        let now = Instant::now();
        Task { app, id, state, inbox, news, search: None, retry: None, last_move: now, touched: now }
    }

    /// Runs until nobody needs it.
    pub(super) async fn run(mut self, mut asks: mpsc::Receiver<Ask>) {
        self.app.metrics.live_games.fetch_add(1, Relaxed);
        self.consider();
        loop {
            let wait = tokio::time::sleep_until(self.deadline().into());
            let healthy = tokio::select! {
                ask = asks.recv() => match ask {
                    Some(ask) => self.answer(ask).await,
                    None => false,
                },
                () = wait => self.tick().await,
            };
            if !healthy {
                self.app.table.drop_task(&self.id, &self.inbox);
                break;
            }
            if self.is_idle() && self.app.table.leave(&self.id, &asks) {
                break;
            }
        }
        self.app.metrics.live_games.fetch_sub(1, Relaxed);
    }

    fn deadline(&self) -> Instant {
        let idle = self.touched + IDLE;
        let falls = self.state.clocks.as_ref().and_then(|clocks| clocks.falls());
        [falls, self.retry].into_iter().flatten().fold(idle.max(Instant::now() + IDLE / 4), Instant::min)
    }

    fn is_idle(&self) -> bool {
        let clock = self.state.clocks.as_ref().and_then(|clocks| clocks.running()).is_some();
        let waits = self.search.is_some() || self.retry.is_some() || clock;
        !waits && self.news.receiver_count() == 0 && self.touched.elapsed() >= IDLE
    }

    /// Something is due: a fallen flag, or an engine that found no room.
    async fn tick(&mut self) -> bool {
        let now = Instant::now();
        if let Some(seat) = self.state.clocks.as_ref().and_then(|clocks| clocks.fallen(now)) {
            return self.happen(What::Timeout { seat }, now).await.is_ok();
        }
        if self.retry.is_some_and(|at| now >= at) {
            self.retry = None;
            self.consider();
        }
        true
    }

    /// Answers a question; false if the disk failed.
    async fn answer(&mut self, ask: Ask) -> bool {
        // A flag that fell while questions waited falls before they are answered.
        if !self.tick().await {
            return false;
        }
        self.touched = Instant::now();
        let mut healthy = true;
        match ask {
            Ask::Show { reply } => drop(reply.send(Ok(self.state.body()))),
            Ask::Join { reply } => {
                let joined = Joined { game: self.state.body(), news: self.news.subscribe() };
                drop(reply.send(Ok(joined)));
            }
            Ask::Position { reply } => drop(reply.send(Ok(self.state.position.boxed()))),
            Ask::Record { reply } => drop(reply.send(Ok(self.state.record()))),
            Ask::Move { seat, order, reply } => {
                let answer = self.play(seat, &order).await;
                healthy = !is_disk(&answer);
                drop(reply.send(answer));
            }
            Ask::Act { seat, action, reply } => {
                let answer = self.act(seat, action).await;
                healthy = !is_disk(&answer);
                drop(reply.send(answer));
            }
            Ask::Thought { seq, found } => healthy = self.thought(seq, found).await,
            Ask::Wake => self.tell_bots(),
        }
        healthy
    }

    async fn play(&mut self, seat: Seat, order: &MoveOrder) -> Result<Acknowledged, Problem> {
        let arrived = Instant::now();
        let applied = match self.state.check_move(seat, order)? {
            Checked::Repeated => false,
            Checked::Play(text) => {
                self.happen(What::Move { r#move: text }, arrived).await?;
                self.app.metrics.acknowledged(arrived.elapsed());
                true
            }
        };
        Ok(Acknowledged { ply: order.ply, applied, view: None, clock: self.state.clock() })
    }

    async fn act(&mut self, seat: Option<Seat>, action: Action) -> Result<Done, Problem> {
        let (what, outcome) = self.state.check_action(seat, action)?;
        match what {
            Some(what) => self.happen(what, Instant::now()).await?,
            None => self.tell(&json!({ "type": "offer", "offer": null, "outcome": outcome })),
        }
        Ok(Done { outcome })
    }

    /// The engine has decided; false if the disk failed.
    async fn thought(&mut self, seq: i64, found: Result<Box<Decision>, EngineError>) -> bool {
        if self.search.as_ref().is_none_or(|(own, _)| *own != seq) || seq != self.state.next_seq {
            return true;
        }
        let pace = Duration::from_millis(self.state.header.pace_ms.max(0) as u64);
        let early = pace.saturating_sub(self.last_move.elapsed());
        if !early.is_zero() {
            let inbox = self.inbox.clone();
            tokio::spawn(async move {
                tokio::time::sleep(early).await;
                let _ = inbox.send(Ask::Thought { seq, found }).await;
            });
            return true;
        }
        self.search = None;
        let seat = self.state.position.turn();
        let legal = found.and_then(|decision| match self.state.position.legal(decision.mv) {
            Ok(()) => Ok(self.state.position.format_move(decision.mv)),
            Err(error) => Err(EngineError::Failed(format!("it chose an illegal move: {error}"))),
        });
        let what = match legal {
            Ok(text) => What::Move { r#move: text },
            Err(error) => {
                tracing::error!(game = %self.id, %error, "an engine failed");
                What::Forfeit { seat, why: error.to_string() }
            }
        };
        self.happen(what, Instant::now()).await.is_ok()
    }

    /// Makes it so: on disk, then here, then for everybody.
    async fn happen(&mut self, what: What, now: Instant) -> Result<(), Problem> {
        let finish = self.state.finish_after(&what)?;
        let left_ms = self.state.left_after(&what, now);
        let event = Event { seq: self.state.next_seq, at: crate::time::now_ms(), left_ms, what };
        let written = self.app.store.writer.append(self.id.clone(), event.clone(), finish).await;
        written.map_err(Problem::storage)?;
        self.state.apply(&event)?;
        self.touched = Instant::now();
        self.announce(&event.what);
        self.consider();
        Ok(())
    }

    /// Lets whoever is to move next get to work, and stops a search that is no longer wanted.
    fn consider(&mut self) {
        if self.search.as_ref().is_some_and(|(seq, _)| *seq != self.state.next_seq) {
            // A remark in between does not change the position, but the numbers moved on: the search is
            // begun again, which costs little and keeps one rule for all.
            self.search = None;
        }
        if self.search.is_none() {
            match engine::start(&self.state, &self.app.pool, &self.app.engines, &self.inbox, &self.news) {
                Some(Ok(ticket)) => self.search = Some((self.state.next_seq, ticket)),
                Some(Err(_)) => self.retry = Some(Instant::now() + RETRY),
                None => {}
            }
        }
        self.tell_bots();
    }

    /// Written once for all who listen, and not at all if nobody does.
    fn tell(&self, message: &impl Serialize) {
        if self.news.receiver_count() > 0
            && let Ok(text) = serde_json::to_string(message)
        {
            let _ = self.news.send(text.into());
        }
    }

    /// Tells spectators and players what happened.
    fn announce(&mut self, what: &What) {
        match what {
            What::Move { .. } => {
                self.last_move = Instant::now();
                if self.news.receiver_count() > 0 {
                    self.tell(&Moved {
                        kind: "move",
                        ply: self.state.ply().saturating_sub(1),
                        mv: self.state.last_move(),
                        view: self.state.view(),
                        clock: self.state.clock(),
                    });
                }
            }
            What::OfferDraw { .. } | What::OfferUndo { .. } | What::DeclineDraw | What::DeclineUndo => {
                self.tell(&json!({ "type": "offer", "offer": self.state.offer() }));
            }
            _ if self.news.receiver_count() > 0 => {
                self.tell(&json!({ "type": "state", "game": self.state.body() }));
            }
            _ => {}
        }
        if let Some(end) = &self.state.end {
            let game = self.state.body();
            let message = json!({
                "type": "end", "game_id": game.id, "result": end.result, "winner": game.winner,
                "reason": end.reason, "view": game.view, "clock": game.clock,
            });
            self.tell(&message);
            for player in [&self.state.header.players.first, &self.state.header.players.second] {
                if let Player::Bot { bot, .. } = player {
                    let end = json!({
                        "type": "end", "game": game.id, "result": end.result, "reason": end.reason,
                    });
                    self.app.bots.tell(bot, &end);
                }
            }
        }
    }

    /// Tells the bot whose turn it is.
    fn tell_bots(&self) {
        let Some((seat, Player::Bot { bot, .. })) = self.state.to_act() else { return };
        if !self.app.bots.is_online(bot) {
            return;
        }
        let turn = json!({
            "type": "turn", "game": self.id.as_ref(), "you": seat, "ply": self.state.ply(),
            "takebacks": self.state.takebacks, "setup": self.state.header.setup,
            "moves": self.state.move_texts(), "clock": self.state.clock(),
            "legal": legal_words(&self.state), "board": self.state.view().board,
        });
        self.app.bots.tell(bot, &turn);
    }
}

/// The news of a move. Not a [`Value`]: thousands a second are written, and the tree would cost more than the text.
#[derive(Serialize)]
struct Moved<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    ply: usize,
    #[serde(rename = "move")]
    mv: Option<&'a MoveBody>,
    view: View,
    clock: Option<ClockBody>,
}

/// Every legal move in the game's notation: the smallest bot needs no rules.
fn legal_words(state: &State) -> Vec<String> {
    let moves = state.position.legal_moves();
    moves.into_iter().map(|mv| state.position.format_move(mv)).collect()
}

fn is_disk<T>(answer: &Result<T, Problem>) -> bool {
    answer.as_ref().is_err_and(|problem| problem.code == "storage.failed")
}
