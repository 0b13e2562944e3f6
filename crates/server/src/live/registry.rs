//! Finds the task of a game, and starts it from disk if it is not in memory.

use super::request::{Joined, ReplySender, TaskRequest};
use super::state::Live;
use super::task::{Stay, Task};
use crate::app::App;
use crate::problem::storage_failed;
use crate::security::secret;
use crate::store::Header;
use crate::time;
use api::Problem;
use api::{Acknowledged, Done, GameBody};
use game::{Position, Seat};
use play::{Action, EventKind, MoveOrder};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, mpsc, oneshot};

type Slot = Arc<OnceCell<Option<GameHandle>>>;

/// All games in memory.
#[derive(Default)]
pub(crate) struct LiveGames {
    slots: Mutex<HashMap<Arc<str>, Slot>>,
}

/// A game's task.
#[derive(Clone)]
pub(crate) struct GameHandle {
    pub(crate) header: Arc<Header>,
    inbox: mpsc::Sender<TaskRequest>,
}

impl LiveGames {
    /// The game of this id; a problem if there is none.
    pub(crate) async fn find(app: &Arc<App>, id: &str) -> Result<GameHandle, Problem> {
        LiveGames::find_or_load(app, id, Stay::Asked).await
    }

    /// Loads a game that may have something to do. It leaves memory as soon as it has not, unless somebody requests; until
    /// then it keeps the permit.
    pub(crate) async fn wake(
        app: &Arc<App>,
        id: &str,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(), Problem> {
        LiveGames::find_or_load(app, id, Stay::Woken(permit)).await.map(drop)
    }

    async fn find_or_load(app: &Arc<App>, id: &str, stay: Stay) -> Result<GameHandle, Problem> {
        let unknown = || Problem::missing("game.unknown", "there is no such game");
        if !secret::looks_like_id(id) {
            return Err(unknown());
        }
        let slot = {
            let mut slots = app.live_games.slots.lock().unwrap_or_else(PoisonError::into_inner);
            slots.entry(id.into()).or_default().clone()
        };
        let loaded = slot.get_or_try_init(|| load(app, id, stay)).await;
        match loaded {
            Ok(Some(handle)) => Ok(handle.clone()),
            Ok(None) => {
                app.live_games.drop_empty(id);
                Err(unknown())
            }
            Err(problem) => {
                app.live_games.drop_empty(id);
                Err(problem)
            }
        }
    }

    /// Starts the task of a game that has just been created.
    pub(crate) fn start_new(app: &Arc<App>, header: Header) -> Result<GameHandle, Problem> {
        let id: Arc<str> = header.id.as_str().into();
        let game = app.host.game(&header.setup.game)?;
        let handle = start(app, Live::new(Arc::new(header), game)?, Stay::Asked);
        let slot = Arc::new(OnceCell::new_with(Some(Some(handle.clone()))));
        app.live_games.slots.lock().unwrap_or_else(PoisonError::into_inner).insert(id, slot);
        Ok(handle)
    }

    /// Keeps a game that is not in memory from being loaded until the answer is dropped; `None` if it is in memory.
    pub(crate) fn withhold(&self, id: &str) -> Option<Withheld<'_>> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.contains_key(id) {
            return None;
        }
        slots.insert(id.into(), Arc::new(OnceCell::new_with(Some(None))));
        Some(Withheld { live_games: self, id: id.into() })
    }

    /// Lets a task leave, unless a question has come in meanwhile or somebody is about to ask one.
    pub(super) fn leave(
        &self,
        id: &str,
        inbox: &mpsc::Sender<TaskRequest>,
        requests: &mpsc::Receiver<TaskRequest>,
    ) -> bool {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        // Handles are copied from a slot that was copied under this lock. The task and the slot hold one sender each.
        let held = slots.get(id).is_some_and(|slot| Arc::strong_count(slot) > 1) || inbox.strong_count() > 2;
        let free = requests.is_empty() && !held;
        if free {
            slots.remove(id);
        }
        free
    }

    /// Forgets a task that ends because the disk failed (and nothing that was started after it).
    pub(super) fn drop_task(&self, id: &str, inbox: &mpsc::Sender<TaskRequest>) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let own =
            |slot: &Slot| slot.get().is_some_and(|h| h.as_ref().is_some_and(|h| h.inbox.same_channel(inbox)));
        if slots.get(id).is_some_and(own) {
            slots.remove(id);
        }
    }

    /// Forgets a slot that holds no task.
    fn drop_empty(&self, id: &str) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.get(id).is_some_and(|slot| slot.get().is_none_or(Option::is_none)) {
            slots.remove(id);
        }
    }
}

