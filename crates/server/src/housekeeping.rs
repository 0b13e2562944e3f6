//! Deletes what nobody has touched for long, an hour at a time.

use crate::app::App;
use crate::store::{Expiring, StoreError};
use std::sync::Weak;
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
            match sweep(&app, what, crate::time::now_ms()).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(?what, count, "expired and deleted"),
                Err(error) => tracing::warn!(?what, %error, "nothing expires"),
            }
        }
    }
}

/// Deletes what has expired; how many there were.
async fn sweep(app: &App, what: Expiring, now: i64) -> Result<usize, StoreError> {
    let days = what.days(&app.config.expiry());
    if days == 0 {
        return Ok(0);
    }
    let before = now - i64::from(days) * DAY_MS;
    let mut count = 0;
    loop {
        let found = app.store.expired(what, before).await?;
        let mut deleted = 0;
        for id in &found {
            let held = match what {
                // Nobody may load a game while it is being deleted.
                Expiring::Game | Expiring::FinishedGame => match app.table.withhold(id) {
                    Some(held) => Some(held),
                    None => continue,
                },
                Expiring::Bot if app.bots.is_online(id) => continue,
                _ => None,
            };
            app.store.delete(what, id, before).await?;
            drop(held);
            deleted += 1;
        }
        count += deleted;
        if deleted == 0 {
            return Ok(count);
        }
    }
}
