//! Deletes what nobody has touched for long, an hour at a time.

use crate::app::App;
use crate::store::{Expiring, Expiry, Store, StoreError};
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;

const EVERY: Duration = Duration::from_secs(3600);
const DAY_MS: i64 = 86_400_000;

/// How often to look whether `tengen prune` asks for something.
const LOOK: Duration = Duration::from_secs(1);

/// Until the server ends.
pub(crate) async fn run(app: Weak<App>) {
    let (mut ticks, mut looks) = (tokio::time::interval(EVERY), tokio::time::interval(LOOK));
    loop {
        let on_its_own = tokio::select! {
            _ = ticks.tick() => true,
            _ = looks.tick() => false,
        };
        let Some(app) = app.upgrade() else { return };
        if on_its_own {
            let _ = sweep_all(&app, &app.config.expiry()).await;
        } else if let Some(files) = &app.store.prune
            && let Some(request) = files.requested()
        {
            files.answer(&request, &sweep_all(&app, &request.expiry).await);
        }
    }
}

/// Deletes what has expired and is not in use; how many there were of each kind, or the last error.
async fn sweep_all(app: &App, expiry: &Expiry) -> Result<Vec<usize>, StoreError> {
    let mut counts = Ok(Vec::new());
    for what in Expiring::ALL {
        let may_delete = |id: &str| match what {
            // Nobody may load a game while it is being deleted.
            Expiring::Game | Expiring::FinishedGame => app.live_games.withhold(id).map(Some),
            Expiring::Bot if app.bots.is_online(id) => None,
            _ => Some(None),
        };
        let before = before(what, expiry, crate::time::now_ms());
        match sweep(&app.store, what, before, may_delete).await {
            Ok(count) => {
                if count > 0 {
                    tracing::info!(?what, count, "expired and deleted");
                }
                if let Ok(counts) = &mut counts {
                    counts.push(count);
                }
            }
            Err(error) => {
                tracing::warn!(?what, %error, "nothing expires");
                counts = Err(error);
            }
        }
    }
    counts
}

/// Deletes what has expired from the database `url`, or `tengen.db` in `folder`; how many there were of each kind. Where
/// a server has an SQLite database open, it does the deleting, and leaves alone what it has in memory.
///
/// # Errors
/// When the database is refused or fails, or when the server does not answer.
pub async fn prune(
    url: Option<&str>,
    folder: &Path,
    expiry: &Expiry,
) -> Result<Vec<(&'static str, usize)>, StoreError> {
    let counts = match (Store::open(url, folder, Arc::default()).await, Store::prune_files(url, folder)) {
        (Ok(store), _) => {
            let mut counts = Vec::new();
            for what in Expiring::ALL {
                let before = before(what, expiry, crate::time::now_ms());
                counts.push(sweep(&store, what, before, |_| Some(())).await?);
            }
            counts
        }
        (Err(StoreError::InUse(_)), Some(files)) => files.ask(expiry).await?,
        (Err(error), _) => return Err(error),
    };
    Ok(Expiring::ALL.map(Expiring::name).into_iter().zip(counts).collect())
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
