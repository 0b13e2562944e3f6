//! `cargo xtask test`: everything that must hold before a commit.

use crate::nats;
use crate::postgres::{Commits, Postgres};
use crate::python;
use crate::shell::{self, cargo, works};
use crate::{engine, fuzz, platforms, setup, supply, web};
use anyhow::bail;
use std::time::Instant;

type Step = (&'static str, fn() -> anyhow::Result<()>);

const STEPS: &[Step] = &[
    ("fmt", fmt),
    ("web", web::check),
    ("clippy", clippy),
    ("platforms", platforms::check),
    ("supply", supply::check),
    ("test", tests),
    ("kernels", kernels),
    ("fuzz", fuzz::replay),
    ("doctest", doctests),
    ("examples", examples),
    ("docs", docs),
    ("bench", bench_signature),
    ("python", python::test),
    ("pages", web::pages),
];

/// Compiles everything once more, so the everyday run leaves it to CI.
const IN_CI: &[Step] = &[("oldest-rust", platforms::oldest_rust)];

/// All browser tests take minutes, so the everyday run looks at the pages only; CI runs them all.
const ON_REQUEST: &[Step] = &[("browser", web::browser)];

pub(crate) fn run(names: &[String]) -> anyhow::Result<()> {
    let all = || STEPS.iter().chain(IN_CI).chain(ON_REQUEST);
    if let Some(name) = names.iter().find(|name| !all().any(|(step, _)| step == name)) {
        let known: Vec<_> = all().map(|(step, _)| *step).collect();
        bail!("unknown step '{name}'; accepted: {}", known.join(", "));
    }
    let named = |step: &&Step| names.iter().any(|name| name == step.0);
    let in_ci: &[Step] = if setup::in_ci() { IN_CI } else { &[] };
    let chosen: Vec<&Step> =
        if names.is_empty() { STEPS.iter().chain(in_ci).collect() } else { all().filter(named).collect() };
    let done = chosen.into_iter().try_for_each(|(name, step)| {
        println!("== {name}");
        let started = Instant::now();
        step()?;
        println!("== {name}: done in {:.0} s", started.elapsed().as_secs_f64());
        Ok(())
    });
    // Also after a failure: what was flaky until then is part of the news.
    say("tests passed only at their second try", &shell::flaky());
    done.map(|()| say("checks skipped", &shell::skipped()))
}

fn say(what: &str, names: &[String]) {
    let list: String = names.iter().map(|name| format!("\n   {name}")).collect();
    println!("== {} {what}{list}", names.len());
}

fn fmt() -> anyhow::Result<()> {
    shell::run(cargo().args(["fmt", "--all", "--check"]))?;
    shell::run(cargo().args(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]))
}

fn clippy() -> anyhow::Result<()> {
    shell::run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    engine::clippy()?;
    fuzz::clippy()
}

fn tests() -> anyhow::Result<()> {
    setup::class_tools();
    // nextest hides what passing tests print, and with it their own words about what they could not do.
    let above = shell::root();
    if !above.ancestors().any(|folder| folder.join("shared/data").is_dir()) {
        shell::skip("the tests of public data: shared/data is in no directory above the repository")?;
    }
    for (tool, language) in [("g++", "C++"), ("rustc", "Rust"), ("python3", "Python")] {
        if !works(shell::program(tool).arg("--version")) {
            shell::skip(&format!("the examples in {language}: {tool} is not installed"))?;
        }
    }
    let nats = nats::program();
    if nats.is_none() {
        shell::skip("the tests of fleet and site on NATS: nats-server is not installed")?;
    }
    let on_nats = || nats.iter().map(|program| ("TENGEN_TEST_NATS", program));
    let nextest = works(cargo().args(["nextest", "--version"]));
    if nextest {
        shell::run(cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]).envs(on_nats()))?;
    } else {
        println!("cargo-nextest is not installed; using cargo test");
        shell::run(cargo().args(["test", "--workspace", "--lib", "--bins", "--tests"]).envs(on_nats()))?;
    }
    let run: &[&str] = if nextest { &["nextest", "run", "--no-fail-fast"] } else { &["test"] };
    let Some(postgres) = Postgres::start(Commits::Fast)? else {
        return shell::skip("the tests of server, fleet and site on PostgreSQL: it is not installed");
    };
    println!("the tests of server and fleet once more, on PostgreSQL");
    let suite = ["--package", "tengen-server", "--test", "api"];
    shell::run(cargo().args(run).args(suite).env("TENGEN_TEST_POSTGRES", postgres.url()))?;
    let faults = ["--package", "tengen-server", "--lib", "store::faults::"];
    shell::run(cargo().args(run).args(faults).env("TENGEN_TEST_POSTGRES", postgres.url()))?;
    if nats.is_some() {
        println!("several servers, one site, on PostgreSQL and NATS");
        let ignored: &[&str] =
            if nextest { &["site::", "--run-ignored", "only"] } else { &["site::", "--", "--ignored"] };
        let command = &mut cargo();
        let command = command.args(run).args(suite).args(ignored).envs(on_nats());
        shell::run(command.env("TENGEN_TEST_POSTGRES", postgres.url()))?;
    }
    let fleet = ["--package", "tengen-fleet", "--lib"];
    shell::run(cargo().args(run).args(fleet).envs(on_nats()).env("TENGEN_TEST_POSTGRES", postgres.url()))
}

/// The network's kernels once more, with their output: which of them this processor has, and which it cannot compare.
fn kernels() -> anyhow::Result<()> {
    shell::run(cargo().args([
        "test",
        "--quiet",
        "--package",
        "tengen-nn",
        "--lib",
        "--",
        "--nocapture",
        "kernel",
    ]))
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
