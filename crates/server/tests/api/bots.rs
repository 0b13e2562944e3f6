//! Bots by token, with the two example programs as they stand in `examples/`.

use crate::client::{Socket, get, play, post};
use crate::host::{Host, on_each};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn game_with(addr: SocketAddr, bot: &Value, size: u8) -> Value {
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "bot", "bot": bot["id"] } });
    let body = json!({ "setup": { "game": "hex", "rows": size }, "players": players, "visibility": "link" });
    post(addr, "/games", &body).expect(201)
}

#[test]
fn a_bot_hears_its_turn_also_after_a_restart() {
    on_each(|host| {
        let bot = post(host.addr, "/bots", &json!({ "name": "Deep Hex" })).expect(201);
        let game = game_with(host.addr, &bot, 5);
        assert_eq!(game["game"]["players"]["second"]["name"], "Deep Hex");
        let bearer = format!("Bearer {}", bot["token"].as_str().unwrap());
        let mut socket = Socket::open_with(host.addr, "/bots/ws", &[("Authorization", &bearer)]).unwrap();
        assert_eq!(socket.hear_type("welcome")["bot"], bot["id"]);
        assert_eq!(get(host.addr, "/bots").expect(200)[0]["name"], "Deep Hex");
        play(host.addr, &game, "first", 0, "c3").expect(200);
        let turn = socket.hear_type("turn");
        assert_eq!((&turn["game"], &turn["ply"], &turn["moves"]), (&game["id"], &json!(1), &json!(["c3"])));
        let host = host.restart();
        let mut socket = Socket::open(host.addr, "/bots/ws");
        socket.say(&json!({ "type": "hello", "token": bot["token"] }));
        let turn = socket.hear_type("turn");
        assert!(turn["legal"].as_array().unwrap().contains(&json!("a1")));
        let order = json!({ "type": "move", "game": turn["game"], "ply": turn["ply"], "move": "a1" });
        socket.say(&order);
        assert_eq!(socket.hear_type("ack")["applied"], true);
        socket.say(&order);
        assert_eq!(socket.hear_type("ack")["applied"], false);
    });
}

#[test]
fn a_wrong_token_gets_nowhere() {
    let host = Host::start();
    let bot = post(host.addr, "/bots", &json!({ "name": "x" })).expect(201);
    let forged = format!("Bearer {}.{}", bot["id"].as_str().unwrap(), "0".repeat(32));
    assert_eq!(Socket::open_with(host.addr, "/bots/ws", &[("Authorization", &forged)]).err(), Some(401));
    let mut socket = Socket::open(host.addr, "/bots/ws");
    socket.say(&json!({ "type": "hello", "token": "nonsense" }));
    assert_eq!(socket.hear().unwrap()["code"], "token.wrong");
    assert!(socket.hear().is_none(), "and the connection is closed");
    post(host.addr, "/bots", &json!({ "name": "" })).problem(422, "name.refused");
}

/// A process that ends with the test.
pub(crate) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Has an example, started by `begin` with address and token, play a game to its end.
fn example_plays_a_game(begin: impl FnOnce(String, String) -> Running) {
    let host = Host::start();
    let bot = post(host.addr, "/bots", &json!({ "name": "example" })).expect(201);
    let game = game_with(host.addr, &bot, 3);
    let url = format!("ws://{}/api/v1/bots/ws", host.addr);
    let _running = begin(url, bot["token"].as_str().unwrap().to_string());
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < Duration::from_secs(30), "the bot does not play");
        let shown = get(host.addr, &path).expect(200);
        if shown["status"] == "over" {
            assert_eq!(shown["reason"], "connection");
            return;
        }
        if shown["view"]["turn"] == "first" {
            let board = shown["view"]["board"].as_array().unwrap();
            let cell = (0..9).find(|at| board[at / 3].as_str().unwrap().as_bytes()[at % 3] == b'.').unwrap();
            let mv = format!("{}{}", ["a", "b", "c"][cell % 3], cell / 3 + 1);
            play(host.addr, &game, "first", shown["view"]["ply"].as_u64().unwrap() as usize, &mv).expect(200);
        } else {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots")
}

