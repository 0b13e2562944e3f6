//! `tengen bench`: fixed searches, one thread; their nodes and signature show whether an engine has changed.

use crate::position;
use anyhow::bail;
use game::bench::BenchResult;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this suite: gomoku, hex or maze
    #[arg(value_parser = ["gomoku", "hex", "maze"])]
    suite: Option<String>,
    /// Fail unless the whole signature is the one in this file
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    check: Option<PathBuf>,
    /// JSON
    #[arg(long)]
    json: bool,
}

/// What the fixed searches gave, and how fast.
pub(crate) struct Measured {
    /// Nodes and signature, as in the file BENCH.
    pub(crate) line: String,
    /// Nodes per second.
    pub(crate) speed: f64,
}

/// Runs the fixed searches.
pub(crate) fn measure() -> Measured {
    let started = Instant::now();
    let mut total = BenchResult::default();
    for (_, work) in SUITES {
        let result = work();
        total.add(result.nodes, result.signature);
    }
    let speed = total.nodes as f64 / started.elapsed().as_secs_f64();
    Measured { line: format!("{} {}", total.nodes, hex16(total.signature)), speed }
}

type Suite = (&'static str, fn() -> BenchResult);

const SUITES: [Suite; 3] =
    [("gomoku", gomoku::bench_signature), ("hex", hex::bench_signature), ("maze", maze_bench)];

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut total = BenchResult::default();
    let mut rows = Vec::new();
    for (name, work) in
        SUITES.into_iter().filter(|(name, _)| args.suite.as_deref().is_none_or(|suite| suite == *name))
    {
        let started = Instant::now();
        let result = work();
        let seconds = started.elapsed().as_secs_f64();
        total.add(result.nodes, result.signature);
        if !args.json {
            let speed = result.nodes as f64 / seconds;
            println!(
                "{name:<8} {:>12} nodes  {:016x}  {seconds:>7.2} s  {speed:>12.0} per second",
                result.nodes, result.signature
            );
        }
        rows.push(json!({"room": name, "nodes": result.nodes, "signature": hex16(result.signature), "seconds": seconds}));
    }
    let line = format!("{} {}", total.nodes, hex16(total.signature));
    if args.json {
        println!("{}", json!({"nodes": total.nodes, "signature": hex16(total.signature), "rooms": rows}));
    } else {
        println!("Bench: {line}");
    }
    if let Some(file) = &args.check {
        let stated = position::read_file(file)?;
        if stated.trim() != line {
            bail!(
                "{}: states '{}', but the program gives '{line}'; see CONTRIBUTING.md on functional changes",
                file.display(),
                stated.trim()
            );
        }
    }
    Ok(())
}

fn hex16(word: u64) -> String {
    format!("{word:016x}")
}

fn maze_bench() -> BenchResult {
    let found = maze::bench_signature();
    let mut result = BenchResult::default();
    result.add(found.expanded, found.hash);
    result
}
