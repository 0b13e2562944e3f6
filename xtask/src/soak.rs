//! `cargo xtask soak`: the load generator and the hostile engines together, again and again.
//!
//! A public server with games, engines, slow clients, abuse and a failing disk, which lives through the whole soak, so
//! that its memory can be seen to grow, and is killed under load at the end; a server that is killed again and again; one
//! whose disk fails all the time; and an arena with hostile engines that is killed too. At the end of each of its runs
//! the load generator compares every game with the moves that were acknowledged and checks the database.

use crate::{shell, web};
use anyhow::{Context, bail};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

const MINUTES: f64 = 60.0;
/// The load generator's longest run.
const LONGEST: f64 = 3_600.0;

/// Seconds between two faults of the server that lives through it all.
const FAULT_EVERY: f64 = 30.0;
/// The most that its memory may grow, in percent, where the run is long enough for caches and quotas to be full before.
const GROWTH: &str = "10";
const LONG_ENOUGH: f64 = 300.0;

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let minutes = match args {
        [] => MINUTES,
        [name, value] if name == "--minutes" => {
            value.parse().ok().filter(|minutes| *minutes > 0.0).context("--minutes needs a number above 0")?
        }
        _ => bail!("accepted: --minutes N"),
    };
    web::build()?;
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    for (package, example) in [("tengen-server", "load"), ("tengen-arena", "storm")] {
        let build = ["build", "--release", "--package", package, "--example", example];
        shell::run(shell::cargo().args(build))?;
    }
    let until = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let rounds: [fn(f64) -> Command; 5] =
        [public_server, killed_server, failing_disk, hostile_engines, killed_arena];
    let failed: Vec<String> = thread::scope(|scope| {
        let running = rounds.map(|round| scope.spawn(move || repeat(round, until)));
        let ended = running.map(|thread| thread.join().expect("a round does not panic"));
        ended.into_iter().filter_map(|ended| ended.err().map(|error| format!("{error:#}"))).collect()
    });
    if !failed.is_empty() {
        bail!("{}", failed.join("\n"));
    }
    println!("== {minutes} minutes of soak: no failure");
    Ok(())
}

/// Runs a command until the time is over or it fails; it is told the seconds that are left.
fn repeat(round: fn(f64) -> Command, until: Instant) -> anyhow::Result<()> {
    loop {
        let left = until.saturating_duration_since(Instant::now()).as_secs_f64();
        if left < 1.0 {
            return Ok(());
        }
        shell::run(&mut round(left))?;
    }
}

/// Times are wider than those of a run alone: five programs share the machine.
fn public_server(seconds: f64) -> Command {
    let mut command = load();
    let seconds = seconds.clamp(10.0, LONGEST);
    command.args(["--games", "500", "--abuse", "--p99", "2000", "--late", "20", "--kills", "5"]);
    command.args([
        "--seconds",
        &format!("{seconds:.0}"),
        "--faults",
        &format!("{:.0}", seconds / FAULT_EVERY),
    ]);
    if seconds >= LONG_ENOUGH {
        command.args(["--growth", GROWTH]);
    }
    command
}

fn killed_server(_seconds: f64) -> Command {
    let mut command = load();
    command.args(["--games", "100", "--kills", "20"]);
    command
}

fn failing_disk(_seconds: f64) -> Command {
    let mut command = load();
    command.args(["--games", "50", "--faults", "20"]);
    command
}

fn hostile_engines(_seconds: f64) -> Command {
    let mut command = example("storm");
    command.args(["games", "100"]);
    command
}

fn killed_arena(_seconds: f64) -> Command {
    let mut command = example("storm");
    command.args(["kill", "10"]);
    command
}

fn load() -> Command {
    let mut command = example("load");
    command.arg("--tengen").arg(shell::root().join("target/release/tengen"));
    command
}

fn example(name: &str) -> Command {
    shell::program(&shell::root().join("target/release/examples").join(name).to_string_lossy())
}
