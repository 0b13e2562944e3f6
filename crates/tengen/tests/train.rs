//! `tengen train gomoku`: games that resume, a network trained on them, and what is refused.

use assert_cmd::Command;
use std::path::Path;

fn tengen(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("tengen").unwrap();
    command.current_dir(folder).args(["train", "gomoku"]).args(args).assert()
}

#[test]
fn games_go_on_where_the_file_ends_and_a_network_is_trained_on_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let play = |file: &str, games: &str| {
        let args = ["games", file, "--games", games, "--nodes", "60", "--sizes", "9,11"];
        tengen(path, &args).success();
    };
    play("whole.txt", "6");
    play("parts.txt", "3");
    let mut broken = std::fs::read_to_string(path.join("parts.txt")).unwrap();
    broken.push_str("1 9 e5:- half a li");
    std::fs::write(path.join("parts.txt"), broken).unwrap();
    play("parts.txt", "6");
    let read = |file: &str| std::fs::read_to_string(path.join(file)).unwrap();
    assert_eq!(read("parts.txt"), read("whole.txt"));

    let fit = ["fit", "whole.txt", "--out", "a.net", "--epochs", "1", "--batch", "16"];
    let output = tengen(path, &fit).success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("6 games") && text.contains("epoch 1: held-out value"), "{text}");
    tengen(path, &["games", "next.txt", "--games", "1", "--nodes", "60", "--network", "a.net"]).success();
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("bad.txt"), "1 15 h8:-\n1 15 h8:- h8:-\n").unwrap();
    std::fs::write(path.join("empty.txt"), "").unwrap();
    std::fs::write(path.join("bad.net"), "no network").unwrap();
    for (args, code, words) in [
        (&["games", "g.txt", "--sizes", "3"][..], 2, "accepted are 5 to 22"),
        (&["games", "g.txt", "--rule", "chess"], 2, "accepted: freestyle"),
        (&["games", "g.txt", "--network", "bad.net"], 1, "not a zlib stream"),
        (&["games", "g.txt", "--network", "none.net"], 1, "cannot read none.net"),
        (&["fit", "bad.txt", "--out", "n.net"], 1, "bad.txt: line 2"),
        (&["fit", "empty.txt", "--out", "n.net"], 1, "nothing to learn from"),
        (&["fit", "none.txt", "--out", "n.net"], 1, "cannot read none.txt"),
    ] {
        let output = tengen(path, args).code(code).get_output().stderr.clone();
        let text = String::from_utf8(output).unwrap();
        assert!(text.contains(words), "{args:?}: {text}");
        assert!(!path.join("g.txt").exists() && !path.join("n.net").exists(), "{args:?}");
    }
}
