//! The small engines of `examples/engines`: each compiles alone, keeps to its protocol and plays whole games.
//!
//! Where a compiler is missing its engines are skipped, which the test says; in CI that is a failure.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What turns a source into a program: the compiler's command as the guide has it, or an interpreter.
struct Language {
    ending: &'static str,
    tool: &'static str,
    flags: &'static [&'static str],
    compiled: bool,
    /// The source for Gomocup has a name of its own in Python, where the guide shows it.
    gomocup: &'static str,
}

const PYTHON: Language =
    Language { ending: "py", tool: "python3", flags: &[], compiled: false, gomocup: "first" };
const CPP: Language =
    Language { ending: "cpp", tool: "g++", flags: &["-O2"], compiled: true, gomocup: "gomocup" };
const RUST: Language =
    Language { ending: "rs", tool: "rustc", flags: &["-O"], compiled: true, gomocup: "gomocup" };

impl Language {
    fn is_here(&self) -> bool {
        let there = Command::new(self.tool).arg("--version").ok().is_ok();
        if !there {
            eprintln!("SKIPPED: the engines of examples/engines/*.{}: no {}", self.ending, self.tool);
            assert!(std::env::var_os("CI").is_none(), "in CI a missing {} is a failure", self.tool);
        }
        there
    }

    /// The command that starts an engine, compiled into `folder` if it has to be.
    fn command(&self, name: &str, folder: &Path) -> String {
        let source = examples().join(format!("{name}.{}", self.ending));
        assert!(source.exists(), "{}", source.display());
        if !self.compiled {
            return format!("{} '{}'", self.tool, source.display());
        }
        let program = folder.join(name);
        let mut compiler = Command::new(self.tool);
        compiler.args(self.flags).arg("-o").arg(&program).arg(&source).current_dir(folder);
        let output = compiler.assert().success().get_output().stderr.clone();
        assert!(output.is_empty(), "{}: {}", source.display(), String::from_utf8_lossy(&output));
        format!("'{}'", program.display())
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engines").canonicalize().unwrap()
}

fn json(words: &[&str], folder: &TempDir) -> Value {
    let mut command = Command::cargo_bin("tengen").unwrap();
    let output = command.args(words).arg("--json").current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {text}{error}");
    serde_json::from_str(&text).unwrap()
}

/// All engines of a language.
fn keep_their_protocols(language: &Language) {
    if !language.is_here() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, protocol, size) in
        [(language.gomocup, "gomocup", "15"), ("htp", "htp", "7"), ("line", "line", "11")]
    {
        let program = language.command(name, folder.path());
        let check = ["arena", "check", &program, "--protocol", protocol, "--size", size, "--time", "2"];
        let findings = json(&check, &folder);
        let findings = findings.as_array().unwrap();
        assert!(findings.len() >= 7, "{program}: {findings:?}");
        assert!(findings.iter().all(|finding| finding["passed"] == true), "{program}: {findings:?}");
    }
    // Botzone's programs are not checked by `arena check`: one game with each colour.
    let engine = format!("botzone:{}", language.command("botzone", folder.path()));
    let contest = ["match", &engine, "classic-ac", "--game", "gomoku", "--games", "2", "--depth", "1"];
    let result = json(&contest, &folder);
    let reasons = result["reasons"].as_object().unwrap();
    assert_eq!(result["games"], 2, "{result}");
    assert!(reasons.keys().all(|reason| ["five", "draw"].contains(&reason.as_str())), "{engine}: {result}");
}

#[test]
fn the_engines_in_python_keep_their_protocols() {
    keep_their_protocols(&PYTHON);
}

#[test]
fn the_engines_in_cpp_compile_and_keep_their_protocols() {
    keep_their_protocols(&CPP);
}

#[test]
fn the_engines_in_rust_compile_and_keep_their_protocols() {
    keep_their_protocols(&RUST);
}

#[test]
fn every_engine_that_ships_is_tested() {
    let files = std::fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
    let mut tested: Vec<String> = Vec::new();
    for language in [PYTHON, CPP, RUST] {
        let names = [language.gomocup, "htp", "line", "botzone"];
        tested.extend(names.map(|name| format!("{name}.{}", language.ending)));
    }
    names.sort();
    tested.sort();
    assert_eq!(names, tested);
}
