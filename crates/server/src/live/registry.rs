//! Finds the task of a game, and starts it from disk if it is not in memory.

use super::handle::{GameHandle, Here};
use super::request::TaskRequest;
use super::state::Live;
use super::task::{Held, Stay, Task};
use crate::app::App;
use crate::problem::storage_failed;
use crate::security::secret;
use crate::site::Site;
use crate::store::{Claim, Header, StoreError};
use crate::time;
use api::Problem;
use axum::http::StatusCode;
use play::EventKind;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, mpsc, watch};

type Slot = Arc<OnceCell<Option<GameHandle>>>;

/// How long a question waits while this server is out of its site.
const OUTSIDE: Duration = Duration::from_secs(4);

/// Why a game is not loaded.
enum NotHere {
    /// Another server runs it.
    Elsewhere(Arc<str>, Arc<Header>),
    /// This server owns no games at the moment.
    Outside,
    /// The database did not answer, or what is in it is damaged.
    Storage(StoreError),
    Problem(Problem),
}

impl From<Problem> for NotHere {
    fn from(problem: Problem) -> NotHere {
        NotHere::Problem(problem)
    }
}

impl From<StoreError> for NotHere {
    fn from(error: StoreError) -> NotHere {
        NotHere::Storage(error)
    }
}

impl From<NotHere> for Problem {
    fn from(not_here: NotHere) -> Problem {
        match not_here {
            NotHere::Elsewhere(..) | NotHere::Outside => reloading(),
            NotHere::Storage(error) => storage_failed(error),
            NotHere::Problem(problem) => problem,
        }
    }
}

/// Why [`LiveGames::wake`] did not load a game.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WakeError {
    /// Worth another try.
    #[error("storage: {0}")]
    Storage(StoreError),
    /// There is no such game, it cannot be played on, or this server owns no games at the moment.
    #[error("{}: {}", .0.code, .0.detail)]
    Refused(Problem),
}

/// 503: nothing was done, and the same will be possible in a moment.
pub(super) fn reloading() -> Problem {
    let detail = "the game is being loaded again; repeat the request";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "game.reloading", detail)
}

/// All games in memory.
#[derive(Default)]
pub(crate) struct LiveGames {
    slots: Mutex<HashMap<Arc<str>, Slot>>,
}

impl LiveGames {
    /// The game of this id, here or on the server that runs it; a problem if there is none.
    pub(crate) async fn find(app: &Arc<App>, id: &str) -> Result<GameHandle, Problem> {
        let Some(site) = &app.site else {
            return Ok(LiveGames::find_or_load(app, id, Stay::Asked).await?);
        };
        let began = Instant::now();
        loop {
            match LiveGames::find_or_load(app, id, Stay::Asked).await {
                Err(NotHere::Elsewhere(owner, header)) => {
                    return Ok(GameHandle::on(app, site, owner, header));
                }
                Err(NotHere::Outside) if began.elapsed() < OUTSIDE => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                found => return Ok(found?),
            }
        }
    }

    /// The task of this game, if this server runs it or nobody does.
    pub(crate) async fn find_here(app: &Arc<App>, id: &str) -> Result<Option<Here>, Problem> {
        match LiveGames::find_or_load(app, id, Stay::Asked).await {
            Ok(handle) => Ok(handle.task().cloned()),
            Err(NotHere::Elsewhere(..)) => Ok(None),
            Err(not_here) => Err(not_here.into()),
        }
    }

    /// Loads a game that may have something to do, unless another server runs it. It leaves memory as soon as it has
    /// nothing to do, unless requested; until then it keeps the permit.
    pub(crate) async fn wake(
        app: &Arc<App>,
        id: &str,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(), WakeError> {
        match LiveGames::find_or_load(app, id, Stay::Woken(permit)).await {
            Ok(_) | Err(NotHere::Elsewhere(..)) => Ok(()),
            Err(NotHere::Storage(error)) => Err(WakeError::Storage(error)),
            Err(not_here) => Err(WakeError::Refused(not_here.into())),
        }
    }

    async fn find_or_load(app: &Arc<App>, id: &str, stay: Stay) -> Result<GameHandle, NotHere> {
        let unknown = || NotHere::from(Problem::missing("game.unknown", "there is no such game"));
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
            Err(not_here) => {
                app.live_games.drop_empty(id);
                Err(not_here)
            }
        }
    }

