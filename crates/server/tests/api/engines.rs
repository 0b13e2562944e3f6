//! Engines in live games: they answer, go on after a restart, fail without harm, and let a person take back.

use crate::client::{Socket, as_, get, play, post};
use crate::host::{Host, on_each};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn against(addr: std::net::SocketAddr, engine: &Value) -> Value {
    let players = json!({ "first": { "kind": "human", "name": "Ada" }, "second": engine });
    let body = json!({ "setup": { "game": "gomoku" }, "players": players, "visibility": "link" });
    post(addr, "/games", &body).expect(201)
}

fn wait_for(addr: std::net::SocketAddr, game: &Value, what: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let shown = get(addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200);
        if what(&shown) {
            return shown;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{shown}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_engine_answers_and_a_person_takes_back() {
    let host = Host::start();
    let game = against(host.addr, &json!({ "kind": "engine", "level": "easy" }));
    assert_eq!(game["game"]["players"]["second"]["engine"], "first", "the recommended one is filled in");
    assert!(game["seats"]["second"].is_null());
    play(host.addr, &game, "first", 0, "h8").expect(200);
    wait_for(host.addr, &game, |shown| shown["view"]["ply"] == 2);
    let actions = format!("/games/{}/actions", game["id"].as_str().unwrap());
    let act = |action: &str| {
        as_(host.addr, &game["seats"]["first"], "POST", &actions, &json!({ "action": action }))
    };
    assert_eq!(act("undo").expect(200)["outcome"], "done");
    let shown = wait_for(host.addr, &game, |shown| shown["view"]["ply"] == 0);
    assert_eq!(shown["takebacks"], 1);
    play(host.addr, &game, "first", 0, "g7").expect(200);
    wait_for(host.addr, &game, |shown| shown["view"]["ply"] == 2);
    assert_eq!(act("offer-draw").expect(200)["outcome"], "declined");
    let hint = as_(
        host.addr,
        &game["seats"]["first"],
        "POST",
        &format!("/games/{}/hint", game["id"].as_str().unwrap()),
        &Value::Null,
    );
    assert!(hint.expect(200)["move"].is_string());
    act("resign").expect(200);
}

#[test]
fn a_thinking_engine_is_followed_and_goes_on_after_a_restart() {
    on_each(|host| {
        let game = against(host.addr, &json!({ "kind": "engine", "engine": "deep", "time_ms": 1500 }));
        play(host.addr, &game, "first", 0, "h8").expect(200);
        let path = format!("/games/{}/ws", game["id"].as_str().unwrap());
        let mut watcher = Socket::open(host.addr, &path);
        assert_eq!(watcher.hear_type("thinking")["seat"], "second");
        let host = host.restart();
        let mut watcher = Socket::open(host.addr, &path);
        watcher.hear_type("thinking");
        assert_eq!(watcher.hear_type("move")["ply"], 1);
    });
}

#[test]
fn engines_play_each_other_to_the_end_and_the_owner_can_stop_them() {
    let host = Host::start();
    let engine = json!({ "kind": "engine", "engine": "first" });
    let body = |pace: u64| {
        json!({
            "setup": { "game": "hex", "rows": 3 }, "players": { "first": engine, "second": engine },
            "visibility": "public", "pace_ms": pace,
        })
    };
    let game = post(host.addr, "/games", &body(5)).expect(201);
    let over = wait_for(host.addr, &game, |shown| shown["status"] == "over");
    assert_eq!(over["reason"], "connection");
    let slow = post(host.addr, "/games", &body(5000)).expect(201);
    let path = format!("/games/{}/actions", slow["id"].as_str().unwrap());
    as_(host.addr, &slow["owner"], "POST", &path, &json!({ "action": "abort" })).expect(200);
    let over = wait_for(host.addr, &slow, |shown| shown["status"] == "over");
    assert_eq!((&over["result"], &over["reason"]), (&json!("none"), &json!("aborted")));
}

#[test]
fn a_broken_engine_loses_and_the_server_goes_on() {
    let host = Host::start();
    let game = against(host.addr, &json!({ "kind": "engine", "engine": "broken" }));
    play(host.addr, &game, "first", 0, "h8").expect(200);
    let over = wait_for(host.addr, &game, |shown| shown["status"] == "over");
    assert_eq!((&over["result"], &over["reason"]), (&json!("first"), &json!("engine-failed")));
    let again = against(host.addr, &json!({ "kind": "engine" }));
    play(host.addr, &again, "first", 0, "h8").expect(200);
    wait_for(host.addr, &again, |shown| shown["view"]["ply"] == 2);
}

#[test]
fn impossible_players_are_refused() {
    let host = Host::start();
    let ask = |player: Value| {
        let players = json!({ "first": { "kind": "human" }, "second": player });
        post(host.addr, "/games", &json!({ "setup": { "game": "gomoku" }, "players": players }))
    };
    ask(json!({ "kind": "engine", "engine": "none" })).problem(422, "engine.unknown");
    ask(json!({ "kind": "engine", "engine": "cmd:/bin/sh" })).problem(422, "engine.unknown");
    ask(json!({ "kind": "engine", "options": { "width": "1" } })).problem(422, "engine.option");
    ask(json!({ "kind": "engine", "time_ms": 0 })).problem(422, "engine.time");
    ask(json!({ "kind": "human", "name": "a\u{7}b" })).problem(422, "name.refused");
    ask(json!({ "kind": "bot", "bot": "nobody" })).problem(422, "bot.unknown");
    ask(json!({ "kind": "ghost" })).problem(422, "body.shape");
}

/// The operator's engine, which says who it is in a file and then neither answers nor leaves when its input closes.
fn stubborn(folder: &std::path::Path) -> std::path::PathBuf {
    let script = folder.join("stubborn.sh");
    let note = folder.join("pid");
    std::fs::write(
        &script,
        format!("trap '' HUP TERM PIPE\necho $$ > '{}'\nwhile :; do sleep 1; done\n", note.display()),
    )
    .unwrap();
    let file = folder.join("engines.toml");
    let entry = "[[engine]]\nname = \"stubborn\"\ngame = \"hex\"\nprotocol = \"line\"\ncommand = \"sh\"\n";
    std::fs::write(&file, format!("{entry}args = [\"{}\"]\n", script.display())).unwrap();
    file
}

fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[test]
fn the_operators_engines_end_with_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::with_engines(&stubborn(folder.path()));
    let engine = json!({ "kind": "engine", "engine": "stubborn", "time_ms": 60_000 });
    let players = json!({ "first": engine, "second": { "kind": "human" } });
    post(host.addr, "/games", &json!({ "setup": { "game": "hex" }, "players": players })).expect(201);
    let began = Instant::now();
    let pid = loop {
        let note = std::fs::read_to_string(folder.path().join("pid")).unwrap_or_default();
        if note.ends_with('\n') {
            break note.trim().to_string();
        }
        assert!(began.elapsed() < Duration::from_secs(20), "the engine does not start");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(is_alive(&pid));
    drop(host);
    assert!(!is_alive(&pid), "process {pid} outlives the server");
}

#[test]
fn engines_of_a_killed_server_are_swept_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = crate::host::Data::fresh();
    let file = stubborn(folder.path());
    let orphan = |run: String| {
        let mut command = std::process::Command::new("sleep");
        command.arg("600").env("TENGEN_ARENA_RUN", run).spawn().unwrap()
    };
    let (place, _) = data.place();
    let mut ours = orphan(format!("server {}", place.display()));
    let mut other = orphan("server /somewhere/else".into());
    let host = Host::on_with(data, |config| config.engines = Some(file));
    let began = Instant::now();
    while is_alive(&ours.id().to_string()) {
        assert!(began.elapsed() < Duration::from_secs(20), "the orphan is left");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(is_alive(&other.id().to_string()), "another server's engine is none of ours");
    drop(host);
    for child in [&mut ours, &mut other] {
        let _ = child.kill();
        child.wait().unwrap();
    }
}

/// From a person's first move to the end of the server and on: the real engines, no stand-ins.
#[test]
fn real_engines_play_analyse_and_prove() {
    let host = Host::with_real_engines();
    for (game, moves) in [("gomoku", ["h8", "i10", "g6"]), ("hex", ["f6", "c3", "i9"])] {
        let engine = json!({ "kind": "engine", "level": "easy", "time_ms": 200 });
        let players = json!({ "first": { "kind": "human" }, "second": engine });
        let setup = json!({ "game": game, "rule": "", "opening": if game == "hex" { "none" } else { "" } });
        let body = json!({ "setup": setup, "players": players, "visibility": "link" });
        let made = post(host.addr, "/games", &body).expect(201);
        let mut ply = 0;
        for mv in moves {
            if play(host.addr, &made, "first", ply, mv).status != 200 {
                continue;
            }
            ply += 2;
            let shown = wait_for(host.addr, &made, |shown| shown["view"]["ply"] == ply);
            assert_eq!(shown["status"], "live", "{shown}");
        }
        assert!(ply >= 4, "most of these points stay free");
        let mut socket = Socket::open(host.addr, "/analysis");
        socket
            .say(&json!({ "type": "start", "id": "a", "setup": setup, "moves": [moves[0]], "time_ms": 300 }));
        let done = socket.hear_type("done");
        assert!(done["report"]["lines"][0]["moves"].is_array(), "{done}");
        let question = if game == "hex" { "winner" } else { "vcf" };
        let ask = json!({ "setup": { "game": game, "rows": if game == "hex" { 4 } else { 15 } }, "question": question });
        let proof = post(host.addr, "/solve", &ask).expect(200);
        assert_eq!(proof["result"], if game == "hex" { "win" } else { "none" }, "{proof}");
    }
}

fn rows_of_answers(addr: std::net::SocketAddr, game: &Value, answers: usize) -> Vec<u64> {
    for (at, mv) in ["h8", "k4", "d5"].into_iter().take(answers).enumerate() {
        play(addr, game, "first", 2 * at, mv).expect(200);
        wait_for(addr, game, |shown| shown["view"]["ply"] == 2 * (at + 1));
    }
    let shown = get(addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200);
    let moves = shown["view"]["moves"].as_array().unwrap().clone();
    moves.iter().skip(1).step_by(2).map(|mv| mv["row"].as_u64().unwrap()).collect()
}

fn metric(addr: std::net::SocketAddr, name: &str) -> u64 {
    let page = crate::client::send(addr, "GET", "/metrics", &[], b"");
    let page = String::from_utf8(page.body).unwrap();
    let line = page.lines().find(|line| line.starts_with(&format!("{name} "))).expect("the figure");
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

fn kept(addr: std::net::SocketAddr) -> u64 {
    metric(addr, "tengen_engines_kept")
}

#[test]
fn an_engine_ponders_while_nobody_asks_and_only_at_full_strength() {
    let host = Host::start();
    let wait = |pondering: u64| {
        let began = Instant::now();
        while metric(host.addr, "tengen_engines_pondering") != pondering {
            assert!(began.elapsed() < Duration::from_secs(20), "waited for {pondering} to ponder");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let begin = |level: &str| {
        let engine = json!({ "kind": "engine", "engine": "deep", "time_ms": 50, "level": level });
        let game = against(host.addr, &engine);
        let watcher = Socket::open(host.addr, &format!("/games/{}/ws", game["id"].as_str().unwrap()));
        play(host.addr, &game, "first", 0, "h8").expect(200);
        wait_for(host.addr, &game, |shown| shown["view"]["ply"] == 2);
        (game, watcher)
    };
    let (_weak, _watcher) = begin("hard");
    wait(0);
    let (game, _watcher) = begin("max");
    wait(1);
    // Whatever anybody asks for ends it.
    let mut analysis = Socket::open(host.addr, "/analysis");
    let setup = json!({ "game": "gomoku" });
    analysis.say(&json!({ "type": "start", "id": "a", "setup": setup, "moves": [], "engine": "first" }));
    analysis.hear_type("done");
    wait(0);
    // After the opponent's move the same engine goes on, and ponders again.
    play(host.addr, &game, "first", 2, "h9").expect(200);
    wait_for(host.addr, &game, |shown| shown["view"]["ply"] == 4);
    wait(1);
    assert_eq!(metric(host.addr, "tengen_searches_running"), 0, "it does not count as a search");
}

#[test]
fn a_game_keeps_its_engine_until_it_is_over_and_few_are_kept_in_all() {
    let host = Host::with(|config| config.kept_engines = 2);
    let counting = json!({ "kind": "engine", "engine": "counting" });
    let games: Vec<Value> = (0..3).map(|_| against(host.addr, &counting)).collect();
    assert_eq!(rows_of_answers(host.addr, &games[0], 3), [0, 1, 2], "one engine for the whole game");
    assert_eq!(kept(host.addr), 1);
    // The engine of a game longest at rest goes when there are too many: it begins anew.
    play(host.addr, &games[1], "first", 0, "h8").expect(200);
    wait_for(host.addr, &games[1], |shown| shown["view"]["ply"] == 2);
    play(host.addr, &games[2], "first", 0, "h8").expect(200);
    wait_for(host.addr, &games[2], |shown| shown["view"]["ply"] == 2);
    assert_eq!(kept(host.addr), 2);
    play(host.addr, &games[0], "first", 6, "m9").expect(200);
    let shown = wait_for(host.addr, &games[0], |shown| shown["view"]["ply"] == 8);
    assert_eq!(shown["view"]["last"]["row"], 0, "a new engine");
    for game in &games {
        let path = format!("/games/{}/actions", game["id"].as_str().unwrap());
        as_(host.addr, &game["seats"]["first"], "POST", &path, &json!({ "action": "resign" })).expect(200);
    }
    let began = Instant::now();
    while kept(host.addr) > 0 {
        assert!(began.elapsed() < Duration::from_secs(20), "engines of games that are over are kept");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_program_of_the_operator_lives_as_long_as_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("count.sh");
    // Says at each start that it did; answers with a row more each time, which only one process can.
    let text = format!(
        "echo started >> '{}'\nrow=0\nwhile read line; do case \"$line\" in START*|RESTART*|RECTSTART*) echo OK;;\n\
         BEGIN*|TURN*|DONE*) echo 0,$row; row=$((row+1));; END*) exit;; esac; done\n",
        folder.path().join("starts").display()
    );
    std::fs::write(&script, text).unwrap();
    let file = folder.path().join("engines.toml");
    let entry = "[[engine]]\nname = \"count\"\ngame = \"gomoku\"\nprotocol = \"gomocup\"\ncommand = \"sh\"\n";
    std::fs::write(&file, format!("{entry}args = [\"{}\"]\n", script.display())).unwrap();
    let host = Host::with_engines(&file);
    let game = against(host.addr, &json!({ "kind": "engine", "engine": "count", "time_ms": 500 }));
    assert_eq!(rows_of_answers(host.addr, &game, 3), [0, 1, 2]);
    let starts = std::fs::read_to_string(folder.path().join("starts")).unwrap();
    assert_eq!(starts.lines().count(), 1, "one process for the whole game");
}
