//! Kill -9 under load: no acknowledged move is lost, none is there twice; clocks, studies and puzzle progress stay.
//!
//! The server runs as a process of its own (this test binary, started again) and is killed at random
//! moments. `cargo xtask load --kills 100` does the same for longer.

use crate::client::{Socket, as_, get, play, post, two_people};
use crate::host::{Data, config, games, on_each_data};
use serde_json::{Value, json};
use server::{Config, Server};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const FOLDER: &str = "TENGEN_TEST_CRASH_FOLDER";
const PORT: &str = "TENGEN_TEST_CRASH_PORT";
const DATABASE: &str = "TENGEN_TEST_CRASH_DATABASE";
const NATS: &str = "TENGEN_TEST_CRASH_NATS";

/// Not a test: the server that is killed.
#[test]
#[ignore = "started by the crash test"]
fn victim() {
    let (Ok(folder), Ok(port)) = (std::env::var(FOLDER), std::env::var(PORT)) else { return };
    let addr = SocketAddr::from(([127, 0, 0, 1], port.parse().unwrap()));
    let config = Config {
        addr,
        nats: std::env::var(NATS).ok(),
        ..config(Path::new(&folder), std::env::var(DATABASE).ok())
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let server = Server::bind(config, games()).await.unwrap();
        let mut asked = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).unwrap();
        server
            .run(async move {
                let _ = asked.recv().await;
            })
            .await
            .unwrap();
    });
}

/// A server in a process of its own.
pub(crate) struct Victim {
    child: Child,
    data: Data,
    /// Where it finds the other servers of its site.
    nats: Option<String>,
    pub(crate) addr: SocketAddr,
}

impl Victim {
    /// A server on a free port.
    pub(crate) fn start(data: Data) -> Victim {
        Victim::in_site(data, None)
    }

    /// The same as one server of a site.
    pub(crate) fn in_site(data: Data, nats: Option<String>) -> Victim {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Victim::at(data, SocketAddr::from(([127, 0, 0, 1], port)), nats)
    }

