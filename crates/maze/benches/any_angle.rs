//! Any-angle search against A* with eight neighbours on the MovingAI scenarios, as ratios of time.
//!
//! `cargo bench -p tengen-maze --bench any_angle [-- NAME…] [--queries N] [--rounds N]` prints one line per map and fails where a figure is
//! missed. Turns alternate query by query; the fastest round of each counts for both, because other work on the machine
//! only ever adds. Times are of searches alone, without building the path.

#![allow(clippy::print_stdout, missing_docs, reason = "a program for people")]

mod movingai;

use maze::format::{read, read_scenarios};
use maze::{Algorithm, Cell, Grid, Neighbours, Query, Solver};
use movingai::Scenarios;
use std::path::Path;
use std::time::Instant;

/// The exact search may take this many times A*'s time, on every map.
const MOST: f64 = 3.0;
const ALGORITHMS: [Algorithm; 3] = [Algorithm::AStar, Algorithm::AnyAngle, Algorithm::Theta];

fn main() {
    let (mut wanted, mut queries, mut rounds) = (Vec::new(), usize::MAX, 3);
    let mut given = std::env::args().skip(1).filter(|arg| arg != "--bench");
    while let Some(arg) = given.next() {
        let mut number =
            || given.next().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{arg} needs a number"));
        match arg.as_str() {
            "--queries" => queries = number(),
            "--rounds" => rounds = number(),
            _ => wanted.push(arg),
        }
    }
    println!("microseconds per query, best of {rounds} rounds; ratio to A*; mean length as a part of A*'s");
    println!(
        "{:16}{:>12}{:>12}{:>8}{:>12}{:>8}{:>10}{:>10}",
        "map", "astar", "anyangle", "ratio", "theta", "ratio", "anyangle", "theta"
    );
    let mut ratios = Vec::new();
    for Scenarios { name, file } in movingai::scenarios() {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            ratios.push(compare(&name, &file, queries, rounds));
        }
    }
    let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    let (mean, worst) = ((logs / ratios.len() as f64).exp(), ratios.iter().copied().fold(0.0, f64::max));
    let met = !ratios.is_empty() && worst <= MOST;
    let word = if met { "met" } else { "MISSED" };
    println!("anyangle / astar: geometric mean {mean:.2}, worst {worst:.2} (at most {MOST}): {word}");
    if !met {
        std::process::exit(1);
    }
}

/// Measures one map; returns the exact search's time over A*'s.
fn compare(name: &str, file: &Path, queries: usize, rounds: usize) -> f64 {
    let bytes =
        |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let grid: Grid = read(name, &bytes(&file.with_extension(""))).expect("a map").grid;
    let list = read_scenarios(name, &bytes(file)).expect("scenarios").list;
    let count = queries.min(list.len());
    // Evenly over the file, which is sorted by length.
    let ends: Vec<(Cell, Cell)> =
        (0..count).map(|i| &list[(2 * i + 1) * list.len() / (2 * count)]).map(|s| (s.from, s.to)).collect();
    let mut solvers = ALGORITHMS.map(|_| Solver::new(&grid));
    for (solver, algorithm) in solvers.iter_mut().zip(ALGORITHMS) {
        solver.prepare(algorithm, Neighbours::Eight).expect("nothing to refuse");
    }
    let mut times = vec![[f64::INFINITY; 3]; count];
    let mut costs = vec![[0.0; 3]; count];
    for _ in 0..rounds {
        for ((times, costs), (from, to)) in times.iter_mut().zip(&mut costs).zip(&ends) {
            for (i, algorithm) in ALGORITHMS.into_iter().enumerate() {
                let query = Query::new(*from, *to).by(algorithm).with_neighbours(Neighbours::Eight);
                let started = Instant::now();
                let searched = solvers[i].search(&query).expect("free ends");
                times[i] = times[i].min(started.elapsed().as_secs_f64() * 1e6);
                costs[i] = searched.cost().expect("a path");
            }
            let [steps, exact, theta] = *costs;
            let close = 1e-6 * steps.max(1.0);
            assert!(exact <= steps + close && exact <= theta + close, "{name} {from} {to}: {costs:?}");
        }
    }
    let sum = |of: &[[f64; 3]], i: usize| of.iter().map(|row| row[i]).sum::<f64>();
    let time = |i| sum(&times, i) / count as f64;
    let length = |i| sum(&costs, i) / sum(&costs, 0);
    println!(
        "{name:16}{:>12.2}{:>12.2}{:>8.2}{:>12.2}{:>8.2}{:>10.4}{:>10.4}",
        time(0),
        time(1),
        time(1) / time(0),
        time(2),
        time(2) / time(0),
        length(1),
        length(2)
    );
    time(1) / time(0)
}
