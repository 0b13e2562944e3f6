//! Deletes what nobody has touched for long, an hour at a time.

use crate::app::App;
use crate::store::{Expiring, Expiry, Store, StoreError};
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;

const EVERY: Duration = Duration::from_secs(3600);
const DAY_MS: i64 = 86_400_000;

/// Until the server ends.
pub(crate) async fn run(app: Weak<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    loop {
        ticks.tick().await;
        let Some(app) = app.upgrade() else { return };
        for what in Expiring::ALL {
            let may_delete = |id: &str| match what {
                // Nobody may load a game while it is being deleted.
                Expiring::Game | Expiring::FinishedGame => app.live_games.withhold(id).map(Some),
                Expiring::Bot if app.bots.is_online(id) => None,
                _ => Some(None),
            };
            let before = before(what, &app.config.expiry(), crate::time::now_ms());
            match sweep(&app.store, what, before, may_delete).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(?what, count, "expired and deleted"),
                Err(error) => tracing::warn!(?what, %error, "nothing expires"),
            }
        }
    }
}

/// Deletes what has expired from the database `url`, or `tengen.db` in `folder`, that no server uses; how many there were
/// of each kind.
///
/// # Errors
/// When the database is refused or fails.
pub async fn prune(
    url: Option<&str>,
    folder: &Path,
    expiry: &Expiry,
) -> Result<Vec<(&'static str, usize)>, StoreError> {
    let store = Store::open(url, folder, Arc::default()).await?;
    let mut counts = Vec::new();
    for what in Expiring::ALL {
        let before = before(what, expiry, crate::time::now_ms());
        counts.push((what.name(), sweep(&store, what, before, |_| Some(())).await?));
    }
    Ok(counts)
}

/// The moment before which something must have been touched last to have expired; `None`: it never does.
fn before(what: Expiring, expiry: &Expiry, now: i64) -> Option<i64> {
    let days = what.days(expiry);
    (days > 0).then(|| now - i64::from(days) * DAY_MS)
}

/// Deletes what has expired and may be deleted now (while what `may_delete` returns is held); how many there were.
async fn sweep<Held>(
    store: &Store,
    what: Expiring,
    before: Option<i64>,
    may_delete: impl Fn(&str) -> Option<Held>,
) -> Result<usize, StoreError> {
    let Some(before) = before else { return Ok(0) };
    let mut count = 0;
    loop {
        let mut deleted = 0;
        for id in &store.expired(what, before).await? {
            let Some(held) = may_delete(id) else { continue };
            store.delete(what, id, before).await?;
            drop(held);
            deleted += 1;
        }
        count += deleted;
        if deleted == 0 {
            return Ok(count);
        }
    }
}
