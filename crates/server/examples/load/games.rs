//! Games between two people over WebSockets, and what they measure.

use crate::Fail;
use crate::server::{client, connect, request};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
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
    /// What was last taken away, and for each acknowledgement since which of them and how long it took from the first try.
    pub(crate) outage: AtomicUsize,
    pub(crate) waits: Mutex<Vec<(usize, Duration)>>,
}

impl Tally {
    pub(crate) fn error(&self, what: impl std::fmt::Display) {
        if self.errors.fetch_add(1, Relaxed) < 5 {
            eprintln!("error: {what}");
        }
    }
}

pub(crate) struct Game {
    pub(crate) id: String,
    from: IpAddr,
    secrets: [String; 2],
    /// What the server has acknowledged.
    moves: Mutex<Vec<String>>,
}

/// Creates a game of client number `number`, against an easy engine or another person.
pub(crate) async fn create(addr: SocketAddr, number: usize, engine: bool) -> Result<Game, Fail> {
    let second = if engine { r#"{"kind":"engine","level":"easy"}"# } else { r#"{"kind":"human"}"# };
    let body = format!(
        r#"{{"setup":{{"game":"gomoku"}},"players":{{"first":{{"kind":"human"}},"second":{second}}},"visibility":"link"}}"#
    );
    let from = client(number);
    let made = request(from, addr, "POST", "/games", &body).await?;
    let word =
        |value: &Value| value.as_str().map(str::to_string).ok_or_else(|| format!("unexpected: {made}"));
    let second = if engine { String::new() } else { word(&made["seats"]["second"])? };
    let secrets = [word(&made["seats"]["first"])?, second];
    Ok(Game { id: word(&made["id"])?, from, secrets, moves: Mutex::default() })
}

/// A move that never makes more than two in a row: each side keeps to its own cells of a pattern.
fn nth_move(ply: usize) -> String {
    let own = |cell: &usize| (cell % 15 + 2 * (cell / 15)) / 2 % 2 == ply % 2;
    let cell = (0..225).filter(own).nth(ply / 2).unwrap_or(0);
    format!("{}{}", char::from(b'a' + (cell % 15) as u8), cell / 15 + 1)
}

type Socket = WebSocketStream<TcpStream>;

async fn open(addr: SocketAddr, game: &Game, seat: usize) -> Result<Socket, Fail> {
    let url = format!("ws://{addr}/api/v1/games/{}/ws?secret={}", game.id, game.secrets[seat]);
    let small = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
    let stream = connect(game.from, addr).await?;
    stream.set_nodelay(true)?;
    let (socket, _) = tokio_tungstenite::client_async_with_config(url, stream, Some(small)).await?;
    Ok(socket)
}

/// Sends a move and waits for its acknowledgement; other messages in between are skipped.
async fn play(socket: &mut Socket, ply: usize) -> Result<(), Fail> {
    let order = json!({ "type": "move", "ply": ply, "move": nth_move(ply) });
    socket.send(Message::text(order.to_string())).await?;
    loop {
        let message = timeout(Duration::from_secs(30), socket.next()).await?.ok_or("closed")??;
        let Message::Text(text) = message else { continue };
        if text.starts_with("{\"type\":\"error\"") || text.contains("\"type\":\"error\"") {
            return Err(format!("refused: {text}").into());
        }
        if text.contains("\"type\":\"ack\"") {
            return Ok(());
        }
    }
}

/// Plays one game until told to stop, connecting anew whenever the server is gone, each time to the next of several.
pub(crate) async fn player(
    servers: Arc<[SocketAddr]>,
    game: Arc<Game>,
    tally: Arc<Tally>,
    every: Duration,
    offset: Duration,
    outages: bool,
) {
    sleep(offset).await;
    let mut next =
        servers.iter().cycle().skip(game.id.bytes().map(usize::from).sum::<usize>() % servers.len());
    let mut tried: Option<Instant> = None;
    'connect: while !tally.stop.load(Relaxed) {
        let Some(&addr) = next.next() else { return };
        let sockets = async { Ok::<_, Fail>([open(addr, &game, 0).await?, open(addr, &game, 1).await?]) };
        let mut sockets = match sockets.await {
            Ok(sockets) => sockets,
            Err(error) => {
                if !outages {
                    tally.error(error);
                }
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        loop {
            let ply = game.moves.lock().map(|moves| moves.len()).unwrap_or(usize::MAX);
            if tally.stop.load(Relaxed) || ply >= 200 {
                return;
            }
            let began = Instant::now();
            let first = *tried.get_or_insert(began);
            if let Err(error) = play(&mut sockets[ply % 2], ply).await {
                let text = error.to_string();
                // A game that is being loaded again, or a server that is gone: come again. All else is wrong.
                if !outages
                    || (text.starts_with("refused")
                        && !text.contains("reloading")
                        && !text.contains("storage"))
                {
                    tally.error(text);
                }
                continue 'connect;
            }
            let took = began.elapsed();
            tried = None;
            if outages && let Ok(mut waits) = tally.waits.lock() {
                waits.push((tally.outage.load(Relaxed), first.elapsed()));
            }
            if let Ok(mut moves) = game.moves.lock() {
                moves.push(nth_move(ply));
            }
            tally.acknowledged.fetch_add(1, Relaxed);
            if let Ok(mut micros) = tally.micros.lock() {
                micros.push(took.as_micros().min(u128::from(u32::MAX)) as u32);
            }
            // The other player's socket has messages waiting; a browser would read it.
            let other = &mut sockets[1 - ply % 2];
            while let Ok(Some(Ok(_))) = timeout(Duration::from_micros(10), other.next()).await {}
            sleep(every.saturating_sub(took)).await;
        }
    }
}

/// Compares every game with what was acknowledged: (lost, doubled).
pub(crate) async fn compare(addr: SocketAddr, games: &[Arc<Game>]) -> Result<(usize, usize), Fail> {
    let (mut lost, mut doubled) = (0, 0);
    for game in games {
        let shown = request(game.from, addr, "GET", &format!("/games/{}", game.id), "").await?;
        let stored: Vec<&str> = shown["view"]["moves"]
            .as_array()
            .ok_or("no moves")?
            .iter()
            .filter_map(|mv| mv["move"].as_str())
            .collect();
        let moves = game.moves.lock().map_err(|_| "poisoned")?.clone();
        lost += moves.iter().enumerate().filter(|(at, mv)| stored.get(*at) != Some(&mv.as_str())).count();
        // One more is the move whose acknowledgement an outage swallowed.
        doubled += stored.len().saturating_sub(moves.len() + 1);
    }
    Ok((lost, doubled))
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
    let game = create(addr, number, true).await?;
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
