//! Load on a server of this machine: many WebSocket games at once, kills under load, and abuse beside them.
//!
//!     load --tengen target/release/tengen [--games 2000] [--seconds 60] [--every 2] [--kills 0] [--faults 0]
//!          [--abuse] [--p99 100] [--memory 500] [--late 2] [--growth PERCENT]
//!     load --tengen target/release/tengen --waiting 8000
//!     load --servers ADDRESS,ADDRESS,… --database postgres://… [--games 200] [--every 2] [--p99 150]
//!
//! Starts `tengen serve` on a free loopback port with an empty database, opens two WebSockets for each
//! game, and has every game make a move each `--every` seconds. A game that is long enough is followed by another, and
//! every second one is played on clocks. Prints one JSON line: moves, errors, percentiles of the time from sending a move
//! to its acknowledgement, and the server's memory and CPU time.
//!
//! With `--kills N` the server is killed (SIGKILL) N times at random moments instead, started again, and every
//! game compared with what had been acknowledged; it goes on until all kills are done. With `--faults N` the server
//! cannot write to its disk N times for a moment.
//!
//! With `--abuse` the server runs with the limits of a public one, every game has an address of its own, one in 25
//! is played against an easy engine, and one more address does all it can to be in the way (`abuse.rs`), from a process
//! at the lowest priority. Faults then are spread over the run, in which `--growth` is the most that the server's memory
//! may grow between its warm-up and its end; kills come after it.
//!
//! With `--waiting N` it only creates N games against engines, kills the server and starts it again (`waiting.rs`).
//!
//! With `--servers` it plays on servers of one site that somebody else starts and ends (`site.rs`).
//!
//! At the end the server is killed and its database checked. Exits with 1 when that finds a fault, a move is lost or
//! doubled, a game is over that nobody ended, a request fails, or a figure is missed: acknowledgements (99th percentile, ms), engine moves (seconds late),
//! memory (MB).
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a small program talks on the terminal")]

mod abuse;
mod attack;
mod consistency;
mod games;
mod outages;
mod pair;
mod server;
mod site;
mod waiting;

use games::Tally;
use pair::{Difference, Pair, compare, player};
use serde_json::json;
use server::Server;
use server::memory::Memory;
use std::error::Error;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

pub(crate) type Fail = Box<dyn Error + Send + Sync>;

const GAMES: usize = 5_000;
const WAITING: usize = 20_000;
const SECONDS: f64 = 3_600.0;
const KILLS: usize = 200;
const FAULTS: usize = 1_000;
/// Of so many games under abuse one is against an engine.
const ENGINE_GAMES: usize = 25;

struct Options {
    tengen: String,
    games: usize,
    seconds: f64,
    every: f64,
    kills: usize,
    faults: usize,
    abuse: bool,
    p99_ms: f64,
    memory_mb: f64,
    late_seconds: f64,
    growth_percent: Option<f64>,
    waiting: usize,
    servers: Vec<SocketAddr>,
    database: String,
}

impl Options {
    /// Does it go on for the seconds given, instead of until all kills or faults are done?
    fn is_timed(&self) -> bool {
        self.abuse || self.kills + self.faults == 0
    }
}

