//! Asking a live game: its task here, or the server that runs it.
//!
//! A game may change hands while somebody asks. What was certainly not done is then asked again of the new owner, and so
//! is what may be done twice without harm, such as a move.

use super::registry::{LiveGames, reloading};
use super::request::{Joined, ReplySender, TaskRequest};
use super::state::Live;
use crate::app::App;
use crate::problem::storage_failed;
use crate::site::{self, AskError, GameCall, PATIENCE, Site};
use crate::store::{Header, Who};
use api::{Acknowledged, Done, GameBody, Problem};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use game::{Position, Seat};
use play::{Action, MoveOrder};
use serde::de::DeserializeOwned;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Pause before the owner of a game is looked for again.
const PAUSE: Duration = Duration::from_millis(100);

/// A game's task on this server.
#[derive(Clone)]
pub(crate) struct Here {
    pub(super) inbox: mpsc::Sender<TaskRequest>,
}

/// Where a game runs.
#[derive(Clone)]
enum Place {
    Here(Here),
    On(Arc<Site>, Arc<str>),
}

/// A live game.
#[derive(Clone)]
pub(crate) struct GameHandle {
    pub(crate) header: Arc<Header>,
    place: Place,
    /// To find it again.
    app: Weak<App>,
}

impl Here {
    /// Asks, and waits for the answer; `None`: the task has ended without looking at the question.
    async fn ask<T>(&self, ask: impl FnOnce(ReplySender<T>) -> TaskRequest) -> Option<Result<T, Problem>> {
        let (reply, answer) = oneshot::channel();
        self.inbox.send(ask(reply)).await.ok()?;
        answer.await.ok()
    }

    pub(crate) async fn show(&self, who: Option<Who>) -> Option<Result<GameBody, Problem>> {
        self.ask(|reply| TaskRequest::Show { who, reply }).await
    }

    pub(crate) async fn join(&self, who: Option<Who>, attend: bool) -> Option<Result<Joined, Problem>> {
        self.ask(|reply| TaskRequest::Join { who, attend, reply }).await
    }

    pub(crate) async fn play(
        &self,
        seat: Seat,
        order: MoveOrder,
        with_view: bool,
    ) -> Option<Result<Acknowledged, Problem>> {
        self.ask(|reply| TaskRequest::Move { seat, order, with_view, reply }).await
    }

    pub(crate) async fn act(&self, seat: Option<Seat>, action: Action) -> Option<Result<Done, Problem>> {
        self.ask(|reply| TaskRequest::Act { seat, action, reply }).await
    }

    pub(crate) async fn wake(&self) {
        let _ = self.inbox.send(TaskRequest::Wake).await;
    }

    pub(crate) async fn look(&self) {
        let _ = self.inbox.send(TaskRequest::Look).await;
    }
}

impl GameHandle {
    pub(super) fn here(app: &Arc<App>, header: Arc<Header>, inbox: mpsc::Sender<TaskRequest>) -> GameHandle {
        GameHandle { header, place: Place::Here(Here { inbox }), app: Arc::downgrade(app) }
    }

    pub(super) fn on(app: &Arc<App>, site: &Arc<Site>, owner: Arc<str>, header: Arc<Header>) -> GameHandle {
        GameHandle { header, place: Place::On(site.clone(), owner), app: Arc::downgrade(app) }
    }

    /// Its task, if that is on this server.
    pub(super) fn task(&self) -> Option<&Here> {
        match &self.place {
            Place::Here(here) => Some(here),
            Place::On(..) => None,
        }
    }

    /// Asks until there is an answer: `here` its task, `elsewhere` the server that runs it.
    async fn ask<T>(
        &self,
        here: impl Fn(Here) -> BoxFuture<'static, Option<Result<T, Problem>>>,
        elsewhere: impl Fn(Arc<Site>, Arc<str>) -> BoxFuture<'static, Result<T, AskError>>,
        may_repeat: bool,
    ) -> Result<T, Problem> {
        let began = Instant::now();
        let mut place = self.place.clone();
        loop {
            match &place {
                Place::Here(task) => {
                    if let Some(answer) = here(task.clone()).await {
                        return answer;
                    }
                }
                Place::On(site, owner) => match elsewhere(site.clone(), owner.clone()).await {
                    Ok(answer) => return Ok(answer),
                    Err(AskError::Refused(problem)) => return Err(problem),
                    Err(AskError::Silent) if !may_repeat => return Err(reloading()),
                    Err(AskError::Silent | AskError::NotThere) => {}
                },
            }
            // The only server starts the game anew when it is asked again.
            let app = self.app.upgrade().filter(|app| app.site.is_some()).ok_or_else(reloading)?;
            loop {
                tokio::time::sleep(PAUSE).await;
                match LiveGames::find(&app, &self.header.id).await {
                    Ok(found) => break place = found.place,
                    Err(problem) if !problem.status.is_server_error() => return Err(problem),
                    Err(problem) if began.elapsed() > PATIENCE => return Err(problem),
                    Err(_) => {}
                }
            }
            if began.elapsed() > PATIENCE {
                return Err(reloading());
            }
        }
    }

