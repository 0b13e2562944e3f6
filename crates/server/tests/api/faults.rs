//! The storage fails at 200 random moments while games are played: writes to the SQLite file fail, connections to
//! PostgreSQL are cut in the middle of a message. No acknowledged move is lost, none is there twice, and `/healthz`
//! tells the truth.
//!
//! Faults are real: a limit on file sizes makes the kernel refuse the server's writes (as a full disk does), and a proxy
//! between server and database closes connections after any number of bytes. The tests in `store/` fail every
//! single statement instead.

use crate::client::{get, play, post, send};
use crate::crash::{Victim, moves_of, nth_move};
use crate::host::{Backend, Data};
use search::Rng;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const MOMENTS: usize = 200;
/// One moment in so many lasts until a client has felt it; then health must be red.
const LONG: usize = 10;
const PLAYERS: usize = 3;

/// Something between the server and its data that can be broken and mended.
trait Fault: Sync {
    /// A short fault, somewhere in what is being written.
    fn strike(&self, random: &mut Rng);
    /// Nothing can be written until [`Fault::mend`].
    fn hold(&self);
    fn mend(&self);
}

#[test]
fn nothing_acknowledged_is_lost_when_the_disk_fails() {
    let victim = Victim::start(Data::new(&Backend::Sqlite));
    let fault = FileLimit { pid: victim.pid() };
    survives(victim, &fault);
}

#[test]
fn nothing_acknowledged_is_lost_when_connections_are_cut() {
    let Ok(url) = std::env::var("TENGEN_TEST_POSTGRES") else {
        eprintln!("skipped on PostgreSQL: TENGEN_TEST_POSTGRES is not set");
        return;
    };
    let data = Data::new(&Backend::Postgres(url));
    let (proxy, url) = Proxy::start(data.place().1.unwrap());
    survives(Victim::start(data.through(url)), &*proxy);
}

/// What the players share.
#[derive(Default)]
struct Played {
    stop: AtomicBool,
    acknowledged: AtomicUsize,
    refused: AtomicUsize,
    /// Each game with the moves that were acknowledged.
    games: Mutex<Vec<(Value, Vec<String>)>>,
}

fn survives(mut victim: Victim, fault: &dyn Fault) {
    let addr = victim.addr;
    let played = Played::default();
    std::thread::scope(|scope| {
        let _stop = StopOnDrop(&played.stop);
        for _ in 0..PLAYERS {
            scope.spawn(|| player(addr, &played));
        }
        let mut random = Rng::new(0x5EED);
        for moment in 0..MOMENTS {
            wait_for("moves", || &played.acknowledged, 1 + random.below(3));
            if moment % LONG > 0 {
                fault.strike(&mut random);
                continue;
            }
            fault.hold();
            wait_for("refusals", || &played.refused, 1);
            // Seconds after the last write that worked, and for as long as it lasts.
            becomes(addr, 503, "writes fail, and health must say so");
            wait_for("refusals", || &played.refused, 1);
            assert_eq!(health(addr), 503, "writes still fail, and health must say so");
            fault.mend();
            becomes(addr, 200, "writes work again, and health must say so");
        }
        wait_for("moves", || &played.acknowledged, 10);
    });
    victim.kill_and_restart();
    for (game, acknowledged) in played.games.into_inner().unwrap() {
        let shown = get(addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200);
        let stored = moves_of(&shown);
        let expected: Vec<String> = (0..stored.len()).map(nth_move).collect();
        assert_eq!(stored, expected, "a move is missing or there twice");
        assert!(stored.len() >= acknowledged.len(), "an acknowledged move was lost");
        assert!(stored.len() <= acknowledged.len() + 1, "only the move that nobody answered may be more");
    }
}

struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

