//! `cargo xtask fuzz`: coverage-guided fuzzing of the targets in `fuzz/`, and their replay in every test run.

use crate::shell::{self, cargo, works};
use anyhow::{Context, bail};
use std::process::Command;

/// Longer inputs only repeat what shorter ones do.
const MAX_BYTES: usize = 4096;
/// For each target.
const MINUTES: f64 = 10.0;

/// Fuzzes the named targets, or all of them, one after the other. Inputs that reach new code are kept in `target/fuzz`,
/// those that fail in `fuzz/artifacts`. Goes on after a failure and fails at the end.
pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let (names, minutes) = arguments(args)?;
    if !works(cargo().args(["fuzz", "--version"])) {
        println!("installing cargo-fuzz");
        shell::run(cargo().args(["install", "--locked", "cargo-fuzz"]))?;
    }
    let mut failed = Vec::new();
    for name in &names {
        println!("== {name}");
        let found = shell::root().join("target/fuzz/corpus").join(name);
        std::fs::create_dir_all(&found)?;
        let artifacts = shell::root().join("fuzz/artifacts").join(name);
        std::fs::create_dir_all(&artifacts)?;
        // Without a sanitizer, stable Rust will do. The code under test has no `unsafe` of its own.
        let mut fuzz = cargo();
        fuzz.args(["fuzz", "run", "--sanitizer", "none", "--features", "libfuzzer"]);
        fuzz.args(["--target-dir", "target/fuzz", "any"]);
        fuzz.arg(&found).arg(shell::root().join("fuzz/corpus").join(name)).arg("--");
        fuzz.arg(format!("-max_total_time={}", (minutes * 60.0).ceil()));
        fuzz.arg(format!("-max_len={MAX_BYTES}"));
        fuzz.args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=0"]);
        fuzz.arg(format!("-artifact_prefix={}/", artifacts.display()));
        if let Err(error) = shell::run(fuzz.env("TENGEN_FUZZ_TARGET", name)) {
            println!("{name}: {error:#}");
            failed.push(name.as_str());
        }
    }
    if !failed.is_empty() {
        bail!("failing inputs of {} are in fuzz/artifacts", failed.join(", "));
    }
    Ok(())
}

/// The corpus and mutations of it, without libFuzzer.
pub(crate) fn replay() -> anyhow::Result<()> {
    shell::run(package("test").arg("--quiet"))
}

/// The lints of the workspace do not cover a package outside.
pub(crate) fn clippy() -> anyhow::Result<()> {
    shell::run(package("clippy").args(["--all-targets", "--", "--deny", "warnings"]))
}

fn package(command: &str) -> Command {
    let mut cargo = cargo();
    cargo.args([command, "--manifest-path", "fuzz/Cargo.toml", "--target-dir", "target", "--locked"]);
    cargo
}

/// The targets and the minutes for each.
fn arguments(args: &[String]) -> anyhow::Result<(Vec<String>, f64)> {
    let known = targets()?;
    let (mut names, mut minutes) = (Vec::new(), MINUTES);
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if word == "--minutes" {
            let number = words.next().and_then(|text| text.parse().ok()).filter(|minutes| *minutes > 0.0);
            minutes = number.context("--minutes needs a number above 0")?;
        } else if known.contains(word) {
            names.push(word.clone());
        } else {
            bail!("unknown target '{word}'; accepted: {}, --minutes N", known.join(", "));
        }
    }
    Ok((if names.is_empty() { known } else { names }, minutes))
}

/// Every target has a corpus, and every corpus a target: the replay test sees to it.
fn targets() -> anyhow::Result<Vec<String>> {
    let entries = std::fs::read_dir(shell::root().join("fuzz/corpus"))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<std::io::Result<_>>()?;
    names.sort();
    Ok(names)
}
