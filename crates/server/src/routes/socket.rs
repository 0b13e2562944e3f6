//! One WebSocket connection: counted per client, rate limited, pinged, every send with a timeout.

use super::extract::MESSAGE_OUT;
use super::messages::GameReply;
use crate::app::App;
use crate::security::rate::{Bucket, Counted};
use api::Problem;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use axum::http::StatusCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::net::IpAddr;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// A client that has been silent this long is pinged.
const PING_AFTER: Duration = Duration::from_secs(25);
/// A client that has been silent this long is disconnected.
const GONE_AFTER: Duration = Duration::from_secs(80);
/// A client that does not accept a message within this time is disconnected.
const SEND_TIMEOUT: Duration = Duration::from_secs(15);

/// A WebSocket that receives and sends JSON messages.
pub(crate) struct ClientSocket {
    socket: WebSocket,
    _counted: Counted,
    bucket: Bucket,
    last_received: Instant,
    last_ping: Instant,
}

/// Counts a socket before it is opened; 429 if the client has too many.
pub(crate) fn count(app: &App, peer: IpAddr) -> Result<Counted, Problem> {
    app.clients
        .socket(peer)
        .ok_or_else(|| Problem::too_many("socket.too-many", "too many WebSockets are open"))
}

impl ClientSocket {
    pub(crate) fn new(app: &App, socket: WebSocket, counted: Counted) -> ClientSocket {
        let rate = app.config.quota().messages;
        let now = Instant::now();
        ClientSocket {
            socket,
            _counted: counted,
            bucket: Bucket::new(rate, 4.0),
            last_received: now,
            last_ping: now,
        }
    }

    /// The next message; an inner error is for the client. `None`: the connection is closed. Cancel safe: may be dropped at
    /// any time without losing a message.
    pub(crate) async fn receive<T: DeserializeOwned>(&mut self) -> Option<Result<T, Problem>> {
        loop {
            let patience = (self.last_ping.max(self.last_received) + PING_AFTER)
                .saturating_duration_since(Instant::now());
            let message = match timeout(patience, self.socket.recv()).await {
                Err(_) if self.last_received.elapsed() > GONE_AFTER => return None,
                Err(_) => {
                    self.last_ping = Instant::now();
                    self.transmit(Message::Ping(Vec::new().into())).await?;
                    continue;
                }
                Ok(message) => message?.ok()?,
            };
            self.last_received = Instant::now();
            let text = match message {
                Message::Text(text) => text,
                Message::Close(_) => return None,
                Message::Binary(_) => {
                    return Some(Err(Problem::bad("message.binary", "messages are JSON texts")));
                }
                Message::Ping(_) | Message::Pong(_) => continue,
            };
            if !self.bucket.take() {
                return Some(Err(Problem::too_many("rate.exceeded", "too many messages; wait a moment")));
            }
            return Some(serde_json::from_str(&text).map_err(|error| {
                let code = if error.is_data() { "message.shape" } else { "message.syntax" };
                Problem::bad(code, error.to_string())
            }));
        }
    }

    /// Sends a message; `None` if the client is gone.
    pub(crate) async fn send(&mut self, message: &impl Serialize) -> Option<()> {
        let text = serde_json::to_string(message).ok()?;
        self.send_text(text.into()).await
    }

    /// Sends a message that is text already. One too long for the socket's buffer would end the connection, so the
    /// client gets an error instead and can fetch the same with a request.
    pub(crate) async fn send_text(&mut self, text: Utf8Bytes) -> Option<()> {
        if text.len() > MESSAGE_OUT / 2 {
            let detail = "this message is too long for a WebSocket; ask for the game by a request";
            let problem = Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "message.too-large", detail);
            // Errors look the same on every socket.
            let text = serde_json::to_string(&GameReply::Error(problem.into())).ok()?;
            return self.transmit(Message::text(text)).await;
        }
        self.transmit(Message::Text(text)).await
    }

    async fn transmit(&mut self, message: Message) -> Option<()> {
        timeout(SEND_TIMEOUT, self.socket.send(message)).await.ok()?.ok()
    }
}
