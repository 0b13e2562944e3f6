//! What players do besides moving, and hints.

use super::docs::Refused;
use super::extract::{Body, Id};
use super::games::{no_secret, open, wrong_secret};
use crate::app::App;
use crate::pool::{Class, Need};
use crate::security::{rate::Peer, secret};
use crate::store::Who;
use api::{Done, Hint, Player, Problem};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use play::Action;
use std::sync::Arc;

/// Resigns, takes back, offers, answers an offer, aborts, joins, chats or comments.
#[utoipa::path(post, path = "/games/{id}/actions", tag = "games", request_body = Action,
    params(("id" = String, Path)), security(("secret" = [])), responses(
    (status = 200, body = Done),
    Refused<401, 403, 404, 409, 422>,
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

/// What the recommended engine would play, after a second of thought; not against people.
#[utoipa::path(post, path = "/games/{id}/hint", tag = "games", params(("id" = String, Path)),
    security(("secret" = [])), responses(
    (status = 200, body = Hint),
    Refused<401, 403, 404, 409, 429>,
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
    if matches!(handle.header.players.at(seat.other()), Player::Human { .. }) {
        return Err(Problem::conflict("hint.people", "there are no hints against people"));
    }
    let position = handle.position().await?;
    if position.outcome().is_some() {
        return Err(Problem::conflict("game.over", "the game is over"));
    }
    if position.turn() != seat {
        return Err(Problem::conflict("turn.other", "it is the other player's turn"));
    }
    let work = api::hint(&app.host, app.host.game(&handle.header.setup.game)?, position)?;
    Ok(Json(app.pool.run(Class::Play, peer, Need::anywhere(1), work).await.map_err(|_| Problem::busy())??))
}
