//! Small versions of the storm; `cargo run --release -p tengen-arena --example storm -- all` is the full one.

use std::path::PathBuf;
use std::process::Command;

/// Cargo builds examples before it runs tests, beside the folder of this one.
fn storm(words: &[&str]) -> String {
    let exe: PathBuf = std::env::current_exe().unwrap();
    let program = exe.parent().and_then(|deps| deps.parent()).unwrap().join("examples/storm");
    let output =
        Command::new(program).args(words).output().expect("the example `storm` is built with the tests");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn hostile_engines_get_the_right_verdicts() {
    // Every habit under every protocol once.
    storm(&["games", "57"]);
}

#[test]
fn a_killed_run_loses_nothing() {
    storm(&["kill", "8"]);
}

#[test]
fn trivial_games_are_quick() {
    // Fails if a game takes more CPU time than 20,000 games a minute on two cores allow.
    storm(&["speed", "2000"]);
}
