//! Bots by token: a program anywhere connects, hears when it is its turn, and answers with a move.

use super::extract::{Body, Upgrade};
use super::messages::BotReply;
use super::socket::{self, ClientSocket};
use crate::app::App;
use crate::live::LiveGames;
use crate::problem::storage_failed;
use crate::security::{rate::Peer, secret};
use crate::store::{Bot, Kept};
use api::{Player, checked_name};
use api::{Problem, ProblemBody};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use game::Seat;
use play::{Action, MoveOrder};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// A bot to be registered.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBot {
    /// 1 to 40 characters.
    name: String,
}

/// A bot that was registered.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedBot {
    /// For `players`: `{"kind":"bot","bot":ID}`.
    id: String,
    name: String,
    /// For the program; shown only now. It starts with the id.
    token: String,
}

/// Registers a bot.
#[utoipa::path(post, path = "/bots", tag = "bots", request_body = NewBot, responses(
    (status = 201, body = CreatedBot),
    (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "`name.taken`"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "`quota.yours`"),
    (status = 507, body = ProblemBody, content_type = "application/problem+json", description = "`quota.full`"),
))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(new): Body<NewBot>,
) -> Result<(StatusCode, Json<CreatedBot>), Problem> {
    let name = checked_name(&new.name)?;
    let creator = peer.to_string();
    if app.store.bot_name_taken(&name, &creator).await.map_err(storage_failed)? {
        return Err(Problem::conflict("name.taken", "somebody else has a bot of that name; choose another"));
    }
    app.store.make_room(&app.config.storage(), &creator, Kept::Bot).await?;
    let id = secret::random().map_err(storage_failed)?;
    let token = format!("{id}.{}", secret::random().map_err(storage_failed)?);
    let bot = Bot { id: id.clone(), name: name.clone(), token: secret::hash(&token) };
    app.store.add_bot(bot, creator, crate::time::now_ms()).await.map_err(storage_failed)?;
    Ok((StatusCode::CREATED, Json(CreatedBot { id, name, token })))
}

/// A bot that is online.
#[derive(Serialize, ToSchema)]
pub(crate) struct BotEntry {
    id: String,
    name: String,
}

/// Bots that are online.
#[utoipa::path(get, path = "/bots", tag = "bots", responses((status = 200, body = Vec<BotEntry>)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Vec<BotEntry>> {
    Json(app.bots.list().into_iter().map(|(id, name)| BotEntry { id, name }).collect())
}

/// What a bot says on `/bots/ws`.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum BotRequest {
    /// The first message of a bot that sent no `Authorization`.
    Hello { token: String },
    /// Plays a move.
    Move { game: String, ply: usize, r#move: String, takebacks: Option<u32> },
    /// Does something else.
    Action {
        game: String,
        #[serde(flatten)]
        action: Action,
    },
    /// Asks whether the server is there.
    Ping,
}

/// Opens a bot's WebSocket.
#[utoipa::path(get, path = "/bots/ws", tag = "bots", security(("secret" = [])), responses(
    (status = 101, description = "a WebSocket: see the API's text"),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn connect(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let counted = socket::count(&app, peer)?;
    let known = match secret::bearer(&headers) {
        Some(token) => Some(authenticate(&app, token).await?),
        None => None,
    };
    Ok(upgrade.0.on_upgrade(move |socket| async move {
        let socket = ClientSocket::new(&app, socket, counted);
        converse(app, socket, known).await;
    }))
}

pub(super) async fn authenticate(app: &App, token: &str) -> Result<Bot, Problem> {
    let wrong = || Problem::new(StatusCode::UNAUTHORIZED, "token.wrong", "this token belongs to no bot");
    let (id, _) = token.split_once('.').ok_or_else(wrong)?;
    if !secret::looks_like_id(id) {
        return Err(wrong());
    }
    let bot = app.store.bot(id).await.map_err(storage_failed)?;
    bot.filter(|bot| secret::matches(token, &bot.token)).ok_or_else(wrong)
}

async fn converse(app: Arc<App>, mut socket: ClientSocket, known: Option<Bot>) -> Option<()> {
    let bot = match known {
        Some(bot) => bot,
        None => {
            let request = tokio::time::timeout(Duration::from_secs(10), socket.receive::<BotRequest>())
                .await
                .ok()??;
            let token = match request {
                Ok(BotRequest::Hello { token }) => token,
                Ok(_) => String::new(),
                Err(problem) => return socket.send(&BotReply::Error(problem.into())).await,
            };
            match authenticate(&app, &token).await {
                Ok(bot) => bot,
                Err(problem) => return socket.send(&BotReply::Error(problem.into())).await,
            }
        }
    };
    let ended = attend(&app, &mut socket, &bot).await;
    // Whoever plays against it sees that it is gone.
    for id in app.store.games_of_bot(&bot.id).await.unwrap_or_default() {
        if let Some(handle) = app.live_games.loaded(&id) {
            handle.look().await;
        }
    }
    ended
}

/// Serves a bot as long as it is connected.
async fn attend(app: &Arc<App>, socket: &mut ClientSocket, bot: &Bot) -> Option<()> {
    let (_presence, mut turns) = app.bots.connect(&bot.id, &bot.name);
    if let Err(error) = app.store.see_bot(&bot.id, crate::time::now_ms()).await {
        tracing::warn!(%error, "a bot's connection was not noted");
    }
    socket.send(&BotReply::Welcome { bot: bot.id.clone(), name: bot.name.clone() }).await?;
    crate::site::wake_games(app, &bot.id).await;
    loop {
        tokio::select! {
            Some(turn) = turns.recv() => socket.send_text(turn).await?,
            request = socket.receive::<BotRequest>() => {
                let Some(request) = request else { break };
                let answer = match request {
                    Ok(request) => answer(app, bot, request).await,
                    Err(problem) => Err(problem),
                };
                socket.send(&answer.unwrap_or_else(|problem| BotReply::Error(problem.into()))).await?;
            }
        }
    }
    None
}

async fn answer(app: &Arc<App>, bot: &Bot, request: BotRequest) -> Result<BotReply, Problem> {
    let game = match &request {
        BotRequest::Hello { .. } | BotRequest::Ping => return Ok(BotReply::Pong),
        BotRequest::Move { game, .. } | BotRequest::Action { game, .. } => game.clone(),
    };
    let named = |problem: Problem| problem.with("game", game.as_str());
    let handle = LiveGames::find(app, &game).await.map_err(named)?;
    let sits =
        |seat| matches!(handle.header.players.at(seat), Player::Bot { bot: own, .. } if *own == bot.id);
    let seats: Vec<Seat> = [Seat::First, Seat::Second].into_iter().filter(|seat| sits(*seat)).collect();
    let Some(mut seat) = seats.first().copied() else {
        return Err(named(Problem::missing("game.unknown", "there is no such game of yours")));
    };
    if seats.len() == 2 {
        seat = handle.position().await?.turn();
    }
    match request {
        BotRequest::Move { ply, r#move, takebacks, .. } => {
            let done =
                handle.play(seat, MoveOrder { ply, text: r#move, takebacks }, false).await.map_err(named)?;
            Ok(BotReply::Ack { game, ply: done.ply, applied: done.applied })
        }
        BotRequest::Action { action, .. } => {
            let done = handle.act(Some(seat), action).await.map_err(named)?;
            Ok(BotReply::Done { game, done })
        }
        BotRequest::Hello { .. } | BotRequest::Ping => Ok(BotReply::Pong),
    }
}
