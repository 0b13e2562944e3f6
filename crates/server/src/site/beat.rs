//! Staying alive, finding the dead, and taking over their games.
//!
//! Two loops with a connection each: what one waits for in the database must not keep the other from renewing.

use super::{BEAT, CUT_OFF, LEASE, Site, Standing, lock};
use crate::app::App;
use crate::live::LiveGames;
use crate::store::{Fence, Load, Register};
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

/// So many games are taken over at a time, of so many that are looked up at once.
const AT_ONCE: usize = 32;
const LOOKED_UP: i64 = 2048;
/// A game that cannot be taken over is left alone for so long.
const REST: Duration = Duration::from_secs(10);

pub(super) fn start(app: &Arc<App>, site: &Arc<Site>) {
    let (Some(renewing), Some(watching)) = (app.store.register(), app.store.register()) else { return };
    tokio::spawn(renew(Arc::downgrade(app), site.clone(), renewing));
    tokio::spawn(look_after(Arc::downgrade(app), site.clone(), watching));
}

async fn renew(app: Weak<App>, site: Arc<Site>, mut register: Register) {
    let mut ticks = tokio::time::interval(BEAT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(app) = app.upgrade() else { return };
        let standing = lock(&site.standing).clone();
        match standing {
            Standing::Leaving => return,
            Standing::Member(id) => stay(&app, &site, &mut register, &id).await,
            Standing::Out(id) => come_back(&app, &site, &mut register, &id).await,
        }
    }
}

/// Renews; lets go of everything if we are dead or have not reached the database for long.
async fn stay(app: &App, site: &Site, register: &mut Register, id: &Arc<str>) {
    let (waiting, searches) = app.pool.load();
    let games = app.metrics.games_in_progress.load(Relaxed) as i64;
    let load = Load { games, searches: searches as i64, waiting: waiting as i64 };
    let now = crate::time::now_ms();
    let renewed = register.renew(id, LEASE, now, load).await;
    let lost = match &renewed {
        Ok(true) => {
            let mut heard = lock(&site.heard);
            let since = heard.1.or(Some(Instant::now()));
            *heard = (now, since);
            return;
        }
        Ok(false) => true,
        Err(error) => {
            tracing::warn!(%error, "the lease was not renewed");
            let mut heard = lock(&site.heard);
            heard.1 = None;
            now - heard.0 > CUT_OFF.as_millis() as i64
        }
    };
    let mut standing = lock(&site.standing);
    if lost && matches!(*standing, Standing::Member(_)) {
        *standing = if site.alone && renewed.is_ok() {
            // Two that are alone would take the games from each other forever.
            tracing::error!("another server has taken over; with --nats both could serve");
            Standing::Leaving
        } else {
            tracing::warn!("this server is out of its site; its games go to others");
            Standing::Out(id.clone())
        };
        drop(standing);
        app.store.writer.fence(Fence::Closed);
        site.let_go();
    }
}

/// Enters again, once no game of our former life is left in memory.
async fn come_back(app: &App, site: &Site, register: &mut Register, former: &Arc<str>) {
    if !app.live_games.is_empty() {
        return;
    }
    let last = lock(&site.heard).0;
    // Our clocks have stood since then; nobody need wait for the lease to end.
    let entered = match register.leave(former, last).await {
        Ok(()) => Site::enter_as_new(&app.store, register).await,
        Err(error) => Err(error),
    };
    match entered {
        Ok(id) => {
            *lock(&site.heard) = (crate::time::now_ms(), Some(Instant::now()));
            let mut standing = lock(&site.standing);
            if matches!(*standing, Standing::Out(_)) {
                *standing = Standing::Member(id);
                tracing::info!("this server is in its site again");
            }
        }
        Err(error) => tracing::warn!(%error, "this server is still out of its site"),
    }
}

async fn look_after(app: Weak<App>, site: Arc<Site>, mut register: Register) {
    let mut ticks = tokio::time::interval(BEAT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut resting = HashMap::new();
    loop {
        ticks.tick().await;
        let Some(app) = app.upgrade() else { return };
        if let Err(error) = look(&app, &site, &mut register, &mut resting).await {
            tracing::warn!(%error, "the other servers were not seen");
        }
        if site.is_leaving() {
            return;
        }
    }
}

async fn look(
    app: &Arc<App>,
    site: &Arc<Site>,
    register: &mut Register,
    resting: &mut HashMap<String, Instant>,
) -> Result<(), crate::store::StoreError> {
    let alive = register.alive().await?;
    let expired: Vec<_> = alive.iter().filter(|it| it.expired).map(|it| it.id.clone()).collect();
    *lock(&site.alive) = alive;
    site.mirrors.end_orphans(&site.alive);
    app.clients.share(site.servers());
    let Some(own) = site.member() else { return Ok(()) };
    // After the database was away everybody has expired: whoever is there has this long to say so.
    let settled = lock(&site.heard).1.is_some_and(|since| since.elapsed() >= LEASE);
    for id in expired {
        if settled && id != own && register.mark_dead(&id).await? {
            tracing::warn!(instance = %id, "a server of this site is dead; its games are taken over");
        }
    }
    let mut games = register.orphaned_games(LOOKED_UP).await?;
    resting.retain(|_, since| since.elapsed() < REST);
    games.retain(|game| !resting.contains_key(game));
    // Every server begins somewhere else, so that they share the work.
    if let Some(start) =
        usize::from_str_radix(own.get(..8).unwrap_or("0"), 16).ok().filter(|_| !games.is_empty())
    {
        let start = start % games.len();
        games.rotate_left(start);
    }
    for game in take_over(app, games).await {
        resting.insert(game, Instant::now());
    }
    Ok(())
}

/// Loads games, each unless another server was faster; those that failed.
async fn take_over(app: &Arc<App>, games: Vec<String>) -> Vec<String> {
    let count = games.len();
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut loading = JoinSet::new();
    for game in games {
        let Ok(permit) = permits.clone().acquire_owned().await else { break };
        let app = app.clone();
        loading.spawn(async move {
            let done = LiveGames::wake(&app, &game, None).await;
            drop(permit);
            let error = done.err()?;
            tracing::error!(%game, %error, "a game was not taken over");
            // It may be ours already.
            app.alarms.retry(game.as_str().into(), &error);
            Some(game)
        });
    }
    let failed: Vec<String> = loading.join_all().await.into_iter().flatten().collect();
    if count > 0 {
        tracing::info!(count, failed = failed.len(), "games of dead servers were looked at");
    }
    failed
}