fn becomes(addr: SocketAddr, status: u16, what: &str) {
    let began = Instant::now();
    while health(addr) != status {
        assert!(began.elapsed() < Duration::from_secs(5), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn health(addr: SocketAddr) -> u16 {
    send(addr, "GET", "/healthz", &[], b"").status
}

fn wait_for<'a>(what: &str, counter: impl Fn() -> &'a AtomicUsize, more: usize) {
    let (began, goal) = (Instant::now(), counter().load(Relaxed) + more);
    while counter().load(Relaxed) < goal {
        assert!(began.elapsed() < Duration::from_secs(15), "no {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Plays game after game; a move that is refused because the storage fails is sent again.
fn player(addr: SocketAddr, played: &Played) {
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "human" } });
    let new = json!({ "setup": { "game": "gomoku" }, "players": players, "visibility": "link" });
    while !played.stop.load(Relaxed) {
        let made = post(addr, "/games", &new);
        if made.status == 503 {
            played.refused.fetch_add(1, Relaxed);
            continue;
        }
        let game = made.expect(201);
        let mut acknowledged = Vec::new();
        while acknowledged.len() < 60 && !played.stop.load(Relaxed) {
            let ply = acknowledged.len();
            let seat = if ply % 2 == 0 { "first" } else { "second" };
            let answer = play(addr, &game, seat, ply, &nth_move(ply));
            if answer.status == 503 {
                played.refused.fetch_add(1, Relaxed);
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
            answer.expect(200);
            acknowledged.push(nth_move(ply));
            played.acknowledged.fetch_add(1, Relaxed);
        }
        played.games.lock().unwrap().push((game, acknowledged));
    }
}

/// Refuses the writes of a process to files, as a full disk does.
struct FileLimit {
    pid: u32,
}

impl FileLimit {
    fn set(&self, limit: &str) {
        let set = Command::new("prlimit")
            .arg(format!("--pid={}", self.pid))
            .arg(format!("--fsize={limit}:"))
            .status();
        assert!(set.expect("prlimit of util-linux").success());
    }
}

impl Fault for FileLimit {
    fn strike(&self, random: &mut Rng) {
        // Nothing at all, or nothing beyond some point of the log.
        let limit = random.below(3) * random.below(400_000);
        self.set(&limit.to_string());
        std::thread::sleep(Duration::from_millis(random.below(12) as u64));
        self.mend();
    }

    fn hold(&self) {
        self.set("0");
    }

    fn mend(&self) {
        self.set("unlimited");
    }
}

/// Carries bytes between the server and PostgreSQL.
#[derive(Default)]
struct Proxy {
    /// Bytes that still pass before all connections are cut; negative: no limit.
    budget: AtomicI64,
    closed: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// A proxy in front of a database, and the address through which the server reaches it.
    fn start(url: &str) -> (Arc<Proxy>, String) {
        let (before, rest) = url.split_once('@').unwrap();
        let (host, name) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let through = format!("{before}@{}/{name}", listener.local_addr().unwrap());
        let proxy = Arc::new(Proxy { budget: AtomicI64::new(-1), ..Proxy::default() });
        let (own, host) = (proxy.clone(), host.to_string());
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let Ok(client) = client else { return };
                if own.closed.load(Relaxed) {
                    continue;
                }
                let database = TcpStream::connect(&host).unwrap();
                let ends = [client.try_clone().unwrap(), database.try_clone().unwrap()];
                own.open.lock().unwrap().extend(ends);
                for (from, to) in [(&client, &database), (&database, &client)] {
                    let (proxy, from, to) = (own.clone(), from.try_clone().unwrap(), to.try_clone().unwrap());
                    std::thread::spawn(move || proxy.carry(from, to));
                }
            }
        });
        (proxy, through)
    }

    fn carry(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut bytes = [0u8; 8192];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let mut pass = count;
            if self.budget.load(Relaxed) >= 0 {
                let left = self.budget.fetch_sub(count as i64, Relaxed);
                pass = count.min(left.max(0) as usize);
            }
            if to.write_all(&bytes[..pass]).is_err() {
                break;
            }
            if pass < count {
                self.budget.store(-1, Relaxed);
                self.cut();
                return;
            }
        }
        let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
    }

    fn cut(&self) {
        for stream in self.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Fault for Proxy {
    fn strike(&self, random: &mut Rng) {
        self.budget.store(random.below(3_000) as i64, Relaxed);
    }

    fn hold(&self) {
        self.closed.store(true, Relaxed);
        self.cut();
    }

    fn mend(&self) {
        self.closed.store(false, Relaxed);
    }
}
