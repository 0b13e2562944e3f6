//! Botzone's protocol end to end: our engine as a bot against the example bot, and a course whose programs are bots.

#![cfg(target_os = "linux")]

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

fn tengen(words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tengen").unwrap();
    command.args(words);
    command
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engines").join(name).display().to_string()
}

fn answer(command: &mut Command) -> Value {
    serde_json::from_slice(&command.assert().success().get_output().stdout).unwrap()
}

/// Two games of `tengen engine botzone` against the example bot: the result, and the moves of each game.
fn games(home: &Path, form: &str) -> (Value, Vec<Value>) {
    let program = assert_cmd::cargo::cargo_bin("tengen").display().to_string();
    let ours = format!("botzone:{program} engine botzone --engine classic-ac --depth 1 {form}");
    let bot = format!("botzone:python3 {}", example("botzone.py"));
    let out = home.join(if form.is_empty() { "simple" } else { "running" });
    let out = out.to_str().unwrap();
    let match_ = ["match", &ours, &bot, "--game", "gomoku", "--games", "2", "--time", "10", "--out", out];
    let said = answer(tengen(&match_).args(["--random-openings", "0", "--json"]));
    let journal = std::fs::read_to_string(Path::new(out).join("games.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let moves = lines.filter(|line| line.get("moves").is_some()).map(|line| line["moves"].clone()).collect();
    (said, moves)
}

#[test]
fn our_engine_beats_the_example_bot_in_both_forms_with_the_same_games() {
    let home = tempfile::tempdir().unwrap();
    let (simple, simple_moves) = games(home.path(), "");
    let (running, running_moves) = games(home.path(), "--keep-running");
    for said in [&simple, &running] {
        assert_eq!((&said["games"], &said["a"]["wins"]), (&2.into(), &2.into()), "{said}");
        assert_eq!(said["reasons"], serde_json::json!({"five": 2}), "{said}");
    }
    assert_eq!(simple_moves.len(), 2);
    assert_eq!(simple_moves, running_moves, "the engine stays or is started for each move: the same games");
}

#[test]
fn a_class_takes_bots_as_they_are() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("class");
    let path = folder.to_str().unwrap();
    let options = ["--protocol", "botzone", "--size", "15", "--time", "5", "--nodes", "200"];
    let reference = ["--reference", "classic-ac@depth=1"];
    tengen(&["class", "new", path, "--game", "gomoku"]).args(options).args(reference).assert().success();
    let list = home.path().join("students.csv");
    std::fs::write(&list, "id,name\n1,Ann\n2,Bo\n").unwrap();
    tengen(&["class", "add", path, list.to_str().unwrap()]).assert().success();
    for (student, file) in [("1", "botzone.py"), ("2", "botzone.cpp")] {
        let submitted = answer(&mut tengen(&["class", "submit", path, student, &example(file), "--json"]));
        assert_eq!(submitted["verdict"]["accepted"], true, "{submitted}");
    }
    tengen(&["class", "run", path]).assert().success();
    let table = answer(&mut tengen(&["class", "table", path, "--json"]));
    assert_eq!(table["games"], 6);
    for row in table["table"].as_array().unwrap() {
        assert_eq!((&row["games"], &row["faults"]), (&4.into(), &serde_json::json!({})), "{row}");
    }
    assert_eq!(
        table["table"][0]["reference"], true,
        "a bot that looks at nothing loses to the engine: {table}"
    );
}
