//! Puzzles: the list by level, play against the solver's defence, hints, the solution, and progress.
//!
//! Whoever wants progress kept asks for a secret once and sends it along; nothing else is known of them.

use super::docs::Refused;
use super::extract::{Asked, Body, TwoIds};
use super::games::wrong_secret;
use crate::app::App;
use crate::pool::Class;
use crate::problem::storage_failed;
use crate::security::{rate::Peer, secret};
use crate::store::Kept;
use api::puzzle::{
    self, AllProgress, Attempt, Chosen, JudgedBody, Progress, PuzzleBody, PuzzleList, SolutionBody,
};
use api::{MoveBody, Problem};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use game::Game;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Which puzzles.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Which {
    /// Of this game only.
    game: Option<String>,
}

/// The hash under which somebody's progress is kept, if a secret came along.
fn owner(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    match secret::bearer(headers) {
        None => Ok(None),
        Some(given) if secret::looks_like_id(given) => Ok(Some(secret::hash(given))),
        Some(_) => Err(wrong_secret()),
    }
}

/// The progress of whoever asks.
async fn done(app: &App, headers: &HeaderMap) -> Result<AllProgress, Problem> {
    match owner(headers)? {
        Some(owner) => app.store.progress(&owner).await.map_err(storage_failed),
        None => Ok(AllProgress::new()),
    }
}

/// All puzzles, with the progress of whoever asks.
#[utoipa::path(get, path = "/puzzles", tag = "puzzles", params(Which), security((), ("secret" = [])), responses(
    (status = 200, body = PuzzleList),
    Refused<403, 422>,
))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Asked(which): Asked<Which>,
    headers: HeaderMap,
) -> Result<Json<PuzzleList>, Problem> {
    let done = done(&app, &headers).await?;
    Ok(Json(puzzle::list(&app.host, which.game.as_deref(), &done)?))
}

/// A secret under which progress is kept.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProgressSecret {
    secret: String,
}

/// Makes a secret to keep progress under.
#[utoipa::path(post, path = "/puzzles/progress", tag = "puzzles", responses((status = 201, body = ProgressSecret)))]
pub(crate) async fn progress() -> Result<(StatusCode, Json<ProgressSecret>), Problem> {
    let secret = secret::random().map_err(storage_failed)?;
    Ok((StatusCode::CREATED, Json(ProgressSecret { secret })))
}

/// A puzzle.
#[utoipa::path(get, path = "/puzzles/{game}/{id}", tag = "puzzles", security((), ("secret" = [])),
    params(("game" = String, Path), ("id" = String, Path)), responses(
    (status = 200, body = PuzzleBody),
    Refused<404>,
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    TwoIds(game, id): TwoIds,
    headers: HeaderMap,
) -> Result<Json<PuzzleBody>, Problem> {
    let chosen = Chosen::find(&app.host, &game, &id)?;
    Ok(Json(chosen.show(&done(&app, &headers).await?)?))
}

/// Judges the last of the moves, and answers it.
#[utoipa::path(post, path = "/puzzles/{game}/{id}/moves", tag = "puzzles", request_body = Attempt,
    params(("game" = String, Path), ("id" = String, Path)), security((), ("secret" = [])), responses(
    (status = 200, body = JudgedBody),
    Refused<404, 409, 422, 429>,
))]
pub(crate) async fn judge(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    TwoIds(game, id): TwoIds,
    headers: HeaderMap,
    Body(attempt): Body<Attempt>,
) -> Result<Json<JudgedBody>, Problem> {
    let chosen = Chosen::find(&app.host, &game, &id)?;
    let owner = owner(&headers)?;
    let work = chosen.judge(attempt)?;
    let judged = app.pool.run(Class::Play, peer, 1, work).await.map_err(|_| Problem::busy())??;
    record(&app, peer, owner, chosen.game(), &id, judged.progress()).await?;
    Ok(Json(judged))
}

/// Progress is on disk before the answer goes out.
async fn record(
    app: &App,
    peer: IpAddr,
    owner: Option<String>,
    game: &dyn Game,
    id: &str,
    more: Option<Progress>,
) -> Result<(), Problem> {
    let (Some(owner), Some(more)) = (owner, more) else { return Ok(()) };
    let (creator, now) = (peer.to_string(), crate::time::now_ms());
    if !app.store.has_progress(&owner, game.name(), id).await.map_err(storage_failed)? {
        app.store.make_room(&app.config.storage(), &creator, Kept::Progress).await?;
    }
    app.store.add_progress(&owner, game.name(), id, more, creator, now).await.map_err(storage_failed)
}

/// A winning move.
#[utoipa::path(post, path = "/puzzles/{game}/{id}/hint", tag = "puzzles", request_body = Attempt,
    params(("game" = String, Path), ("id" = String, Path)), security((), ("secret" = [])), responses(
    (status = 200, body = MoveBody),
    Refused<404, 422, 429>,
))]
pub(crate) async fn hint(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    TwoIds(game, id): TwoIds,
    headers: HeaderMap,
    Body(attempt): Body<Attempt>,
) -> Result<Json<MoveBody>, Problem> {
    let chosen = Chosen::find(&app.host, &game, &id)?;
    let owner = owner(&headers)?;
    let work = chosen.hint(&attempt)?;
    let found = app.pool.run(Class::Play, peer, 1, work).await.map_err(|_| Problem::busy())??;
    record(&app, peer, owner, chosen.game(), &id, Some(Progress::HELPED)).await?;
    Ok(Json(found))
}

/// The solution as a tree. Counts as help.
#[utoipa::path(post, path = "/puzzles/{game}/{id}/solution", tag = "puzzles",
    params(("game" = String, Path), ("id" = String, Path)), security((), ("secret" = [])), responses(
    (status = 200, body = SolutionBody),
    Refused<404, 429>,
))]
pub(crate) async fn solution(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    TwoIds(game, id): TwoIds,
    headers: HeaderMap,
) -> Result<Json<SolutionBody>, Problem> {
    let chosen = Chosen::find(&app.host, &game, &id)?;
    let owner = owner(&headers)?;
    let work = chosen.solution()?;
    let tree = app.pool.run(Class::Analysis, peer, 1, work).await.map_err(|_| Problem::busy())??;
    record(&app, peer, owner, chosen.game(), &id, Some(Progress::HELPED)).await?;
    Ok(Json(tree))
}
