//! The command line as its users meet it: what it prints, what it writes, how it refuses and how it ends.

mod manners;
mod output;
mod position;
mod serve;

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// The program with these arguments, without colours or settings of whoever runs the tests.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(arguments).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs it with an input.
fn run_with(arguments: &[&str], input: &str) -> Output {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap()
}

/// What it printed; it must have succeeded.
fn succeed(output: Output) -> String {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    String::from_utf8(output.stdout).unwrap()
}

/// Its message; it must have ended with this exit code and without a panic.
fn fail(code: i32, output: Output) -> String {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

/// Sends a signal to a program that was started here.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let done = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and gives its path as text.
    fn file(&self, name: &str, content: &str) -> String {
        std::fs::write(self.path(name), content).unwrap();
        self.path(name).display().to_string()
    }

    /// How many files there are.
    fn count(&self) -> usize {
        std::fs::read_dir(self.0.path()).unwrap().count()
    }
}

#[test]
fn the_example_on_the_front_page_prints_what_it_shows() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/main.rs")).unwrap();
    let (_, example) = page.split_once("//! ```console\n//! $ tengen ").unwrap();
    let (example, _) = example.split_once("//! ```").unwrap();
    let (words, shown) = example.split_once('\n').unwrap();
    let words: Vec<&str> = words.split(' ').collect();
    assert_eq!(succeed(run(&words)), shown.replace("//! ", ""));
}
