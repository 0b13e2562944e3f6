//! Private arenas: who may join, see and manage one, and what is played there.

use crate::bots::rust_example;
use crate::client::{Response, Socket, as_, get, post, send};
use crate::host::{Host, on_each};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

fn arena(addr: SocketAddr) -> Value {
    let setup = json!({ "game": "hex", "rows": 4 });
    let clock = json!({ "initial_ms": 30_000, "increment_ms": 100 });
    post(addr, "/arenas", &json!({ "name": "小擂台", "setup": setup, "clock": clock })).expect(201)
}

fn path(arena: &Value) -> String {
    format!("/ladder/{}", arena["id"].as_str().unwrap())
}

fn see(addr: SocketAddr, arena: &Value, key: &Value) -> Response {
    as_(addr, key, "GET", &path(arena), &Value::Null)
}

fn join(addr: SocketAddr, arena: &Value, bot: &Value, invitation: &Value) -> Response {
    let order = json!({ "playing": true, "invitation": invitation });
    as_(addr, &bot["token"], "PUT", &path(arena), &order)
}

fn bot(addr: SocketAddr, name: &str) -> Value {
    post(addr, "/bots", &json!({ "name": name })).expect(201)
}

#[test]
fn only_those_with_a_key_see_an_arena_and_only_its_maker_manages_it() {
    on_each(|host| {
        let addr = host.addr;
        let made = arena(addr);
        get(addr, &path(&made)).problem(401, "arena.key-needed");
        see(addr, &made, &json!("nonsense")).problem(403, "arena.key-wrong");
        let seen = see(addr, &made, &made["invitation"]).expect(200);
        assert_eq!((&seen["name"], &seen["owner"]), (&json!("小擂台"), &json!(false)));
        assert_eq!((&seen["setup"]["rows"], &seen["clock"]["initial_ms"]), (&json!(4), &json!(30_000)));
        assert_eq!(see(addr, &made, &made["key"]).expect(200)["owner"], true);
        let one = bot(addr, "one");
        let plain = json!({ "playing": true });
        as_(addr, &one["token"], "PUT", &path(&made), &plain).problem(401, "arena.key-needed");
        join(addr, &made, &one, &json!("nonsense")).problem(403, "arena.key-wrong");
        join(addr, &made, &one, &made["invitation"]).expect(200);
        let id = made["id"].as_str().unwrap();
        let invite = format!("/arenas/{id}/invitation");
        as_(addr, &made["invitation"], "PUT", &invite, &Value::Null).problem(403, "arena.key-wrong");
        let renewed = as_(addr, &made["key"], "PUT", &invite, &Value::Null).expect(200)["invitation"].clone();
        see(addr, &made, &made["invitation"]).problem(403, "arena.key-wrong");
        let rows = see(addr, &made, &renewed).expect(200)["rows"].clone();
        assert_eq!((rows[0]["name"].as_str(), &rows[0]["playing"]), (Some("one"), &json!(true)));
        let dismiss = format!("/arenas/{id}/bots/{}", one["id"].as_str().unwrap());
        as_(addr, &renewed, "DELETE", &dismiss, &Value::Null).problem(403, "arena.key-wrong");
        assert_eq!(as_(addr, &made["key"], "DELETE", &dismiss, &Value::Null).status, 204);
        let host = host.restart();
        assert_eq!(see(host.addr, &made, &renewed).expect(200)["rows"], json!([]));
        let close = format!("/arenas/{id}");
        as_(host.addr, &renewed, "DELETE", &close, &Value::Null).problem(403, "arena.key-wrong");
        assert_eq!(as_(host.addr, &made["key"], "DELETE", &close, &Value::Null).status, 204);
        see(host.addr, &made, &made["key"]).problem(404, "arena.unknown");
    });
}

