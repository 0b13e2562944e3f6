//! The standing ladder of bots: who is on it, ratings, results between them, games being played and finished games.

use super::bots::authenticate;
use super::extract::{Asked, Body, Id};
use super::games::{GameSummary, no_secret};
use crate::app::App;
use crate::ladder::{self, MAX_BOTS};
use crate::problem::storage_failed;
use crate::security::secret;
use api::{ClockRule, Problem, ProblemBody, Setup};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Games in one answer of the archive.
const ARCHIVE: i64 = 50;

/// Which part of the archive.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Before {
    /// Only games that began before this moment, in milliseconds since 1970.
    #[serde(default)]
    before: Option<i64>,
}

/// A bot on a ladder, or one that was.
#[derive(Serialize, ToSchema)]
pub(crate) struct LadderRow {
    bot: String,
    name: String,
    /// Is it on the ladder?
    playing: bool,
    online: bool,
    /// Does it play a game of the ladder now?
    busy: bool,
    wins: u32,
    draws: u32,
    losses: u32,
    /// Bradley-Terry rating; the average is 0.
    elo: f64,
    /// Half the width of its 95 % interval.
    error: f64,
}

/// What one bot has scored against another.
#[derive(Serialize, ToSchema)]
pub(crate) struct Meeting {
    bot: String,
    against: String,
    wins: u32,
    draws: u32,
    losses: u32,
}

/// The ladder of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct LadderBody {
    setup: Setup,
    clock: ClockRule,
    /// Best first.
    rows: Vec<LadderRow>,
    /// Every pair that has met, from both sides.
    meetings: Vec<Meeting>,
    /// Games that are being played.
    live: Vec<GameSummary>,
    /// Finished games, the newest first; at most 50, ask with `before` for older ones.
    archive: Vec<GameSummary>,
}

/// The ladder of a game.
#[utoipa::path(get, path = "/ladder/{game}", tag = "bots", params(("game" = String, Path), Before), responses(
    (status = 200, body = LadderBody),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Id(name): Id,
    Asked(asked): Asked<Before>,
) -> Result<Json<LadderBody>, Problem> {
    let game = app.host.game(&name)?;
    let name = game.name();
    let on = app.store.ladder_bots(name).await.map_err(storage_failed)?;
    let busy = ladder::busy(&app, name).await.map_err(storage_failed)?;
    let standing = app.ladder.standing(&app, name).await.map_err(storage_failed)?;
    let row = |ranked: &ladder::Ranked| LadderRow {
        playing: on.contains(&ranked.bot),
        online: app.bots.is_online(&ranked.bot.id),
        busy: busy.contains(&ranked.bot.id),
        bot: ranked.bot.id.clone(),
        name: ranked.bot.name.clone(),
        wins: ranked.wins,
        draws: ranked.draws,
        losses: ranked.losses,
        elo: ranked.elo,
        error: ranked.error,
    };
    let meetings = standing.meetings.iter().map(|((bot, against), [wins, draws, losses])| Meeting {
        bot: bot.clone(),
        against: against.clone(),
        wins: *wins,
        draws: *draws,
        losses: *losses,
    });
    let before = asked.before.unwrap_or(i64::MAX);
    let archive = app.store.ladder_archive(name, before, ARCHIVE).await.map_err(storage_failed)?;
    let live = app.store.ladder_live(name).await.map_err(storage_failed)?;
    Ok(Json(LadderBody {
        setup: ladder::setup(game)?,
        clock: app.config.ladder_clock,
        rows: standing.list.iter().map(row).collect(),
        meetings: meetings.collect(),
        live: live.into_iter().map(GameSummary::from).collect(),
        archive: archive.into_iter().map(GameSummary::from).collect(),
    }))
}

/// Whether a bot is on a ladder.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OnLadder {
    playing: bool,
}

/// Puts a bot on the ladder of a game, or takes it off; the bearer is the bot's token. It is paired while it is online.
#[utoipa::path(put, path = "/ladder/{game}", tag = "bots", params(("game" = String, Path)), request_body = OnLadder,
    security(("secret" = [])), responses(
    (status = 200, body = OnLadder),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "`ladder.full`"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    Id(name): Id,
    headers: HeaderMap,
    Body(wanted): Body<OnLadder>,
) -> Result<Json<OnLadder>, Problem> {
    let game = app.host.game(&name)?.name();
    let bot = authenticate(&app, secret::bearer(&headers).ok_or_else(no_secret)?).await?;
    let on = app.store.ladder_bots(game).await.map_err(storage_failed)?;
    if wanted.playing && on.len() >= MAX_BOTS && !on.iter().any(|known| known.id == bot.id) {
        let detail = format!("{MAX_BOTS} bots are on this ladder, as many as can be");
        return Err(Problem::conflict("ladder.full", detail));
    }
    let now = crate::time::now_ms();
    app.store.set_on_ladder(&bot.id, game, wanted.playing, now).await.map_err(storage_failed)?;
    Ok(Json(wanted))
}
