//! `tengen solve GAME POSITION`: prove or refute. One file per game; the batch loop is shared.

mod gomoku;
mod hex;

use crate::position::{self, BoardArgs};
use anyhow::bail;
use clap::Parser;
use game::StopFlag;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(clap::Subcommand)]
enum Game {
    /// Forced wins: by fours, by threats, or by any means
    Gomoku(gomoku::Args),
    /// Who wins, or all winning moves, proved by search over virtual connections
    Hex(hex::Args),
}

impl Args {
    /// Reads the words of [`gomoku::Args::words`] and [`hex::Args::words`], the game first.
    pub(crate) fn parse_words(words: &[String]) -> anyhow::Result<Args> {
        #[derive(clap::Parser)]
        struct CommandLine {
            #[command(flatten)]
            args: Args,
        }
        Ok(CommandLine::try_parse_from([&["solve".to_string()], words].concat())?.args)
    }
}

/// Answers one line of a batch, as [`run`] does with `--batch`.
pub(crate) fn answer_line(args: &Args, line: &str, stop: &StopFlag) -> anyhow::Result<Value> {
    match &args.game {
        Game::Gomoku(args) => gomoku::answer_line(args, line, stop),
        Game::Hex(args) => hex::answer_line(args, line, stop),
    }
}

/// What the fleet needs to know of a batch.
struct FleetBatch<'a> {
    url: &'a str,
    title: String,
    words: Vec<String>,
    /// Is every answer the same on every machine?
    exact: bool,
}

/// Has every line of a file answered by the fleet, and prints the answers in the same order. `portable` makes a line
/// independent of files on this machine.
fn fleet_batch(
    file: &Path,
    batch: FleetBatch,
    stop: &StopFlag,
    portable: impl Fn(&str) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let text = position::read_file(file)?;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        // A line that cannot be read is sent as it is: its answer is the error.
        lines.push((number, portable(line).unwrap_or_else(|_| line.to_string())));
    }
    let mut failures = 0;
    let FleetBatch { url, title, words, exact } = batch;
    crate::fleet::answer_lines(url, title, words, exact, &lines, stop, &mut |number, answer| {
        let answer = answer.unwrap_or_else(|error| {
            failures += 1;
            json!({"error": format!("line {}: {error}", number + 1)})
        });
        let _ = writeln!(std::io::stdout(), "{answer}");
    })?;
    check_failures(file, failures)
}

fn check_failures(file: &Path, failures: usize) -> anyhow::Result<()> {
    match failures {
        0 => Ok(()),
        failed => bail!("{}: {failed} of its lines could not be read", file.display()),
    }
}

/// An option of the command line, if it is set.
type OptionWord<'a> = (&'a str, Option<String>);

/// The game as a command line names it, with `--name=value` for each option that is set: `own` ones and those of both
/// games.
fn words(
    game: &str,
    own: &[OptionWord],
    (time, nodes, memory): (Option<Duration>, Option<u64>, u32),
    board: &BoardArgs,
) -> Vec<String> {
    let shared = [
        ("time", time.map(|time| time.as_secs_f64().to_string())),
        ("nodes", nodes.map(|nodes| nodes.to_string())),
        ("memory", Some(memory.to_string())),
        ("size", board.size.map(|(rows, cols)| format!("{rows}x{cols}"))),
        ("rule", Some(board.rule.clone())),
        ("opening", Some(board.opening.clone())),
        ("to-move", board.to_move.map(|side| side.to_string())),
    ];
    let word = |(name, value): &OptionWord| Some(format!("--{name}={}", value.as_ref()?));
    let options = own.iter().chain(&shared).filter_map(word);
    [game.to_string(), "empty".into()].into_iter().chain(options).collect()
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.game {
        Game::Gomoku(args) => gomoku::run(args),
        Game::Hex(args) => hex::run(args),
    }
}

/// Answers every line of a file with one line of JSON, in the same order, on `threads` threads. `worker`
/// makes what answers lines on one thread; it may keep tables between them.
fn batch<W, A>(file: &Path, threads: usize, worker: W) -> anyhow::Result<()>
where
    W: Fn() -> A + Sync,
    A: FnMut(&str) -> anyhow::Result<Value>,
{
    let text = position::read_file(file)?;
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    let (next, failures) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let out = Mutex::new((0usize, BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, lines.len().max(1)) {
            scope.spawn(|| {
                let mut answer = worker();
                while let Some((number, line)) = lines.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
                    let found = answer(line).unwrap_or_else(|error| {
                        failures.fetch_add(1, Ordering::Relaxed);
                        json!({"error": format!("line {}: {error:#}", number + 1)})
                    });
                    let at = lines.partition_point(|(other, _)| *other < number);
                    print_in_order(&out, at, found);
                }
            });
        }
    });
    check_failures(file, failures.into_inner())
}

/// Prints an answer as soon as all before it are printed.
fn print_in_order(out: &Mutex<(usize, BTreeMap<usize, Value>)>, at: usize, answer: Value) {
    let mut out = out.lock().unwrap_or_else(|broken| broken.into_inner());
    out.1.insert(at, answer);
    let mut stdout = std::io::stdout().lock();
    loop {
        let turn = out.0;
        let Some(answer) = out.1.remove(&turn) else { break };
        // A reader that went away is not worth an error: the other answers go nowhere too.
        let _ = writeln!(stdout, "{answer}");
        out.0 = turn + 1;
    }
    let _ = stdout.flush();
}