/// A game that cannot be loaded now.
pub(crate) struct Withheld<'a> {
    live_games: &'a LiveGames,
    id: String,
}

impl Drop for Withheld<'_> {
    fn drop(&mut self) {
        self.live_games.drop_empty(&self.id);
    }
}

/// The game from disk. Where a clock runs, what it ran before is first written down as an event of this run:
/// the next start then counts from there, and never what the server was away.
async fn load(app: &Arc<App>, id: &str, stay: Stay) -> Result<Option<GameHandle>, Problem> {
    let Some((header, events)) = app.store.game(id).await.map_err(storage_failed)? else {
        return Ok(None);
    };
    let header = Arc::new(header);
    let mut live = Live::new(header.clone(), app.host.game(&header.setup.game)?)?;
    live.restore(&events, |last| ran_since(last, app)).map_err(storage_failed)?;
    let clock_runs = live.session.clocks().is_some_and(|clocks| clocks.running().is_some());
    if clock_runs && live.session.last_at() < app.started {
        let resume = live.session.prepare(EventKind::Resume, time::moment())?;
        let written = app.store.writer.append(id.into(), resume.event().clone(), None).await;
        written.map_err(storage_failed)?;
        live.session.commit(resume, Instant::now());
    }
    app.alarms.clear(id);
    Ok(Some(start(app, live, stay)))
}

/// How long a clock ran after an event of this time: until now if this run wrote it, else until the run
/// before was last alive.
fn ran_since(last: i64, app: &App) -> Duration {
    let until = if last >= app.started { time::now_ms() } else { app.alive_before.unwrap_or(last) };
    Duration::from_millis((until - last).max(0) as u64)
}

fn start(app: &Arc<App>, live: Live, stay: Stay) -> GameHandle {
    let (inbox, requests) = mpsc::channel(64);
    let header = live.header.clone();
    tokio::spawn(Task::new(app.clone(), live, inbox.clone(), stay).run(requests));
    GameHandle { header, inbox }
}

impl GameHandle {
    /// Asks, and waits for the answer. A task that ended in between is the storage's fault or a pause of a
    /// minute; asking again starts it anew.
    async fn ask<T>(&self, ask: impl FnOnce(ReplySender<T>) -> TaskRequest) -> Result<T, Problem> {
        let gone = || {
            let status = axum::http::StatusCode::SERVICE_UNAVAILABLE;
            Problem::new(status, "game.reloading", "the game is being loaded again; repeat the request")
        };
        let (reply, answer) = oneshot::channel();
        self.inbox.send(ask(reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    pub(crate) async fn show(&self) -> Result<GameBody, Problem> {
        self.ask(|reply| TaskRequest::Show { reply }).await
    }

    pub(crate) async fn join(&self) -> Result<Joined, Problem> {
        self.ask(|reply| TaskRequest::Join { reply }).await
    }

    pub(crate) async fn position(&self) -> Result<Box<dyn Position>, Problem> {
        self.ask(|reply| TaskRequest::Position { reply }).await
    }

    pub(crate) async fn record(&self) -> Result<game::Record, Problem> {
        self.ask(|reply| TaskRequest::Record { reply }).await
    }

    /// Plays a move; the answer comes when it is on disk, on request with the view after it.
    pub(crate) async fn play(
        &self,
        seat: Seat,
        order: MoveOrder,
        with_view: bool,
    ) -> Result<Acknowledged, Problem> {
        self.ask(|reply| TaskRequest::Move { seat, order, with_view, reply }).await
    }

    /// Does something else; `None` is the owner.
    pub(crate) async fn act(&self, seat: Option<Seat>, action: Action) -> Result<Done, Problem> {
        self.ask(|reply| TaskRequest::Act { seat, action, reply }).await
    }

    /// Tells the game that a bot has come online.
    pub(crate) async fn wake(&self) {
        let _ = self.inbox.send(TaskRequest::Wake).await;
    }
}
