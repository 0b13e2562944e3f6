//! Proofs, puzzles with their progress, made maps, and the operator's engines.

use crate::client::{as_, get, play, post, send};
use crate::host::{Host, on_each};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn ask(host: &Host, setup: &Value, moves: &[&str], question: &str) -> Value {
    post(host.addr, "/solve", &json!({ "setup": setup, "moves": moves, "question": question })).expect(200)
}

#[test]
fn the_solver_is_asked() {
    let host = Host::start();
    let gomoku = json!({ "game": "gomoku" });
    let three = ["h8", "a1", "h9", "a2", "h10", "a4"];
    let won = ask(&host, &gomoku, &three, "vcf");
    assert_eq!(won["result"], "win", "{won}");
    assert_eq!(won["line"].as_array().map(Vec::len), won["cells"].as_array().map(Vec::len));
    assert_eq!(won["mate"], 3, "an open four and a five, in plies: {won}");
    assert_eq!(ask(&host, &gomoku, &three[..1], "vcf")["result"], "none");
    let hex = json!({ "game": "hex", "rows": 3, "cols": 3 });
    let all = ask(&host, &hex, &[], "winning-moves");
    assert_eq!(all["result"], "win");
    assert!(all["winning_moves"].as_array().unwrap().iter().any(|mv| mv["move"] == "b2"), "{all}");
    assert_eq!(ask(&host, &hex, &["b2"], "winner")["result"], "loss");
    let wrong = json!({ "setup": gomoku, "question": "winner" });
    let problem = post(host.addr, "/solve", &wrong).problem(422, "question.unknown");
    assert!(problem["detail"].as_str().unwrap().contains("vcf"), "{problem}");
}

