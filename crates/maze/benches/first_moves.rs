//! First-move tables of the MovingAI maps: how long one takes to make, how large it is, how long one move takes, and
//! whole paths against the subgoal table and online search.
//!
//! `cargo bench -p tengen-maze --bench first_moves [-- NAME…] [--rounds N]` prints one line per map and fails where a figure
//! is missed on a map of at most 512 x 512 cells whose table fits. The fastest round counts. One move is the mean of the
//! first moves of all queries, asked one after another, so tables larger than the caches pay for that.

#![allow(clippy::print_stdout, missing_docs, reason = "a program for people")]

mod movingai;

use game::StopFlag;
use maze::format::{read, read_scenarios};
use maze::{Algorithm, BuildError, Cell, FirstMoves, Grid, Neighbours, Query, Solver};
use movingai::Scenarios;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

/// Nanoseconds of one first move, and seconds of preparation on two cores, that a table may take at most. Preparation is
/// judged by processor time, which other work on the machine hardly adds to.
const MOVE_NANOS: f64 = 1000.0;
const SECONDS: f64 = 60.0;
const CORES: f64 = 2.0;

fn main() {
    let (mut wanted, mut rounds) = (Vec::new(), 5);
    let mut given = std::env::args().skip(1).filter(|arg| arg != "--bench");
    while let Some(arg) = given.next() {
        match arg.as_str() {
            "--rounds" => {
                rounds = given.next().and_then(|n| n.parse().ok()).expect("--rounds needs a number");
            }
            _ => wanted.push(arg),
        }
    }
    println!(
        "{:16}{:>9}{:>10}{:>10}{:>10}{:>10}{:>12}{:>12}",
        "map", "cells", "prepare s", "CPU s", "MB", "move ns", "path us", "jps us"
    );
    let (mut measured, mut met) = (0, true);
    for Scenarios { name, file } in movingai::scenarios() {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            measured += 1;
            met &= measure(&name, &file, rounds);
        }
    }
    assert!(measured > 0, "no map has such a name");
    println!(
        "one move under {MOVE_NANOS} ns, preparation under {SECONDS} s: {}",
        if met { "met" } else { "MISSED" }
    );
    if !met {
        std::process::exit(1);
    }
}

/// Measures one map; says whether the figures are met, or are not asked of it.
fn measure(name: &str, file: &Path, rounds: usize) -> bool {
    let bytes =
        |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let grid: Grid = read(name, &bytes(&file.with_extension(""))).expect("a map").grid;
    let list = read_scenarios(name, &bytes(file)).expect("scenarios").list;
    let ends: Vec<(Cell, Cell)> = list.iter().map(|scenario| (scenario.from, scenario.to)).collect();
    let threads = available_parallelism().expect("the number of cores");
    let (started, busy) = (Instant::now(), processor_seconds());
    let built = FirstMoves::build(&grid, threads, &StopFlag::new(), &|_| {});
    let (seconds, busy) = (started.elapsed().as_secs_f64(), processor_seconds() - busy);
    let table = match built {
        Ok(table) => Arc::new(table),
        Err(error @ (BuildError::TooLarge | BuildError::TooManyCells { .. })) => {
            println!(
                "{name:16}{:>9}  no table after {seconds:.1} s ({busy:.1} s of processor time): {error}",
                FirstMoves::count(&grid)
            );
            return true;
        }
        Err(error) => panic!("{name}: {error}"),
    };
    let mut nanos = f64::INFINITY;
    for _ in 0..rounds {
        let started = Instant::now();
        for (from, to) in &ends {
            std::hint::black_box(table.first_move(*from, *to));
        }
        nanos = nanos.min(started.elapsed().as_nanos() as f64 / ends.len() as f64);
    }
    let mut solver = Solver::new(&grid).with_first_moves(table.clone());
    let mut times = [0.0, 0.0];
    for scenario in &list {
        for (time, algorithm) in times.iter_mut().zip([Algorithm::FirstMoves, Algorithm::Jps]) {
            let query =
                Query::new(scenario.from, scenario.to).by(algorithm).with_neighbours(Neighbours::Eight);
            let mut best = f64::INFINITY;
            for _ in 0..rounds {
                let started = Instant::now();
                let cost = solver.search(&query).expect("free ends").cost().expect("a path");
                best = best.min(started.elapsed().as_secs_f64() * 1e6);
                assert!((cost - scenario.optimum).abs() < 0.01, "{name} {algorithm}: {cost}");
            }
            *time += best / list.len() as f64;
        }
    }
    let bytes = table.bytes() as f64 / 1e6;
    println!(
        "{name:16}{:>9}{seconds:>10.1}{busy:>10.1}{bytes:>10.1}{nanos:>10.0}{:>12.2}{:>12.2}",
        FirstMoves::count(&grid),
        times[0],
        times[1]
    );
    let asked = grid.width() <= 512 && grid.height() <= 512;
    !asked || (nanos < MOVE_NANOS && busy / CORES < SECONDS)
}

/// Processor time of this process, in seconds (Linux's `utime` and `stime`, in hundredths).
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("a Linux system");
    let (_, after_name) = text.rsplit_once(')').expect("the program's name in brackets");
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.map(|ticks| ticks.parse::<f64>().expect("a number")).sum::<f64>() / 100.0
}
