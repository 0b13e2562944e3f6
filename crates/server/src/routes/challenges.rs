//! The lobby: challenges that anybody can post and accept.

use super::docs::Refused;
use super::extract::{Body, Id};
use super::games::{no_secret, start_of};
use crate::app::App;
use crate::live;
use crate::lobby::{Challenge, Crowded, Fate};
use crate::problem::storage_failed;
use crate::security::{rate::Peer, secret};
use crate::store::Header;
use api::{ClockRule, GameBody, Player, Players, Problem, ProblemBody, Setup, Visibility, checked_name};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use game::Seat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A challenge to be posted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewChallenge {
    setup: Setup,
    /// No clock if omitted.
    #[serde(default)]
    clock: Option<ClockRule>,
    /// The seat one wants; by chance if omitted.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    seat: Option<Seat>,
    /// 1 to 40 characters.
    #[serde(default)]
    name: Option<String>,
}

/// A challenge that was posted.
#[derive(Serialize, ToSchema)]
pub(crate) struct PostedChallenge {
    id: String,
    /// For asking about it, and for one's seat in the game that comes of it.
    secret: String,
}

/// A challenge that anybody can accept.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChallengeEntry {
    id: String,
    setup: Setup,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockRule>,
    /// The seat of whoever accepts; left out if it is decided by chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    seat: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Milliseconds since 1970.
    created: i64,
}

/// What became of a challenge.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChallengeFate {
    /// The game, once somebody has accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// One's seat in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    seat: Option<Seat>,
}

/// Who accepts.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Acceptance {
    /// 1 to 40 characters.
    #[serde(default)]
    name: Option<String>,
}

/// The game that came of a challenge.
#[derive(Serialize, ToSchema)]
pub(crate) struct Accepted {
    id: String,
    #[schema(value_type = String)]
    seat: Seat,
    /// The secret of the seat.
    secret: String,
    game: GameBody,
}

/// Posts a challenge. It stays open as long as its status is asked for now and then.
#[utoipa::path(post, path = "/challenges", tag = "games", request_body = NewChallenge, responses(
    (status = 201, body = PostedChallenge),
    Refused<422>,
    (status = 429, body = ProblemBody, content_type = "application/problem+json",
     description = "`challenges.yours` or `challenges.full`"),
))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(new): Body<NewChallenge>,
) -> Result<(StatusCode, Json<PostedChallenge>), Problem> {
    let (game, position) = start_of(&app, &new.setup, new.clock.as_ref())?;
    let random = || secret::random().map_err(storage_failed);
    let (id, own) = (random()?, random()?);
    let challenge = Challenge {
        id: id.clone(),
        setup: Setup::of(game, &*position),
        clock: new.clock,
        seat: new.seat,
        name: new.name.map(|name| checked_name(&name)).transpose()?,
        secret: secret::hash(&own),
        creator: peer,
        created: crate::time::now_ms(),
    };
    let posted = app.lobby.post(&app.store, challenge).await.map_err(storage_failed)?;
    posted.map_err(|crowded| match crowded {
        Crowded::Yours => Problem::too_many("challenges.yours", "you have enough open challenges"),
        Crowded::Everybody => Problem::too_many("challenges.full", "there are enough open challenges"),
    })?;
    Ok((StatusCode::CREATED, Json(PostedChallenge { id, secret: own })))
}

/// Challenges that are open, the oldest first.
#[utoipa::path(get, path = "/challenges", tag = "games", responses((status = 200, body = Vec<ChallengeEntry>)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<ChallengeEntry>>, Problem> {
    let entry = |challenge: Challenge| ChallengeEntry {
        id: challenge.id,
        setup: challenge.setup,
        clock: challenge.clock,
        seat: challenge.seat.map(Seat::other),
        name: challenge.name,
        created: challenge.created,
    };
    let open = app.lobby.open(&app.store).await.map_err(storage_failed)?;
    Ok(Json(open.into_iter().map(entry).collect()))
}

