//! Analysis: reports, stopping, leaving, fairness, review.

use crate::client::{Socket, send};
use crate::host::Host;
use serde_json::{Value, json};
use server::Quota;
use std::time::{Duration, Instant};

fn start(id: &str, engine: &str, more: &Value) -> Value {
    let mut message = json!({ "type": "start", "id": id, "setup": { "game": "gomoku" }, "moves": ["h8"], "engine": engine });
    for (key, value) in more.as_object().into_iter().flatten() {
        message[key] = value.clone();
    }
    message
}

fn metric(host: &Host, name: &str) -> u64 {
    let page = String::from_utf8(send(host.addr, "GET", "/metrics", &[], b"").body).unwrap();
    let line = page.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_search_reports_and_stop_keeps_its_results() {
    let host = Host::start();
    let mut socket = Socket::open(host.addr, "/analysis");
    socket.say(&start("a", "deep", &json!({ "lines": 3, "time_ms": 60_000 })));
    let report = socket.hear_type("report");
    assert_eq!(report["id"], "a");
    assert!(report["report"]["lines"][0]["moves"][0].is_string());
    let asked = Instant::now();
    socket.say(&json!({ "type": "stop", "id": "a" }));
    let done = socket.hear_type("done");
    assert!(
        asked.elapsed() < Duration::from_secs(20),
        "it did not think for its 60 s: {:?}",
        asked.elapsed()
    );
    assert!(done["report"]["nodes"].as_u64().unwrap() >= 1);
    assert!(done["move"]["move"].is_string());
    // Root moves can be left out.
    socket.say(&start("b", "first", &json!({ "exclude": ["a15"] })));
    assert_ne!(socket.hear_type("done")["move"]["move"], "a15");
}

#[test]
fn a_ping_is_answered_while_a_search_runs() {
    let host = Host::start();
    let mut socket = Socket::open(host.addr, "/analysis");
    socket.say(&json!({ "type": "ping" }));
    socket.hear_type("pong");
    socket.say(&start("a", "deep", &json!({ "time_ms": 60_000 })));
    socket.hear_type("report");
    socket.say(&json!({ "type": "ping" }));
    socket.hear_type("pong");
}

#[test]
fn a_client_that_leaves_takes_its_searches_along() {
    let host = Host::start();
    let cancelled = |host: &Host| metric(host, "tengen_searches_cancelled_total");
    // The machine may be busy with other things, which only makes it slower: the quickest of some tries counts.
    let took = (0..5).map(|_| {
        let before = cancelled(&host);
        let mut socket = Socket::open(host.addr, "/analysis");
        for id in ["a", "b", "c"] {
            socket.say(&start(id, "deep", &json!({ "time_ms": 60_000 })));
        }
        socket.hear_type("report");
        let began = Instant::now();
        while metric(&host, "tengen_searches_running") < 2 {
            assert!(began.elapsed() < Duration::from_secs(5), "two of three run on two threads");
        }
        let left = Instant::now();
        drop(socket);
        while metric(&host, "tengen_searches_running") + metric(&host, "tengen_searches_waiting") > 0 {
            assert!(left.elapsed() < Duration::from_secs(5));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(cancelled(&host) >= before + 3);
        left.elapsed()
    });
    let quickest = took.min().unwrap();
    assert!(quickest < Duration::from_millis(50), "{quickest:?}");
}

#[test]
fn one_client_has_a_limit_and_is_told_its_place() {
    let host = Host::with_quota(Quota { searches: 4, ..Quota::loopback() });
    let mut socket = Socket::open(host.addr, "/analysis");
    for id in ["a", "b", "c", "d", "e"] {
        socket.say(&start(id, "deep", &json!({ "time_ms": 60_000 })));
    }
    let mut refused = None;
    let mut queued = None;
    while refused.is_none() || queued.is_none() {
        let message = socket.hear().unwrap();
        match message["type"].as_str().unwrap() {
            "error" => refused = Some(message),
            // The first two may be seen in line for a moment, too.
            "queued" if ["c", "d"].contains(&message["id"].as_str().unwrap()) => queued = Some(message),
            _ => {}
        }
    }
    let refused = refused.unwrap();
    assert_eq!((&refused["code"], &refused["id"]), (&json!("pool.full"), &json!("e")));
    assert!(queued.unwrap()["place"].is_u64());
}

#[test]
fn impossible_orders_are_refused_one_by_one() {
    let host = Host::start();
    let mut socket = Socket::open(host.addr, "/analysis");
    let over = json!({ "moves": ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"] });
    for (message, code) in [
        (json!({ "type": "start" }), "message.shape"),
        (json!({ "type": "dance" }), "message.shape"),
        (start("", "first", &json!({})), "analysis.id"),
        (start("a", "none", &json!({})), "engine.unknown"),
        (start("a", "first", &json!({ "moves": ["h8", "h8"] })), "move.occupied"),
        (start("a", "first", &json!({ "only": ["?"] })), "move.syntax"),
        (start("a", "first", &over), "game.over"),
        (json!({ "type": "review", "id": "r", "setup": { "game": "go" }, "moves": [] }), "game.kind"),
    ] {
        socket.say(&message);
        let answer = socket.hear().unwrap();
        assert_eq!((&answer["type"], &answer["code"]), (&json!("error"), &json!(code)), "{message} {answer}");
    }
    socket.say(&start("p", "broken", &json!({})));
    let failed = socket.hear().unwrap();
    assert_eq!((&failed["type"], &failed["code"]), (&json!("failed"), &json!("engine.failed")));
    socket.say(&start("z", "first", &json!({})));
    socket.hear_type("done");
}

#[test]
fn a_review_looks_at_every_position() {
    let host = Host::start();
    let mut socket = Socket::open(host.addr, "/analysis");
    let moves = json!(["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"]);
    socket.say(&json!({ "type": "review", "id": "r", "setup": { "game": "gomoku" }, "moves": moves, "engine": "first" }));
    for ply in 0..=9 {
        let review = socket.hear_type("review");
        assert_eq!((&review["ply"], &review["total"]), (&json!(ply), &json!(10)));
    }
    let done = socket.hear_type("review-done");
    assert_eq!(done["complete"], true);
    let verdicts = done["moves"].as_array().unwrap();
    assert_eq!(verdicts.len(), 9);
    // The test engine thinks everything even; white's last move lets black win at once.
    assert_eq!(verdicts[8]["black_rate"], 1.0);
    assert_eq!(verdicts[8]["loss"], 0.0);
}
