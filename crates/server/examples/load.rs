//! Load on a server of this machine: many WebSocket games at once, and kills under load.
//!
//!     load --tengen target/release/tengen [--games 2000] [--seconds 60] [--every 2] [--kills 0]
//!
//! Starts `tengen serve` on a free loopback port with an empty database, opens two WebSockets for each
//! game, and has every game make a move each `--every` seconds. Prints one JSON line: moves, errors,
//! percentiles of the time from sending a move to its acknowledgement, and the server's memory. With
//! `--kills N` the server is killed (SIGKILL) N times at random moments instead, started again, and every
//! game compared with what had been acknowledged. Bounded in count and time.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a small program talks on the terminal")]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::error::Error;
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

type Fail = Box<dyn Error + Send + Sync>;

const GAMES: usize = 5_000;
const SECONDS: f64 = 600.0;
const KILLS: usize = 200;

struct Options {
    tengen: String,
    games: usize,
    seconds: f64,
    every: f64,
    kills: usize,
}

fn options() -> Result<Options, String> {
    let mut chosen = Options { tengen: String::new(), games: 2_000, seconds: 60.0, every: 2.0, kills: 0 };
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        let value = words.next().ok_or_else(|| format!("{name} needs a value"))?;
        let bad = || format!("{name} {value}: not a number");
        match name.as_str() {
            "--tengen" => chosen.tengen = value,
            "--games" => chosen.games = value.parse().map_err(|_| bad())?,
            "--seconds" => chosen.seconds = value.parse().map_err(|_| bad())?,
            "--every" => chosen.every = value.parse().map_err(|_| bad())?,
            "--kills" => chosen.kills = value.parse().map_err(|_| bad())?,
            _ => {
                return Err(format!(
                    "unknown option {name}; accepted: --tengen --games --seconds --every --kills"
                ));
            }
        }
    }
    if chosen.tengen.is_empty() {
        return Err("--tengen PROGRAM is needed".into());
    }
    let bounded = (1..=GAMES).contains(&chosen.games)
        && (1.0..=SECONDS).contains(&chosen.seconds)
        && (0.01..=60.0).contains(&chosen.every)
        && chosen.kills <= KILLS;
    if !bounded {
        return Err(format!(
            "at most {GAMES} games, {SECONDS} seconds, {KILLS} kills; a move every 0.01 to 60 s"
        ));
    }
    Ok(chosen)
}

/// The server under test.
struct Server {
    child: Child,
    addr: SocketAddr,
}

