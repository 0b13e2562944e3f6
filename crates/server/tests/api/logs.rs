//! No log level shows a secret.

use crate::client::{Socket, as_, get, post, two_people};
use crate::host::{Backend, Data, Host};
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
    let data = match std::env::var("TENGEN_TEST_POSTGRES") {
        Ok(url) => Data::new(&Backend::Postgres(url)),
        Err(_) => Data::new(&Backend::Sqlite),
    };
    let host = Host::on(data);
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
    drop((socket, host));
    let text = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(text.contains("everything is logged") && text.contains("answered"), "the log is there");
    let token = bot["token"].as_str().unwrap().split_once('.').unwrap().1;
    let secrets = [first, second, &game["owner"], &study["secret"]].map(|secret| secret.as_str().unwrap());
    for secret in secrets.into_iter().chain([token]) {
        let shown: Vec<&str> = text.lines().filter(|line| line.contains(secret)).take(5).collect();
        assert!(shown.is_empty(), "{shown:#?}");
    }
}
