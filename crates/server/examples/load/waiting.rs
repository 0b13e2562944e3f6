//! A restart with many games against engines that wait for their people: how soon the server answers, and how much
//! memory it takes.

use crate::server::{Server, client, request, send};
use crate::{Fail, Options};
use serde_json::json;
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Games of one client: a server lets it have some more.
const EACH: usize = 500;
/// The figures: until the first answer after the start, and at most so much memory in the time given to look at all games.
const SERVES_WITHIN: Duration = Duration::from_secs(1);
const MEMORY_MB: f64 = 100.0;
const LOOKS: Duration = Duration::from_secs(10);
/// Of so many games one is looked at in the end.
const ASKED: usize = 100;

pub(crate) async fn run(chosen: &Options) -> Result<bool, Fail> {
    let folder = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let start = || Server::start(&chosen.tengen, folder.path(), port, false);
    let mut server = start()?;
    let addr = server.addr;
    let mut games = Vec::with_capacity(chosen.waiting);
    for number in 0..chosen.waiting {
        games.push(create(addr, number).await?);
    }
    let before = server.resident_mb();
    server.kill();
    let began = Instant::now();
    let server = start()?;
    let (status, _) = send(client(0), addr, "GET", &games[0], "").await?;
    let serves = began.elapsed();
    sleep(LOOKS).await;
    let peak = server.peak_mb();
    let mut lost = usize::from(status != 200);
    for game in games.iter().step_by(ASKED) {
        lost += usize::from(send(client(0), addr, "GET", game, "").await?.0 != 200);
    }
    let seconds = serves.as_secs_f64();
    println!(
        "{}",
        json!({
            "waiting": games.len(), "memory_mb_before": before, "serves_after_seconds": seconds, "memory_mb": peak,
            "lost": lost,
        })
    );
    let figures = [
        (serves <= SERVES_WITHIN, format!("serves after {seconds:.2} s, at most {SERVES_WITHIN:?}")),
        (
            peak.is_some_and(|mb| mb <= MEMORY_MB),
            format!("memory after the restart in MB: {peak:?}, at most {MEMORY_MB}"),
        ),
        (lost == 0, format!("{lost} games are lost")),
    ];
    let missed: Vec<String> = figures.into_iter().filter(|(met, _)| !met).map(|(_, what)| what).collect();
    for figure in &missed {
        eprintln!("missed: {figure}");
    }
    Ok(missed.is_empty())
}

/// A game against an engine, as the path to ask for it.
async fn create(addr: SocketAddr, number: usize) -> Result<String, Fail> {
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "engine", "level": "easy" } });
    let body = json!({ "setup": { "game": "gomoku" }, "players": players, "visibility": "link" });
    let made = request(client(number / EACH), addr, "POST", "/games", &body.to_string()).await?;
    Ok(format!("/games/{}", made["id"].as_str().ok_or_else(|| format!("unexpected: {made}"))?))
}
