//! The owner's side: questions of other servers about the games that run here.

use super::link::{CallReply, GameCall, Link, SentCall};
use super::{PATIENCE, Site};
use crate::app::App;
use crate::live::{Here, LiveGames};
use crate::security::secret;
use api::{GameBody, Problem};
use fleet::broker::connect_client;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::value::to_raw_value;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Questions at work at a time; more wait in the connection.
const AT_ONCE: usize = 512;

/// A game as it stands, and how many news its task has told before.
#[derive(Serialize, Deserialize)]
pub(super) struct Told {
    pub(super) task: u64,
    pub(super) number: u64,
    /// If it was asked for.
    pub(super) game: Option<Box<GameBody>>,
}

/// Connects to the broker as soon as it is there, and answers as long as the server runs.
pub(super) fn start(app: &Arc<App>, site: &Arc<Site>, nats: String) {
    let (app, site) = (Arc::downgrade(app), site.clone());
    tokio::spawn(async move {
        let Some(()) = connect(&app, &site, &nats).await else { return };
        let mut term = site.term();
        while let Some(link) = site.link() {
            let Some(id) = site.member() else {
                if site.is_leaving() {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            tokio::select! {
                () = answer_as(&app, &site, link, &id) => tokio::time::sleep(Duration::from_millis(100)).await,
                // From now on we are somebody else, or nobody.
                _ = term.changed() => {}
            }
            if app.strong_count() == 0 {
                return;
            }
        }
    });
}

async fn connect(app: &Weak<App>, site: &Site, nats: &str) -> Option<()> {
    let mut pause = Duration::from_millis(200);
    loop {
        let mut register = app.upgrade()?.store.register()?;
        let made = async {
            let (client, _) = connect_client(nats).await.map_err(|error| error.to_string())?;
            let proposal = secret::random().map_err(|error| error.to_string())?;
            let key = register.signing_key(&proposal).await.map_err(|error| error.to_string())?;
            Ok::<_, String>(Link::new(client, &key))
        };
        match made.await {
            Ok(link) => {
                let _ = site.link.set(link);
                tracing::info!("this server hears the others of its site");
                return Some(());
            }
            Err(error) => {
                tracing::warn!(error, "the other servers of this site cannot be reached; trying again")
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PATIENCE / 2);
    }
}

/// Answers as one instance.
async fn answer_as(app: &Weak<App>, site: &Arc<Site>, link: &Link, id: &str) {
    let Some(mut requests) = link.requests(id).await else { return };
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    while let Some(message) = requests.next().await {
        let Some(app) = app.upgrade() else { return };
        let Some(request) = link.read(id, &message.payload) else { continue };
        let Ok(permit) = permits.clone().acquire_owned().await else { return };
        let site = site.clone();
        tokio::spawn(async move {
            let answer = answer(&app, &site, request).await;
            if let Some(link) = site.link() {
                link.answer(&message, &answer).await;
            }
            drop(permit);
        });
    }
}

async fn answer(app: &Arc<App>, site: &Arc<Site>, request: SentCall) -> CallReply {
    let SentCall { game, ask, .. } = request;
    let here = match LiveGames::find_here(app, &game).await {
        Ok(Some(here)) => here,
        Ok(None) => return CallReply::NotMine,
        Err(problem) => return CallReply::Refused(problem.into()),
    };
    match answer_here(site, &game, &here, ask).await {
        Some(Ok(value)) => value.map_or(CallReply::NotMine, CallReply::Done),
        Some(Err(problem)) => CallReply::Refused(problem.into()),
        // The task has ended before it looked at the question.
        None => CallReply::NotMine,
    }
}

type Written = Option<Box<serde_json::value::RawValue>>;

async fn answer_here(
    site: &Arc<Site>,
    game: &str,
    here: &Here,
    ask: GameCall,
) -> Option<Result<Written, Problem>> {
    fn written<T: Serialize>(answer: Result<T, Problem>) -> Result<Written, Problem> {
        answer.map(|value| to_raw_value(&value).ok())
    }
    match ask {
        GameCall::Show { who } => here.show(who).await.map(written),
        GameCall::Join { who, from, seats } => {
            site.guests.attend(site, game, here, &from, seats).await?;
            // After the news have begun to flow: what is told in between comes twice and is skipped.
            let joined = here.join(who, false).await?;
            Some(written(joined.map(|joined| {
                let (task, number) = joined.updates.told();
                Told { task, number, game: Some(Box::new(joined.game)) }
            })))
        }
        GameCall::Attend { from, seats } => {
            let (task, number) = site.guests.attend(site, game, here, &from, seats).await?;
            Some(written(Ok(Told { task, number, game: None })))
        }
        GameCall::Move { seat, order, with_view } => here.play(seat, order, with_view).await.map(written),
        GameCall::Act { seat, action } => here.act(seat, action).await.map(written),
        GameCall::Wake => {
            here.wake().await;
            Some(written(Ok(())))
        }
        GameCall::Look => {
            here.look().await;
            Some(written(Ok(())))
        }
    }
}
