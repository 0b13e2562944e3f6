//! Searches written down: the engine's own numbers come over the wire, limits hold, hanging up stops the work.

use crate::client::{get, post, send};
use crate::host::Host;
use game::{Game, Setup, Watch};
use search::theatre::{Algorithm, RecordOptions};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The check position published for `classic-ac` (docs/classic-gomoku.md).
fn level_16() -> Value {
    let black = [(4, 7), (6, 5), (6, 8), (6, 11), (7, 7), (7, 10)];
    let white = [(4, 6), (4, 9), (5, 6), (6, 4), (6, 10), (7, 8)];
    let stone =
        |side: &'static str| move |(row, col): (i32, i32)| json!({ "side": side, "row": row, "col": col });
    let stones: Vec<Value> =
        black.into_iter().map(stone("black")).chain(white.into_iter().map(stone("white"))).collect();
    json!({ "game": "gomoku", "rows": 15, "cols": 15, "stones": stones, "to_move": "black" })
}

#[test]
fn the_published_comparison_is_one_request_each() {
    let host = Host::start();
    let body = json!({ "algorithm": "alphabeta", "setup": level_16(), "engine": "classic-ac", "depth": 5 });
    let record = post(host.addr, "/explain", &body).expect(200);
    assert_eq!((&record["format"], &record["version"]), (&json!("tengen-record"), &json!(1)));
    assert_eq!(record["result"]["nodes"], 3941);
    assert_eq!((&record["result"]["value"], &record["result"]["best"]), (&json!(3720), &json!(6 * 15 + 7)));
    assert_eq!(record["parent"].as_array().map(Vec::len), Some(3942));
    let body = json!({ "algorithm": "alphabeta", "setup": level_16(), "engine": "classic-ac", "depth": 4,
        "width": 0, "ordering": false, "keep": 0 });
    let record = post(host.addr, "/explain", &body).expect(200);
    assert_eq!((&record["result"]["nodes"], &record["result"]["value"]), (&json!(265_187), &json!(-560)));
}

#[test]
fn a_record_over_the_wire_is_the_one_made_here() {
    let host = Host::start();
    let body = json!({ "algorithm": "uct", "setup": { "game": "hex", "rows": 4 }, "moves": ["b2"],
        "playouts": 120, "c": 0.7, "seed": 4 });
    let theirs = post(host.addr, "/explain", &body).expect(200);
    let position = hex::HEX.parse("b2", &Setup::empty(4, 4)).unwrap();
    let wanted =
        RecordOptions { playouts: 120, exploration: 0.7, seed: 4, ..RecordOptions::new(Algorithm::Uct) };
    let ours = hex::HEX.explain(&*position, "", &wanted, &Watch::default()).unwrap();
    let ours: Value = serde_json::from_str(&serde_json::to_string(&ours).unwrap()).unwrap();
    for column in ["node", "exploration", "visits", "wins", "playout", "results", "parent", "move"] {
        assert_eq!(theirs[column], ours[column], "{column}");
    }
    assert_eq!(theirs["results"].as_array().map(Vec::len), Some(120));
}

#[test]
fn tic_tac_toe_paths_and_evaluations() {
    let host = Host::start();
    let body = json!({ "algorithm": "minimax", "tictactoe": "XO..X...O", "depth": 9 });
    let record = post(host.addr, "/explain", &body).expect(200);
    assert_eq!((&record["result"]["value"], &record["game"]), (&json!(1), &json!("tictactoe")));
    let map = "S999999G\n........\n";
    let path = |heuristic: &str| {
        let body = json!({ "algorithm": "astar", "map": map, "neighbours": "4", "heuristic": heuristic });
        post(host.addr, "/explain/path", &body).expect(200)["result"].clone()
    };
    assert_eq!(path("manhattan")["cost"], path("manhattan")["optimal"]);
    let broken = path("squared");
    assert!(broken["cost"].as_f64() > broken["optimal"].as_f64(), "{broken}");
    let body = json!({ "setup": level_16(), "engine": "classic-ac" });
    let seen = post(host.addr, "/xray", &body).expect(200);
    let sum: f64 = seen["lines"].as_array().unwrap().iter().map(|line| line["score"].as_f64().unwrap()).sum();
    assert_eq!(Some(sum), seen["score"].as_f64());
}

#[test]
fn what_cannot_be_watched_is_named() {
    let host = Host::start();
    let setup = json!({ "game": "gomoku" });
    for (body, code) in [
        (json!({ "algorithm": "magic", "setup": setup }), "explain.algorithm"),
        (json!({ "algorithm": "uct" }), "explain.position"),
        (json!({ "algorithm": "uct", "setup": setup, "c": -1 }), "explain.c"),
        (json!({ "algorithm": "minimax", "tictactoe": "XX......." }), "setup.refused"),
        (json!({ "algorithm": "minimax", "setup": setup, "engine": "tengen" }), "engine.unsupported"),
        (json!({ "algorithm": "minimax", "setup": setup, "unknown": 1 }), "body.shape"),
    ] {
        post(host.addr, "/explain", &body).problem(422, code);
    }
    for (body, code) in [
        (json!({ "algorithm": "astar", "map": "S?G" }), "map.unreadable"),
        (json!({ "algorithm": "magic", "map": "S.G" }), "maze.algorithm"),
        (json!({ "algorithm": "astar", "map": "S.G", "heuristic": "luck" }), "explain.heuristic"),
        (json!({ "algorithm": "astar", "map": "S.G", "weight": -1 }), "explain.weight"),
        (json!({ "algorithm": "jps+", "map": "S.G", "neighbours": "4" }), "maze.query"),
    ] {
        post(host.addr, "/explain/path", &body).problem(422, code);
    }
    post(host.addr, "/xray", &json!({ "setup": setup, "engine": "nobody" })).problem(422, "xray.none");
    let paths = get(host.addr, "/openapi.json").expect(200)["paths"].clone();
    assert!(
        paths["/explain"].is_object() && paths["/explain/path"].is_object() && paths["/xray"].is_object()
    );
}

#[test]
fn hanging_up_stops_the_search() {
    let host = Host::start();
    let body = json!({ "algorithm": "minimax", "setup": { "game": "gomoku" }, "moves": ["h8"], "depth": 12,
        "nodes": 5_000_000, "width": 0, "keep": 0 })
    .to_string();
    let mut stream = TcpStream::connect(host.addr).unwrap();
    let head = format!(
        "POST /api/v1/explain HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        host.addr,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let running = || {
        let list = get(host.addr, "/games").expect(200);
        list["running"]["searches"].as_u64().unwrap_or(0) + list["running"]["waiting"].as_u64().unwrap_or(0)
    };
    let wait = |busy: bool| {
        let began = Instant::now();
        while (running() > 0) != busy {
            assert!(began.elapsed() < Duration::from_secs(20), "waited for {busy}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait(true);
    drop(stream);
    wait(false);
}

#[test]
fn the_students_worker_has_a_policy_of_its_own() {
    let host = Host::start();
    let policy = |path: &str| {
        let head = send(host.addr, "GET", path, &[], b"").head.to_lowercase();
        let line = head.lines().find(|line| line.starts_with("content-security-policy")).map(str::to_string);
        line.unwrap_or_default()
    };
    // Nothing may be connected to: only scripts, from text and from what the page hands over.
    let student = policy("/student.js");
    assert!(
        student.ends_with("default-src 'none'; script-src 'unsafe-eval' 'wasm-unsafe-eval' blob:"),
        "{student}"
    );
    assert!(!policy("/").contains("'unsafe-eval'"));
}