#[test]
fn an_arena_that_cannot_be_is_refused() {
    let host = Host::start();
    let ask = |body: Value| post(host.addr, "/arenas", &body);
    let hex = json!({ "game": "hex", "rows": 4 });
    ask(json!({ "name": "", "setup": hex })).problem(422, "name.refused");
    ask(json!({ "name": "x", "setup": { "game": "chess" } })).problem(422, "game.kind");
    assert_eq!(ask(json!({ "name": "x", "setup": { "game": "hex", "rows": 200 } })).status, 422);
    ask(json!({ "name": "x", "setup": hex, "clock": { "initial_ms": 1 } })).problem(422, "clock.refused");
    let unknown = format!("/ladder/{}", "0".repeat(32));
    get(host.addr, &unknown).problem(404, "arena.unknown");
    as_(host.addr, &json!("x"), "DELETE", "/arenas/hex", &Value::Null).problem(404, "arena.unknown");
}

#[test]
fn bots_in_an_arena_play_games_that_only_its_keys_show() {
    let host = Host::start();
    let addr = host.addr;
    let made = arena(addr);
    let bots = ["one", "two", "stranger"].map(|name| bot(addr, name));
    let url = format!("ws://{addr}/api/v1/bots/ws");
    let running = bots.each_ref().map(|bot| rust_example(&url, bot["token"].as_str().unwrap()));
    for bot in &bots[..2] {
        join(addr, &made, bot, &made["invitation"]).expect(200);
    }
    let began = Instant::now();
    let seen = loop {
        let now = see(addr, &made, &made["key"]).expect(200);
        if now["archive"].as_array().unwrap().len() >= 3 {
            break now;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "the arena does not play: {now}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(seen["rows"].as_array().unwrap().len(), 2, "{seen}");
    assert!(seen["rows"].as_array().unwrap().iter().all(|row| row["error"].as_f64().unwrap() > 0.0));
    let game = seen["archive"][0]["id"].as_str().unwrap();
    assert_eq!(seen["archive"][0]["setup"]["rows"], 4);
    let shown = format!("/games/{game}");
    get(addr, &shown).problem(404, "game.unknown");
    as_(addr, &json!("nonsense"), "GET", &shown, &Value::Null).problem(404, "game.unknown");
    for key in ["key", "invitation"] {
        let body = as_(addr, &made[key], "GET", &shown, &Value::Null).expect(200);
        assert_eq!(body["status"], "over");
        let record = format!("/games/{game}/record?secret={}", made[key].as_str().unwrap());
        assert!(String::from_utf8(get(addr, &record).body).unwrap().contains("GM[11]"));
    }
    // Whoever watches can do nothing but watch.
    let abort = json!({ "action": "abort" });
    let acted = as_(addr, &made["key"], "POST", &format!("{shown}/actions"), &abort);
    assert!(acted.status == 403 || acted.status == 401, "{}", acted.status);
    let socket = format!("/games/{game}/ws");
    assert_eq!(Socket::open_with(addr, &socket, &[]).err(), Some(404));
    let mut socket = Socket::open(addr, &format!("{socket}?secret={}", made["invitation"].as_str().unwrap()));
    assert_eq!(socket.hear_type("state")["game"]["status"], "over");
    // Neither the public lists nor the public ladder know of it.
    assert_eq!(get(addr, "/games").expect(200)["games"], json!([]));
    let public = get(addr, "/ladder/hex").expect(200);
    assert_eq!((&public["rows"], &public["archive"]), (&json!([]), &json!([])));
    let file = as_(addr, &made["invitation"], "GET", &format!("{}/games", path(&made)), &Value::Null);
    let text = String::from_utf8(file.body).unwrap();
    assert!(file.status == 200 && text.matches("GM[11]").count() >= 3, "{text}");
    get(addr, &format!("{}/games", path(&made))).problem(401, "arena.key-needed");
    // Closed, nothing of it can be seen.
    drop(running);
    let id = made["id"].as_str().unwrap();
    assert_eq!(as_(addr, &made["key"], "DELETE", &format!("/arenas/{id}"), &Value::Null).status, 204);
    as_(addr, &made["key"], "GET", &shown, &Value::Null).problem(404, "game.unknown");
}

#[test]
fn the_public_archive_is_one_file_too() {
    let host = Host::start();
    let file = send(host.addr, "GET", "/api/v1/ladder/gomoku/games", &[], b"");
    assert_eq!((file.status, file.body.len()), (200, 0), "nothing was played yet");
    assert!(file.head.to_lowercase().contains("content-type: application/x-go-sgf"), "{}", file.head);
}
