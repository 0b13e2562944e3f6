//! `tengen solve gomoku` from the command line.

use assert_cmd::Command;
use serde_json::Value;

fn solve(args: &[&str], input: &str) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let done = command.args(["solve", "gomoku"]).args(args).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.success(), text(done.stdout), text(done.stderr))
}

const OPEN_THREE: &str = r#"{"side":"black","black":["G8","H8","I8"],"white":["A1","A3"]}"#;
const QUIET: &str = r#"{"side":"white","rule":"renju","black":["H8"],"white":[]}"#;

#[test]
fn a_position_on_standard_input_is_solved_and_verified() {
    let (ok, out, _) = solve(&["-", "--goal", "vcf", "--verify", "--json"], OPEN_THREE);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert!(ok);
    assert_eq!(answer["result"], "win");
    assert_eq!(answer["verified"], true);
    assert_eq!(answer["line"].as_array().unwrap().len(), 3, "{answer}");
    assert_eq!(answer["mate"], 3, "plies");
}

#[test]
fn a_win_is_told_in_moves_of_the_winner() {
    let (_, out, _) = solve(&["-", "--goal", "vcf"], OPEN_THREE);
    assert!(out.starts_with("black wins (vcf, win in 2): "), "{out}");
}

#[test]
fn a_batch_answers_every_line_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("many.jsonl");
    std::fs::write(&file, [OPEN_THREE, QUIET, "{nonsense", OPEN_THREE].join("\n")).unwrap();
    let file = file.display().to_string();
    let (ok, out, err) = solve(&["--batch", &file, "--goal", "vct", "--threads", "2", "--memory", "8"], "");
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!ok && err.contains("1 of its lines"), "{err}");
    assert_eq!(answers[0]["result"], "win");
    assert_eq!(answers[1]["result"], "none");
    assert!(answers[2]["error"].as_str().unwrap().starts_with("line 3"), "{out}");
    assert_eq!(answers[3]["result"], "win");
}

#[test]
fn a_spent_budget_is_unknown_and_a_lost_game_a_loss() {
    let text = r#"{"side":"black","black":["G8","I8","H7","H6"],"white":["A1","A3","C1","O1"]}"#;
    let (_, out, _) = solve(&["-", "--goal", "vct", "--nodes", "0", "--json"], text);
    assert!(out.contains(r#""result":"unknown""#), "{out}");
    let over = r#"{"side":"black","black":["A1","A2","A3","A5"],"white":["C1","C2","C3","C4","C5"]}"#;
    let (_, out, _) = solve(&["-", "--goal", "win", "--json"], over);
    assert!(out.contains(r#""result":"loss""#), "{out}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    assert!(solve(&["empty", "--goal", "mate"], "").2.contains("accepted: vcf, vct, win"));
    assert!(solve(&["empty", "--goal", "vct", "--shortest"], "").2.contains("--goal vcf"));
}
