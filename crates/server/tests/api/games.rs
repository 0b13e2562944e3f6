//! Games between people: moves, repetition, clocks, offers, and that all of it is there after a restart.

use crate::client::{Socket, as_, get, play, post, send, two_people};
use crate::host::{Host, on_each};
use serde_json::{Value, json};
use std::time::Duration;

fn gomoku() -> Value {
    json!({ "game": "gomoku" })
}

#[test]
fn the_catalog_names_games_and_engines() {
    let host = Host::start();
    let catalog = get(host.addr, "/catalog").expect(200);
    let names: Vec<_> =
        catalog["games"].as_array().unwrap().iter().map(|g| g["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["gomoku", "hex"]);
    assert!(catalog["games"][0]["sizes"].as_array().unwrap().contains(&json!(15)));
    assert_eq!(catalog["games"][0]["engines"][0]["name"], "first");
    assert_eq!(catalog["levels"], json!([1, 2, 3, 4, 5, 6, 7, 8, 9]));
}

#[test]
fn a_view_names_the_first_bad_move() {
    let host = Host::start();
    let ask = |moves: Value| post(host.addr, "/view", &json!({ "setup": gomoku(), "moves": moves }));
    let view = ask(json!(["h8", "i9"])).expect(200);
    assert_eq!(view["ply"], 2);
    assert_eq!(view["board"][7].as_str().unwrap().chars().nth(7), Some('X'));
    assert_eq!(view["last"]["move"], "i9");
    let problem = ask(json!(["h8", "i9", "h8"])).problem(422, "move.occupied");
    assert_eq!((&problem["params"]["ply"], &problem["params"]["move"]), (&json!(2), &json!("h8")));
    ask(json!(["zz99"])).expect(422);
    post(host.addr, "/view", &json!({ "setup": { "game": "chess" } })).problem(422, "game.kind");
    post(host.addr, "/view", &json!({ "setup": { "game": "hex", "rows": 200 } }))
        .problem(422, "setup.refused");
}

#[test]
fn moves_are_numbered_and_applied_once() {
    on_each(|host| {
        let game = two_people(host.addr, &gomoku(), &json!({}));
        assert_eq!(play(host.addr, &game, "first", 0, "h8").expect(200)["applied"], true);
        let again = play(host.addr, &game, "first", 0, "H8").expect(200);
        assert_eq!((&again["applied"], &again["view"]["ply"]), (&json!(false), &json!(1)));
        play(host.addr, &game, "first", 0, "a1").problem(409, "move.late");
        play(host.addr, &game, "first", 1, "a1").problem(409, "turn.other");
        play(host.addr, &game, "second", 2, "a1").problem(409, "move.early");
        play(host.addr, &game, "second", 1, "h8").problem(422, "move.occupied");
        play(host.addr, &game, "second", 1, "nonsense").problem(422, "move.syntax");
        play(host.addr, &game, "second", 1, "i9").expect(200);
        // After a restart the same repeated order still finds its move.
        let host = host.restart();
        let again = play(host.addr, &game, "second", 1, "i9").expect(200);
        assert_eq!((&again["applied"], &again["view"]["ply"]), (&json!(false), &json!(2)));
        play(host.addr, &game, "first", 2, "g7").expect(200);
    });
}

#[test]
fn a_game_is_won_and_stays_won() {
    on_each(|host| {
        let game = two_people(host.addr, &gomoku(), &json!({ "visibility": "public" }));
        let moves = ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"];
        for (ply, mv) in moves.iter().enumerate() {
            let seat = if ply % 2 == 0 { "first" } else { "second" };
            play(host.addr, &game, seat, ply, mv).expect(200);
        }
        let id = game["id"].as_str().unwrap();
        let check = |addr| {
            let shown = get(addr, &format!("/games/{id}")).expect(200);
            assert_eq!(shown["status"], "over");
            assert_eq!((&shown["result"], &shown["reason"]), (&json!("first"), &json!("five")));
            assert_eq!(shown["view"]["outcome"]["cells"].as_array().unwrap().len(), 5);
            play(addr, &game, "first", 8, "e1").expect(200);
            play(addr, &game, "second", 9, "j9").problem(409, "game.over");
            let list = get(addr, "/games").expect(200);
            assert_eq!(list["games"][0]["id"], id);
            assert_eq!(list["games"][0]["status"], "over");
        };
        check(host.addr);
        let host = host.restart();
        check(host.addr);
    });
}

#[test]
fn private_games_are_seen_by_their_players_only() {
    let host = Host::start();
    let game = two_people(host.addr, &gomoku(), &json!({}));
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    get(host.addr, &path).problem(404, "game.unknown");
    as_(host.addr, &game["seats"]["second"], "GET", &path, &Value::Null).expect(200);
    as_(host.addr, &game["owner"], "GET", &path, &Value::Null).expect(200);
    as_(host.addr, &json!("0".repeat(32)), "GET", &path, &Value::Null).problem(404, "game.unknown");
    assert_eq!(get(host.addr, "/games").expect(200)["games"], json!([]));
    let moves = format!("{path}/moves");
    post(host.addr, &moves, &json!({ "ply": 0, "move": "h8" })).problem(401, "secret.missing");
    as_(host.addr, &game["owner"], "POST", &moves, &json!({ "ply": 0, "move": "h8" }))
        .problem(403, "secret.wrong");
}

#[test]
fn players_and_spectators_hear_every_move() {
    let host = Host::start();
    let game = two_people(host.addr, &json!({ "game": "hex", "rows": 5 }), &json!({ "visibility": "link" }));
    let path = format!("/games/{}/ws", game["id"].as_str().unwrap());
    let secret = |seat: &str| game["seats"][seat].as_str().unwrap().to_string();
    let mut first = Socket::open(host.addr, &format!("{path}?secret={}", secret("first")));
    let mut watcher = Socket::open(host.addr, &path);
    assert_eq!(first.hear_type("state")["you"], "first");
    assert_eq!(watcher.hear_type("state")["you"], "spectator");
    first.say(&json!({ "type": "move", "ply": 0, "move": "c3" }));
    assert_eq!(first.hear_type("ack")["applied"], true);
    for socket in [&mut first, &mut watcher] {
        let news = socket.hear_type("move");
        assert_eq!(
            (&news["ply"], &news["move"]["move"], &news["view"]["ply"]),
            (&json!(0), &json!("c3"), &json!(1))
        );
    }
    // One socket may speak for both seats if it knows both secrets.
    first.say(&json!({ "type": "move", "ply": 1, "move": "c4", "secret": secret("second") }));
    assert_eq!(first.hear_type("ack")["ply"], 1);
    watcher.say(&json!({ "type": "move", "ply": 2, "move": "a1" }));
    watcher.hear_type("move");
    assert_eq!(watcher.hear_type("error")["code"], "secret.missing");
    first.say_text("{ not json");
    first.hear_type("move");
    assert_eq!(first.hear_type("error")["code"], "message.syntax");
    first.say(&json!({ "type": "action", "action": "resign" }));
    let end = watcher.hear_type("end");
    assert_eq!((&end["result"], &end["reason"]), (&json!("second"), &json!("resign")));
}

#[test]
fn clocks_run_persist_and_fall() {
    on_each(|host| {
        let clock = json!({ "clock": { "initial_ms": 1500, "increment_ms": 100 }, "visibility": "link" });
        let game = two_people(host.addr, &gomoku(), &clock);
        assert!(game["game"]["clock"]["running"].is_null(), "the first move is free");
        let after = play(host.addr, &game, "first", 0, "h8").expect(200);
        assert_eq!(after["clock"]["running"], "second");
        std::thread::sleep(Duration::from_millis(300));
        let after = play(host.addr, &game, "second", 1, "i9").expect(200);
        let left = after["clock"]["second_ms"].as_i64().unwrap();
        assert!((600..=1310).contains(&left), "{left}");
        // While the server is away no clock runs (but for the half second between two heartbeats).
        let host = host.restart();
        let shown = get(host.addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200);
        assert_eq!(shown["clock"]["running"], "first");
        assert_eq!(shown["clock"]["second_ms"].as_i64().unwrap(), left);
        let mut watcher = Socket::open(host.addr, &format!("/games/{}/ws", game["id"].as_str().unwrap()));
        let end = watcher.hear_type("end");
        assert_eq!((&end["result"], &end["reason"]), (&json!("second"), &json!("timeout")));
        play(host.addr, &game, "first", 2, "a1").problem(409, "game.over");
    });
}

#[test]
fn a_clock_is_not_charged_for_any_time_the_server_was_away() {
    on_each(|host| {
        let clock = json!({ "clock": { "initial_ms": 60_000, "increment_ms": 0 }, "visibility": "link" });
        let game = two_people(host.addr, &gomoku(), &clock);
        let control = json!({ "initial_ms": 60_000, "increment_ms": 0 });
        assert_eq!(game["game"]["time_control"], control, "a rematch can have the same clock");
        play(host.addr, &game, "first", 0, "h8").expect(200);
        let began = std::time::Instant::now();
        let away = Duration::from_secs(2);
        // No event in between: the second start must not count from the event before the first.
        let mut host = host;
        for _ in 0..2 {
            std::thread::sleep(Duration::from_millis(700));
            host = host.restart_after(away);
        }
        let shown = get(host.addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200);
        assert_eq!(
            (&shown["clock"]["running"], &shown["clock"]["first_ms"]),
            (&json!("second"), &json!(60_000))
        );
        let charged = 60_000 - shown["clock"]["second_ms"].as_i64().unwrap();
        let there = (began.elapsed() - 2 * away).as_millis() as i64;
        assert!(charged <= there, "{charged} of {there} ms");
        assert!(charged >= 100, "the time it was there counts: {charged}");
    });
}

#[test]
fn offers_are_made_answered_and_remembered() {
    on_each(|host| {
        let game = two_people(host.addr, &gomoku(), &json!({}));
        let path = format!("/games/{}/actions", game["id"].as_str().unwrap());
        let act = |addr, seat: &str, action: &str| {
            as_(addr, &game["seats"][seat], "POST", &path, &json!({ "action": action }))
        };
        act(host.addr, "first", "undo").problem(409, "undo.nothing");
        play(host.addr, &game, "first", 0, "h8").expect(200);
        play(host.addr, &game, "second", 1, "i9").expect(200);
        assert_eq!(act(host.addr, "first", "undo").expect(200)["outcome"], "offered");
        let host = host.restart();
        act(host.addr, "first", "accept-undo").problem(409, "offer.none");
        act(host.addr, "second", "accept-undo").expect(200);
        // A late copy of the move that was taken back is refused if it says what it knew.
        let moves = format!("/games/{}/moves", game["id"].as_str().unwrap());
        let late = json!({ "ply": 0, "move": "h8", "takebacks": 0 });
        as_(host.addr, &game["seats"]["first"], "POST", &moves, &late).problem(409, "move.stale");
        play(host.addr, &game, "first", 0, "g7").expect(200);
        act(host.addr, "second", "offer-draw").expect(200);
        act(host.addr, "first", "decline-draw").expect(200);
        act(host.addr, "first", "accept-draw").problem(409, "offer.none");
        act(host.addr, "second", "offer-draw").expect(200);
        act(host.addr, "first", "accept-draw").expect(200);
        let shown = as_(
            host.addr,
            &game["owner"],
            "GET",
            &format!("/games/{}", game["id"].as_str().unwrap()),
            &json!({}),
        );
        let shown = shown.expect(200);
        assert_eq!((&shown["result"], &shown["reason"]), (&json!("draw"), &json!("agreement")));
        act(host.addr, "first", "resign").problem(409, "game.over");
    });
}

#[test]
fn comments_stay_with_the_game() {
    on_each(|host| {
        let game = two_people(host.addr, &gomoku(), &json!({ "visibility": "link" }));
        play(host.addr, &game, "first", 0, "h8").expect(200);
        let id = game["id"].as_str().unwrap();
        let say = |text: &str| {
            let body = json!({ "action": "comment", "text": text });
            as_(host.addr, &game["seats"]["first"], "POST", &format!("/games/{id}/actions"), &body)
        };
        say("天元").expect(200);
        say(" ").problem(422, "comment.refused");
        say(&"x".repeat(2000)).problem(422, "comment.refused");
        let host = host.restart();
        let shown = get(host.addr, &format!("/games/{id}")).expect(200);
        assert_eq!(shown["comments"], json!([{ "ply": 1, "seat": "first", "text": "天元" }]));
        let record = get(host.addr, &format!("/games/{id}/record"));
        assert_eq!(record.status, 200);
        let sgf = String::from_utf8(record.body).unwrap();
        assert!(sgf.starts_with("(;") && sgf.contains("天元"), "{sgf}");
    });
}

#[test]
fn swap_changes_colours_not_seats() {
    let host = Host::start();
    let setup = json!({ "game": "hex", "rows": 5, "opening": "swap-sides" });
    let game = two_people(host.addr, &setup, &json!({}));
    play(host.addr, &game, "first", 0, "c3").expect(200);
    let after = play(host.addr, &game, "second", 1, "swap").expect(200);
    assert_eq!(after["view"]["colours"], json!({ "first": "white", "second": "black" }));
    assert_eq!(after["view"]["turn"], "first");
}

#[test]
fn studies_are_kept_and_never_go_backwards() {
    on_each(|host| {
        let made = post(host.addr, "/studies", &json!({ "version": 1, "body": { "tree": [] } })).expect(201);
        let path = format!("/studies/{}", made["id"].as_str().unwrap());
        let save = |addr, version: i64, text: &str| {
            as_(addr, &made["secret"], "PUT", &path, &json!({ "version": version, "body": { "t": text } }))
        };
        save(host.addr, 3, "three").expect(200);
        save(host.addr, 3, "three").expect(200);
        save(host.addr, 2, "two").problem(409, "study.newer");
        let wrong = json!({ "version": 9, "body": {} });
        as_(host.addr, &json!("no"), "PUT", &path, &wrong).problem(404, "study.unknown");
        let host = host.restart();
        assert_eq!(get(host.addr, &path).expect(200), json!({ "version": 3, "body": { "t": "three" } }));
        get(host.addr, "/studies/none").problem(404, "study.unknown");
        let large = json!({ "version": 4, "body": "x".repeat(600_000) });
        as_(host.addr, &made["secret"], "PUT", &path, &large).problem(422, "study.too-large");
    });
}

/// Whoever knows a link may read the study; the secret of another study changes nothing, however new the version.
#[test]
fn a_study_is_changed_by_its_own_secret_only() {
    on_each(|host| {
        let make = |text: &str| {
            post(host.addr, "/studies", &json!({ "version": 5, "body": { "t": text } })).expect(201)
        };
        let (theirs, mine) = (make("theirs"), make("mine"));
        let path = format!("/studies/{}", theirs["id"].as_str().unwrap());
        let change = json!({ "version": 99, "body": { "t": "overwritten" } });
        as_(host.addr, &mine["secret"], "PUT", &path, &change).problem(404, "study.unknown");
        let headers = [("Content-Type", "application/json")];
        let text = change.to_string();
        send(host.addr, "PUT", &format!("/api/v1{path}"), &headers, text.as_bytes())
            .problem(401, "secret.missing");
        let shown = get(host.addr, &path).expect(200);
        assert_eq!(shown, json!({ "version": 5, "body": { "t": "theirs" } }), "and the link gives no secret");
        as_(host.addr, &theirs["secret"], "PUT", &path, &change).expect(200);
    });
}
