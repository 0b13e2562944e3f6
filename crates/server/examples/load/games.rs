//! Games over WebSockets: creating them, moving in them, and what they measure.

use crate::Fail;
use crate::outages::Outages;
use crate::server::{client, connect, request};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// What all games report.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) acknowledged: AtomicU64,
    pub(crate) errors: AtomicU64,
    pub(crate) micros: Mutex<Vec<u32>>,
    /// How late engines moved.
    pub(crate) late: Mutex<Vec<u32>>,
    pub(crate) stop: AtomicBool,
    pub(crate) outages: Outages,
}

impl Tally {
    pub(crate) fn error(&self, what: impl std::fmt::Display) {
        if self.errors.fetch_add(1, Relaxed) < 5 {
            eprintln!("error: {what}");
        }
    }
}

/// Whom the first player plays against.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Against {
    Person,
    PersonOnClocks,
    EasyEngine,
}

/// More than any run lasts: only an absence of the site that is charged to a player could use it up.
const CLOCK_MS: u64 = 3_600_000;

pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) from: IpAddr,
    secrets: [String; 2],
    /// What the server has acknowledged.
    pub(crate) moves: Mutex<Vec<String>>,
    /// A player has resigned, which the server may have heard.
    resigned: AtomicBool,
    /// The server has said that it is over.
    over: AtomicBool,
}

impl Game {
    pub(crate) fn is_resigned(&self) -> bool {
        self.resigned.load(Relaxed)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }
}

/// Creates a game of client number `number`.
pub(crate) async fn create(addr: SocketAddr, number: usize, against: Against) -> Result<Game, Fail> {
    let engine = against == Against::EasyEngine;
    let second =
        if engine { json!({ "kind": "engine", "level": "easy" }) } else { json!({ "kind": "human" }) };
    let clock = (against == Against::PersonOnClocks).then(|| json!({ "initial_ms": CLOCK_MS }));
    let body = json!({
        "setup": { "game": "gomoku" }, "players": { "first": { "kind": "human" }, "second": second },
        "clock": clock, "visibility": "link",
    });
    let from = client(number);
    let made = request(from, addr, "POST", "/games", &body.to_string()).await?;
    let word =
        |value: &Value| value.as_str().map(str::to_string).ok_or_else(|| format!("unexpected: {made}"));
    let second = if engine { String::new() } else { word(&made["seats"]["second"])? };
    let secrets = [word(&made["seats"]["first"])?, second];
    Ok(Game {
        id: word(&made["id"])?,
        from,
        secrets,
        moves: Mutex::default(),
        resigned: AtomicBool::new(false),
        over: AtomicBool::new(false),
    })
}

/// A move that never makes more than two in a row: each side keeps to its own cells of a pattern.
pub(crate) fn nth_move(ply: usize) -> String {
    let own = |cell: &usize| (cell % 15 + 2 * (cell / 15)) / 2 % 2 == ply % 2;
    let cell = (0..225).filter(own).nth(ply / 2).unwrap_or(0);
    format!("{}{}", char::from(b'a' + (cell % 15) as u8), cell / 15 + 1)
}

pub(crate) type Socket = WebSocketStream<TcpStream>;

/// A server that does not let a client in for so long is as good as gone.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) async fn open(addr: SocketAddr, game: &Game, seat: usize) -> Result<Socket, Fail> {
    let url = format!("ws://{addr}/api/v1/games/{}/ws?secret={}", game.id, game.secrets[seat]);
    let small = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
    let connected = async {
        let stream = connect(game.from, addr).await?;
        stream.set_nodelay(true)?;
        let (socket, _) = tokio_tungstenite::client_async_with_config(url, stream, Some(small)).await?;
        Ok(socket)
    };
    timeout(PATIENCE, connected).await?
}

/// Sends a message and waits for the answer of a type; other messages in between are skipped.
async fn ask(socket: &mut Socket, message: Value, answer: &str) -> Result<(), Fail> {
    let answer = format!("\"type\":\"{answer}\"");
    socket.send(Message::text(message.to_string())).await?;
    loop {
        let message = timeout(Duration::from_secs(30), socket.next()).await?.ok_or("closed")??;
        let Message::Text(text) = message else { continue };
        if text.contains("\"type\":\"error\"") {
            return Err(format!("refused: {text}").into());
        }
        if text.contains(&answer) {
            return Ok(());
        }
    }
}

/// Sends a move and waits for its acknowledgement.
pub(crate) async fn play(socket: &mut Socket, ply: usize) -> Result<(), Fail> {
    ask(socket, json!({ "type": "move", "ply": ply, "move": nth_move(ply) }), "ack").await
}

/// Ends a game.
pub(crate) async fn resign(socket: &mut Socket, game: &Game) -> Result<(), Fail> {
    let again = game.resigned.swap(true, Relaxed);
    match ask(socket, json!({ "type": "action", "action": "resign" }), "done").await {
        // The acknowledgement of an earlier try was lost.
        Err(error) if again && error.to_string().contains("game.over") => {}
        other => other?,
    }
    game.over.store(true, Relaxed);
    Ok(())
}

/// Thinking time of an easy engine.
const EASY: Duration = Duration::from_millis(400);

/// Plays against an easy engine until told to stop, and notes how late its moves come. A game that ends is followed
/// by another, and so is one that an outage ends.
pub(crate) async fn against_engine(
    addr: SocketAddr,
    number: usize,
    tally: Arc<Tally>,
    every: Duration,
    outages: bool,
) {
    while !tally.stop.load(Relaxed) {
        if let Err(error) = engine_game(addr, number, &tally, every).await
            && !tally.stop.load(Relaxed)
        {
            if !outages {
                tally.error(format!("game against an engine: {error}"));
            }
            sleep(Duration::from_millis(500)).await;
        }
    }
}

async fn engine_game(addr: SocketAddr, number: usize, tally: &Tally, every: Duration) -> Result<(), Fail> {
    let game = create(addr, number, Against::EasyEngine).await?;
    let mut socket = open(addr, &game, 0).await?;
    for ply in (0..40).step_by(2) {
        let shown = request(game.from, addr, "GET", &format!("/games/{}", game.id), "").await?;
        if shown["status"] == "over" || tally.stop.load(Relaxed) {
            return Ok(());
        }
        let taken = shown["view"]["moves"].as_array().ok_or("no moves")?;
        let free = (0..225).map(|cell| format!("{}{}", char::from(b'a' + (cell % 15) as u8), cell / 15 + 1));
        let mv = free.into_iter().find(|word| !taken.iter().any(|mv| mv["move"] == *word)).ok_or("full")?;
        let began = Instant::now();
        socket.send(Message::text(json!({ "type": "move", "ply": ply, "move": mv }).to_string())).await?;
        loop {
            let message = timeout(Duration::from_secs(30), socket.next()).await?.ok_or("closed")??;
            let Message::Text(text) = message else { continue };
            let said: Value = serde_json::from_str(&text)?;
            let over = said["type"] == "end";
            if over || said["type"] == "move" && said["ply"] == ply + 1 {
                let late = began.elapsed().saturating_sub(EASY);
                if !over && let Ok(mut all) = tally.late.lock() {
                    all.push(late.as_millis() as u32);
                }
                break;
            }
            if said["type"] == "error" {
                return Err(text.to_string().into());
            }
        }
        sleep(every.saturating_sub(began.elapsed())).await;
    }
    Ok(())
}
