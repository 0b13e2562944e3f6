//! Do two threads find more than one? Searches six openings to a fixed depth with one thread and with several, each
//! with an empty table, and prints total nodes, CPU and wall time, and their ratios. Nodes to reach a depth and
//! CPU time per node hardly depend on what else the machine does; wall time does.
//! `cargo run --release -p tengen-gomoku --example threads -- DEPTH [THREADS] [ROUNDS] [EVAL]`.

#![allow(missing_docs, clippy::print_stdout)]

use ::game::{Engine as _, Limits, Position as _, Report, Setup, Watch};
use gomoku::engine::Tengen;
use gomoku::{Position, notation};
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// Quiet positions of six stones.
const OPENINGS: [&str; 6] =
    ["h8i9g7i7h6j8", "h8h9i9g7j7g10", "h8i8g9i10h10j9", "h8g7i7g9h9f8", "h8i9j8h10g10i7", "h8h7g8i6i8f8"];

/// What a search cost.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: f64,
    cpu: f64,
    wall: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u32| args.get(at).map_or(Ok(default), |arg| arg.parse());
    let (depth, threads, rounds) = (number(0, 13)?, number(1, 2)?, number(2, 1)?.max(1));
    let eval = args.get(3).map_or("network", String::as_str);
    let mut engine = Tengen::new(&[("eval", eval)].into_iter().collect())?;
    let defaults = Setup::empty(15, 15);
    // Tables of the program that are made on first use are not to be charged to the first search.
    let position = notation::moves::read(OPENINGS[0], &defaults)?;
    search(&mut engine, &position, 4, 1)?;
    let mut logs = [0.0; 4];
    println!("opening          nodes 1  nodes {threads}  nodes per CPU s 1, {threads}   wall s 1, {threads}");
    for opening in OPENINGS {
        let position = notation::moves::read(opening, &defaults)?;
        let mut costs = [Cost::default(); 2];
        // By turns, so that both see the same load.
        for _ in 0..rounds {
            for (cost, threads) in costs.iter_mut().zip([1, threads as usize]) {
                let spent = search(&mut engine, &position, depth, threads)?;
                cost.nodes += spent.nodes;
                cost.cpu += spent.cpu;
                cost.wall += spent.wall;
            }
        }
        let [one, many] = costs;
        println!(
            "{opening:14} {:9.0} {:9.0} {:9.0} {:9.0} {:9.3} {:9.3}",
            one.nodes,
            many.nodes,
            one.nodes / one.cpu,
            many.nodes / many.cpu,
            one.wall,
            many.wall
        );
        let ratios = [
            many.nodes / one.nodes,
            (many.cpu / many.nodes) / (one.cpu / one.nodes),
            f64::from(threads) * one.cpu / many.cpu,
            one.wall / many.wall,
        ];
        logs.iter_mut().zip(ratios).for_each(|(sum, ratio)| *sum += ratio.ln());
    }
    let [nodes, per_node, speedup, wall] = logs.map(|sum| (sum / OPENINGS.len() as f64).exp());
    println!("geometric means, {threads} threads against one, depth {depth}, eval={eval}:");
    println!("  total nodes {nodes:.2}, CPU time per node {per_node:.2}");
    println!(
        "  sooner by CPU time (each thread on a processor of its own) {speedup:.2}, by wall time {wall:.2}"
    );
    Ok(())
}

fn search(
    engine: &mut Tengen,
    position: &Position,
    depth: u32,
    threads: usize,
) -> Result<Cost, Box<dyn std::error::Error>> {
    engine.new_game();
    let limits = Limits { depth: Some(depth), threads, memory_mb: 64, ..Limits::default() };
    let (cpu, wall) = (cpu_time(), Instant::now());
    let Report { nodes, .. } = engine.think(position, &limits, &Watch::default(), &mut |_| {})?.report;
    let (cpu, wall) = (cpu_time().saturating_sub(cpu), wall.elapsed());
    debug_assert!(position.outcome().is_none());
    Ok(Cost { nodes: nodes as f64, cpu: cpu.as_secs_f64(), wall: wall.as_secs_f64() })
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}
