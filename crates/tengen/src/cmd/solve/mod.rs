//! `tengen solve GAME POSITION`: prove or refute. One file per game; the batch loop is shared.

mod gomoku;
mod hex;

use crate::position;
use anyhow::bail;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    match failures.into_inner() {
        0 => Ok(()),
        failed => bail!("{}: {failed} of its lines could not be read", file.display()),
    }
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
