//! `tengen book` from the command line.

use assert_cmd::Command;
use serde_json::Value;

fn book(args: &[&str]) -> (bool, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_tengen")).arg("book").args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.success(), text(done.stdout), text(done.stderr))
}

#[test]
fn the_shipped_book_knows_openings_and_their_mirror_images() {
    let (ok, out, _) = book(&["show", "gomoku", "--json"]);
    assert!(ok && serde_json::from_str::<Value>(&out).unwrap().as_array().unwrap().len() >= 100);
    for moves in ["h8i9", "h8g9", "h8g7"] {
        let (_, out, _) = book(&["show", "gomoku", moves, "--json"]);
        let advice: Value = serde_json::from_str(&out).unwrap();
        assert!(advice["moves"][0]["move"].is_string(), "{moves}: {out}");
    }
    let (_, out, _) = book(&["show", "gomoku", "empty", "--opening", "swap2"]);
    assert!(out.contains("score"), "{out}");
    let (_, out, _) = book(&["show", "gomoku", "a1o15b2"]);
    assert!(out.contains("not in the book"));
}

#[test]
fn a_book_is_made_and_read() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("book.jsonl").display().to_string();
    let args = ["make", "gomoku", "--openings", "1", "--plies", "1", "--nodes", "200", "--out", &file];
    let (ok, _, err) = book(&args);
    assert!(ok, "{err}");
    let (ok, out, _) = book(&["show", "gomoku", "empty", "--file", &file]);
    assert!(ok && out.starts_with("h8"), "{out}");
    std::fs::write(&file, "{}").unwrap();
    let (ok, _, err) = book(&["show", "gomoku", "--file", &file]);
    assert!(!ok && err.contains("line 1"), "{err}");
    assert!(book(&["make", "chess"]).2.contains("accepted"));
}

#[test]
fn balanced_openings_of_hex_are_found_written_and_can_be_played() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("openings.txt").display().to_string();
    let args = ["openings", "hex", "--size", "8", "--count", "2", "--nodes", "100", "--out", &file];
    let (ok, _, err) = book(&args);
    assert!(ok, "{err}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("# tengen book openings hex --size 8 --count 2 --nodes 100 --seed 1\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 3);
    let played = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args([
            "match",
            "--game",
            "hex",
            "--size",
            "5",
            "--engine",
            "classic-flat",
            "--engine",
            "classic-uct",
        ])
        .args(["--games", "4", "--nodes", "20", "--openings", &file, "--json", "--allow-repeats"])
        .output()
        .unwrap();
    let result: Value = serde_json::from_slice(&played.stdout).unwrap();
    assert_eq!(result["games"], 4);
    for (args, words) in [
        (&["openings", "gomoku"][..], "accepted: hex"),
        (&["openings", "hex", "--size", "30"], "accepted: 1 to 19"),
        (&["openings", "hex", "--size", "2", "--nodes", "20"], "the board has not more that are even"),
    ] {
        let (ok, _, err) = book(args);
        assert!(!ok && err.contains(words), "{args:?}: {err}");
    }
}
