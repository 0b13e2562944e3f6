//! One address that does all it can to be in the way of the others: long searches, expensive files, half-sent
//! requests, and storage.

use crate::server::{client, connect, send};
use serde_json::{Value, json};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// What came of it.
#[derive(Default)]
struct Count {
    done: AtomicU64,
    refused: AtomicU64,
    cut_off: AtomicU64,
}

/// The attack; ends with [`Abuse::end`].
pub(crate) struct Abuse {
    tasks: JoinSet<()>,
    counts: Vec<(&'static str, Arc<Count>)>,
}

impl Abuse {
    /// Stops it and says what came of it.
    pub(crate) fn end(mut self) -> Value {
        self.tasks.abort_all();
        let counts = self.counts.iter().map(|(name, count)| {
            let read = |number: &AtomicU64| number.load(Relaxed);
            let body = json!({
                "answered": read(&count.done), "refused": read(&count.refused), "cut_off": read(&count.cut_off),
            });
            ((*name).to_string(), body)
        });
        Value::Object(counts.collect())
    }

    /// Repeats one request from many connections.
    fn flood(
        &mut self,
        name: &'static str,
        at_once: usize,
        who: IpAddr,
        addr: SocketAddr,
        path: &'static str,
        body: String,
    ) {
        let count = Arc::new(Count::default());
        self.counts.push((name, count.clone()));
        let body = Arc::new(body);
        for _ in 0..at_once {
            let (count, body) = (count.clone(), body.clone());
            self.tasks.spawn(async move {
                loop {
                    match timeout(Duration::from_secs(60), send(who, addr, "POST", path, &body)).await {
                        Ok(Ok((429, _))) => {
                            count.refused.fetch_add(1, Relaxed);
                            sleep(Duration::from_millis(20)).await;
                        }
                        Ok(Ok(_)) => drop(count.done.fetch_add(1, Relaxed)),
                        _ => {
                            count.cut_off.fetch_add(1, Relaxed);
                            sleep(Duration::from_millis(20)).await;
                        }
                    }
                }
            });
        }
    }

    /// Holds connections open with a request that never ends.
    fn hold(&mut self, name: &'static str, connections: usize, who: IpAddr, addr: SocketAddr, head: String) {
        let count = Arc::new(Count::default());
        self.counts.push((name, count.clone()));
        for _ in 0..connections {
            let (count, head) = (count.clone(), head.clone());
            self.tasks.spawn(async move {
                loop {
                    if let Ok(mut stream) = connect(who, addr).await {
                        let _ = stream.write_all(head.as_bytes()).await;
                        let mut byte = [0];
                        // A byte every five seconds, until the server has had enough.
                        while timeout(Duration::from_secs(5), stream.read(&mut byte)).await.is_err() {
                            if stream.write_all(b"x").await.is_err() {
                                break;
                            }
                        }
                        count.cut_off.fetch_add(1, Relaxed);
                    }
                    sleep(Duration::from_millis(200)).await;
                }
            });
        }
    }
}

/// Begins the attack, from an address beyond those of the other clients.
pub(crate) fn start(addr: SocketAddr, others: usize) -> Abuse {
    let who = client(others + 1);
    let mut abuse = Abuse { tasks: JoinSet::new(), counts: Vec::new() };
    let engine = json!({ "kind": "engine", "level": "max", "time_ms": 60_000 });
    let players = json!({ "first": engine, "second": { "kind": "human" } });
    let game = json!({ "setup": { "game": "gomoku" }, "players": players });
    abuse.flood("engine games", 8, who, addr, "/games", game.to_string());
    let proof =
        json!({ "setup": { "game": "hex" }, "question": "winner", "time_ms": 600_000, "threads": 64 });
    abuse.flood("proofs", 8, who, addr, "/solve", proof.to_string());
    // One long row and thousands of short ones.
    let ragged = format!("2{}\n{}", ".".repeat(32_767), ".\n".repeat(16_383));
    abuse.flood("ragged maps", 8, who, addr, "/maze/import", json!({ "text": ragged }).to_string());
    let properties: String = (0..40_000).map(|at| format!("{}[]", letters(at))).collect();
    let sgf = json!({ "game": "gomoku", "text": format!("(;GM[4]{properties})") });
    abuse.flood("SGF properties", 8, who, addr, "/import", sgf.to_string());
    let trunk = format!(";B[h8]C[{}]", "x".repeat(800_000));
    let leaves = format!("(;GM[4]{trunk}{})", "(;W[i9])".repeat(400));
    abuse.flood(
        "SGF leaves",
        4,
        who,
        addr,
        "/import",
        json!({ "game": "gomoku", "text": leaves }).to_string(),
    );
    let picture = json!({ "setup": { "game": "hex" }, "format": "png", "picture": { "cell": 96 } });
    abuse.flood("pictures", 4, who, addr, "/export", picture.to_string());
    let study = json!({ "version": 1, "body": { "text": "y".repeat(500_000) } });
    abuse.flood("studies", 8, who, addr, "/studies", study.to_string());
    abuse.flood("bots", 4, who, addr, "/bots", json!({ "name": "many" }).to_string());
    abuse.hold("half-sent heads", 1_100, who, addr, "GET / HTTP/1.1\r\nX-A: ".into());
    let head = format!(
        "POST /api/v1/view HTTP/1.1\r\nHost: {addr}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
    );
    abuse.hold("dribbled bodies", 200, who, addr, head);
    abuse
}

/// A property name for a number.
fn letters(number: usize) -> String {
    let digit = |place: u32| char::from(b'A' + (number / 26_usize.pow(place) % 26) as u8);
    (0..4).rev().map(digit).collect()
}
