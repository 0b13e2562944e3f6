//! One address that does all it can to be in the way of the others: long searches, expensive files, half-sent
//! requests, endless comments, and storage.

use crate::Fail;
use crate::server::{client, connect, request, send_as};
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
    sent: AtomicU64,
    done: AtomicU64,
    refused: AtomicU64,
    cut_off: AtomicU64,
}

/// A request that is sent again and again.
struct Request {
    path: String,
    secret: Option<String>,
    body: Arc<str>,
}

impl Request {
    fn post(path: &str, body: &Value) -> Request {
        Request { path: path.into(), secret: None, body: body.to_string().into() }
    }
}

/// The attack; ends with [`Abuse::end`].
pub(crate) struct Abuse {
    who: IpAddr,
    addr: SocketAddr,
    tasks: JoinSet<()>,
    counts: Vec<(&'static str, Arc<Count>)>,
}

/// An answer that takes longer counts as none.
const PATIENCE: Duration = Duration::from_secs(60);
/// After a refusal.
const PAUSE: Duration = Duration::from_millis(20);

impl Abuse {
    /// Stops it and says what came of it.
    pub(crate) fn end(mut self) -> Value {
        self.tasks.abort_all();
        let counts = self.counts.iter().map(|(name, count)| {
            let read = |number: &AtomicU64| number.load(Relaxed);
            let body = json!({
                "sent": read(&count.sent), "answered": read(&count.done), "refused": read(&count.refused),
                "cut_off": read(&count.cut_off),
            });
            ((*name).to_string(), body)
        });
        Value::Object(counts.collect())
    }

    fn count(&mut self, name: &'static str) -> Arc<Count> {
        let count = Arc::new(Count::default());
        self.counts.push((name, count.clone()));
        count
    }

    /// Repeats one request from many connections.
    fn flood(&mut self, name: &'static str, at_once: usize, path: &str, body: &Value) {
        let Request { path, body, .. } = Request::post(path, body);
        self.flood_each(name, at_once, move |_| Request {
            path: path.clone(),
            secret: None,
            body: body.clone(),
        });
    }

    /// Sends requests from many connections, each made from its number.
    fn flood_each(
        &mut self,
        name: &'static str,
        at_once: usize,
        make: impl Fn(u64) -> Request + Send + Sync + 'static,
    ) {
        let (count, make) = (self.count(name), Arc::new(make));
        for _ in 0..at_once {
            let (who, addr, count, make) = (self.who, self.addr, count.clone(), make.clone());
            self.tasks.spawn(async move {
                loop {
                    let request = make(count.sent.load(Relaxed));
                    let _ = count.post(who, addr, &request).await;
                }
            });
        }
    }

    /// Fills games with comments and chat, looks at them, ends them, and begins others.
    fn write(&mut self, name: &'static str, at_once: usize) {
        let count = self.count(name);
        for _ in 0..at_once {
            let (who, addr, count) = (self.who, self.addr, count.clone());
            self.tasks.spawn(async move {
                loop {
                    fill_game(who, addr, &count).await;
                }
            });
        }
    }