fn options() -> Result<Options, String> {
    let mut chosen = Options {
        tengen: String::new(),
        games: 2_000,
        seconds: 60.0,
        every: 2.0,
        kills: 0,
        faults: 0,
        abuse: false,
        p99_ms: 100.0,
        memory_mb: 500.0,
        late_seconds: 2.0,
        growth_percent: None,
        waiting: 0,
        servers: Vec::new(),
        database: String::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(name) = words.next() {
        if name == "--abuse" {
            chosen.abuse = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{name} needs a value"))?;
        let bad = || format!("{name} {value}: not a number");
        let number = || value.parse::<f64>().map_err(|_| bad());
        match name.as_str() {
            "--tengen" => chosen.tengen = value,
            "--games" => chosen.games = value.parse().map_err(|_| bad())?,
            "--seconds" => chosen.seconds = number()?,
            "--every" => chosen.every = number()?,
            "--kills" => chosen.kills = value.parse().map_err(|_| bad())?,
            "--faults" => chosen.faults = value.parse().map_err(|_| bad())?,
            "--p99" => chosen.p99_ms = number()?,
            "--memory" => chosen.memory_mb = number()?,
            "--late" => chosen.late_seconds = number()?,
            "--waiting" => chosen.waiting = value.parse().map_err(|_| bad())?,
            "--growth" => chosen.growth_percent = Some(number()?),
            "--servers" => {
                chosen.servers =
                    value.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| bad())?;
            }
            "--database" => chosen.database = value,
            _ => {
                return Err(format!(
                    "unknown option {name}; accepted: --tengen --games --seconds --every --kills --faults --abuse \
                     --p99 --memory --late --growth --waiting --servers --database"
                ));
            }
        }
    }
    if chosen.tengen.is_empty() && chosen.servers.is_empty() {
        return Err("--tengen PROGRAM or --servers ADDRESS,… is needed".into());
    }
    if chosen.servers.iter().any(|addr| !addr.ip().is_loopback()) || chosen.servers.len() > 16 {
        return Err("--servers: at most 16, on this machine".into());
    }
    let bounded = (1..=GAMES).contains(&chosen.games)
        && (1.0..=SECONDS).contains(&chosen.seconds)
        && (0.01..=60.0).contains(&chosen.every)
        && chosen.kills <= KILLS
        && chosen.faults <= FAULTS
        && chosen.waiting <= WAITING;
    if !bounded {
        return Err(format!(
            "at most {GAMES} games, {SECONDS} seconds, {KILLS} kills, {FAULTS} faults, {WAITING} waiting; a move every 0.01 to 60 s"
        ));
    }
    if !chosen.abuse && chosen.kills > 0 && chosen.faults > 0 {
        return Err("--kills and --faults without --abuse are different runs".into());
    }
    if chosen.growth_percent.is_some() && !chosen.is_timed() {
        return Err("--growth is about a run of --seconds".into());
    }
    Ok(chosen)
}

/// The value below which this share of the sorted values lies.
fn percentile(sorted: &[u32], share: f64) -> Option<u32> {
    sorted.get(((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1))).copied()
}

/// Between 0.1 and 1 s.
fn random_moment() -> Result<Duration, Fail> {
    let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.subsec_nanos();
    Ok(Duration::from_millis(u64::from(nanos / 1000 % 900) + 100))
}

async fn run(chosen: Options) -> Result<bool, Fail> {
    let folder = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut server = Server::start(&chosen.tengen, folder.path(), port, chosen.abuse)?;
    let addr = server.addr;
    let tally = Arc::new(Tally::default());
    let every = Duration::from_secs_f64(chosen.every);
    // On a server without public limits all clients may be one, as they have always been.
    let number = |at: usize| if chosen.abuse { at } else { 0 };
    let outages = chosen.kills + chosen.faults > 0;
    let mut pairs = Vec::with_capacity(chosen.games);
    let mut players = Vec::new();
    for at in 0..chosen.games {
        // Spread over one period, as people are.
        let offset = every.mul_f64(at as f64 / chosen.games as f64);
        if chosen.abuse && at % ENGINE_GAMES == 0 {
            players.push(tokio::spawn(games::against_engine(addr, at, tally.clone(), every * 5, outages)));
            continue;
        }
        let pair = Pair::meet(addr, at, number(at)).await?;
        pairs.push(pair.clone());
        players.push(tokio::spawn(player([addr].into(), pair, tally.clone(), every, offset, outages)));
    }
    let mut killed = 0;
    let mut attack = None;
    let mut memory = Memory::default();
    let mut measured = None;
    if chosen.is_timed() {
        // Connecting everybody is not what is measured.
        sleep(every * 2).await;
        attack = chosen.abuse.then(|| attack::Attack::start(addr, chosen.games + 1)).transpose()?;
        tally.micros.lock().map_err(|_| "poisoned")?.clear();
        memory = go_on(&server, &chosen).await?;
        measured = Some(tally.micros.lock().map_err(|_| "poisoned")?.clone());
    } else {
        for _ in 0..chosen.faults {
            sleep(random_moment()?).await;
            fail_for_a_moment(&server).await?;
        }
    }
    // Of the server that was measured, not of one that has just started.
    let (mut peak, mut cpu) = (server.peak_mb(), server.cpu_seconds());
    while killed < chosen.kills {
        sleep(random_moment()?).await;
        server.kill();
        server = Server::start(&chosen.tengen, folder.path(), port, chosen.abuse)?;
        killed += 1;
    }
    tally.stop.store(true, Relaxed);
    if !chosen.is_timed() {
        (peak, cpu) = (server.peak_mb(), server.cpu_seconds());
    }
    let abuse = attack.map(attack::Attack::end).transpose()?;
    for player in players {
        let _ = timeout(Duration::from_secs(60), player).await;
    }
    let Difference { lost, doubled, ended } = compare(addr, &pairs, Duration::ZERO).await?;
    server.kill();
    let inconsistent = consistency::check(folder.path()).await?;
    let mut micros = match measured {
        Some(measured) => measured,
        None => tally.micros.lock().map_err(|_| "poisoned")?.clone(),
    };
    micros.sort_unstable();
    let mut late = tally.late.lock().map_err(|_| "poisoned")?.clone();
    late.sort_unstable();
    let ms = |share: f64| percentile(&micros, share).map(|micros| f64::from(micros) / 1000.0);
    let errors = tally.errors.load(Relaxed);
    let latest = late.last().map(|ms| f64::from(*ms) / 1000.0);
    let answer = json!({
        "memory_mb_begin_and_end": memory.begin_and_end(),
        "games": chosen.games, "seconds": chosen.seconds, "every": chosen.every, "kills": killed, "faults": chosen.faults,
        "acknowledged": tally.acknowledged.load(Relaxed), "measured": micros.len(), "errors": errors,
        "ack_ms": { "p50": ms(0.5), "p90": ms(0.9), "p99": ms(0.99), "max": ms(1.0) },
        "engine_moves": late.len(), "latest_engine_move_seconds": latest,
        "memory_mb": peak, "server_cpu_seconds": cpu, "inconsistent": inconsistent, "lost": lost, "doubled": doubled,
        "ended": ended, "abuse": abuse,
    });
    println!("{answer}");
    let mut missed = Vec::new();
    let mut check = |name: &str, value: Option<f64>, most: f64| match value {
        Some(value) if value <= most => {}
        Some(value) => missed.push(format!("{name}: {value:.1}, at most {most}")),
        None => missed.push(format!("{name}: not measured")),
    };
    check("memory in MB", peak, chosen.memory_mb);
    if let Some(most) = chosen.growth_percent {
        check("growth of memory in percent", memory.growth(), most);
    }
    // Between kills a move waits for the next server: that is not what this figure is about.
    if chosen.is_timed() {
        check("99th percentile in ms", ms(0.99), chosen.p99_ms);
    }
    if chosen.abuse {
        check("latest engine move in seconds", latest, chosen.late_seconds);
    }
    check("errors", Some(errors as f64), 0.0);
    check("lost moves", Some(lost as f64), 0.0);
    check("doubled moves", Some(doubled as f64), 0.0);
    check("games that nobody ended", Some(ended as f64), 0.0);
    check("faults in the database", Some(inconsistent.len() as f64), 0.0);
    let unsent = abuse.iter().flat_map(attack::missing);
    missed.extend(unsent.map(|kind| format!("the attack sent none of its {kind}")));
    for figure in &missed {
        eprintln!("missed: {figure}");
    }
    Ok(missed.is_empty())
}

/// The seconds of a run, with its faults spread over them.
async fn go_on(server: &Server, chosen: &Options) -> Result<Memory, Fail> {
    let (began, mut memory, mut faults) = (Instant::now(), Memory::default(), 0);
    let between = chosen.seconds / (chosen.faults + 1) as f64;
    while began.elapsed().as_secs_f64() < chosen.seconds {
        let rest = chosen.seconds - began.elapsed().as_secs_f64();
        sleep(Duration::from_secs_f64(rest.clamp(0.0, 1.0))).await;
        memory.sample(server.resident_mb());
        if faults < chosen.faults && began.elapsed().as_secs_f64() >= between * (faults + 1) as f64 {
            fail_for_a_moment(server).await?;
            faults += 1;
        }
    }
    Ok(memory)
}

/// The server cannot write to its disk for a moment.
async fn fail_for_a_moment(server: &Server) -> Result<(), Fail> {
    server.limit_files(true)?;
    sleep(random_moment()?).await;
    server.limit_files(false)
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some((attack::COMMAND, words)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        if let Err(error) = attack::run(words).await {
            eprintln!("attack: {error}");
            std::process::exit(1);
        }
        return;
    }
    let chosen = match options() {
        Ok(chosen) => chosen,
        Err(message) => {
            eprintln!("load: {message}");
            std::process::exit(2);
        }
    };
    let done = match chosen.servers.is_empty() {
        true if chosen.waiting > 0 => waiting::run(&chosen).await,
        true => run(chosen).await,
        false => site::run(&chosen).await,
    };
    match done {
        Ok(true) => {}
        Ok(false) => std::process::exit(1),
        Err(error) => {
            eprintln!("load: {error}");
            std::process::exit(1);
        }
    }
}