    /// Is no game in memory?
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// A game that is in memory.
    pub(crate) fn loaded(&self, id: &str) -> Option<GameHandle> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.get(id)?.get()?.clone()
    }

    /// Starts the task of a game that has just been created.
    pub(super) fn start_new(
        app: &Arc<App>,
        header: Header,
        held: Option<Held>,
    ) -> Result<GameHandle, Problem> {
        let id: Arc<str> = header.id.as_str().into();
        let game = app.host.game(&header.setup.game)?;
        let handle = start(app, Live::new(Arc::new(header), game)?, Stay::Asked, held);
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
        let own = |slot: &Slot| slot.get().is_some_and(|h| h.as_ref().is_some_and(|h| is_task(h, inbox)));
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

fn is_task(handle: &GameHandle, inbox: &mpsc::Sender<TaskRequest>) -> bool {
    handle.task().is_some_and(|here| here.inbox.same_channel(inbox))
}

/// The game from disk. Where a clock runs, what it ran before is first written down as an event of this run:
/// the next start then counts from there, and never what the server was away.
async fn load(app: &Arc<App>, id: &str, stay: Stay) -> Result<Option<GameHandle>, NotHere> {
    let held = match &app.site {
        Some(site) => {
            let Some(header) = app.store.header(id).await? else { return Ok(None) };
            Some(claim(app, site, header).await?)
        }
        None => None,
    };
    let Some((header, events)) = app.store.game(id).await? else {
        return Ok(None);
    };
    let header = Arc::new(header);
    let mut live = Live::new(header.clone(), app.host.game(&header.setup.game)?)?;
    if let Some(last) = events.last() {
        // Of a server whose clock may be ahead of ours.
        time::not_before(last.at);
    }
    let claim = held.as_ref().map(|(claim, _)| claim);
    live.restore(&events, |last| ran_since(last, app, claim))?;
    let clock_runs = live.session.clocks().is_some_and(|clocks| clocks.running().is_some());
    let of_former = live.session.last_at() < app.started || matches!(claim, Some(Claim::Inherited(_)));
    if clock_runs && of_former {
        let resume = live.session.prepare(EventKind::Resume, time::moment()).map_err(Problem::from)?;
        app.store.writer.append(id.into(), resume.event().clone(), None).await?;
        live.session.commit(resume, Instant::now());
    }
    app.alarms.clear(id);
    Ok(Some(start(app, live, stay, held.map(|(_, held)| held))))
}

/// Makes a game ours, unless it is another living server's.
async fn claim(app: &App, site: &Site, header: Header) -> Result<(Claim, Held), NotHere> {
    // Before it is ours: whatever makes us lose it from now on ends its task.
    let term: watch::Receiver<u64> = site.term();
    let Some(lease) = site.next_lease() else {
        // A server that ends has somebody else take it.
        let other = site.is_leaving().then(|| site.another()).flatten();
        return Err(match other {
            Some(other) => NotHere::Elsewhere(other, Arc::new(header)),
            None => NotHere::Outside,
        });
    };
    match app.store.claim(&header.id, &lease).await? {
        Claim::Theirs(owner) => Err(NotHere::Elsewhere(owner, Arc::new(header))),
        claim => Ok((claim, (lease, term))),
    }
}

/// How long a clock ran after an event of this time: until now if this run wrote it, else until the run before or the
/// server that had the game was last alive.
fn ran_since(last: i64, app: &App, claim: Option<&Claim>) -> Duration {
    let until = match claim {
        Some(Claim::Kept) => time::now_ms(),
        Some(Claim::Inherited(alive)) => alive.unwrap_or(last),
        _ if last >= app.started => time::now_ms(),
        _ => app.alive_before.unwrap_or(last),
    };
    Duration::from_millis((until - last).max(0) as u64)
}

fn start(app: &Arc<App>, live: Live, stay: Stay, held: Option<Held>) -> GameHandle {
    let (inbox, requests) = mpsc::channel(64);
    let header = live.header.clone();
    tokio::spawn(Task::new(app.clone(), live, inbox.clone(), stay, held).run(requests));
    GameHandle::here(app, header, inbox)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Server};

    #[tokio::test]
    async fn a_failure_of_the_storage_is_told_from_a_game_that_does_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let addr = "127.0.0.1:0".parse().unwrap();
        let config = Config { addr, data: folder.path().into(), ..Config::default() };
        let server = Server::bind(config, Vec::new()).await.unwrap();
        let id = secret::random().unwrap();
        let missing = LiveGames::wake(&server.app, &id, None).await.unwrap_err();
        assert!(
            matches!(&missing, WakeError::Refused(problem) if problem.code == "game.unknown"),
            "{missing}"
        );
        server.app.store.close().await;
        let failed = LiveGames::wake(&server.app, &id, None).await.unwrap_err();
        assert!(matches!(failed, WakeError::Storage(_)), "{failed}");
    }
}