impl Server {
    fn start(tengen: &str, folder: &std::path::Path, port: u16) -> Result<Server, Fail> {
        let child = Command::new(tengen)
            .args(["serve", "--addr", &format!("127.0.0.1:{port}"), "--data"])
            .arg(folder)
            .env("RUST_LOG", "warn")
            .stdout(Stdio::null())
            .spawn()?;
        let addr = SocketAddr::from(([127, 0, 0, 1], port));
        let began = Instant::now();
        while std::net::TcpStream::connect(addr).is_err() {
            if began.elapsed() > Duration::from_secs(30) {
                return Err("the server does not answer".into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(Server { child, addr })
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Most memory it ever held, in MB, where the system tells.
    fn peak_mb(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
        Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

async fn request(addr: SocketAddr, method: &str, path: &str, body: &str) -> Result<Value, Fail> {
    let mut stream = TcpStream::connect(addr).await?;
    let text = format!(
        "{method} /api/v1{path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no answer")?;
    Ok(serde_json::from_slice(&bytes[end + 4..])?)
}

/// What all games report.
#[derive(Default)]
struct Tally {
    acknowledged: AtomicU64,
    errors: AtomicU64,
    micros: Mutex<Vec<u32>>,
    stop: AtomicBool,
}

impl Tally {
    fn error(&self, what: impl std::fmt::Display) {
        if self.errors.fetch_add(1, Relaxed) < 5 {
            eprintln!("error: {what}");
        }
    }
}

struct Game {
    id: String,
    secrets: [String; 2],
    /// What the server has acknowledged.
    moves: Mutex<Vec<String>>,
}

async fn create(addr: SocketAddr) -> Result<Game, Fail> {
    let body = r#"{"setup":{"game":"gomoku"},"players":{"first":{"kind":"human"},"second":{"kind":"human"}},"visibility":"link"}"#;
    let made = request(addr, "POST", "/games", body).await?;
    let word =
        |value: &Value| value.as_str().map(str::to_string).ok_or_else(|| format!("unexpected: {made}"));
    let secrets = [word(&made["seats"]["first"])?, word(&made["seats"]["second"])?];
    Ok(Game { id: word(&made["id"])?, secrets, moves: Mutex::default() })
}

/// A move that never makes more than two in a row: each side keeps to its own cells of a pattern.
fn nth_move(ply: usize) -> String {
    let own = |cell: &usize| (cell % 15 + 2 * (cell / 15)) / 2 % 2 == ply % 2;
    let cell = (0..225).filter(own).nth(ply / 2).unwrap_or(0);
    format!("{}{}", char::from(b'a' + (cell % 15) as u8), cell / 15 + 1)
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<TcpStream>>;

async fn open(addr: SocketAddr, game: &Game, seat: usize) -> Result<Socket, Fail> {
    let url = format!("ws://{addr}/api/v1/games/{}/ws?secret={}", game.id, game.secrets[seat]);
    let small = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
    let (socket, _) = tokio_tungstenite::connect_async_with_config(url, Some(small), true).await?;
    Ok(socket)
}

/// Sends a move and waits for its acknowledgement; news in between is passed over.
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

/// Plays one game until told to stop, connecting anew whenever the server is gone.
async fn player(
    addr: SocketAddr,
    game: Arc<Game>,
    tally: Arc<Tally>,
    every: Duration,
    offset: Duration,
    kills: bool,
) {
    sleep(offset).await;
    'connect: while !tally.stop.load(Relaxed) {
        let sockets = async { Ok::<_, Fail>([open(addr, &game, 0).await?, open(addr, &game, 1).await?]) };
        let mut sockets = match sockets.await {
            Ok(sockets) => sockets,
            Err(error) => {
                if !kills {
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
            if let Err(error) = play(&mut sockets[ply % 2], ply).await {
                let text = error.to_string();
                // A game that is being loaded again, or a server that is gone: come again. All else is wrong.
                if !kills
                    || (text.starts_with("refused")
                        && !text.contains("reloading")
                        && !text.contains("storage"))
                {
                    tally.error(text);
                }
                continue 'connect;
            }
            let took = began.elapsed();
            if let Ok(mut moves) = game.moves.lock() {
                moves.push(nth_move(ply));
            }
            tally.acknowledged.fetch_add(1, Relaxed);
            if let Ok(mut micros) = tally.micros.lock() {
                micros.push(took.as_micros().min(u128::from(u32::MAX)) as u32);
            }
            // The other player's socket has news waiting; a browser would read it.
            let other = &mut sockets[1 - ply % 2];
            while let Ok(Some(Ok(_))) = timeout(Duration::from_micros(10), other.next()).await {}
            sleep(every.saturating_sub(took)).await;
        }
    }
}

/// Compares every game with what was acknowledged: (lost, doubled).
async fn compare(addr: SocketAddr, games: &[Arc<Game>]) -> Result<(usize, usize), Fail> {
    let (mut lost, mut doubled) = (0, 0);
    for game in games {
        let shown = request(addr, "GET", &format!("/games/{}", game.id), "").await?;
        let stored: Vec<&str> = shown["view"]["moves"]
            .as_array()
            .ok_or("no moves")?
            .iter()
            .filter_map(|mv| mv["move"].as_str())
            .collect();
        let moves = game.moves.lock().map_err(|_| "poisoned")?.clone();
        lost += moves.iter().enumerate().filter(|(at, mv)| stored.get(*at) != Some(&mv.as_str())).count();
        // One more is the move whose acknowledgement the kill swallowed.
        doubled += stored.len().saturating_sub(moves.len() + 1);
    }
    Ok((lost, doubled))
}

async fn run(chosen: Options) -> Result<bool, Fail> {
    let folder = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut server = Server::start(&chosen.tengen, folder.path(), port)?;
    let addr = server.addr;
    let tally = Arc::new(Tally::default());
    let mut games = Vec::with_capacity(chosen.games);
    for _ in 0..chosen.games {
        games.push(Arc::new(create(addr).await?));
    }
    let every = Duration::from_secs_f64(chosen.every);
    let players: Vec<_> = games
        .iter()
        .enumerate()
        .map(|(at, game)| {
            // Spread over one period, as people are.
            let offset = every.mul_f64(at as f64 / chosen.games as f64);
            tokio::spawn(player(addr, game.clone(), tally.clone(), every, offset, chosen.kills > 0))
        })
        .collect();
    let mut killed = 0;
    if chosen.kills == 0 {
        // Connecting everybody is not what is measured.
        sleep(every * 2).await;
        tally.micros.lock().map_err(|_| "poisoned")?.clear();
        sleep(Duration::from_secs_f64(chosen.seconds)).await;
    }
    let began = Instant::now();
    while killed < chosen.kills && began.elapsed().as_secs_f64() < chosen.seconds {
        let random = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.subsec_nanos();
        sleep(Duration::from_millis(u64::from(random / 1000 % 900) + 100)).await;
        server.kill();
        server = Server::start(&chosen.tengen, folder.path(), port)?;
        killed += 1;
    }
    tally.stop.store(true, Relaxed);
    let peak = server.peak_mb();
    for player in players {
        let _ = timeout(Duration::from_secs(60), player).await;
    }
    let (lost, doubled) = compare(addr, &games).await?;
    let mut micros = tally.micros.lock().map_err(|_| "poisoned")?.clone();
    micros.sort_unstable();
    let at =
        |share: f64| micros.get(((micros.len() as f64 * share) as usize).min(micros.len().saturating_sub(1)));
    let ms = |share: f64| at(share).map(|micros| f64::from(*micros) / 1000.0);
    let errors = tally.errors.load(Relaxed);
    let answer = json!({
        "games": chosen.games, "seconds": chosen.seconds, "every": chosen.every, "kills": killed,
        "acknowledged": tally.acknowledged.load(Relaxed), "measured": micros.len(), "errors": errors,
        "ack_ms": { "p50": ms(0.5), "p90": ms(0.9), "p99": ms(0.99), "max": ms(1.0) },
        "memory_mb": peak, "lost": lost, "doubled": doubled,
    });
    println!("{answer}");
    Ok(errors == 0 && lost == 0 && doubled == 0)
}

#[tokio::main]
async fn main() {
    let chosen = match options() {
        Ok(chosen) => chosen,
        Err(message) => {
            eprintln!("load: {message}");
            std::process::exit(2);
        }
    };
    match run(chosen).await {
        Ok(true) => {}
        Ok(false) => std::process::exit(1),
        Err(error) => {
            eprintln!("load: {error}");
            std::process::exit(1);
        }
    }
}
