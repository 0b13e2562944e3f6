//! `cargo xtask fleet-figures`: what a fleet of two workers on this machine costs against the same match without one.
//!
//! The match is at fixed nodes with a fixed seed, so that both tables must be the same.

use crate::nats::Nats;
use crate::shell;
use crate::site_storm::{await_server, free_ports};
use crate::storm::Process;
use crate::temp_folder::TempFolder;
use anyhow::{Context, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The fleet plays at least this share of the games per second.
const SHARE: f64 = 0.9;
/// From starting a worker to its first result.
const FIRST: Duration = Duration::from_secs(60);
/// A first result that has not come by then never will.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let games = read(args)?;
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    let Some(nats) = Nats::start()? else { bail!("nats-server is missing and could not be installed") };
    let folder = TempFolder::make("fleet-figures")?;
    // A copy: the original may be built anew in the meantime.
    let tengen = folder.path().join("tengen");
    std::fs::copy(shell::root().join("target/release/tengen"), &tengen)?;
    let (local, here) = timed(&mut contest(&tengen, games, &["--concurrency", "2"]))?;
    println!("--concurrency 2:  {:>7.1} games per second", games as f64 / local.as_secs_f64());
    let fleet = Fleet::start(tengen, nats, &folder)?;
    println!("first result:     {:>7.1} s after `tengen worker --join`", fleet.first.as_secs_f64());
    let (remote, there) = timed(&mut contest(&fleet.tengen, games, &["--fleet", &fleet.nats.url()]))?;
    println!("two workers:      {:>7.1} games per second", games as f64 / remote.as_secs_f64());
    let missed = missed(local, remote, fleet.first, &here, &there);
    if !missed.is_empty() {
        bail!("missed: {}", missed.join("; "));
    }
    println!("the same table from both: {}", timeless(here));
    Ok(())
}

fn read(args: &[String]) -> anyhow::Result<u64> {
    match args {
        [] => Ok(2_000),
        [name, value] if name == "--games" => {
            let games = value.parse().ok().filter(|games| (2..=100_000).contains(games));
            games.context("--games needs a number from 2 to 100000")
        }
        _ => bail!("accepted: --games N"),
    }
}

/// A match of fast games with these further words.
fn contest(tengen: &Path, games: u64, words: &[&str]) -> Command {
    let mut command = shell::child(tengen);
    command.args(["match", "classic-ac@depth=2", "tengen", "--game", "gomoku", "--nodes", "300"]);
    command.args(["--seed", "7", "--allow-repeats", "--json", "--games", &games.to_string()]).args(words);
    command.stdin(Stdio::null());
    command
}

fn timed(command: &mut Command) -> anyhow::Result<(Duration, Value)> {
    let began = Instant::now();
    let answer = shell::output(command)?;
    Ok((began.elapsed(), serde_json::from_str(&answer)?))
}

/// A server and two workers.
struct Fleet {
    tengen: PathBuf,
    /// From starting the workers to the first result.
    first: Duration,
    _workers: Vec<Process>,
    _server: Process,
    nats: Nats,
}

impl Fleet {
    fn start(tengen: PathBuf, nats: Nats, folder: &TempFolder) -> anyhow::Result<Fleet> {
        let place = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let url = nats.url();
        let [addr] = free_ports::<1>()?;
        let (host, data) = (addr.to_string(), place("data"));
        let serve = ["serve", "--addr", &host, "--data", &data, "--nats", &url];
        let server = Process::start(shell::child(&tengen), &serve)?;
        await_server(addr)?;
        // Work that waits for them.
        let mut few = contest(&tengen, 40, &["--fleet", &url]);
        let mut few = few.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        while status(&tengen, &url)?["runs"].as_array().is_none_or(Vec::is_empty) {
            std::thread::sleep(Duration::from_millis(200));
        }
        let began = Instant::now();
        let mut workers = Vec::new();
        for name in ["first", "second"] {
            let files = place(name);
            let words =
                ["worker", "--join", &url, "--threads", "1", "--name", name, "--files", &files, "--quiet"];
            workers.push(Process::start(shell::child(&tengen), &words)?);
        }
        while !has_result(&status(&tengen, &url)?) {
            if began.elapsed() > PATIENCE {
                let _ = few.kill();
                bail!("no worker has a result after {} s", PATIENCE.as_secs());
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        let first = began.elapsed();
        if !few.wait()?.success() {
            bail!("a match on the fleet failed");
        }
        Ok(Fleet { tengen, first, _workers: workers, _server: server, nats })
    }
}

fn status(tengen: &Path, url: &str) -> anyhow::Result<Value> {
    let words = ["fleet", "status", "--fleet", url, "--json"];
    Ok(serde_json::from_str(&shell::output(shell::child(tengen).args(words))?)?)
}

/// Has any result counted?
fn has_result(status: &Value) -> bool {
    let runs = status["runs"].as_array();
    runs.is_some_and(|runs| runs.iter().any(|run| run["done"].as_u64().is_some_and(|done| done > 0)))
}

/// A table without the times, which differ from run to run.
fn timeless(mut table: Value) -> Value {
    for side in ["a", "b"] {
        table[side]["seconds"] = Value::Null;
    }
    table
}

fn missed(local: Duration, remote: Duration, first: Duration, here: &Value, there: &Value) -> Vec<String> {
    let mut missed = Vec::new();
    let share = local.as_secs_f64() / remote.as_secs_f64();
    if share < SHARE {
        let (share, least) = (100.0 * share, 100.0 * SHARE);
        missed.push(format!("the fleet plays {share:.0} % of the games per second, at least {least:.0} %"));
    }
    if first > FIRST {
        missed.push(format!("the first result came after {first:.0?}, at most {FIRST:?}"));
    }
    let (here, there) = (timeless(here.clone()), timeless(there.clone()));
    if here != there {
        missed.push(format!("the tables differ: {here} without, {there} with the fleet"));
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_figure_is_judged() {
        let table = |wins: u32, seconds: f64| json!({ "a": { "wins": wins, "seconds": seconds }, "b": {} });
        let seconds = Duration::from_secs;
        let judged = |remote, first, wins| {
            missed(seconds(90), seconds(remote), seconds(first), &table(3, 1.0), &table(wins, 2.0))
        };
        assert_eq!(judged(100, 60, 3), [""; 0]);
        assert_eq!(judged(101, 60, 3), ["the fleet plays 89 % of the games per second, at least 90 %"]);
        assert_eq!(judged(80, 61, 3), ["the first result came after 61s, at most 60s"]);
        assert!(judged(80, 1, 4)[0].starts_with("the tables differ"));
    }

    #[test]
    fn a_result_is_one_that_counts() {
        assert!(!has_result(&json!({ "runs": [{ "done": 0 }] })));
        assert!(has_result(&json!({ "runs": [{ "done": 0 }, { "done": 2 }] })));
        assert!(!has_result(&Value::Null));
    }

    #[test]
    fn games_are_bounded() {
        let games =
            |words: &[&str]| read(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>()).ok();
        assert_eq!((games(&[]), games(&["--games", "50"])), (Some(2_000), Some(50)));
        assert_eq!(
            (games(&["--games", "1"]), games(&["--games", "200000"]), games(&["50"])),
            (None, None, None)
        );
    }
}
