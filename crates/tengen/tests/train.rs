//! `tengen train`: games that resume, networks trained on them, and what is refused.

use assert_cmd::Command;
use std::path::Path;

fn tengen(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("tengen").unwrap();
    command.current_dir(folder).arg("train").args(args).assert()
}

/// Games played in two runs, with `torn` left at the end of the file by a kill between them, are those of one run.
fn plays_on_after(folder: &Path, args: &[&str], [some, all]: [&str; 2], torn: impl Fn(&str) -> String) {
    let play = |file: &str, games: &str| {
        let args = [&args[..1], &["games", file, "--games", games], &args[1..]].concat();
        tengen(folder, &args).success();
        std::fs::read_to_string(folder.join(file)).unwrap()
    };
    let whole = play("whole.txt", all);
    let part = play("parts.txt", some);
    std::fs::write(folder.join("parts.txt"), format!("{part}{}", torn(&part))).unwrap();
    assert_eq!(play("parts.txt", all), whole);
}

#[test]
fn games_go_on_where_the_file_ends_and_a_network_is_trained_on_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    plays_on_after(path, &["gomoku", "--nodes", "60", "--sizes", "9,11"], ["3", "6"], |_| {
        "1 9 e5:- half a li".into()
    });

    let fit = ["gomoku", "fit", "whole.txt", "--out", "a.net", "--epochs", "1", "--batch", "16"];
    let output = tengen(path, &fit).success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("6 games") && text.contains("epoch 1: held-out value"), "{text}");
    tengen(path, &["gomoku", "games", "next.txt", "--games", "1", "--nodes", "60", "--network", "a.net"])
        .success();
}

#[test]
fn samples_of_hex_go_on_where_the_file_ends_and_a_network_is_trained_on_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // Killed within a game: one whole sample, one torn.
    plays_on_after(path, &["hex", "--visits", "60", "--sizes", "4,5"], ["2", "4"], |text| {
        let sample = text.lines().next().unwrap();
        format!("{sample}\n{}", &sample[..5])
    });

    let fit = ["hex", "fit", "whole.txt", "--out", "a.bin", "--minutes", "0.01", "--threads", "1"];
    tengen(path, &fit).success();
    let next = ["hex", "games", "next.txt", "--games", "1", "--visits", "60", "--sizes", "4"];
    tengen(path, &[&next[..], &["--network", "a.bin"]].concat()).success();
    tengen(path, &["hex", "ranges", "a.bin", "--out", "b.bin"]).success();
    std::fs::write(path.join("won.sgf"), "(;GM[11]SZ[4]AB[a1][a2]AW[b1][c1]PL[B];B[a3];W[d1];B[a4])")
        .unwrap();
    std::fs::write(path.join("open.sgf"), "(;GM[11]SZ[4];B[a3];W[d1])").unwrap();
    let judged =
        tengen(path, &["hex", "judge", "won.sgf", "open.sgf", "--network", "a.bin", "--json"]).success();
    let answer: serde_json::Value = serde_json::from_slice(&judged.get_output().stdout).unwrap();
    assert_eq!((answer["games"].as_u64(), answer["left_out"].as_u64()), (Some(1), Some(1)), "{answer}");
    assert_eq!(answer["ranges"][0]["positions"], 3, "{answer}");
    tengen(path, &["hex", "judge", "open.sgf"]).code(1);
    let sizes = ["a.bin", "b.bin"].map(|file| path.join(file).metadata().unwrap().len());
    assert_eq!(sizes[0], sizes[1]);
    tengen(path, &["hex", "patterns", "whole.txt", "--out", "p.txt"]).success();
    let patterns = std::fs::read_to_string(path.join("p.txt")).unwrap();
    assert!(patterns.contains("tengen train hex patterns"));
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("bad.txt"), "1 15 h8:-\n1 15 h8:- h8:-\n").unwrap();
    std::fs::write(path.join("empty.txt"), "").unwrap();
    std::fs::write(path.join("bad.net"), "no network").unwrap();
    for (args, code, words) in [
        (&["gomoku", "games", "g.txt", "--sizes", "3"][..], 2, "accepted are 5 to 22"),
        (&["gomoku", "games", "g.txt", "--rule", "chess"], 2, "accepted: freestyle"),
        (&["gomoku", "games", "g.txt", "--network", "bad.net"], 1, "not a zlib stream"),
        (&["gomoku", "games", "g.txt", "--network", "none.net"], 1, "cannot read none.net"),
        (&["gomoku", "fit", "bad.txt", "--out", "n.net"], 1, "bad.txt: line 2"),
        (&["gomoku", "fit", "empty.txt", "--out", "n.net"], 1, "nothing to learn from"),
        (&["gomoku", "fit", "none.txt", "--out", "n.net"], 1, "cannot read none.txt"),
        (&["hex", "games", "g.txt", "--sizes", "20"], 2, "accepted are 1 to 19"),
        (&["hex", "games", "g.txt", "--network", "bad.net"], 1, "bad.net: not a network for Hex"),
        (&["hex", "fit", "bad.txt", "--out", "n.net"], 1, "bad.txt: line 1 is no sample"),
        (&["hex", "fit", "empty.txt", "--out", "n.net"], 1, "nothing to learn from"),
        (&["hex", "fit", "none.txt", "--out", "n.net"], 1, "cannot read none.txt"),
        (&["hex", "fit", "bad.txt", "--out", "n.net", "--minutes", "0"], 2, "a number above 0"),
    ] {
        let output = tengen(path, args).code(code).get_output().stderr.clone();
        let text = String::from_utf8(output).unwrap();
        assert!(text.contains(words), "{args:?}: {text}");
        assert!(!path.join("g.txt").exists() && !path.join("n.net").exists(), "{args:?}");
    }
}
