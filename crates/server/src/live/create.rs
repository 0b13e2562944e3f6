//! Begins a game: on disk within the quotas, then in memory.

use super::registry::reloading;
use super::{GameHandle, LiveGames};
use crate::app::App;
use crate::problem::storage_failed;
use crate::store::{Header, Kept};
use api::{Player, Problem};
use game::Seat;
use std::sync::Arc;

/// Stores a new game and starts its task.
pub(crate) async fn create(app: &Arc<App>, header: Header) -> Result<GameHandle, Problem> {
    admit(app, &header).await?;
    // Before the game is ours: whatever makes us lose it from now on ends its task.
    let term = app.site.as_ref().map(|site| site.term());
    let lease = match &app.site {
        Some(site) => Some(site.next_lease().ok_or_else(reloading)?),
        None => None,
    };
    app.store.writer.create(header.clone(), lease.clone()).await.map_err(storage_failed)?;
    LiveGames::start_new(app, header, lease.zip(term))
}

/// Refuses what would exceed a quota.
async fn admit(app: &App, header: &Header) -> Result<(), Problem> {
    let [first, second] =
        [Seat::First, Seat::Second].map(|seat| matches!(header.players.at(seat), Player::Engine { .. }));
    let quota = app.config.quota();
    if (first || second)
        && app.store.engine_games_of(&header.creator).await.map_err(storage_failed)?
            >= quota.engine_games_each
    {
        let detail = "you have as many live games with an engine as one may have; finish or abort one";
        return Err(Problem::too_many("games.too-many-yours", detail));
    }
    if first && second && app.store.engine_games().await.map_err(storage_failed)? >= quota.engine_games {
        return Err(Problem::too_many("games.too-many", "enough games between engines are running"));
    }
    Ok(app.store.make_room(&app.config.storage(), &header.creator, Kept::Game).await?)
}
