//! `cargo xtask test`: everything that must hold before a commit.

use crate::postgres::Postgres;
use crate::shell::{self, cargo, works};
use crate::web;
use anyhow::bail;
use std::time::Instant;

type Step = (&'static str, fn() -> anyhow::Result<()>);

const STEPS: &[Step] = &[
    ("fmt", fmt),
    ("web", web::check),
    ("clippy", clippy),
    ("test", tests),
    ("doctest", doctests),
    ("examples", examples),
    ("docs", docs),
    ("bench", bench_signature),
    ("pages", web::pages),
];

/// All browser tests take minutes, so the everyday run looks at the pages only; CI runs them all.
const ON_REQUEST: &[Step] = &[("browser", web::browser)];

pub(crate) fn run(names: &[String]) -> anyhow::Result<()> {
    let all = || STEPS.iter().chain(ON_REQUEST);
    if let Some(name) = names.iter().find(|name| !all().any(|(step, _)| step == name)) {
        let known: Vec<_> = all().map(|(step, _)| *step).collect();
        bail!("unknown step '{name}'; accepted: {}", known.join(", "));
    }
    let named = |step: &&Step| names.iter().any(|name| name == step.0);
    let chosen: Vec<&Step> =
        if names.is_empty() { STEPS.iter().collect() } else { all().filter(named).collect() };
    for (name, step) in chosen {
        println!("== {name}");
        let started = Instant::now();
        step()?;
        println!("== {name}: done in {:.0} s", started.elapsed().as_secs_f64());
    }
    let skipped = shell::skipped();
    println!(
        "== {} checks skipped{}",
        skipped.len(),
        skipped.iter().map(|what| format!("\n   {what}")).collect::<String>()
    );
    Ok(())
}

fn fmt() -> anyhow::Result<()> {
    shell::run(cargo().args(["fmt", "--all", "--check"]))
}

fn clippy() -> anyhow::Result<()> {
    shell::run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

fn tests() -> anyhow::Result<()> {
    let postgres = Postgres::start()?;
    let mut command = cargo();
    match &postgres {
        Some(server) => {
            println!("PostgreSQL is here: the server's tests run on it and on SQLite");
            command.env("TENGEN_TEST_POSTGRES", server.url());
        }
        None => shell::skip("the server's tests on PostgreSQL: it is not installed")?,
    }
    if works(cargo().args(["nextest", "--version"])) {
        shell::run(command.args(["nextest", "run", "--workspace", "--no-fail-fast"]))
    } else {
        println!("cargo-nextest is not installed; using cargo test");
        shell::run(command.args(["test", "--workspace", "--lib", "--bins", "--tests"]))
    }
}

fn doctests() -> anyhow::Result<()> {
    shell::run(cargo().args(["test", "--workspace", "--doc"]))
}

fn examples() -> anyhow::Result<()> {
    shell::run(cargo().args(["build", "--workspace", "--examples"]))
}

fn docs() -> anyhow::Result<()> {
    shell::run(
        cargo().args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "--deny warnings"),
    )
}

/// The fixed searches must visit exactly the nodes that the file BENCH states.
fn bench_signature() -> anyhow::Result<()> {
    shell::run(cargo().args(["run", "--quiet", "--package", "tengen", "--", "bench", "--check", "BENCH"]))
}
