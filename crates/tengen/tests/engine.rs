//! `tengen engine` through the real program, with the real engines.

use assert_cmd::Command;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

/// What the program answers to these lines, without messages and empty lines.
fn talk(arguments: &[&str], lines: &str) -> Vec<String> {
    let mut command = Command::cargo_bin("tengen").expect("the program is built");
    let output =
        command.arg("engine").args(arguments).write_stdin(lines).assert().success().get_output().clone();
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("MESSAGE"));
    lines.map(str::to_string).collect()
}

/// The names of a game's engines.
fn engines(game: &str) -> Vec<String> {
    let output = Command::cargo_bin("tengen").unwrap().args(["engines", game, "--json"]).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = list.as_array().unwrap().iter().filter_map(|engine| engine["name"].as_str());
    let names: Vec<String> = names.map(str::to_string).collect();
    assert!(!names.is_empty(), "{game} has engines");
    names
}

fn is_point(text: &str) -> bool {
    text.split_once(',').is_some_and(|(x, y)| x.parse::<u8>().is_ok() && y.parse::<u8>().is_ok())
}

#[test]
fn every_gomoku_engine_speaks_gomocup() {
    for engine in engines("gomoku") {
        let lines = "ABOUT\nSTART 15\nINFO timeout_turn 200\nBEGIN\nTURN 0,0\nTURN 0,0\nFLY\nEND\n";
        let replies = talk(&["gomocup", "--engine", &engine], lines);
        assert!(
            replies.iter().any(|line| line.contains(&format!("name=\"Tengen {engine}\""))),
            "{replies:?}"
        );
        let rest: Vec<_> = replies.iter().filter(|line| !line.starts_with("name=")).collect();
        assert_eq!(rest[0], "OK", "{engine}: {replies:?}");
        assert!(is_point(rest[1]) && is_point(rest[2]), "{engine}: {replies:?}");
        assert!(
            rest[3].starts_with("ERROR 0,0: ") && rest[4].starts_with("UNKNOWN "),
            "{engine}: {replies:?}"
        );
    }
}

/// CPU time that a process has used, all threads together. The kernel counts it for programs in hundredths of a second.
#[cfg(target_os = "linux")]
fn cpu_time(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let ticks: u64 =
        after_name.split_whitespace().skip(11).take(2).map(|word| word.parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * ticks)
}

#[test]
#[cfg(target_os = "linux")]
fn no_time_at_all_is_answered_at_once() {
    for engine in engines("gomoku") {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("tengen"))
            .args(["engine", "gomocup", "--engine", &engine])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut ask = |line: &str| {
            writeln!(input, "{line}").unwrap();
            lines.find(|line| !line.starts_with("MESSAGE")).unwrap()
        };
        assert_eq!(ask("INFO timeout_turn 0\nSTART 15"), "OK", "{engine}");
        let before = cpu_time(child.id());
        for line in ["BEGIN", "TURN 0,0", "TURN 14,14", "TURN 0,14"] {
            let reply = ask(line);
            assert!(is_point(&reply), "{engine}: {line}: {reply}");
        }
        // An answer may take 30 ms. What others do on the machine does not count, and neither does starting the program.
        let took = cpu_time(child.id()) - before;
        assert!(took <= 4 * Duration::from_millis(30), "{engine}: {took:?} of CPU time");
        drop(input);
        assert!(child.wait().unwrap().success(), "{engine}");
    }
}

#[test]
fn every_hex_engine_speaks_htp() {
    for engine in engines("hex") {
        let lines = "1 boardsize 5\n2 genmove b\n3 play b a1\n4 genmove w\n5 play w z9\n6 tengen-layer bridges\n7 quit\n";
        let replies = talk(&["htp", "--engine", &engine, "--time", "0.2"], lines);
        assert_eq!(replies[0], "=1", "{engine}: {replies:?}");
        assert!(replies[1].starts_with("=2 ") && replies[3].starts_with("=4 "), "{engine}: {replies:?}");
        assert!(replies[4].starts_with("?5 ") && replies[5].starts_with("=6"), "{engine}: {replies:?}");
        assert_eq!(replies.last().map(String::as_str), Some("=7"), "{engine}: {replies:?}");
    }
}