    /// The same for a question that both are asked in the same words.
    async fn put<T: DeserializeOwned + Send + 'static>(
        &self,
        ask: GameCall,
        here: impl Fn(Here) -> BoxFuture<'static, Option<Result<T, Problem>>>,
    ) -> Result<T, Problem> {
        let (may_repeat, header) = (ask.may_repeat(), &self.header);
        let elsewhere = move |site: Arc<Site>, owner: Arc<str>| {
            let (ask, header) = (ask.clone(), header.clone());
            async move { site.ask(&owner, &header.id, &ask).await }.boxed()
        };
        self.ask(here, elsewhere, may_repeat).await
    }

    /// The game as this client may see it.
    pub(crate) async fn show(&self, who: Option<Who>) -> Result<GameBody, Problem> {
        self.put(GameCall::Show { who }, move |here| async move { here.show(who).await }.boxed()).await
    }

    pub(crate) async fn join(&self, who: Option<Who>) -> Result<Joined, Problem> {
        let id: Arc<str> = self.header.id.as_str().into();
        let here = move |here: Here| async move { here.join(who, true).await }.boxed();
        let elsewhere = move |site: Arc<Site>, owner: Arc<str>| {
            let id = id.clone();
            async move { site::join(&site, &owner, &id, who).await }.boxed()
        };
        self.ask(here, elsewhere, true).await
    }

    /// Plays a move; the answer comes when it is on disk, on request with the view after it.
    pub(crate) async fn play(
        &self,
        seat: Seat,
        order: MoveOrder,
        with_view: bool,
    ) -> Result<Acknowledged, Problem> {
        let ask = GameCall::Move { seat, order: order.clone(), with_view };
        let here = move |here: Here| {
            let order = order.clone();
            async move { here.play(seat, order, with_view).await }.boxed()
        };
        self.put(ask, here).await
    }

    /// Does something else; `None` is the owner.
    pub(crate) async fn act(&self, seat: Option<Seat>, action: Action) -> Result<Done, Problem> {
        let ask = GameCall::Act { seat, action: action.clone() };
        let here = move |here: Here| {
            let action = action.clone();
            async move { here.act(seat, action).await }.boxed()
        };
        self.put(ask, here).await
    }

    pub(crate) async fn position(&self) -> Result<Box<dyn Position>, Problem> {
        match self.task() {
            Some(here) => here.ask(|reply| TaskRequest::Position { reply }).await.ok_or_else(reloading)?,
            None => Ok(self.stored().await?.session.position().boxed()),
        }
    }

    pub(crate) async fn record(&self) -> Result<game::Record, Problem> {
        match self.task() {
            Some(here) => here.ask(|reply| TaskRequest::Record { reply }).await.ok_or_else(reloading)?,
            None => Ok(self.stored().await?.record()),
        }
    }

    /// The game from disk: whatever was acknowledged is there.
    async fn stored(&self) -> Result<Live, Problem> {
        let app = self.app.upgrade().ok_or_else(reloading)?;
        load(&app, &self.header.id).await?.ok_or_else(reloading)
    }

    /// Lets the game see who is there.
    pub(crate) async fn look(&self) {
        match &self.place {
            Place::Here(here) => here.look().await,
            Place::On(site, owner) => drop(site.ask::<()>(owner, &self.header.id, &GameCall::Look).await),
        }
    }

    /// Tells the game that a bot has come online.
    pub(crate) async fn wake(&self) {
        match &self.place {
            Place::Here(here) => here.wake().await,
            Place::On(site, owner) => drop(site.ask::<()>(owner, &self.header.id, &GameCall::Wake).await),
        }
    }
}

/// A game from disk; its task is not started.
async fn load(app: &App, id: &str) -> Result<Option<Live>, Problem> {
    let Some((header, events)) = app.store.game(id).await.map_err(storage_failed)? else { return Ok(None) };
    let game = app.host.game(&header.setup.game)?;
    let mut live = Live::new(Arc::new(header), game)?;
    live.restore(&events, |_| Duration::ZERO).map_err(storage_failed)?;
    Ok(Some(live))
}

/// A finished game as it goes into files, from disk.
pub(crate) async fn finished_record(app: &App, id: &str) -> Result<Option<game::Record>, Problem> {
    Ok(load(app, id).await?.map(|live| live.record()))
}
