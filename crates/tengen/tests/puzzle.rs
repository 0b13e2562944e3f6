//! `tengen puzzle` from the command line.

use assert_cmd::Command;
use serde_json::Value;
use std::path::PathBuf;

fn puzzle(args: &[&str], input: &str) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let done = command.arg("puzzle").args(args).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.success(), text(done.stdout), text(done.stderr))
}

/// An open three to be made an open four.
const OPEN_THREE: &str = r#"{"id":"t-1","position":"h8a1g8a3i8c5","size":[15,15],"rule":"freestyle","side":"black","goal":"vcf","grade":1,"plies":3,"first_moves":["f8","j8"],"line":["f8","e8","j8"]}"#;

fn file_with(dir: &tempfile::TempDir, text: &str) -> String {
    let file: PathBuf = dir.path().join("puzzles.jsonl");
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

#[test]
fn the_shipped_puzzles_are_listed_and_shown() {
    let (ok, out, _) = puzzle(&["list", "gomoku", "--json"], "");
    let all: Value = serde_json::from_str(&out).unwrap();
    assert!(ok && all.as_array().unwrap().len() >= 200);
    let (_, out, _) = puzzle(&["list", "gomoku", "--grade", "5", "--unique", "--json"], "");
    let hard: Value = serde_json::from_str(&out).unwrap();
    let hard = hard.as_array().unwrap();
    assert!(!hard.is_empty());
    assert!(hard.iter().all(|p| p["grade"] == 5 && p["first_moves"].as_array().unwrap().len() == 1));
    let id = hard[0]["id"].as_str().unwrap();
    let (_, out, _) = puzzle(&["show", "gomoku", id, "--json"], "");
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), hard[0]);
    let (_, plain, _) = puzzle(&["show", "gomoku", id], "");
    assert!(plain.contains("only one first move wins") && !plain.contains("line:"), "{plain}");
    let (_, told, _) = puzzle(&["show", "gomoku", id, "--solution"], "");
    assert!(told.contains("line:"));
    let (ok, _, err) = puzzle(&["show", "gomoku", "g-9999"], "");
    assert!(!ok && err.contains("from g-0001"), "{err}");
}

#[test]
fn a_puzzle_is_played_with_hints_and_second_thoughts() {
    let dir = tempfile::tempdir().unwrap();
    let file = file_with(&dir, OPEN_THREE);
    // A slip, nonsense, a hint, the right move taken back and made again; then the five on whichever side is open.
    let talk = "a15\nzz\nhint\nsolution\nundo\nf8\nundo\nf8\ne8\nj8\n";
    let (ok, out, _) = puzzle(&["play", "gomoku", "--file", &file], talk);
    assert!(ok);
    for words in
        ["lets the win slip", "error: 'zz'", "look at", "nothing to take back", "good; white answers"]
    {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(out.trim_end().ends_with("solved"), "{out}");
}

#[test]
fn a_false_puzzle_fails_the_check() {
    let dir = tempfile::tempdir().unwrap();
    let file = file_with(&dir, OPEN_THREE);
    let (ok, out, _) = puzzle(&["check", "gomoku", "--file", &file, "--json"], "");
    assert!(ok && out.contains(r#""checked":1"#) && out.contains(r#""faults":[]"#), "{out}");
    let file = file_with(&dir, &OPEN_THREE.replace(r#""f8","j8"]"#, r#""f8","a15"]"#));
    let (ok, out, err) = puzzle(&["check", "gomoku", "--file", &file], "");
    assert!(!ok && out.contains("first move a15") && err.contains("1 puzzles"), "{out} {err}");
    let file = file_with(&dir, "{nonsense");
    assert!(puzzle(&["check", "gomoku", "--file", &file], "").2.contains("line 1"));
}

#[test]
fn made_puzzles_pass_the_check() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("new.jsonl").display().to_string();
    let (ok, _, err) = puzzle(&["make", "gomoku", "--count", "1", "--seed", "2", "--out", &file], "");
    assert!(ok, "{err}");
    let (ok, out, _) = puzzle(&["check", "gomoku", "--file", &file], "");
    assert!(ok && out.contains("1 of 1 puzzles checked, 0 faulty"), "{out}");
    let (ok, _, err) = puzzle(&["make", "gomoku", "--rule", "chess"], "");
    assert!(!ok && err.contains("accepted"), "{err}");
}
