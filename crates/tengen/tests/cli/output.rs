//! Files are written whole or not at all, interrupted work is kept, and no output failure is a panic.

use super::*;

#[test]
fn a_call_that_makes_no_sense_leaves_the_file_alone() {
    let folder = Folder::new();
    let file = folder.file("out.jsonl", "precious\n");
    let calls: [&[&str]; 6] = [
        &["book", "make", "chess"],
        &["book", "make", "gomoku", "--rule", "chess"],
        &["book", "make", "hex", "--size", "99"],
        &["puzzle", "make", "gomoku", "--rule", "chess"],
        &["puzzle", "make", "gomoku", "--size", "3"],
        &["puzzle", "make", "hex", "--rule", "renju"],
    ];
    for call in calls {
        let message = fail(2, run(&[call, &["--out", &file]].concat()));
        assert!(message.contains("accepted"), "{call:?}: {message}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious\n", "{call:?}");
        assert_eq!(folder.count(), 1, "{call:?} leaves files behind");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_reported_before_the_work() {
    let call = ["puzzle", "make", "gomoku", "--count", "100000", "--out", "/nonexistent/out.jsonl"];
    let message = fail(1, run(&call));
    assert!(message.contains("cannot write /nonexistent/out.jsonl"), "{message}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_puzzles_found_so_far() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new();
    let file = folder.file("out.jsonl", "precious\n");
    // The search would go on for days: only the signal ends it.
    let call = ["puzzle", "make", "hex", "--count", "100000", "--out", &file];
    let mut child = command(&call).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let message = BufReader::new(child.stderr.take().unwrap()).lines().last().unwrap().unwrap();
    let words: Vec<&str> = message.split(' ').collect();
    assert!(
        message.starts_with("tengen: stopped: ") && message.ends_with("of 100000 puzzles found"),
        "{message}"
    );
    let found: usize = words[2].parse().unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    match found {
        0 => assert_eq!(text, "precious\n"),
        _ => assert_eq!(text.lines().filter(|line| line.starts_with('{')).count(), found),
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_check_is_no_success() {
    let child = command(&["puzzle", "check", "gomoku", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["stopped"], true, "{answer}");
    assert!(answer["checked"].as_u64() < answer["puzzles"].as_u64(), "{answer}");
    let message = fail(1, output);
    assert!(message.contains("were not checked"), "{message}");
}

/// Commands that print without searching long.
const TALKERS: [&[&str]; 9] = [
    &["engines"],
    &["engines", "--json"],
    &["--help"],
    &["completions", "bash"],
    &["maze", "generate", "prim"],
    &["render", "gomoku", "h8i9"],
    &["analyze", "gomoku", "h8i9", "--nodes", "100"],
    &["puzzle", "list", "gomoku"],
    &[
        "match",
        "classic-minimax",
        "classic-minimax@name=b",
        "--game",
        "hex",
        "--size",
        "3",
        "--games",
        "2",
        "--depth",
        "1",
    ],
];

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for call in TALKERS {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let message = fail(1, command(call).stdout(full).output().unwrap());
        assert!(message.contains("standard output: No space left"), "{call:?}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_left_ends_the_program_quietly() {
    for call in TALKERS {
        let message = fail(141, command(call).stdout(closed_pipe()).output().unwrap());
        assert_eq!(message, "", "{call:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_standard_error_is_no_panic() {
    // The message has nobody to read it; the exit code still tells.
    let status = command(&["render", "gomoku", "zz"]).stderr(closed_pipe()).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

/// A pipe that nobody reads.
#[cfg(unix)]
fn closed_pipe() -> std::io::PipeWriter {
    let (_, writer) = std::io::pipe().unwrap();
    writer
}
