//! Private arenas: ladders for engine authors, with a board and clock of their choice. Whoever makes one gets its key and an
//! invitation; bots join with the invitation, and only those with one of the two see anything. What is played there is
//! shown by `ladder`.

use super::extract::{Body, Id, TwoIds};
use super::games::{no_secret, start_of};
use super::ladder::key_wrong;
use crate::app::App;
use crate::ladder::{self, Ladder};
use crate::problem::storage_failed;
use crate::security::{rate::Peer, secret};
use crate::store::{Arena, Kept};
use api::{ClockRule, Problem, ProblemBody, Setup, checked_name};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// An arena to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewArena {
    /// 1 to 40 characters.
    name: String,
    setup: Setup,
    /// The server's usual one if left out.
    #[serde(default)]
    clock: Option<ClockRule>,
}

/// An arena that was made.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedArena {
    /// For `/ladder/{id}`.
    id: String,
    /// The key of whoever made it; shown only now.
    key: String,
    /// What bots join with, and with what others may watch; shown only now.
    invitation: String,
}

/// Makes a private arena.
#[utoipa::path(post, path = "/arenas", tag = "bots", request_body = NewArena, responses(
    (status = 201, body = CreatedArena),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "`quota.yours`"),
    (status = 507, body = ProblemBody, content_type = "application/problem+json", description = "`quota.full`"),
))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(new): Body<NewArena>,
) -> Result<(StatusCode, Json<CreatedArena>), Problem> {
    let name = checked_name(&new.name)?;
    let clock = new.clock.unwrap_or(app.config.ladder_clock);
    let (game, position) = start_of(&app, &new.setup, Some(&clock))?;
    let creator = peer.to_string();
    app.store.make_room(&app.config.storage(), &creator, Kept::Arena).await?;
    let random = || secret::random().map_err(storage_failed);
    let (id, key, invitation) = (random()?, random()?, random()?);
    let arena = Arena {
        id: id.clone(),
        name,
        setup: Setup::of(game, &*position),
        clock,
        owner_secret: secret::hash(&key),
        invitation: secret::hash(&invitation),
    };
    app.store.add_arena(arena, creator, crate::time::now_ms()).await.map_err(storage_failed)?;
    Ok((StatusCode::CREATED, Json(CreatedArena { id, key, invitation })))
}

/// The arena of this id, if the bearer is the key of whoever made it.
async fn own(app: &App, id: &str, headers: &HeaderMap) -> Result<Ladder, Problem> {
    let missing = || Problem::missing("arena.unknown", "there is no such arena");
    if !secret::looks_like_id(id) {
        return Err(missing());
    }
    let ladder = ladder::find(app, id).await?;
    let given = secret::bearer(headers).ok_or_else(no_secret)?;
    match &ladder.arena {
        Some(arena) if arena.is_owner(given) => Ok(ladder),
        _ => Err(key_wrong()),
    }
}

/// Another invitation.
#[derive(Serialize, ToSchema)]
pub(crate) struct Invitation {
    /// Shown only now.
    invitation: String,
}

/// Replaces the invitation: who has the old one cannot watch or join any more. Bots that have joined stay.
#[utoipa::path(put, path = "/arenas/{id}/invitation", tag = "bots", params(("id" = String, Path)),
    security(("secret" = [])), responses(
    (status = 200, body = Invitation),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "`arena.key-wrong`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn invite(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Json<Invitation>, Problem> {
    own(&app, &id, &headers).await?;
    let invitation = secret::random().map_err(storage_failed)?;
    app.store.invite_anew(&id, secret::hash(&invitation)).await.map_err(storage_failed)?;
    Ok(Json(Invitation { invitation }))
}

/// Takes a bot off an arena; replace the invitation too, or it may join again.
#[utoipa::path(delete, path = "/arenas/{id}/bots/{bot}", tag = "bots",
    params(("id" = String, Path), ("bot" = String, Path)), security(("secret" = [])), responses(
    (status = 204, description = "done"),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "`arena.key-wrong`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn dismiss(
    State(app): State<Arc<App>>,
    TwoIds(id, bot): TwoIds,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    let ladder = own(&app, &id, &headers).await?;
    let now = crate::time::now_ms();
    app.store.set_on_ladder(&bot, &ladder.id, false, now).await.map_err(storage_failed)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Closes an arena: nobody is paired there any more, and its games can no longer be seen.
#[utoipa::path(delete, path = "/arenas/{id}", tag = "bots", params(("id" = String, Path)), security(("secret" = [])),
    responses(
    (status = 204, description = "done"),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "`arena.key-wrong`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn close(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    own(&app, &id, &headers).await?;
    app.store.close_arena(&id).await.map_err(storage_failed)?;
    Ok(StatusCode::NO_CONTENT)
}
