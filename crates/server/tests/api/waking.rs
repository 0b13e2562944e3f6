//! After a restart a game is in memory only while it has something to do.

use crate::client::{get, play, post, send, two_people};
use crate::host::{Host, on_each};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn loaded(host: &Host) -> u64 {
    let page = String::from_utf8(send(host.addr, "GET", "/metrics", &[], b"").body).unwrap();
    let line = page.lines().find(|line| line.starts_with("tengen_live_games ")).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

fn against_engine(host: &Host, engine: &str) -> Value {
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "engine", "engine": engine } });
    let body = json!({ "setup": { "game": "gomoku" }, "players": players, "visibility": "link" });
    post(host.addr, "/games", &body).expect(201)
}

#[test]
fn games_that_wait_for_somebody_are_not_loaded_at_the_start() {
    on_each(|host| {
        let clock = json!({ "clock": { "initial_ms": 600_000, "increment_ms": 0 }, "visibility": "link" });
        let waiting: Vec<Value> = (0..200).map(|_| against_engine(&host, "first")).collect();
        let clocked: Vec<Value> = (0..100)
            .map(|_| {
                let game = two_people(host.addr, &json!({ "game": "gomoku" }), &clock);
                play(host.addr, &game, "first", 0, "h8").expect(200);
                game
            })
            .collect();
        assert!(loaded(&host) >= 300, "all are in memory where they were made");
        let host = host.restart();
        let began = Instant::now();
        let mut most = 0;
        // A moment for all of them to have been looked at; none stays.
        while began.elapsed() < Duration::from_secs(2) || loaded(&host) > 0 {
            most = most.max(loaded(&host));
            assert!(began.elapsed() < Duration::from_secs(20), "{} games stay in memory", loaded(&host));
        }
        // At most all games with a clock and 64 of the others.
        assert!(most <= 100 + 64, "{most} games were in memory at once");
        let path = format!("/games/{}", clocked[0]["id"].as_str().unwrap());
        let left = get(host.addr, &path).expect(200)["clock"]["second_ms"].as_i64().unwrap();
        assert!((500_000..600_000).contains(&left), "the clock runs on: {left}");
        play(host.addr, &clocked[1], "second", 1, "i9").expect(200);
        play(host.addr, &waiting[0], "first", 0, "h8").expect(200);
        assert!(loaded(&host) <= 3);
    });
}

#[test]
fn a_flag_falls_and_an_engine_moves_in_games_nobody_looks_at() {
    on_each(|host| {
        let clock = json!({ "clock": { "initial_ms": 4_500, "increment_ms": 0 }, "visibility": "public" });
        let timed = two_people(host.addr, &json!({ "game": "gomoku" }), &clock);
        play(host.addr, &timed, "first", 0, "h8").expect(200);
        // The engine thinks for longer than this server lives, and begins again in the next.
        let thinking = against_engine(&host, "deep");
        play(host.addr, &thinking, "first", 0, "h8").expect(200);
        let host = host.restart();
        let began = Instant::now();
        let listed = || get(host.addr, "/games").expect(200)["games"][0].clone();
        while listed()["status"] != "over" {
            assert!(began.elapsed() < Duration::from_secs(20), "the flag does not fall: {}", listed());
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(listed()["reason"], "timeout");
        assert!(began.elapsed() > Duration::from_millis(1_500), "not before its time");
        let id = thinking["id"].as_str().unwrap();
        let ply = || get(host.addr, &format!("/games/{id}")).expect(200)["view"]["ply"].as_u64().unwrap();
        while ply() < 2 {
            assert!(began.elapsed() < Duration::from_secs(30), "the engine does not move");
            std::thread::sleep(Duration::from_millis(50));
        }
    });
}