fn unknown() -> Problem {
    Problem::missing("challenge.unknown", "this challenge is no longer open")
}

/// What became of one's challenge.
#[utoipa::path(get, path = "/challenges/{id}", tag = "games", params(("id" = String, Path)),
    security(("secret" = [])), responses(
    (status = 200, body = ChallengeFate),
    Refused<401, 404>,
))]
pub(crate) async fn fate(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Json<ChallengeFate>, Problem> {
    let given = secret::bearer(&headers).ok_or_else(no_secret)?;
    let is_own = |hash: &str| secret::matches(given, hash);
    let fate = app.lobby.ask(&app.store, &id, is_own).await.map_err(storage_failed)?;
    Ok(Json(match fate.ok_or_else(unknown)? {
        Fate::Started(game, seat) => ChallengeFate { game: Some(game), seat: Some(seat) },
        Fate::Open | Fate::Starting => ChallengeFate { game: None, seat: None },
    }))
}

/// Withdraws one's challenge.
#[utoipa::path(delete, path = "/challenges/{id}", tag = "games", params(("id" = String, Path)),
    security(("secret" = [])), responses(
    (status = 204),
    Refused<401, 404>,
))]
pub(crate) async fn withdraw(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    let given = secret::bearer(&headers).ok_or_else(no_secret)?;
    let is_own = |hash: &str| secret::matches(given, hash);
    let gone = app.lobby.withdraw(&app.store, &id, is_own).await.map_err(storage_failed)?;
    gone.then_some(StatusCode::NO_CONTENT).ok_or_else(unknown)
}

/// Accepts a challenge: the game begins.
#[utoipa::path(post, path = "/challenges/{id}/accept", tag = "games", request_body = Acceptance,
    params(("id" = String, Path)), responses(
    (status = 201, body = Accepted),
    Refused<404, 422, 429>,
))]
pub(crate) async fn accept(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Body(new): Body<Acceptance>,
) -> Result<(StatusCode, Json<Accepted>), Problem> {
    let name = new.name.map(|name| checked_name(&name)).transpose()?;
    let game = secret::random().map_err(storage_failed)?;
    let challenge = app.lobby.accept(&app.store, &id, &game).await.map_err(storage_failed)?;
    let challenge = challenge.ok_or_else(unknown)?;
    let started = begin(&app, challenge.clone(), game.clone(), name).await;
    if let Err(error) = app.lobby.settle(&app.store, &challenge, &game, started.is_ok()).await {
        tracing::warn!(%error, "a challenge of which no game came opens again later");
    }
    Ok((StatusCode::CREATED, Json(started?)))
}

async fn begin(
    app: &Arc<App>,
    challenge: Challenge,
    id: String,
    name: Option<String>,
) -> Result<Accepted, Problem> {
    let random = || secret::random().map_err(storage_failed);
    let (own, owner) = (random()?, random()?);
    let poster = challenge.seat_in(&id);
    let (them, us) = (Player::Human { name: challenge.name }, Player::Human { name });
    let (their_secret, our_secret) = (challenge.secret, secret::hash(&own));
    let (first, second, secrets) = match poster {
        Seat::First => (them, us, [their_secret, our_secret]),
        Seat::Second => (us, them, [our_secret, their_secret]),
    };
    let [first_secret, second_secret] = secrets;
    let header = Header {
        id: id.clone(),
        setup: challenge.setup,
        players: Players { first, second },
        clock: challenge.clock,
        pace_ms: 0,
        visibility: Visibility::Public,
        // Nobody has the owner's.
        secrets: [first_secret, second_secret, secret::hash(&owner)],
        created: crate::time::now_ms(),
        creator: challenge.creator.to_string(),
    };
    let game = live::create(app, header).await?.show(None).await?;
    Ok(Accepted { id, seat: poster.other(), secret: own, game })
}