#[test]
fn a_proof_ends_when_its_client_leaves() {
    use std::io::Write;
    let host = Host::start();
    let body = json!({ "setup": { "game": "hex", "rows": 11, "cols": 11 }, "question": "winner", "time_ms": 60_000 })
        .to_string();
    let mut stream = std::net::TcpStream::connect(host.addr).unwrap();
    let head = format!(
        "POST /api/v1/solve HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        host.addr,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let searches = |host: &Host| get(host.addr, "/games").expect(200)["running"]["searches"].clone();
    let wait = |count: u64| {
        let began = Instant::now();
        while searches(&host) != count {
            assert!(began.elapsed() < Duration::from_secs(20), "{}", searches(&host));
            std::thread::sleep(Duration::from_millis(5));
        }
        began.elapsed()
    };
    wait(1);
    drop(stream);
    assert!(wait(0) < Duration::from_secs(2));
}

#[test]
fn a_puzzle_is_solved_and_remembered() {
    on_each(|host| {
        let listed = get(host.addr, "/puzzles?game=gomoku").expect(200);
        assert_eq!(listed["puzzles"][0]["id"], "g-1");
        assert!(listed["puzzles"][0]["line"].is_null(), "the list gives nothing away");
        let secret = post(host.addr, "/puzzles/progress", &Value::Null).expect(201)["secret"].clone();
        let send = |path: &str, moves: &[&str]| {
            let path = format!("/puzzles/gomoku/g-1/{path}");
            as_(host.addr, &secret, "POST", &path, &json!({ "moves": moves })).expect(200)
        };
        let shown = get(host.addr, "/puzzles/gomoku/g-1").expect(200);
        assert_eq!(shown["view"]["to_move"], "black");
        // The win is so large that a move may be wasted, but not while white makes a five.
        let slow = send("moves", &["a15"]);
        assert_eq!(slow["verdict"], "right", "{slow}");
        let wrong = send("moves", &["a15", "b1", "n2", "c1", "c13", "d1", "n5"]);
        assert_eq!(wrong["verdict"], "wrong", "{wrong}");
        assert!(wrong["reply"]["move"].is_string());
        assert_eq!(send("hint", &[])["move"], "h11");
        let right = send("moves", &["h11"]);
        assert_eq!((&right["verdict"], &right["reply"]["move"]), (&json!("right"), &json!("h12")));
        let right = send("moves", &["h11", "h12", "k8"]);
        assert_eq!(right["verdict"], "right");
        let reply = right["reply"]["move"].as_str().unwrap();
        let last = if reply == "g8" { "l8" } else { "g8" };
        assert_eq!(send("moves", &["h11", "h12", "k8", reply, last])["verdict"], "solved");
        let tree = send("solution", &[])["tree"].clone();
        assert_eq!(tree[0]["move"], "h11");
        assert_eq!(tree[0]["children"][0]["move"], "h12");
        let host = host.restart();
        let done = as_(host.addr, &secret, "GET", "/puzzles?game=gomoku", &Value::Null).expect(200);
        let counts = ["solved", "wrong", "hints"].map(|key| done["puzzles"][0][key].clone());
        assert_eq!(counts, [json!(1), json!(1), json!(2)], "{done}");
        assert_eq!(get(host.addr, "/puzzles").expect(200)["puzzles"][0]["solved"], 0, "others' is not shown");
    });
}

#[test]
fn what_cannot_be_proved_is_called_neither_right_nor_wrong() {
    let host = Host::start();
    let secret = post(host.addr, "/puzzles/progress", &Value::Null).expect(201)["secret"].clone();
    let mut moves = Vec::new();
    let mut verdicts = Vec::new();
    // A wasted move and an open three, which the test's engine answers with wasted moves; then a four with two ends.
    for own in ["a14", "j8", "k8", "g8", "l8"] {
        moves.push(own.to_string());
        let body = json!({ "moves": moves });
        let judged = as_(host.addr, &secret, "POST", "/puzzles/gomoku/g-2/moves", &body);
        if judged.status == 422 {
            // The defender stands there: the other end makes the five.
            moves.pop();
            continue;
        }
        let judged = judged.expect(200);
        verdicts.push(judged["verdict"].as_str().unwrap().to_string());
        moves.extend(judged["reply"]["move"].as_str().map(String::from));
        if judged["verdict"] == "solved" {
            break;
        }
    }
    assert_eq!(verdicts, ["unclear", "unclear", "right", "solved"]);
    let done = as_(host.addr, &secret, "GET", "/puzzles?game=gomoku", &Value::Null).expect(200);
    assert_eq!((&done["puzzles"][1]["solved"], &done["puzzles"][1]["wrong"]), (&json!(1), &json!(0)));
}

#[test]
fn a_hex_puzzle_is_won_by_a_connection() {
    let host = Host::start();
    let path = "/puzzles/hex/h-1/moves";
    assert_eq!(post(host.addr, path, &json!({ "moves": ["b2"] })).expect(200)["verdict"], "solved");
    let wrong = post(host.addr, path, &json!({ "moves": ["a1"] })).expect(200);
    assert_eq!(wrong["verdict"], "wrong", "{wrong}");
    post(host.addr, path, &json!({ "moves": ["b2", "b1"] })).problem(409, "turn.other");
    post(host.addr, path, &json!({ "moves": ["z9"] })).problem(422, "move.off-board");
    post(host.addr, "/puzzles/hex/h-2/moves", &json!({ "moves": ["a1"] })).problem(404, "puzzle.unknown");
    post(host.addr, "/puzzles/go/h-1/moves", &json!({ "moves": ["a1"] })).problem(404, "puzzle.unknown");
    let odd = [("Content-Type", "application/json"), ("Authorization", "Bearer x")];
    send(host.addr, "GET", "/api/v1/puzzles", &odd, b"").problem(403, "secret.wrong");
}

#[test]
fn maps_are_made() {
    let host = Host::start();
    let recipe = json!({ "style": "prim", "rows": 21, "cols": 31, "seed": 7 });
    let map = post(host.addr, "/maze/generate", &recipe).expect(200);
    assert_eq!((map["rows"].clone(), map["cols"].clone()), (json!(21), json!(31)));
    assert_eq!(post(host.addr, "/maze/generate", &recipe).expect(200)["map"], map["map"]);
    let text = map["map"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect::<Vec<_>>();
    let path = post(host.addr, "/maze/solve", &json!({ "map": text.join("\n") })).expect(200);
    assert_eq!(path["result"], "found");
    let large = json!({ "style": "prim", "rows": 5000, "cols": 5000 });
    post(host.addr, "/maze/generate", &large).problem(422, "maze.size");
    let odd = json!({ "style": "spiral", "rows": 9, "cols": 9 });
    post(host.addr, "/maze/generate", &odd).problem(422, "maze.style");
}

#[test]
fn many_paths_many_goals_and_what_preparing_costs() {
    let host = Host::start();
    let map = "S..#.\n.#...\n...#G\n####.\n.....\n";
    let queries = json!([[0, 0, 0, 4], [0, 0, 2, 0], [0, 0, 0, 1]]);
    let many = post(host.addr, "/maze/batch", &json!({ "map": map, "queries": queries })).expect(200);
    assert_eq!((&many["costs"], &many["unanswered"]), (&json!([6.0, 2.0, 1.0]), &json!([])), "{many}");
    let goals = json!({ "map": map, "from": [0, 0], "goals": [[0, 4], [2, 0], [0, 1]], "count": 2 });
    let near = post(host.addr, "/maze/nearest", &goals).expect(200);
    assert_eq!(near["reached"][0], json!({ "index": 2, "goal": [0, 1], "cost": 1.0 }), "{near}");
    assert_eq!((near["reached"].as_array().unwrap().len(), &near["complete"]), (2, &json!(true)));
    let wall = json!({ "map": map, "queries": [[0, 0, 0, 1], [0, 0, 1, 1]] });
    post(host.addr, "/maze/batch", &wall).problem(422, "maze.query");
    let much = json!({ "map": map, "queries": vec![[0, 0, 0, 1]; 20_001] });
    post(host.addr, "/maze/batch", &much).problem(422, "maze.many");
    // A weight is for weighted A* alone; elsewhere it is refused rather than ignored.
    for path in ["/maze/solve", "/maze/batch"] {
        let asked = |algorithm: &str, weight: f64| {
            let mut asked = json!({ "map": map, "algorithm": algorithm, "weight": weight });
            if path == "/maze/batch" {
                asked["queries"] = queries.clone();
            }
            post(host.addr, path, &asked)
        };
        asked("astar", 2.0).problem(422, "maze.query");
        asked("jps", 1.0).problem(422, "maze.query");
        asked("wastar", 0.5).problem(422, "maze.query");
        asked("wastar", 2.0).expect(200);
    }
    let line = json!({ "map": "....\n....\n....\n", "from": [0, 0], "to": [2, 3], "algorithm": "anyangle", "trace": true });
    let line = post(host.addr, "/maze/solve", &line).expect(200);
    assert_eq!((&line["path"], &line["steps"]), (&json!([[0, 0], [2, 3]]), &json!(1)), "{line}");
    assert!(line["memory_bytes"].as_u64() > Some(0) && line["prepare_seconds"].is_number(), "{line}");
    assert!(line["trace"].is_array() && line["dropped"] == 0, "{line}");
}

/// Every cell of a large map is opened and closed, and none of that is left out.
#[test]
fn a_map_of_a_thousand_rows_is_searched_and_its_trace_complete() {
    let host = Host::start();
    let map = (".".repeat(1024) + "\n").repeat(1024);
    let asked = json!({ "map": map, "from": [0, 0], "to": [1023, 1023], "algorithm": "bfs", "trace": true });
    let found = post(host.addr, "/maze/solve", &asked).expect(200);
    assert_eq!((&found["cost"], &found["dropped"]), (&json!(2046.0), &json!(0)));
    assert!(found["trace"].as_array().unwrap().len() >= 2 * 1024 * 1024 - 2);
}

#[cfg(unix)]
#[test]
fn the_operators_engine_plays_and_nobody_elses() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("corner.sh");
    let text = "#!/bin/sh\nwhile read line; do case \"$line\" in START*|RESTART*|RECTSTART*) echo OK;;\n\
                BEGIN*) echo 7,7;; DONE*) echo 0,0;; END*) exit;; esac; done\n";
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let file = folder.path().join("engines.toml");
    let entry =
        "[[engine]]\nname = 'corner'\ngame = 'gomoku'\nprotocol = 'gomocup'\ncommand = './corner.sh'\n";
    std::fs::write(&file, entry).unwrap();
    let host = Host::with_engines(&file);
    let catalog = get(host.addr, "/catalog").expect(200);
    let names = |at: usize| -> Vec<&str> {
        let engines = catalog["games"][at]["engines"].as_array().unwrap();
        engines.iter().map(|engine| engine["name"].as_str().unwrap()).collect()
    };
    assert!(names(0).contains(&"corner") && !names(1).contains(&"corner"));
    let against = |engine: &str| {
        let second = json!({ "kind": "engine", "engine": engine, "time_ms": 200 });
        let players = json!({ "first": { "kind": "human" }, "second": second });
        let body = json!({ "setup": { "game": "gomoku" }, "players": players, "visibility": "link" });
        post(host.addr, "/games", &body)
    };
    let game = against("corner").expect(201);
    play(host.addr, &game, "first", 0, "h8").expect(200);
    let began = Instant::now();
    loop {
        let shown = get(host.addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200);
        if shown["view"]["ply"] == 2 {
            assert_eq!(shown["view"]["last"]["row"], 0);
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{shown}");
        std::thread::sleep(Duration::from_millis(20));
    }
    against("cmd:sh").problem(422, "engine.unknown");
    against("gomocup:./corner.sh").problem(422, "engine.unknown");
}
