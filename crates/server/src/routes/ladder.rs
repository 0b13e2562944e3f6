//! Standing ladders of bots, public and private: who is on one, ratings, results between them, games being played and finished
//! games.

use super::bots::authenticate;
use super::extract::{Asked, Body, Id};
use super::games::{GameSummary, no_secret};
use crate::app::App;
use crate::ladder::{self, Ladder, MAX_BOTS};
use crate::live::finished_record;
use crate::pool::Class;
use crate::problem::storage_failed;
use crate::security::{rate::Peer, secret};
use api::{ClockRule, Problem, ProblemBody, Setup};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Games in one answer of the archive.
const ARCHIVE: i64 = 50;
/// Games in one file of them.
const DOWNLOAD: i64 = 500;

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

/// A ladder.
#[derive(Serialize, ToSchema)]
pub(crate) struct LadderBody {
    /// The name of a private arena.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Was a private arena asked for with the key of whoever made it?
    owner: bool,
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

/// The ladder of this name, where it may be seen with the secret in these headers.
async fn seen(app: &App, name: &str, headers: &HeaderMap) -> Result<Ladder, Problem> {
    let ladder = ladder::find(app, name).await?;
    if let Some(arena) = &ladder.arena {
        let given = secret::bearer(headers).ok_or_else(key_needed)?;
        if !arena.admits(given) {
            return Err(key_wrong());
        }
    }
    Ok(ladder)
}

fn key_needed() -> Problem {
    let detail = "this arena is private: its key or its invitation is needed";
    Problem::new(StatusCode::UNAUTHORIZED, "arena.key-needed", detail)
}

pub(super) fn key_wrong() -> Problem {
    let detail = "this is not a key of the arena, or its invitation has been replaced";
    Problem::new(StatusCode::FORBIDDEN, "arena.key-wrong", detail)
}

/// A ladder: that of a game by the game's name, or a private arena by its id with its key or its invitation.
#[utoipa::path(get, path = "/ladder/{ladder}", tag = "bots", params(("ladder" = String, Path), Before),
    security((), ("secret" = [])), responses(
    (status = 200, body = LadderBody),
    (status = 401, body = ProblemBody, content_type = "application/problem+json", description = "`arena.key-needed`"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "`arena.key-wrong`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Id(name): Id,
    Asked(asked): Asked<Before>,
    headers: HeaderMap,
) -> Result<Json<LadderBody>, Problem> {
    let ladder = seen(&app, &name, &headers).await?;
    let id = &ladder.id;
    let on = app.store.ladder_bots(id).await.map_err(storage_failed)?;
    let busy = ladder::busy(&app, id).await.map_err(storage_failed)?;
    let standing = app.standings.of(&app, id).await.map_err(storage_failed)?;
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
    let archive = app.store.ladder_archive(id, before, ARCHIVE).await.map_err(storage_failed)?;
    let live = app.store.ladder_live(id).await.map_err(storage_failed)?;
    let owner = |given: &str| ladder.arena.as_ref().is_some_and(|arena| arena.is_owner(given));
    Ok(Json(LadderBody {
        owner: secret::bearer(&headers).is_some_and(owner),
        rows: standing.list.iter().map(row).collect(),
        meetings: meetings.collect(),
        live: live.into_iter().map(GameSummary::from).collect(),
        archive: archive.into_iter().map(GameSummary::from).collect(),
        name: ladder.arena.map(|arena| arena.name),
        setup: ladder.setup,
        clock: ladder.clock,
    }))
}

/// The finished games of a ladder in one SGF file, the newest first; at most 500, ask with `before` for older ones.
#[utoipa::path(get, path = "/ladder/{ladder}/games", tag = "bots", params(("ladder" = String, Path), Before),
    security((), ("secret" = [])), responses(
    (status = 200, content_type = "application/x-go-sgf", body = Vec<u8>),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn games(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Id(name): Id,
    Asked(asked): Asked<Before>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let ladder = seen(&app, &name, &headers).await?;
    let _writing = app.standings.downloads.try_acquire().map_err(|_| Problem::busy())?;
    let before = asked.before.unwrap_or(i64::MAX);
    let found = app.store.ladder_archive(&ladder.id, before, DOWNLOAD).await.map_err(storage_failed)?;
    let mut records = Vec::with_capacity(found.len());
    for summary in found {
        records.extend(finished_record(&app, &summary.id).await?);
    }
    let game = ladder.game;
    let write = move |_: &game::Watch| records.iter().map(|record| game.write_sgf(record) + "\n").collect();
    let text: String = app.quick.run(Class::Play, peer, 1, write).await.map_err(|_| Problem::busy())?;
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("application/x-go-sgf");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// Whether a bot is to be on a ladder.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinOrder {
    playing: bool,
    /// The invitation, to join a private arena.
    #[serde(default)]
    invitation: Option<String>,
}

/// Whether a bot is on a ladder.
#[derive(Serialize, ToSchema)]
pub(crate) struct OnLadder {
    playing: bool,
}

/// Puts a bot on a ladder, or takes it off; the bearer is the bot's token. It is paired while it is online.
#[utoipa::path(put, path = "/ladder/{ladder}", tag = "bots", params(("ladder" = String, Path)), request_body = JoinOrder,
    security(("secret" = [])), responses(
    (status = 200, body = OnLadder),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "`arena.key-wrong`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "`ladder.full`"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    Id(name): Id,
    headers: HeaderMap,
    Body(wanted): Body<JoinOrder>,
) -> Result<Json<OnLadder>, Problem> {
    let ladder = ladder::find(&app, &name).await?;
    let bot = authenticate(&app, secret::bearer(&headers).ok_or_else(no_secret)?).await?;
    if let (true, Some(arena)) = (wanted.playing, &ladder.arena) {
        let invitation = wanted.invitation.as_deref().ok_or_else(key_needed)?;
        if !arena.admits(invitation.trim()) {
            return Err(key_wrong());
        }
    }
    let on = app.store.ladder_bots(&ladder.id).await.map_err(storage_failed)?;
    if wanted.playing && on.len() >= MAX_BOTS && !on.iter().any(|known| known.id == bot.id) {
        let detail = format!("{MAX_BOTS} bots are on this ladder, as many as can be");
        return Err(Problem::conflict("ladder.full", detail));
    }
    let now = crate::time::now_ms();
    app.store.set_on_ladder(&bot.id, &ladder.id, wanted.playing, now).await.map_err(storage_failed)?;
    Ok(Json(OnLadder { playing: wanted.playing }))
}
