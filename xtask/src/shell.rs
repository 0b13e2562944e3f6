//! Running other programs, with their names and failures shown.

use anyhow::{Context, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lives in the repository").to_path_buf()
}

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    program(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}

/// A program started in the root of the repository.
pub(crate) fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// A program that ends when the thread that started it does, however that happens, where the system's `setpriv` can do
/// that. Otherwise only whoever is asked to end takes it along.
pub(crate) fn child(program: impl AsRef<OsStr>) -> Command {
    child_as("KILL", &[], program)
}

/// The same with a signal, and with other arguments of `setpriv`.
pub(crate) fn child_as(signal: &str, setpriv: &[&str], program: impl AsRef<OsStr>) -> Command {
    static CAN: LazyLock<bool> =
        LazyLock::new(|| works(Command::new("setpriv").args(["--pdeathsig", "KILL", "--", "true"])));
    let bound: &[&str] = if *CAN { &["--pdeathsig", signal] } else { &[] };
    if bound.is_empty() && setpriv.is_empty() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(bound).args(setpriv).arg("--").arg(program);
    command
}

/// Runs a command, its output on ours; fails with its words if it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let words = words(command);
    let status = command.status().with_context(|| format!("cannot start `{words}`"))?;
    if !status.success() {
        bail!("`{words}` failed ({status})");
    }
    Ok(())
}

/// Runs a command; what it prints, without the last line end.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let words = words(command);
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start `{words}`"))?;
    if !output.status.success() {
        bail!("`{words}` failed ({})", output.status);
    }
    let text = String::from_utf8(output.stdout).with_context(|| format!("`{words}` printed no text"))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_string())
}

/// Reports a check that cannot run on this machine: a failure in CI, elsewhere printed and counted.
pub(crate) fn skip(what: &str) -> anyhow::Result<()> {
    if crate::setup::in_ci() {
        bail!("not run, which CI does not allow: {what}");
    }
    skip_anywhere(what);
    Ok(())
}

/// Reports a check that depends on a service which not every network reaches: printed and counted, also in CI.
pub(crate) fn skip_anywhere(what: &str) {
    println!("skipped: {what}");
    SKIPPED.lock().expect("no panic while it is held").push(what.to_string());
}

/// The checks skipped so far.
pub(crate) fn skipped() -> Vec<String> {
    SKIPPED.lock().expect("no panic while it is held").clone()
}

static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes tests that passed only at their second try, to be named once more at the end.
pub(crate) fn tried_twice(names: impl Iterator<Item = String>) {
    TRIED_TWICE.lock().expect("no panic while it is held").extend(names);
}

/// The tests that passed only at their second try so far.
pub(crate) fn flaky() -> Vec<String> {
    TRIED_TWICE.lock().expect("no panic while it is held").clone()
}

static TRIED_TWICE: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Does a command succeed? Its output is thrown away.
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn words(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy();
    let args = command.get_args().map(|arg| arg.to_string_lossy());
    std::iter::once(program).chain(args).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_ends_with_whoever_started_it() {
        if !works(Command::new("setpriv").args(["--pdeathsig", "KILL", "--", "true"])) {
            assert!(std::env::var_os("CI").is_none(), "setpriv of util-linux is missing");
            return println!("SKIPPED: setpriv cannot tie a process to another");
        }
        let start = || {
            let orphan = child("sleep").arg("600").spawn().unwrap();
            // It is bound only once setpriv has become the program.
            let name = format!("/proc/{}/comm", orphan.id());
            while !std::fs::read_to_string(&name).unwrap().starts_with("sleep") {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            orphan
        };
        let mut orphan = std::thread::spawn(start).join().unwrap();
        assert!(!orphan.wait().unwrap().success());
    }
}