    fn at(data: Data, addr: SocketAddr, nats: Option<String>) -> Victim {
        let (folder, database) = data.place();
        // A write beyond the limit on file sizes is to fail like one on a full disk, not to end the process.
        let child = Command::new("sh")
            .args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "crash::victim", "--ignored", "--nocapture"])
            .env(FOLDER, folder)
            .env(PORT, addr.port().to_string())
            .envs(database.map(|url| (DATABASE, url)))
            .envs(nats.as_ref().map(|url| (NATS, url)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while std::net::TcpStream::connect(addr).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "the server does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        Victim { child, data, nats, addr }
    }

    /// SIGKILL: no destructor runs, nothing is flushed. Another one takes its place.
    pub(crate) fn kill_and_restart(&mut self) {
        self.kill();
        *self = Victim::at(self.data.clone(), self.addr, self.nats.clone());
    }

    /// SIGTERM, SIGSTOP or SIGCONT.
    pub(crate) fn signal(&self, name: &str) {
        let done = Command::new("kill").args([name, &self.pid().to_string()]).status().unwrap();
        assert!(done.success());
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The moves of a game as the API shows it.
pub(crate) fn moves_of(game: &Value) -> Vec<&str> {
    let moves = game["view"]["moves"].as_array().unwrap();
    moves.iter().map(|mv| mv["move"].as_str().unwrap()).collect()
}

/// A move that never makes more than two in a row: each side keeps to its own cells of a pattern.
pub(crate) fn nth_move(ply: usize) -> String {
    let own = |cell: &usize| (cell % 15 + 2 * (cell / 15)) / 2 % 2 == ply % 2;
    let cell = (0..225).filter(own).nth(ply / 2).unwrap_or(0);
    format!("{}{}", char::from(b'a' + (cell % 15) as u8), cell / 15 + 1)
}

/// Plays moves over a WebSocket as fast as they are acknowledged, connecting anew when the server is gone,
/// and remembers what was acknowledged.
fn player(addr: SocketAddr, game: &Value, stop: &AtomicBool, count: &AtomicUsize) -> Vec<String> {
    let id = game["id"].as_str().unwrap();
    let secrets = [&game["seats"]["first"], &game["seats"]["second"]];
    let mut acknowledged: Vec<String> = Vec::new();
    'connect: while !stop.load(Ordering::Relaxed) {
        let path = format!("/games/{id}/ws?secret={}", secrets[0].as_str().unwrap());
        let Ok(mut socket) = Socket::open_with(addr, &path, &[]) else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        while !stop.load(Ordering::Relaxed) && acknowledged.len() < 100 {
            let ply = acknowledged.len();
            let mv = nth_move(ply);
            let order = json!({ "type": "move", "ply": ply, "move": mv, "secret": secrets[ply % 2] });
            if !socket.try_say(&order) {
                continue 'connect;
            }
            loop {
                let Some(answer) = socket.hear() else { continue 'connect };
                match answer["type"].as_str().unwrap() {
                    "ack" => break,
                    "error" => panic!("{order}: {answer}"),
                    _ => {}
                }
            }
            acknowledged.push(mv);
            count.fetch_add(1, Ordering::Relaxed);
        }
        if acknowledged.len() >= 100 {
            break;
        }
    }
    acknowledged
}

#[test]
fn acknowledged_moves_survive_being_killed() {
    on_each_data(killed_under_load);
}

fn killed_under_load(data: Data) {
    let mut victim = Victim::start(data);
    let addr = victim.addr;
    let setup = json!({ "game": "gomoku" });
    let table: Vec<Value> =
        (0..4).map(|_| two_people(addr, &setup, &json!({ "visibility": "link" }))).collect();
    let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    let played: Vec<Vec<String>> = std::thread::scope(|scope| {
        let players: Vec<_> =
            table.iter().map(|game| scope.spawn(|| player(addr, game, &stop, &count))).collect();
        // Killed in the midst of moves, however slow the machine is.
        let until = |more: usize| {
            let began = Instant::now();
            let goal = count.load(Ordering::Relaxed) + more;
            while count.load(Ordering::Relaxed) < goal {
                assert!(began.elapsed() < Duration::from_secs(60), "nobody plays");
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        for round in 0..4 {
            until(5 + round);
            victim.kill_and_restart();
        }
        until(5);
        stop.store(true, Ordering::Relaxed);
        players.into_iter().map(|player| player.join().unwrap()).collect()
    });
    victim.kill_and_restart();
    let mut total = 0;
    for (game, acknowledged) in table.iter().zip(&played) {
        let shown = get(addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200);
        let stored = moves_of(&shown);
        assert!(stored.len() >= acknowledged.len(), "an acknowledged move was lost");
        assert_eq!(&stored[..acknowledged.len()], acknowledged.as_slice());
        assert!(stored.len() <= acknowledged.len() + 1, "at most the one move whose answer was lost is more");
        total += acknowledged.len();
    }
    assert!(total > 20, "the test played only {total} moves");
    let path = format!("/games/{}/actions", table[0]["id"].as_str().unwrap());
    as_(addr, &table[0]["owner"], "POST", &path, &json!({ "action": "comment", "text": "still here" }))
        .expect(200);
}

#[test]
fn clocks_studies_and_puzzle_progress_survive_being_killed() {
    on_each_data(|data| {
        let mut victim = Victim::start(data);
        let addr = victim.addr;
        let clock = json!({ "clock": { "initial_ms": 60_000, "increment_ms": 0 }, "visibility": "link" });
        let game = two_people(addr, &json!({ "game": "gomoku" }), &clock);
        let id = game["id"].as_str().unwrap();
        play(addr, &game, "first", 0, "h8").expect(200);
        std::thread::sleep(Duration::from_millis(300));
        let left = play(addr, &game, "second", 1, "i9").expect(200)["clock"]["second_ms"].as_i64().unwrap();
        let study = post(addr, "/studies", &json!({ "version": 1, "body": { "tree": [] } })).expect(201);
        let place = format!("/studies/{}", study["id"].as_str().unwrap());
        let change = json!({ "version": 2, "body": { "tree": ["h8"] } });
        as_(addr, &study["secret"], "PUT", &place, &change).expect(200);
        let secret = post(addr, "/puzzles/progress", &Value::Null).expect(201)["secret"].clone();
        let solve = |moves: &[&str]| {
            as_(addr, &secret, "POST", "/puzzles/hex/h-1/moves", &json!({ "moves": moves })).expect(200)
        };
        assert_eq!(solve(&["b2"])["verdict"], "solved");
        // Killed at once after the last acknowledgement.
        victim.kill_and_restart();
        let shown = get(addr, &format!("/games/{id}")).expect(200);
        assert_eq!(shown["clock"]["running"], "first");
        assert_eq!(shown["clock"]["second_ms"].as_i64().unwrap(), left);
        let mine = shown["clock"]["first_ms"].as_i64().unwrap();
        assert!((55_000..=60_000).contains(&mine), "only the time while the server was up is gone: {mine}");
        play(addr, &game, "first", 2, "g7").expect(200);
        assert_eq!(get(addr, &place).expect(200), change);
        let done = as_(addr, &secret, "GET", "/puzzles?game=hex", &Value::Null).expect(200);
        assert_eq!(done["puzzles"][0]["solved"], 1, "{done}");
    });
}
