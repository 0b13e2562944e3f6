//! What players do besides moving, and hints.

use super::analysis::search;
use super::extract::{Body, Id};
use super::games::{no_secret, open, wrong_secret};
use super::layer::busy;
use crate::app::App;
use crate::live::{Action, Done};
use crate::pool::Class;
use crate::problem::{Problem, ProblemBody};
use crate::security::{rate::Peer, secret};
use crate::shape::{MoveBody, ReportBody, move_body};
use crate::store::Who;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use game::Limits;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// Resigns, takes back, offers, answers an offer, aborts or comments.
#[utoipa::path(post, path = "/games/{id}/actions", tag = "games", request_body = Action,
    params(("id" = String, Path)), security(("secret" = [])), responses(
    (status = 200, body = Done),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn act(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
    Body(action): Body<Action>,
) -> Result<Json<Done>, Problem> {
    let given = secret::bearer(&headers).ok_or_else(no_secret)?;
    let (handle, who) = open(&app, &id, Some(given)).await?;
    let seat = match who {
        Some(Who::Seat(seat)) => Some(seat),
        Some(Who::Owner) => None,
        None => return Err(wrong_secret()),
    };
    Ok(Json(handle.act(seat, action).await?))
}

/// A move worth considering.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hint {
    #[serde(flatten)]
    mv: MoveBody,
    report: ReportBody,
}

/// What the recommended engine would play, after a second of thought.
#[utoipa::path(post, path = "/games/{id}/hint", tag = "games", params(("id" = String, Path)),
    security(("secret" = [])), responses(
    (status = 200, body = Hint),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn hint(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Json<Hint>, Problem> {
    let given = secret::bearer(&headers).ok_or_else(no_secret)?;
    let (handle, who) = open(&app, &id, Some(given)).await?;
    let Some(Who::Seat(seat)) = who else { return Err(wrong_secret()) };
    let position = handle.position().await?;
    if position.outcome().is_some() {
        return Err(Problem::conflict("game.over", "the game is over"));
    }
    if position.turn() != seat {
        return Err(Problem::conflict("turn.other", "it is the other player's turn"));
    }
    let game = app.game(&handle.header.setup.game)?;
    let choice = app.engines.find(game, "")?;
    let limits = Limits { memory_mb: 64, ..Limits::time(Duration::from_secs(1)) };
    let asked = position.boxed();
    let found = app.pool.run(Class::Play, peer, 1, move |stop| {
        search(&choice, &Default::default(), &*asked, &limits, stop, &mut |_| {})
    });
    let decision = found.await.map_err(|_| busy())??;
    Ok(Json(Hint {
        mv: move_body(&*position, decision.mv),
        report: ReportBody::of(&*position, &decision.report),
    }))
}
