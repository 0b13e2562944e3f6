//! Live games: create, list, show, move.

use super::docs::Refused;
use super::extract::{Asked, Body, Id};
use super::watch::Secret;
use crate::app::App;
use crate::ladder;
use crate::live::{self, GameHandle, LiveGames};
use crate::problem::storage_failed;
use crate::security::{rate::Peer, secret};
use crate::store::{Header, Summary, Who};
use api::{Acknowledged, GameBody, GameStatus};
use api::{ClockRule, Player, Players, Setup, Visibility};
use api::{Problem, ProblemBody};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use game::{Game, Position, Seat};
use play::MoveOrder;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A game to be created.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    setup: Setup,
    players: Players,
    /// No clock if omitted.
    #[serde(default)]
    clock: Option<ClockRule>,
    #[serde(default)]
    visibility: Visibility,
    /// Minimum time between two moves of engines, in milliseconds, so that spectators can follow; 400 by default if both players are engines.
    #[serde(default)]
    pace_ms: Option<u64>,
}

/// A game that was created.
#[derive(Serialize, ToSchema)]
pub(crate) struct Created {
    id: String,
    /// Secrets of the seats that people hold. Pass one on, and another person plays.
    seats: Seats,
    /// The secret of the creator of the game.
    owner: String,
    game: GameBody,
}

/// Secrets of the seats that people hold.
#[derive(Serialize, ToSchema)]
pub(crate) struct Seats {
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<String>,
}

/// Creates a game.
#[utoipa::path(post, path = "/games", tag = "games", request_body = NewGame, responses(
    (status = 201, body = Created),
    Refused<422, 429>,
))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(new): Body<NewGame>,
) -> Result<(StatusCode, Json<Created>), Problem> {
    let (game, position) = start_of(&app, &new.setup, new.clock.as_ref())?;
    let players = Players {
        first: seated(&app, new.players.first.checked(game, &app.host)?).await?,
        second: seated(&app, new.players.second.checked(game, &app.host)?).await?,
    };
    let is_engine = |seat| matches!(players.at(seat), Player::Engine { .. });
    let engines = is_engine(Seat::First) && is_engine(Seat::Second);
    let pace_ms = new.pace_ms.unwrap_or(if engines { 400 } else { 0 }).min(10_000) as i64;
    let random = || secret::random().map_err(storage_failed);
    let human = |seat| matches!(players.at(seat), Player::Human { .. });
    let seats = Seats {
        first: human(Seat::First).then(random).transpose()?,
        second: human(Seat::Second).then(random).transpose()?,
    };
    let (id, owner) = (random()?, random()?);
    let hash = |given: &Option<String>| given.as_deref().map(secret::hash).unwrap_or_default();
    let header = Header {
        id: id.clone(),
        setup: Setup::of(game, &*position),
        players,
        clock: new.clock,
        pace_ms,
        visibility: new.visibility,
        secrets: [hash(&seats.first), hash(&seats.second), secret::hash(&owner)],
        created: crate::time::now_ms(),
        creator: peer.to_string(),
    };
    let game = live::create(&app, header).await?.show(None).await?;
    Ok((StatusCode::CREATED, Json(Created { id, seats, owner, game })))
}

/// Where a game would start; a problem if it cannot be played, or not with this clock.
pub(super) fn start_of(
    app: &App,
    setup: &Setup,
    clock: Option<&ClockRule>,
) -> Result<(&'static dyn Game, Box<dyn Position>), Problem> {
    let game = app.host.game(&setup.game)?;
    let position = setup.position(game)?;
    if position.outcome().is_some() {
        return Err(Problem::refused("game.over", "the game would be over before its first move"));
    }
    if let Some(clock) = clock {
        clock.check()?;
    }
    Ok((game, position))
}

/// A bot must exist; its name is filled in.
async fn seated(app: &App, player: Player) -> Result<Player, Problem> {
    let Player::Bot { bot, .. } = player else { return Ok(player) };
    let unknown = || Problem::refused("bot.unknown", "there is no such bot");
    if !secret::looks_like_id(&bot) {
        return Err(unknown());
    }
    let found = app.store.bot(&bot).await.map_err(storage_failed)?.ok_or_else(unknown)?;
    Ok(Player::Bot { bot, name: Some(found.name) })
}

/// Length of the list.
#[derive(Deserialize, IntoParams)]
pub(crate) struct ListQuery {
    /// 1 to 100; 20 if omitted.
    limit: Option<u32>,
}

