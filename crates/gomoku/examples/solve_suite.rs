//! Runs the solvers over a JSONL file of positions and prints how many they solved and how fast:
//! `cargo run --release -p tengen-gomoku --example solve_suite -- vcf FILE.jsonl [EVERY [NODES]]`.

#![allow(missing_docs, clippy::print_stdout)]

use ::game::{Position as _, Setup};
use gomoku::notation::json;
use gomoku::solve::{Budget, Vcf, Vct, Verdict, verify};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [goal, file, rest @ ..] = args.as_slice() else {
        return Err("accepted: vcf|shortest|vct FILE.jsonl [EVERY [NODES]]".into());
    };
    let every: usize = rest.first().map_or(Ok(1), |word| word.parse())?;
    let nodes: u64 = rest.get(1).map_or(Ok(u64::MAX), |word| word.parse())?;
    let text = std::fs::read_to_string(file)?;
    let defaults = Setup { rule: "renju".into(), ..Setup::empty(15, 15) };
    let mut times = Vec::new();
    let mut counts = [0usize; 3];
    let mut total = 0;
    let mut vcf = Vcf::new(1 << 20);
    let mut vct = Vct::new(128);
    let mut checking = std::time::Duration::ZERO;
    for (number, position) in json::read_lines(&text, &defaults).step_by(every) {
        let position = match position {
            Ok(position) => position,
            Err(error) => {
                println!("line {number}: {error}");
                continue;
            }
        };
        let mut board = position.board().clone();
        let mut budget = Budget::nodes(nodes);
        let start = Instant::now();
        let verdict = match goal.as_str() {
            "vct" => vct.run(&mut board, position.to_move(), &mut budget),
            "vcf" => vcf.run(&mut board, position.to_move(), &mut budget),
            _ => vcf.shortest(&mut board, position.to_move(), &mut budget),
        };
        times.push((start.elapsed(), number, budget.spent()));
        total += budget.spent();
        counts[verdict as usize] += 1;
        if goal == "vct" && verdict == Verdict::Win {
            let start = Instant::now();
            let checked = verify(&mut board, position.to_move(), &mut vct, &mut Budget::nodes(10_000_000));
            checking += start.elapsed();
            if let Err(doubt) = checked {
                println!("line {number}: {doubt}");
            }
        }
        if verdict != Verdict::Win {
            println!("line {number}: {} after {} nodes", verdict.name(), budget.spent());
        }
    }
    times.sort();
    let seconds: f64 = times.iter().map(|(time, ..)| time.as_secs_f64()).sum();
    println!(
        "win {} none {} unknown {}; nodes {total} in {seconds:.3} s; median {:?}; worst {:?}",
        counts[0],
        counts[1],
        counts[2],
        times.get(times.len() / 2),
        times.iter().rev().take(3).collect::<Vec<_>>()
    );
    println!("verified in {checking:?}");
    Ok(())
}