fn is_short(file: &str) {
    let text = std::fs::read_to_string(examples().join(file)).unwrap();
    assert!(text.lines().count() < 80, "{file} has {} lines", text.lines().count());
}

#[test]
fn the_python_example_plays() {
    is_short("bot.py");
    let works = Command::new("python3").arg("--version").output().is_ok_and(|run| run.status.success());
    if !works {
        eprintln!("skipped: python3 is not installed");
        assert!(std::env::var_os("CI").is_none(), "in CI a missing python3 is a failure");
        return;
    }
    example_plays_a_game(|url, token| {
        let mut command = Command::new("python3");
        command.arg(examples().join("bot.py")).arg(url).env("TENGEN_TOKEN", token);
        Running(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap())
    });
}

/// Starts the example `bot`, which cargo built beside the tests.
pub(crate) fn rust_example(url: &str, token: &str) -> Running {
    let tests = std::env::current_exe().unwrap();
    let program =
        tests.ancestors().nth(2).unwrap().join(format!("examples/bot{}", std::env::consts::EXE_SUFFIX));
    let changed = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    let (built, written) = (changed(&program), changed(&examples().join("bot.rs")));
    assert!(built > written, "out of date: cargo build --example bot; {}", program.display());
    let mut command = Command::new(program);
    command.arg(url).env("TENGEN_TOKEN", token).stdin(Stdio::null()).stdout(Stdio::null());
    Running(command.spawn().unwrap())
}

#[test]
fn the_rust_example_plays() {
    is_short("bot.rs");
    example_plays_a_game(|url, token| rust_example(&url, &token));
}

#[test]
fn bots_on_the_ladder_are_paired_rated_and_kept() {
    let host = Host::start();
    let ladder = || get(host.addr, "/ladder/hex").expect(200);
    put_on_ladder(host.addr, &json!("nonsense"), true).problem(401, "token.wrong");
    get(host.addr, "/ladder/chess").problem(422, "game.kind");
    let bots: Vec<Value> = ["one", "two", "idle"]
        .map(|name| post(host.addr, "/bots", &json!({ "name": name })).expect(201))
        .into();
    let url = format!("ws://{}/api/v1/bots/ws", host.addr);
    let _running: Vec<Running> =
        bots.iter().map(|bot| rust_example(&url, bot["token"].as_str().unwrap())).collect();
    put_on_ladder(host.addr, &bots[0]["token"], true).expect(200);
    put_on_ladder(host.addr, &bots[1]["token"], true).expect(200);
    let began = Instant::now();
    let seen = loop {
        let now = ladder();
        if now["archive"].as_array().unwrap().len() >= 3 {
            break now;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "the ladder does not play: {now}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let rows = seen["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "who has not joined is not on it: {seen}");
    assert!(rows.iter().all(|row| row["error"].as_f64().unwrap() > 0.0 && row["online"] == true));
    assert!(rows[0]["elo"].as_f64() >= rows[1]["elo"].as_f64());
    assert_eq!(seen["meetings"].as_array().unwrap().len(), 2);
    let firsts: Vec<&Value> =
        seen["archive"].as_array().unwrap().iter().map(|game| &game["players"]["first"]["bot"]).collect();
    assert!(firsts.contains(&&bots[0]["id"]) && firsts.contains(&&bots[1]["id"]), "both begin");
    put_on_ladder(host.addr, &bots[0]["token"], false).expect(200);
    let began = Instant::now();
    while !ladder()["live"].as_array().unwrap().is_empty() {
        assert!(began.elapsed() < Duration::from_secs(30), "it is still paired");
        std::thread::sleep(Duration::from_millis(50));
    }
    let left = ladder();
    let row = |bot: &Value| left["rows"].as_array().unwrap().iter().find(|row| row["bot"] == *bot).cloned();
    assert_eq!(row(&bots[0]["id"]).unwrap()["playing"], false, "its games stay in the list");
}

fn put_on_ladder(addr: SocketAddr, token: &Value, playing: bool) -> crate::client::Response {
    crate::client::as_(addr, token, "PUT", "/ladder/hex", &json!({ "playing": playing }))
}