#[test]
fn every_hex_engine_speaks_the_line_protocol() {
    for engine in engines("hex") {
        let replies =
            talk(&["line", "--engine", &engine, "--size", "5", "--time", "0.2"], "first\nhello\nfinish\n");
        assert_eq!(replies.len(), 3, "{engine}: {replies:?}");
        assert!(replies[1].starts_with("error: ") && replies[2] == "game over", "{engine}: {replies:?}");
    }
}

#[test]
fn a_program_called_pbrain_tengen_needs_no_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("pbrain-tengen64");
    std::fs::copy(assert_cmd::cargo::cargo_bin("tengen"), &program).unwrap();
    let output = Command::new(&program).write_stdin("ABOUT\n").assert().success().get_output().clone();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("name=\"Tengen "));
}

#[test]
fn unknown_engines_and_protocols_are_refused_by_name() {
    let mut command = Command::cargo_bin("tengen").unwrap();
    let output =
        command.args(["engine", "htp", "--engine", "moon"]).assert().failure().code(2).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown hex engine 'moon'; accepted: "));
    Command::cargo_bin("tengen").unwrap().args(["engine", "morse"]).assert().failure().code(2);
}

#[test]
fn hex_is_solved_and_explained_over_htp() {
    let lines = "boardsize 3\ndfpn-solve-state\ndfpn-solve-state white\nplay black b2\n\
                 dfpn-solver-find-winning white\ndfpn-solver-find-winning black\ntengen-layer must-play\n\
                 hexgui-analyze_commands\nquit\n";
    let replies = talk(&["htp"], lines);
    assert_eq!(replies[1..3], ["= black", "= white"], "{replies:?}");
    assert_eq!(replies[4], "=", "white has no winning move");
    assert_eq!(replies[5], "= a1 b1 c1 a2 c2 a3 b3 c3");
    for name in
        ["must-play", "virtual-connections", "inferior", "dfpn-solve-state", "dfpn-solver-find-winning"]
    {
        assert!(replies.iter().any(|line| line.contains('/') && line.contains(name)), "{name}: {replies:?}");
    }
}

/// Why the games of a short match by time ended that an HTP engine plays.
fn reasons(engine: &str) -> serde_json::Value {
    let words = "match --game hex --size 11 --games 2 --max-moves 4 --time 0.1 --margin 2 --json";
    let mut command = Command::cargo_bin("tengen").unwrap();
    let output = command
        .args(words.split(' '))
        .args(["--engine", engine, "--engine", "classic-uct"])
        .output()
        .unwrap();
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    result["reasons"].clone()
}

/// Without a time of its own the engine would think for five seconds.
#[test]
fn an_htp_engine_is_told_the_time_of_a_match() {
    let program = Command::cargo_bin("tengen").unwrap().get_program().to_string_lossy().into_owned();
    let reasons = reasons(&format!("htp:{program} engine htp --engine tengen"));
    assert_eq!(reasons, serde_json::json!({ "move-limit": 2 }));
}

#[test]
fn an_htp_engine_may_refuse_to_be_told_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine.sh");
    let text = "while read -r word rest; do case $word in\n\
                list_commands) printf '= genmove\\ntime_settings\\n\\n';;\n\
                time_settings) printf '? whole seconds only\\n\\n';;\n\
                genmove) printf '= resign\\n\\n';;\n\
                *) printf '=\\n\\n';;\nesac; done\n";
    std::fs::write(&script, text).unwrap();
    let reasons = reasons(&format!("htp:sh {}", script.display()));
    assert_eq!(reasons, serde_json::json!({ "resign": 2 }));
}
