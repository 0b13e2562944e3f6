//! Bots on any server of the site: who is connected where is in the database, and what a game has to say to a bot goes to
//! the servers that it is connected to.
//!
//! A bot that comes is told whatever waits for it by the servers that run its games, as soon as they see it; a server that
//! may have missed messages has its bots come anew. So nothing is lost, and only after such a break may something be
//! heard twice. Bots of a server that is dead are not there.

use super::{BEAT, Site};
use crate::app::App;
use crate::bots::{Arrival, Registry, ToElsewhere};
use crate::live::LiveGames;
use crate::store::{OnlineBot, Register, StoreError};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

/// Messages that may wait for the broker; who misses one is told again when its server has its bots come anew.
const BACKLOG: usize = 4096;
/// However often bots come and go, the database is asked no more often.
const REST: Duration = Duration::from_millis(40);
/// Pause before another try to listen.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) fn start(app: &Arc<App>, site: &Arc<Site>) {
    let Some(register) = app.store.register() else { return };
    let (sender, waiting) = mpsc::channel(BACKLOG);
    app.bots.reach_others(sender);
    tokio::spawn(send(site.clone(), waiting));
    tokio::spawn(hear(Arc::downgrade(app), site.clone()));
    tokio::spawn(keep_record(Arc::downgrade(app), app.bots.clone(), site.clone(), register));
}

/// Passes on what games here say to bots elsewhere.
async fn send(site: Arc<Site>, mut waiting: mpsc::Receiver<ToElsewhere>) {
    while let Some(ToElsewhere { bot, text, servers }) = waiting.recv().await {
        let Some(link) = site.link() else { continue };
        for server in servers {
            link.tell_bot(&server, &bot, text.as_str()).await;
        }
    }
}

/// Hears what games elsewhere say to the bots here.
async fn hear(app: Weak<App>, site: Arc<Site>) {
    let mut term = site.term();
    while app.strong_count() > 0 && !site.is_leaving() {
        let (Some(link), Some(own)) = (site.link(), site.member()) else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let hear_as = async {
            let (mut messages, mut changes) = link.bot_news(&own).await?;
            // Whatever was said before went nowhere.
            app.upgrade()?.bots.come_anew();
            loop {
                tokio::select! {
                    message = messages.next() => {
                        if let Some((bot, text)) = link.for_bot(&own, &message?.payload) {
                            app.upgrade()?.bots.tell_here(&bot, text.into());
                        }
                    }
                    change = changes.next() => {
                        if link.is_bots_changed(&change?.payload) {
                            app.upgrade()?.bots.changed.notify_one();
                        }
                    }
                }
            }
        };
        tokio::select! {
            None::<()> = hear_as => tokio::time::sleep(PAUSE).await,
            // From now on we are somebody else, or nobody.
            _ = term.changed() => {}
        }
    }
}

/// What the database has of this server's bots.
#[derive(Default)]
struct Written {
    instance: Option<Arc<str>>,
    bots: HashMap<String, OnlineBot>,
}

/// Keeps the database and this server's picture of the others up to date.
async fn keep_record(app: Weak<App>, bots: Arc<Registry>, site: Arc<Site>, mut register: Register) {
    let mut ticks = tokio::time::interval(BEAT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut written = Written::default();
    let mut connections = None;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = bots.changed.notified() => {}
        }
        let Some(app) = app.upgrade() else { return };
        if site.is_leaving() {
            return;
        }
        let Some(own) = site.member() else { continue };
        let now = site.link().map(super::link::Link::connections);
        if connections.is_some() && connections != now {
            // The broker was away, and what was said meanwhile may be lost.
            bots.come_anew();
        }
        connections = now;
        match exchange(&site, &bots, &mut register, &own, &mut written).await {
            Ok(arrivals) => {
                for arrival in arrivals {
                    tell_games(&app, &arrival).await;
                }
            }
            Err(error) => tracing::warn!(%error, "the bots of the other servers were not seen"),
        }
        drop(app);
        tokio::time::sleep(REST).await;
    }
}

async fn exchange(
    site: &Site,
    bots: &Registry,
    register: &mut Register,
    own: &Arc<str>,
    written: &mut Written,
) -> Result<Vec<Arrival>, StoreError> {
    let fresh = written.instance.as_ref() != Some(own);
    if fresh {
        *written = Written::default();
    }
    let here: HashMap<String, OnlineBot> =
        bots.here().into_iter().map(|bot| (bot.bot.clone(), bot)).collect();
    let come: Vec<OnlineBot> =
        here.values().filter(|bot| written.bots.get(&bot.bot) != Some(bot)).cloned().collect();
    let gone: Vec<String> = written.bots.keys().filter(|bot| !here.contains_key(*bot)).cloned().collect();
    let elsewhere = match register.exchange_bots(own, fresh, &come, &gone).await {
        Ok(elsewhere) => elsewhere,
        Err(error) => {
            // Some of it may be written: all of it again.
            written.instance = None;
            return Err(error);
        }
    };
    *written = Written { instance: Some(own.clone()), bots: here };
    if (!come.is_empty() || !gone.is_empty())
        && let Some(link) = site.link()
    {
        link.tell_bots_changed().await;
    }
    Ok(bots.set_elsewhere(elsewhere))
}

/// Lets the games that run here see that a bot has come or gone.
async fn tell_games(app: &Arc<App>, arrival: &Arrival) {
    for id in app.store.games_of_bot(&arrival.bot).await.unwrap_or_default() {
        match app.live_games.loaded(&id) {
            Some(handle) if arrival.here_now => handle.wake().await,
            Some(handle) => handle.look().await,
            None => {}
        }
    }
}

/// Tells the games of a bot that has connected to this server, as far as they run here or nobody runs them; the others see it
/// by themselves.
pub(crate) async fn wake_games(app: &Arc<App>, bot: &str) {
    for id in app.store.games_of_bot(bot).await.unwrap_or_default() {
        if let Ok(Some(here)) = LiveGames::find_here(app, &id).await {
            here.wake().await;
        }
    }
}
