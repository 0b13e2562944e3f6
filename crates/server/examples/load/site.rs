//! Load on several servers of one site, while somebody else kills them, their broker and their database.
//!
//! Every line on the standard input names what was taken away just now: `server`, `broker`, `database`, `cut` or
//! `upgrade`; at its end the games stop. Then every game, asked for at every server, must have each move that was
//! acknowledged, once.

use crate::games::{Tally, compare, create, player};
use crate::{Fail, Options, consistency, percentile};
use serde_json::{Map, json};
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

const OUTAGES: [&str; 6] = ["none", "server", "broker", "database", "cut", "upgrade"];

/// Every game goes on this soon after its server died.
const TAKEOVER: Duration = Duration::from_secs(5);
/// What was taken away is back by then.
const RECOVERY: Duration = Duration::from_secs(60);

pub(crate) async fn run(chosen: &Options) -> Result<bool, Fail> {
    let tally = Arc::new(Tally::default());
    let every = Duration::from_secs_f64(chosen.every);
    let (mut games, mut players) = (Vec::new(), Vec::new());
    for at in 0..chosen.games {
        let addr = chosen.servers[at % chosen.servers.len()];
        let game = Arc::new(create(addr, 0, false).await?);
        games.push(game.clone());
        let offset = every.mul_f64(at as f64 / chosen.games as f64);
        let servers = chosen.servers.as_slice().into();
        players.push(tokio::spawn(player(servers, game, tally.clone(), every, offset, true)));
    }
    let outages = tally.clone();
    let heard = tokio::task::spawn_blocking(move || {
        let mut counts = [0u32; OUTAGES.len()];
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if let Some(kind) = OUTAGES.iter().position(|name| *name == line.trim()) {
                counts[kind] += 1;
                outages.outage.store(kind, Relaxed);
            }
        }
        counts
    });
    let counts = heard.await?;
    // Until everything is back every game makes at least one more move.
    sleep(every + TAKEOVER).await;
    tally.stop.store(true, Relaxed);
    for player in players {
        let _ = timeout(Duration::from_secs(60), player).await;
    }
    let (mut lost, mut doubled) = (0, 0);
    for addr in &chosen.servers {
        let began = Instant::now();
        let (more_lost, more_doubled) = loop {
            match compare(*addr, &games).await {
                Ok(found) => break found,
                Err(error) if began.elapsed() > RECOVERY => return Err(error),
                Err(_) => sleep(Duration::from_millis(500)).await,
            }
        };
        (lost, doubled) = (lost + more_lost, doubled + more_doubled);
    }
    let inconsistent = consistency::check_site(&chosen.database).await?;
    let waits = std::mem::take(&mut *tally.waits.lock().map_err(|_| "poisoned")?);
    let mut answers = Map::new();
    let (mut calm_p99, mut slowest_after_kill) = (None, Duration::ZERO);
    for (kind, name) in OUTAGES.iter().enumerate() {
        let mut ms: Vec<u32> = waits
            .iter()
            .filter(|(other, _)| *other == kind)
            .map(|(_, wait)| wait.as_millis() as u32)
            .collect();
        ms.sort_unstable();
        let Some(max) = ms.last() else { continue };
        if kind == 0 {
            calm_p99 = percentile(&ms, 0.99);
        }
        if *name == "server" {
            slowest_after_kill = Duration::from_millis((*max).into());
        }
        let (p50, p99) = (percentile(&ms, 0.5), percentile(&ms, 0.99));
        let entry = json!({ "outages": counts[kind], "moves": ms.len(), "p50": p50, "p99": p99, "max": max });
        answers.insert((*name).into(), entry);
    }
    let (errors, acknowledged) = (tally.errors.load(Relaxed), tally.acknowledged.load(Relaxed));
    println!(
        "{}",
        json!({
            "games": chosen.games, "every": chosen.every, "servers": chosen.servers.len(), "acknowledged": acknowledged,
            "errors": errors, "wait_ms_after": answers, "lost": lost, "doubled": doubled, "inconsistent": inconsistent,
        })
    );
    let mut missed = Vec::new();
    let mut check = |good: bool, what: String| {
        if !good {
            missed.push(what);
        }
    };
    check(acknowledged > 0, "nothing was acknowledged".into());
    check(errors == 0, format!("{errors} requests were refused"));
    check(lost == 0, format!("{lost} acknowledged moves are lost"));
    check(doubled == 0, format!("{doubled} moves are doubled"));
    check(inconsistent.is_empty(), format!("faults in the database: {inconsistent:?}"));
    check(
        slowest_after_kill <= TAKEOVER,
        format!("a game stood for {slowest_after_kill:?} after a server's death"),
    );
    if counts.iter().sum::<u32>() == 0 {
        let p99 = calm_p99.map_or(f64::INFINITY, f64::from);
        check(p99 <= chosen.p99_ms, format!("99th percentile {p99} ms, at most {}", chosen.p99_ms));
    }
    for figure in &missed {
        eprintln!("missed: {figure}");
    }
    Ok(missed.is_empty())
}
