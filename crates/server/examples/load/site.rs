//! Load on several servers of one site, while somebody else kills them, their broker and their database.
//!
//! Prints `ready` when all games are there and everybody is connected. Every line on the standard input names what is
//! about to be taken away: `server`, `broker`, `database`, `cut` or `upgrade`; at its end everything is back for good.
//! Then every game must go on, and every game, asked for at every server, must have each move that was acknowledged,
//! once.

use crate::games::Tally;
use crate::outages::RECOVERY;
use crate::pair::{Difference, Pair, compare, player};
use crate::{Fail, Options, consistency};
use serde_json::json;
use std::io::BufRead;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

pub(crate) async fn run(chosen: &Options) -> Result<bool, Fail> {
    let tally = Arc::new(Tally::default());
    let every = Duration::from_secs_f64(chosen.every);
    let (mut pairs, mut players) = (Vec::new(), Vec::new());
    for at in 0..chosen.games {
        let pair = meet(&chosen.servers, at).await?;
        pairs.push(pair.clone());
        let offset = every.mul_f64(at as f64 / chosen.games as f64);
        let servers = chosen.servers.as_slice().into();
        players.push(tokio::spawn(player(servers, pair, tally.clone(), every, offset, true)));
    }
    // Connecting everybody is not what is measured.
    sleep(every * 2).await;
    tally.outages.forget();
    println!("ready");
    let told = tally.clone();
    let heard = tokio::task::spawn_blocking(move || {
        let lines = std::io::stdin().lock().lines().map_while(Result::ok);
        lines.for_each(|line| told.outages.announce(line.trim()));
    });
    heard.await?;
    let stuck = wait_for_all(&pairs).await;
    tally.stop.store(true, Relaxed);
    for player in players {
        let _ = timeout(Duration::from_secs(60), player).await;
    }
    let mut difference = Difference::default();
    for addr in &chosen.servers {
        difference.add(compare(*addr, &pairs, RECOVERY).await?);
    }
    let Difference { lost, doubled, ended } = difference;
    let inconsistent = consistency::check_site(&chosen.database).await?;
    let games: usize = pairs.iter().map(|pair| pair.games().len()).sum();
    let (errors, acknowledged) = (tally.errors.load(Relaxed), tally.acknowledged.load(Relaxed));
    println!(
        "{}",
        json!({
            "games_at_once": chosen.games, "games": games, "every": chosen.every, "servers": chosen.servers.len(),
            "acknowledged": acknowledged, "errors": errors, "wait_ms_after": tally.outages.figures(), "lost": lost,
            "doubled": doubled, "ended": ended, "stuck": stuck.len(), "inconsistent": inconsistent,
        })
    );
    let mut missed = tally.outages.too_long();
    let mut check = |good: bool, what: String| {
        if !good {
            missed.push(what);
        }
    };
    check(acknowledged > 0, "nothing was acknowledged".into());
    check(errors == 0, format!("{errors} requests were refused"));
    check(lost == 0, format!("{lost} acknowledged moves are lost"));
    check(doubled == 0, format!("{doubled} moves are doubled"));
    check(ended == 0, format!("{ended} games are over that nobody ended"));
    let some: Vec<&str> = stuck.iter().take(5).map(String::as_str).collect();
    let patience = RECOVERY.as_secs();
    check(
        stuck.is_empty(),
        format!("{} games did not go on within {patience} s of the end: {some:?}", stuck.len()),
    );
    check(inconsistent.is_empty(), format!("faults in the database: {inconsistent:?}"));
    if !tally.outages.any() {
        let p99 = tally.outages.calm_p99().map_or(f64::INFINITY, f64::from);
        check(p99 <= chosen.p99_ms, format!("99th percentile {p99} ms, at most {}", chosen.p99_ms));
    }
    for figure in &missed {
        eprintln!("missed: {figure}");
    }
    Ok(missed.is_empty())
}

/// A pair and its first game, at the next server if one does not answer.
async fn meet(servers: &[SocketAddr], number: usize) -> Result<Arc<Pair>, Fail> {
    let began = Instant::now();
    let mut next = servers.iter().cycle().skip(number % servers.len());
    loop {
        let addr = next.next().ok_or("no servers")?;
        match Pair::meet(*addr, number, 0).await {
            Ok(pair) => return Ok(pair),
            Err(error) if began.elapsed() > RECOVERY => return Err(error),
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Waits until every pair has made another move; the games of those that do not.
async fn wait_for_all(pairs: &[Arc<Pair>]) -> Vec<String> {
    let began = Instant::now();
    let waits = |pair: &&Arc<Pair>| !pair.played_since(began);
    while began.elapsed() < RECOVERY && pairs.iter().any(|pair| waits(&pair)) {
        sleep(Duration::from_millis(100)).await;
    }
    let stuck = pairs.iter().filter(waits);
    stuck.filter_map(|pair| Some(pair.games().last()?.id.clone())).collect()
}
