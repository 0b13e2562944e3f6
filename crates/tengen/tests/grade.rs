//! `tengen grade` on the sample exams.

#![cfg(target_os = "linux")]

use assert_cmd::Command;
use std::path::Path;

fn sample(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/grade")
        .join(name)
        .to_string_lossy()
        .into_owned()
}

fn grade(words: &[&str]) -> serde_json::Value {
    let output =
        Command::cargo_bin("tengen").unwrap().arg("grade").args(words).arg("--json").assert().success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

#[test]
fn the_sample_program_gets_all_points() {
    let graded = grade(&["alphabeta", &sample("alphabeta.toml"), &sample("alphabeta.py")]);
    assert_eq!(graded["points"], graded["of"], "{graded}");
    assert_eq!(graded["questions"].as_array().unwrap().len(), 3);
}

#[test]
fn a_search_without_cutoffs_is_shown_where_it_differs() {
    let home = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(sample("alphabeta.py")).unwrap();
    let program = home.path().join("bot.py");
    std::fs::write(&program, text.replace("if alpha >= beta:", "if False:")).unwrap();
    let out = home.path().join("out");
    let words =
        ["alphabeta", &sample("alphabeta.toml"), program.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let graded = grade(&words);
    let question = &graded["questions"][0];
    assert_eq!((&question["points"], &question["of"]), (&2.0.into(), &6.0.into()), "{question}");
    let watch = question["difference"]["watch"].as_str().unwrap();
    assert!(watch.starts_with("/see/tree?position=tictactoe:XO./.X./.O.&algorithm=alphabeta"), "{watch}");
    let record = std::fs::read_to_string(out.join("question-1.json")).unwrap();
    assert!(record.contains("tengen-record"));
    assert!(std::fs::read_to_string(out.join("grading.html")).unwrap().contains("/see/tree?"));
}

#[test]
fn answers_about_mazes_are_graded() {
    let graded = grade(&["maze", &sample("maze.toml"), &sample("answers")]);
    assert_eq!(graded["of"], 5.0);
    assert_eq!(graded["points"], 4.0, "the number of expanded cells is missing: {graded}");
    let exam = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(exam.path(), "title = 1\n").unwrap();
    let words = ["grade", "maze", exam.path().to_str().unwrap(), "."];
    let done = Command::cargo_bin("tengen").unwrap().args(words).output().unwrap();
    assert!(!done.status.success());
    assert!(String::from_utf8_lossy(&done.stderr).contains("line 1"), "{done:?}");
}
