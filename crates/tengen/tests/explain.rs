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
fn a_walk_through_ends_with_the_answer_in_the_readers_language() {
    let words = text(&["alphabeta", "tictactoe", "XO..X...O", "--language", "en"]);
    assert!(
        words.contains("  X O . \n") && words.contains("Best move") && words.contains("Why: "),
        "{words}"
    );
    let record: Value =
        serde_json::from_str(&text(&["alphabeta", "tictactoe", "XO..X...O", "--json"])).unwrap();
    let best = record["result"]["best"].as_u64().unwrap();
    let name = format!("{}{}", char::from(b'a' + (best % 3) as u8), best / 3 + 1);
    assert!(words.contains(&format!("Best move {name}, worth 1 to black.")), "{words}");
    let words = text(&["uct", "hex", "empty", "--size", "3", "--playouts", "50", "--language", "zh"]);
    assert!(words.contains("最佳着法") && words.contains("理由"), "{words}");
    let mut command = Command::cargo_bin("tengen").unwrap();
    let args = ["explain", "alphabeta", "gomoku", "h8", "--depth", "1"];
    let out = command.args(args).env("LC_ALL", "zh_CN.UTF-8").output().unwrap();
    assert!(String::from_utf8_lossy(&out.stdout).contains("最佳着法"));
}

#[test]
fn a_proved_end_is_told_by_its_distance() {
    // Black has three in a row with both ends open: a four, its block, and the five.
    let pvs = ["pvs", "gomoku", "h8a1i8a2j8c14", "--depth", "4", "--lines", "1", "--language"];
    let words = text(&[&pvs[..], &["en"]].concat());
    assert!(words.contains(": black wins in 3 plies.") && !words.contains("worth 29"), "{words}");
    let words = text(&[&pvs[..], &["zh"]].concat());
    assert!(words.contains("：黑方 3 手获胜（双方合计）。"), "{words}");
    // White to move cannot stop both ends of a row of four.
    let lost = ["pvs", "gomoku", "h8a1i8a2j8c14k8", "--depth", "4", "--lines", "1", "--language", "en"];
    let words = text(&lost);
    assert!(words.contains(": black wins in 2 plies."), "{words}");
    let hex =
        ["alphabeta", "hex", "a1b2a2", "--size", "3", "--depth", "9", "--lines", "1", "--language", "en"];
    let words = text(&hex);
    assert!(words.contains(" wins in ") && !words.contains("99999"), "{words}");
    // Not proved: the other moves are looked at only in part.
    let narrow = text(&[&hex[..], &["--width", "2"]].concat());
    assert!(narrow.contains(", worth "), "{narrow}");
}

#[test]
fn the_main_engines_are_watched() {
    let words = text(&["pvs", "gomoku", "h8i9", "--depth", "4", "--lines", "500", "--language", "en"]);
    assert!(words.contains("null window") && words.contains("Best move"), "{words}");
    let record: Value =
        serde_json::from_str(&text(&["puct", "hex", "b2", "--size", "5", "--playouts", "40", "--json"]))
            .unwrap();
    assert_eq!((&record["algorithm"], &record["engine"]), (&"puct".into(), &"tengen".into()));
    assert_eq!(record["prior"].as_array().map(Vec::len), record["parent"].as_array().map(Vec::len));
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
    let words = text(&["astar", "maze", map, "--heuristic", "squared", "--language", "en"]);
    assert!(words.contains("not the cheapest"), "{words}");
    assert!(text(&["astar", "maze", map, "--language", "zh"]).contains("没有更便宜的路径"));
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
        (&["pvs", "hex", "b2"], "accepted: minimax, alphabeta, alphabeta-tt, uct, flat, puct"),
        (&["puct", "tictactoe", "empty"], "accepted: minimax"),
        (&["minimax", "tictactoe", "empty", "--language", "fr"], "en, zh"),
    ] {
        let out = tengen(args);
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && error.contains(words), "{args:?}: {error}");
    }
}
