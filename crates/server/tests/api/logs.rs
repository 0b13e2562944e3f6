//! No log level shows a secret.

use crate::client::{Socket, as_, get, post, two_people};
use crate::host::{Data, Host};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn no_log_level_shows_a_secret() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_env_filter(server::log_filter(Some("trace,tungstenite::protocol=trace")))
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    tracing::trace!("everything is logged");
    let home = tempfile::tempdir().unwrap();
    // Only a server with PostgreSQL looks for a broker; nobody listens there, which is logged.
    let broker = "the-token-of-the-broker";
    let nats = format!("nats://{broker}@127.0.0.1:1");
    #[cfg(target_os = "linux")]
    let (_, keys, teacher) = crate::classes::found(home.path(), |_| {});
    let host = Host::on_with(Data::fresh(), |config| {
        config.nats = Some(nats.clone());
        config.classes = cfg!(target_os = "linux").then(|| home.path().to_path_buf());
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    assert!(runtime.block_on(fleet::broker::connect_client(&nats)).is_err());
    let game = two_people(host.addr, &json!({ "game": "gomoku" }), &json!({}));
    let id = game["id"].as_str().unwrap();
    let (first, second) = (&game["seats"]["first"], &game["seats"]["second"]);
    as_(host.addr, &game["owner"], "GET", &format!("/games/{id}"), &Value::Null).expect(200);
    get(host.addr, &format!("/games/{id}?secret={}", second.as_str().unwrap())).expect(200);
    let mut socket = Socket::open(host.addr, &format!("/games/{id}/ws?secret={}", first.as_str().unwrap()));
    socket.hear_type("state");
    socket.say(&json!({ "type": "move", "ply": 0, "move": "h8" }));
    socket.hear_type("ack");
    socket.say(&json!({ "type": "move", "ply": 1, "move": "i9", "secret": second }));
    socket.hear_type("ack");
    let bot = post(host.addr, "/bots", &json!({ "name": "x" })).expect(201);
    let mut socket = Socket::open(host.addr, "/bots/ws");
    socket.say(&json!({ "type": "hello", "token": bot["token"] }));
    socket.hear_type("welcome");
    let study = post(host.addr, "/studies", &json!({ "version": 1, "body": {} })).expect(201);
    let path = format!("/studies/{}", study["id"].as_str().unwrap());
    as_(host.addr, &study["secret"], "PUT", &path, &json!({ "version": 2, "body": {} })).expect(200);
    let progress = post(host.addr, "/puzzles/progress", &Value::Null).expect(201)["secret"].clone();
    as_(host.addr, &progress, "POST", "/puzzles/gomoku/g-1/hint", &json!({ "moves": [] })).expect(200);
    as_(host.addr, &progress, "GET", "/puzzles?game=gomoku", &Value::Null).expect(200);
    let challenge = post(host.addr, "/challenges", &json!({ "setup": { "game": "gomoku" } })).expect(201);
    let path = format!("/challenges/{}", challenge["id"].as_str().unwrap());
    let accepted = post(host.addr, &format!("{path}/accept"), &json!({})).expect(201);
    as_(host.addr, &challenge["secret"], "GET", &path, &Value::Null).expect(200);
    let mut tokens: Vec<&str> = vec![broker];
    #[cfg(target_os = "linux")]
    let student = {
        let key = json!({ "student": keys[0].id, "key": keys[0].key });
        let session = post(host.addr, "/classes/ai-2026/sessions", &key).expect(201);
        as_(host.addr, &session["token"], "GET", "/classes/ai-2026", &Value::Null).expect(200);
        as_(host.addr, &teacher, "GET", "/classes/ai-2026/students", &Value::Null).expect(200);
        session["token"].clone()
    };
    #[cfg(target_os = "linux")]
    tokens.extend([keys[0].key.as_str(), teacher.as_str().unwrap(), student.as_str().unwrap()]);
    drop((socket, host));
    let text = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(text.contains("everything is logged") && text.contains("answered"), "the log is there");
    tokens.push(bot["token"].as_str().unwrap().split_once('.').unwrap().1);
    let of_games = [first, second, &game["owner"], &accepted["secret"], &challenge["secret"]];
    let secrets = of_games.into_iter().chain([&study["secret"], &progress]);
    for secret in secrets.map(|secret| secret.as_str().unwrap()).chain(tokens) {
        let shown: Vec<&str> = text.lines().filter(|line| line.contains(secret)).take(5).collect();
        assert!(shown.is_empty(), "{shown:#?}");
    }
}