    /// Holds connections open with a request that never ends.
    fn hold(&mut self, name: &'static str, connections: usize, head: &str) {
        let (count, head) = (self.count(name), Arc::<str>::from(head));
        for _ in 0..connections {
            let (who, addr, count, head) = (self.who, self.addr, count.clone(), head.clone());
            self.tasks.spawn(async move {
                loop {
                    if let Ok(mut stream) = connect(who, addr).await {
                        count.sent.fetch_add(1, Relaxed);
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

impl Count {
    /// Sends a request and counts what came of it; the answer, if it was not refused for its number.
    async fn post(&self, who: IpAddr, addr: SocketAddr, request: &Request) -> Option<(u16, Vec<u8>)> {
        self.sent.fetch_add(1, Relaxed);
        let Request { path, secret, body } = request;
        match timeout(PATIENCE, send_as(who, addr, "POST", path, secret.as_deref(), body)).await {
            Ok(Ok((429, _))) => {
                self.refused.fetch_add(1, Relaxed);
                sleep(PAUSE).await;
                None
            }
            Ok(Ok(answer)) => {
                self.done.fetch_add(1, Relaxed);
                Some(answer)
            }
            _ => {
                self.cut_off.fetch_add(1, Relaxed);
                sleep(PAUSE).await;
                None
            }
        }
    }
}

/// More than a game takes of comments and of chat.
const LINES: usize = 600;
const COMMENT: usize = 1_000;
const CHAT_LINE: usize = 280;

async fn fill_game(who: IpAddr, addr: SocketAddr, count: &Count) {
    let people = json!({ "first": { "kind": "human" }, "second": { "kind": "human" } });
    let create = Request::post("/games", &json!({ "setup": { "game": "gomoku" }, "players": people }));
    let Some((201, made)) = count.post(who, addr, &create).await else { return };
    let Ok(made) = serde_json::from_slice::<Value>(&made) else { return };
    let (Some(id), Some(first), Some(owner)) =
        (made["id"].as_str(), made["seats"]["first"].as_str(), made["owner"].as_str())
    else {
        return;
    };
    let path = format!("/games/{id}/actions");
    // A quotation mark takes two bytes in JSON.
    let comment = json!({ "action": "comment", "text": "\"".repeat(COMMENT) });
    let chat = json!({ "action": "chat", "text": "\"".repeat(CHAT_LINE) });
    for line in 0..LINES {
        let body = if line % 2 == 0 { &comment } else { &chat };
        let secret = Some(first.to_string());
        count.post(who, addr, &Request { secret, ..Request::post(&path, body) }).await;
        // All of it once more in every answer.
        let _ = timeout(PATIENCE, request(who, addr, "GET", &format!("/games/{id}"), "")).await;
    }
    let secret = Some(owner.to_string());
    count.post(who, addr, &Request { secret, ..Request::post(&path, &json!({ "action": "abort" })) }).await;
}

/// Begins the attack, from an address of its own.
pub(crate) async fn start(addr: SocketAddr, number: usize) -> Result<Abuse, Fail> {
    let who = client(number);
    let listed = request(who, addr, "GET", "/puzzles?game=gomoku", "").await?;
    let puzzle = listed["puzzles"][0]["id"].as_str().ok_or("no puzzles")?;
    let mut abuse = Abuse { who, addr, tasks: JoinSet::new(), counts: Vec::new() };
    let engine = json!({ "kind": "engine", "level": "max", "time_ms": 60_000 });
    let players = json!({ "first": engine, "second": { "kind": "human" } });
    let game = json!({ "setup": { "game": "gomoku" }, "players": players });
    abuse.write("comments and chat", 8);
    abuse.flood("engine games", 8, "/games", &game);
    let proof =
        json!({ "setup": { "game": "hex" }, "question": "winner", "time_ms": 600_000, "threads": 64 });
    abuse.flood("proofs", 8, "/solve", &proof);
    // One long row and thousands of short ones.
    let ragged = format!("2{}\n{}", ".".repeat(32_767), ".\n".repeat(16_383));
    abuse.flood("ragged maps", 8, "/maze/import", &json!({ "text": ragged }));
    let properties: String = (0..40_000).map(|at| format!("{}[]", letters(at))).collect();
    let sgf = json!({ "game": "gomoku", "text": format!("(;GM[4]{properties})") });
    abuse.flood("SGF properties", 8, "/import", &sgf);
    let trunk = format!(";B[h8]C[{}]", "x".repeat(800_000));
    let leaves = format!("(;GM[4]{trunk}{})", "(;W[i9])".repeat(400));
    abuse.flood("SGF leaves", 4, "/import", &json!({ "game": "gomoku", "text": leaves }));
    let picture = json!({ "setup": { "game": "hex" }, "format": "png", "picture": { "cell": 96 } });
    abuse.flood("pictures", 4, "/export", &picture);
    let study = json!({ "version": 1, "body": { "text": "y".repeat(500_000) } });
    abuse.flood("studies", 8, "/studies", &study);
    abuse.flood("bots", 4, "/bots", &json!({ "name": "many" }));
    // Hints are counted in the progress of whoever asks, and everyone may have a secret of its own.
    let (path, body) = (format!("/puzzles/gomoku/{puzzle}/hint"), Arc::<str>::from(r#"{"moves":[]}"#));
    abuse.flood_each("progress", 8, move |number| Request {
        path: path.clone(),
        secret: Some(format!("{number:032x}")),
        body: body.clone(),
    });
    abuse.hold("half-sent heads", 1_100, "GET / HTTP/1.1\r\nX-A: ");
    let head = format!(
        "POST /api/v1/view HTTP/1.1\r\nHost: {addr}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
    );
    abuse.hold("dribbled bodies", 200, &head);
    Ok(abuse)
}

/// A property name for a number.
fn letters(number: usize) -> String {
    let digit = |place: u32| char::from(b'A' + (number / 26_usize.pow(place) % 26) as u8);
    (0..4).rev().map(digit).collect()
}