/// A game in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameSummary {
    id: String,
    setup: Setup,
    players: Players,
    /// Milliseconds since 1970.
    created: i64,
    status: GameStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl From<Summary> for GameSummary {
    fn from(row: Summary) -> GameSummary {
        GameSummary {
            id: row.id,
            setup: row.setup,
            players: row.players,
            created: row.created,
            status: if row.live { GameStatus::Live } else { GameStatus::Over },
            result: row.result,
            reason: row.reason,
        }
    }
}

/// Recent public games and the current load.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameList {
    games: Vec<GameSummary>,
    running: Running,
}

/// The current load.
#[derive(Serialize, ToSchema)]
pub(crate) struct Running {
    /// Games in progress that somebody looks at or that play on by themselves.
    games: u64,
    /// Searches running and queued.
    searches: usize,
    waiting: usize,
}

/// Recent public games and the current load.
#[utoipa::path(get, path = "/games", tag = "games", params(ListQuery), responses(
    (status = 200, body = GameList),
    Refused<400>,
))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Asked(query): Asked<ListQuery>,
) -> Result<Json<GameList>, Problem> {
    let limit = i64::from(query.limit.unwrap_or(20).clamp(1, 100));
    let rows = app.store.public_games(limit).await.map_err(storage_failed)?;
    let (waiting, searches) = app.pool.load();
    let games = app.metrics.games_in_progress.load(std::sync::atomic::Ordering::Relaxed);
    let elsewhere = app.site.as_ref().map(|site| site.load_elsewhere()).unwrap_or_default();
    let other = |count: i64| usize::try_from(count).unwrap_or(0);
    Ok(Json(GameList {
        games: rows.into_iter().map(GameSummary::from).collect(),
        running: Running {
            games: games + other(elsewhere.games) as u64,
            searches: searches + other(elsewhere.searches),
            waiting: waiting + other(elsewhere.waiting),
        },
    }))
}

/// A game that may be viewed with this secret, and whom the secret identifies.
pub(crate) async fn open(
    app: &Arc<App>,
    id: &str,
    given: Option<&str>,
) -> Result<(GameHandle, Option<Who>), Problem> {
    let handle = LiveGames::find(app, id).await?;
    let who = given.and_then(|secret| handle.header.who(secret));
    let watches = match given {
        Some(secret) if who.is_none() => ladder::may_watch(app, &handle.header.creator, secret).await?,
        _ => false,
    };
    let refused = given.is_some() || handle.header.visibility == Visibility::Private;
    if who.is_none() && !watches && refused {
        // The same as for a game that does not exist.
        return Err(Problem::missing("game.unknown", "there is no such game"));
    }
    Ok((handle, who))
}

pub(crate) fn wrong_secret() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "secret.wrong", "this secret does not allow that")
}

pub(crate) fn no_secret() -> Problem {
    let status = StatusCode::UNAUTHORIZED;
    Problem::new(status, "secret.missing", "Authorization: Bearer SECRET of a seat is needed")
}

/// A game.
#[utoipa::path(get, path = "/games/{id}", tag = "games", params(("id" = String, Path), Secret), responses(
    (status = 200, body = GameBody),
    Refused<403, 404>,
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(query): Asked<Secret>,
    headers: HeaderMap,
) -> Result<Json<GameBody>, Problem> {
    let given = secret::bearer(&headers).or(query.secret.as_deref());
    let (handle, who) = open(&app, &id, given).await?;
    Ok(Json(handle.show(who).await?))
}

/// Plays a move. The answer comes when it is on disk; a repeated order is answered, not applied again.
#[utoipa::path(post, path = "/games/{id}/moves", tag = "games", request_body = MoveOrder,
    params(("id" = String, Path)), security(("secret" = [])), responses(
    (status = 200, body = Acknowledged),
    Refused<401, 403, 404, 422>,
    (status = 409, body = ProblemBody, content_type = "application/problem+json",
     description = "`move.late`, `move.early`, `move.stale`, `turn.other` or `game.over`"),
))]
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
    Body(order): Body<MoveOrder>,
) -> Result<Json<Acknowledged>, Problem> {
    let given = secret::bearer(&headers).ok_or_else(no_secret)?;
    let (handle, who) = open(&app, &id, Some(given)).await?;
    let Some(Who::Seat(seat)) = who else { return Err(wrong_secret()) };
    Ok(Json(handle.play(seat, order, true).await?))
}
