//! Commands on a fleet of this machine: a server, two workers and NATS, all as processes.
//!
//! `TENGEN_TEST_NATS` names the program `nats-server`; `cargo xtask test` installs it and sets the variable.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use serde_json::Value;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn tengen(words: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("tengen"));
    command.args(words).stdin(Stdio::null());
    command
}

fn run(words: &[&str]) -> Output {
    tengen(words).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn wait_for(what: &str, mut ready: impl FnMut() -> bool) {
    let began = Instant::now();
    while !ready() {
        assert!(began.elapsed() < Duration::from_secs(240), "no {what}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

struct Fleet {
    url: String,
    folder: tempfile::TempDir,
    _processes: Vec<Process>,
}

impl Fleet {
    fn start() -> Option<Fleet> {
        let Ok(nats) = std::env::var("TENGEN_TEST_NATS") else {
            eprintln!("skipped: TENGEN_TEST_NATS does not name nats-server");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let (port, addr) = (free_port(), format!("127.0.0.1:{}", free_port()));
        let url = format!("nats://secret@127.0.0.1:{port}");
        let mut broker = Command::new(nats);
        broker.args([
            "-a",
            "127.0.0.1",
            "-p",
            &port.to_string(),
            "--auth",
            "secret",
            "-js",
            "-sd",
            &place("nats"),
        ]);
        let spawn = |command: &mut Command| {
            Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
        };
        let mut processes = vec![spawn(&mut broker)];
        wait_for("broker", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        processes.push(spawn(&mut tengen(&[
            "serve",
            "--addr",
            &addr,
            "--data",
            &place("data"),
            "--nats",
            &url,
        ])));
        for name in ["a", "b"] {
            let worker =
                ["worker", "--join", &url, "--threads", "1", "--name", name, "--files", &place(name)];
            processes.push(spawn(&mut tengen(&worker)));
        }
        let fleet = Fleet { url, folder, _processes: processes };
        wait_for("worker", || {
            let status = run(&["fleet", "status", "--fleet", &fleet.url, "--json"]);
            let status: Value = serde_json::from_slice(&status.stdout).unwrap_or_default();
            status["workers"].as_array().is_some_and(|workers| workers.len() == 2)
        });
        Some(fleet)
    }
}

/// Without what differs from run to run.
fn timeless(mut answer: Value) -> Value {
    for side in ["a", "b"] {
        answer[side]["seconds"] = Value::Null;
    }
    answer
}

#[test]
fn the_fleet_gives_what_this_machine_gives() {
    let Some(fleet) = Fleet::start() else { return };
    let on_fleet = ["--fleet", fleet.url.as_str()];

    // A match: the same table, and the same games in its journal.
    let contest = [
        "match",
        "tengen",
        "classic-ac@depth=2",
        "--game",
        "gomoku",
        "--games",
        "24",
        "--nodes",
        "300",
        "--seed",
        "7",
        "--json",
    ];
    let out = fleet.folder.path().join("out").to_string_lossy().into_owned();
    let here = json(&run(&contest));
    let there = json(&run(&[&contest[..], &on_fleet, &["--out", &out]].concat()));
    assert_eq!(timeless(here), timeless(there));
    let journal = std::fs::read_to_string(format!("{out}/games.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 25);

    // A tournament whose later games depend on earlier ones.
    let contest = [
        "tournament",
        "classic-minimax",
        "classic-flat",
        "classic-uct",
        "--game",
        "hex",
        "--size",
        "4",
        "--format",
        "knockout",
        "--games",
        "2",
        "--nodes",
        "50",
        "--json",
    ];
    let here = json(&run(&contest));
    let there = json(&run(&[&contest[..], &on_fleet].concat()));
    assert_eq!(here, there);

    // Many positions to solve, one of them unreadable.
    let batch = fleet.folder.path().join("batch.jsonl");
    let lines = "{\"side\":\"black\",\"black\":[\"H8\",\"I8\",\"J8\"],\"white\":[\"A1\",\"A2\",\"C3\"]}\nnonsense\n{\"side\":\"black\",\"black\":[],\"white\":[]}\n";
    std::fs::write(&batch, lines).unwrap();
    let solve = ["solve", "gomoku", "--batch", &batch.to_string_lossy(), "--goal", "vct", "--nodes", "2000"]
        .map(String::from);
    let solve: Vec<&str> = solve.iter().map(String::as_str).collect();
    let answers = |output: Output| -> Vec<Value> {
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let without_seconds = |line: &str| {
            let mut answer: Value = serde_json::from_str(line).unwrap();
            answer.as_object_mut().unwrap().remove("seconds");
            answer
        };
        text.lines().map(without_seconds).collect()
    };
    let here = answers(run(&solve));
    assert_eq!(here[0]["result"], "win");
    assert_eq!(here, answers(run(&[&solve[..], &on_fleet].concat())));

    // Puzzles and books: the same text.
    for make in [
        &[
            "puzzle",
            "make",
            "gomoku",
            "--count",
            "2",
            "--rule",
            "freestyle,renju",
            "--seed",
            "3",
            "--games",
            "60",
        ][..],
        &["puzzle", "make", "hex", "--count", "1", "--seed", "7"],
        &["book", "make", "gomoku", "--openings", "2", "--plies", "2", "--nodes", "300", "--seed", "5"],
        &["book", "make", "hex", "--size", "4", "--plies", "2", "--nodes", "100"],
    ] {
        let (here, there) = (run(make), run(&[make, &on_fleet].concat()));
        let said = String::from_utf8_lossy(&there.stderr);
        assert!(here.status.success() && there.status.success(), "{make:?}: {said}");
        let [here, there] = [here, there].map(|output| String::from_utf8(output.stdout).unwrap());
        assert!(!here.is_empty());
        assert_eq!(here, there, "{make:?}");
    }
    let file = fleet.folder.path().join("book.txt").to_string_lossy().into_owned();
    let book = ["book", "make", "hex", "--size", "3", "--plies", "1", "--nodes", "50"];
    let written = run(&[&book[..], &on_fleet, &["--out", &file]].concat());
    assert!(written.status.success() && written.stdout.is_empty());
    assert_eq!(std::fs::read(&file).unwrap(), run(&book).stdout);

    // All of it is in the record, and people can see it.
    let status = json(&run(&["fleet", "status", "--fleet", &fleet.url, "--json"]));
    let runs = status["runs"].as_array().unwrap();
    assert!(runs.len() == 8 && runs.iter().all(|run| run["state"] == "done"), "{status}");
    assert!(status["workers"].as_array().unwrap().iter().all(|worker| worker["set_aside"] == ""), "{status}");
}

#[test]
fn games_of_self_play_come_from_the_fleet_and_survive_ctrl_c() {
    let Some(fleet) = Fleet::start() else { return };
    let on_fleet = ["--fleet", fleet.url.as_str()];
    let place = |name: &str| fleet.folder.path().join(name).to_string_lossy().into_owned();
    let network = place("small.net");
    let read = |name: &str| std::fs::read_to_string(place(name)).unwrap();
    let done =
        |output: Output| assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (game, options) in [
        ("gomoku", &["--nodes", "60", "--sizes", "9,11"][..]),
        ("hex", &["--visits", "60", "--sizes", "4,5"]),
    ] {
        let play = |file: &str, games: &str, more: &[&str]| {
            let file = place(file);
            run(&[&["train", game, "games", &file, "--games", games][..], options, more].concat())
        };
        done(play("here", "20", &[]));
        // The first games here, the others there.
        done(play("there", "3", &[]));
        done(play("there", "20", &on_fleet));
        assert_eq!(read("here"), read("there"), "{game}");
        for file in ["here", "there"] {
            std::fs::remove_file(place(file)).unwrap();
        }
    }
    // A network of one's own goes with the games.
    done(run(&["train", "gomoku", "games", &place("few"), "--games", "4", "--nodes", "60", "--sizes", "9"]));
    done(run(&[
        "train",
        "gomoku",
        "fit",
        &place("few"),
        "--out",
        &network,
        "--epochs",
        "1",
        "--batch",
        "16",
    ]));
    let play = |file: &str, games: &str, more: &[&str]| {
        let words =
            ["train", "gomoku", "games", &place(file), "--games", games, "--nodes", "60", "--sizes", "9"]
                .map(String::from);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        tengen(&[&words[..], &["--network", &network], more].concat())
    };
    done(play("with here", "6", &[]).output().unwrap());
    done(play("with there", "6", &on_fleet).output().unwrap());
    assert_eq!(read("with here"), read("with there"));
    assert_ne!(read("with here").lines().next(), read("few").lines().next());
    #[cfg(unix)]
    {
        let mut long = Process(play("long", "1500", &on_fleet).stderr(Stdio::piped()).spawn().unwrap());
        let counted = || {
            let status = json(&run(&["fleet", "status", "--fleet", &fleet.url, "--json"]));
            let open = status["runs"].as_array().unwrap().iter().find(|run| run["state"] != "done").cloned();
            open.unwrap_or_default()
        };
        wait_for("results", || counted()["done"].as_i64() > Some(3));
        let process = rustix::process::Pid::from_child(&long.0);
        rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
        assert_eq!(long.0.wait().unwrap().code(), Some(1));
        let left = counted();
        assert_eq!(left["state"], "paused");
        // The same command goes on with that run; fewer games are enough now.
        done(play("long", "30", &on_fleet).output().unwrap());
        let status = json(&run(&["fleet", "status", "--fleet", &fleet.url, "--json"]));
        let runs = status["runs"].as_array().unwrap();
        let same = runs.iter().find(|run| run["id"] == left["id"]).unwrap();
        assert_eq!(
            (&same["state"], same["done"].as_i64() >= left["done"].as_i64()),
            (&Value::from("done"), true)
        );
        done(play("long here", "30", &[]).output().unwrap());
        assert_eq!(read("long"), read("long here"));
    }
}

#[test]
fn what_is_wrong_with_a_fleet_is_said() {
    let said = |words: &[&str]| {
        let output = run(words);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, words) = said(&["fleet", "status", "--fleet", "http://example.org"]);
    assert!(code == Some(1) && words.contains("accepted: nats://TOKEN@HOST:PORT"), "{words}");
    let (code, words) = said(&["fleet", "status", "--fleet", "nats://secret@127.0.0.1:1"]);
    assert!(
        code == Some(1) && words.contains("127.0.0.1:1 does not answer") && !words.contains("secret"),
        "{words}"
    );
    let contest = [
        "match",
        "tengen",
        "cmd:./brain",
        "--game",
        "gomoku",
        "--games",
        "2",
        "--fleet",
        "nats://127.0.0.1:1",
    ];
    let (code, _) = said(&contest);
    assert!(code.is_some_and(|code| code > 0));
    let (code, words) = said(&["solve", "gomoku", "h8", "--goal", "vcf", "--fleet", "nats://127.0.0.1:1"]);
    assert!(code == Some(2) && words.contains("--fleet is for --batch"), "{words}");
}
