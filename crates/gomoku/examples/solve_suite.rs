//! Runs the solvers over positions and prints how many they solved and how fast. JSONL files hold one
//! position a line (Renju where it does not say), others one position each (freestyle):
//! `cargo run --release -p tengen-gomoku --example solve_suite -- GOAL EVERY NODES FILE...`.

#![allow(missing_docs, clippy::print_stdout)]

use ::game::{Position as _, Setup};
use gomoku::notation;
use gomoku::solver::{AttackResult, Goal, Solver, SolverBudget};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [goal, every, nodes, files @ ..] = args.as_slice() else {
        return Err("accepted: vcf|vct|win|shortest EVERY NODES FILE...".into());
    };
    let (every, nodes): (usize, u64) = (every.parse()?, nodes.parse()?);
    let shortest = goal == "shortest";
    let goal: Goal = if shortest { Goal::Vcf } else { goal.parse()? };
    let mut positions = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)?;
        let rule = if file.ends_with(".jsonl") { "renju" } else { "freestyle" };
        let defaults = Setup { rule: rule.into(), ..Setup::empty(15, 15) };
        if file.ends_with(".jsonl") {
            let read = notation::json::read_lines(&text, &defaults).step_by(every);
            positions.extend(read.map(|(number, position)| (format!("{file}:{number}"), position)));
        } else {
            positions.push((file.clone(), notation::parse(&text, &defaults)));
        }
    }
    let mut solver = Solver::new(128);
    let mut times = Vec::new();
    let (mut counts, mut total, mut doubts) = ([0usize; 3], 0, 0);
    let mut checking = std::time::Duration::ZERO;
    for (name, position) in positions {
        let position = match position {
            Ok(position) => position,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let (mut board, side) = (position.board().clone(), position.to_move());
        let mut budget = SolverBudget::nodes(nodes);
        let start = Instant::now();
        let answer = match shortest {
            true => solver.shortest_vcf(&mut board, side, &mut budget),
            false => solver.solve(&mut board, side, goal, &mut budget),
        };
        times.push((start.elapsed(), answer.nodes, name.clone()));
        total += answer.nodes;
        counts[answer.result as usize] += 1;
        if answer.result == AttackResult::Win {
            let start = Instant::now();
            if let Err(doubt) = solver.verify(&mut board, side, goal, &mut SolverBudget::nodes(10_000_000)) {
                doubts += 1;
                println!("{name}: {doubt}");
            }
            checking += start.elapsed();
        } else {
            println!("{name}: {} after {} nodes", answer.result.name(), answer.nodes);
        }
    }
    times.sort();
    let seconds: f64 = times.iter().map(|(time, ..)| time.as_secs_f64()).sum();
    println!("win {} none {} unknown {}, {doubts} not verified", counts[0], counts[1], counts[2]);
    println!("{total} nodes in {seconds:.3} s, verified in {checking:?}");
    println!("median {:?}, worst:", times.get(times.len() / 2));
    times.iter().rev().take(5).for_each(|worst| println!("  {worst:?}"));
    Ok(())
}
