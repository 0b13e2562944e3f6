//! The WebSocket of a live game, for players and spectators.

use super::extract::{Asked, Id, Upgrade};
use super::games::{open, wrong_secret};
use super::socket::{self, Talk};
use crate::app::App;
use crate::live::{Action, Handle, Joined, MoveOrder};
use crate::problem::{Problem, ProblemBody};
use crate::security::{rate::Peer, secret};
use crate::store::Who;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use utoipa::IntoParams;

/// The secret, where a browser cannot set a header.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Secret {
    /// Of a seat or the owner.
    pub(crate) secret: Option<String>,
}

/// What a client can say. A person who plays both seats names the secret with each message.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum Said {
    Move {
        #[serde(flatten)]
        order: Order,
    },
    Action {
        #[serde(flatten)]
        action: Action,
        secret: Option<String>,
    },
    Ping,
}

/// [`MoveOrder`] with a secret beside it.
#[derive(Deserialize)]
struct Order {
    ply: usize,
    #[serde(rename = "move")]
    text: String,
    takebacks: Option<u32>,
    secret: Option<String>,
}

/// Opens a WebSocket on a game.
#[utoipa::path(get, path = "/games/{id}/ws", tag = "games", params(("id" = String, Path), Secret), responses(
    (status = 101, description = "a WebSocket: see the API's text"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
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
        let talk = Talk::new(&app, socket, counted);
        converse(talk, handle, who).await;
    }))
}

/// Until the client is gone, or the game's task is: then the client connects anew.
async fn converse(mut talk: Talk, handle: Handle, who: Option<Who>) -> Option<()> {
    let you = match who {
        Some(Who::Seat(seat)) => json!(seat),
        Some(Who::Owner) => json!("owner"),
        None => json!("spectator"),
    };
    let Joined { game, mut news } = handle.join().await.ok()?;
    talk.say(&json!({ "type": "state", "you": you, "game": game })).await?;
    loop {
        tokio::select! {
            heard = news.recv() => match heard {
                Ok(text) => talk.pass(text).await?,
                // Too slow for single messages: the whole state instead.
                Err(RecvError::Lagged(_)) => {
                    let joined = handle.join().await.ok()?;
                    news = joined.news;
                    talk.say(&json!({ "type": "state", "you": you, "game": joined.game })).await?;
                }
                Err(RecvError::Closed) => return None,
            },
            said = talk.hear::<Said>() => {
                let answer = match said? {
                    Ok(said) => answer(&handle, who, said).await,
                    Err(problem) => Err(problem),
                };
                let message = answer.unwrap_or_else(|problem| problem.message());
                talk.say(&message).await?;
            }
        }
    }
}

async fn answer(handle: &Handle, who: Option<Who>, said: Said) -> Result<Value, Problem> {
    let whose = |given: Option<String>| match given {
        Some(secret) => handle.header.who(&secret).ok_or_else(wrong_secret),
        None => who.ok_or_else(|| {
            let status = axum::http::StatusCode::FORBIDDEN;
            Problem::new(status, "secret.missing", "spectators can only watch")
        }),
    };
    match said {
        Said::Ping => {
            let game = handle.show().await?;
            Ok(json!({ "type": "clock", "clock": game.clock, "ply": game.view.ply }))
        }
        Said::Move { order: Order { ply, text, takebacks, secret } } => {
            let Who::Seat(seat) = whose(secret)? else { return Err(wrong_secret()) };
            let done = handle.play(seat, MoveOrder { ply, text, takebacks }, false).await;
            let done = done.map_err(|problem| problem.with("ply", ply))?;
            Ok(json!({ "type": "ack", "ply": done.ply, "applied": done.applied, "clock": done.clock }))
        }
        Said::Action { action, secret } => {
            let seat = match whose(secret)? {
                Who::Seat(seat) => Some(seat),
                Who::Owner => None,
            };
            let done = handle.act(seat, action).await?;
            Ok(json!({ "type": "done", "outcome": done.outcome }))
        }
    }
}
