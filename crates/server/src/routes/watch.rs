//! The WebSocket of a live game, for players and spectators.

use super::docs::Refused;
use super::extract::{Asked, Id, Upgrade};
use super::games::{open, wrong_secret};
use super::messages::{GameReply, You};
use super::socket::{self, ClientSocket};
use crate::app::App;
use crate::live::{GameHandle, Joined, LiveGames};
use crate::security::{rate::Peer, secret};
use crate::store::Who;
use api::Problem;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use play::{Action, MoveOrder};
use serde::Deserialize;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use utoipa::{IntoParams, ToSchema};

/// The secret, where a browser cannot set a header.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Secret {
    /// Of a seat or the owner.
    pub(crate) secret: Option<String>,
}

/// A message from a client on `/games/{id}/ws`. A person who plays both seats sends the secret with each message.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum GameRequest {
    /// Plays a move.
    Move {
        /// The number of moves played before it.
        ply: usize,
        /// In the game's notation.
        #[serde(rename = "move")]
        text: String,
        /// `takebacks` of the game as the client knows it.
        takebacks: Option<u32>,
        secret: Option<String>,
    },
    /// Does something else.
    Action {
        #[serde(flatten)]
        action: Action,
        secret: Option<String>,
    },
    /// Asks for the clocks.
    Ping,
}

/// Opens a WebSocket on a game.
#[utoipa::path(get, path = "/games/{id}/ws", tag = "games", params(("id" = String, Path), Secret), responses(
    (status = 101, description = "a WebSocket: see the API's text"),
    Refused<403, 404>,
))]
pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Id(id): Id,
    Asked(query): Asked<Secret>,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let given = secret::bearer(&headers).or(query.secret.as_deref());
    let (handle, who) = open(&app, &id, given).await?;
    let counted = socket::count(&app, peer)?;
    Ok(upgrade.0.on_upgrade(move |socket| async move {
        let socket = ClientSocket::new(&app, socket, counted);
        converse(&app, socket, handle, who).await;
    }))
}

/// Runs until the client disconnects or the game's task ends; in the latter case the client reconnects, unless the game
/// goes on at another server.
async fn converse(
    app: &Arc<App>,
    mut socket: ClientSocket,
    mut handle: GameHandle,
    who: Option<Who>,
) -> Option<()> {
    let you = You::from(who);
    let Joined { game, mut updates, mut attendance } = handle.join(who).await.ok()?;
    socket.send(&GameReply::State { you, game: Box::new(game) }).await?;
    loop {
        tokio::select! {
            update = updates.next() => match update {
                Ok(update) if update.players_only && !matches!(who, Some(Who::Seat(_))) => {}
                Ok(update) => socket.send_text(update.text).await?,
                // Too slow for single messages: the whole state instead.
                Err(RecvError::Lagged(_)) => {
                    let joined = handle.join(who).await.ok()?;
                    (updates, attendance) = (joined.updates, joined.attendance);
                    socket.send(&GameReply::State { you, game: Box::new(joined.game) }).await?;
                }
                Err(RecvError::Closed) => {
                    drop(attendance);
                    // This server ends, or it is the only one.
                    app.site.as_ref().filter(|site| !site.is_leaving())?;
                    handle = LiveGames::find(app, &handle.header.id).await.ok()?;
                    let joined = handle.join(who).await.ok()?;
                    (updates, attendance) = (joined.updates, joined.attendance);
                    socket.send(&GameReply::State { you, game: Box::new(joined.game) }).await?;
                }
            },
            request = socket.receive::<GameRequest>() => {
                let answer = match request? {
                    Ok(request) => answer(&handle, who, request).await,
                    Err(problem) => Err(problem),
                };
                socket.send(&answer.unwrap_or_else(|problem| GameReply::Error(problem.into()))).await?;
            }
        }
    }
}

async fn answer(handle: &GameHandle, who: Option<Who>, request: GameRequest) -> Result<GameReply, Problem> {
    let whose = |given: Option<String>| match given {
        Some(secret) => handle.header.who(&secret).ok_or_else(wrong_secret),
        None => who.ok_or_else(|| {
            let status = axum::http::StatusCode::FORBIDDEN;
            Problem::new(status, "secret.missing", "spectators can only watch")
        }),
    };
    match request {
        GameRequest::Ping => {
            let game = handle.show(None).await?;
            Ok(GameReply::Clock { clock: game.clock, ply: game.view.ply })
        }
        GameRequest::Move { ply, text, takebacks, secret } => {
            let Who::Seat(seat) = whose(secret)? else { return Err(wrong_secret()) };
            let done = handle.play(seat, MoveOrder { ply, text, takebacks }, false).await;
            Ok(GameReply::Ack(done.map_err(|problem| problem.with("ply", ply))?))
        }
        GameRequest::Action { action, secret } => {
            let seat = match whose(secret)? {
                Who::Seat(seat) => Some(seat),
                Who::Owner => None,
            };
            Ok(GameReply::Done(handle.act(seat, action).await?))
        }
    }
}
