//! `tengen explain` as a person uses it: records, walk-throughs, and clear refusals.

use assert_cmd::Command;
use serde_json::Value;

fn tengen(args: &[&str]) -> std::process::Output {
    Command::cargo_bin("tengen").unwrap().arg("explain").args(args).output().unwrap()
}

fn text(args: &[&str]) -> String {
    let out = tengen(args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn a_walk_through_and_a_record() {
    let words = text(&["alphabeta", "tictactoe", "XO..X...O", "--lines", "5000"]);
    assert!(words.contains("MAX tries") && words.contains("CUT: "), "{words}");
    let record: Value =
        serde_json::from_str(&text(&["minimax", "tictactoe", "XO..X...O", "--json"])).unwrap();
    assert_eq!((&record["kind"], &record["result"]["value"]), (&"tree".into(), &1.into()));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.json");
    text(&["uct", "hex", "b2c3", "--size", "4", "--playouts", "50", "--out", file.to_str().unwrap()]);
    let record: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!((&record["kind"], &record["format"]), (&"mcts".into(), &"tengen-record".into()));
    assert_eq!(record["results"].as_array().map(Vec::len), Some(50));
}

#[test]
fn mazes_too() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("mud.txt");
    std::fs::write(&map, "S999999G\n........\n").unwrap();
    let map = map.to_str().unwrap();
    assert!(text(&["idastar", "maze", map]).contains("a round with bound"));
    let record: Value =
        serde_json::from_str(&text(&["astar", "maze", map, "--heuristic", "squared", "--json"])).unwrap();
    assert!(record["result"]["cost"].as_f64() > record["result"]["optimal"].as_f64(), "{record}");
}

#[test]
fn refusals_say_what_is_accepted() {
    for (args, words) in [
        (&["magic", "gomoku", "h8"][..], "accepted: minimax"),
        (&["minimax", "chess", "h8"], "accepted: tictactoe, gomoku, hex, maze"),
        (&["minimax", "tictactoe", "XX......."], "X moves first"),
        (&["minimax", "gomoku", "h8", "--engine", "tengen"], "accepted: classic-ac"),
        (&["uct", "hex", "b2", "--size", "4", "--out", "record.txt"], ".json"),
        (&["astar", "maze", "nowhere.txt"], "no such file"),
        (&["uct", "hex", "b2", "--c=-1"], "a number from 0"),
    ] {
        let out = tengen(args);
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && error.contains(words), "{args:?}: {error}");
    }
}
