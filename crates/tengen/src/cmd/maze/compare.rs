//! `tengen maze compare FILE`: every algorithm on one question.

use super::solve::{MOST_RUNS, measure};
use super::{SearchArgs, load, prepare_solver, solver};
use crate::output::write_file;
use anyhow::Context;
use game::Watch;
use maze::render::{Bar, chart};
use maze::{Algorithm, Outcome, Timer};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The map
    file: PathBuf,
    #[command(flatten)]
    search: SearchArgs,
    /// Write a bar chart of cells expanded and time
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// IDA* may take forever on a large map; the others never come near.
const USUAL_TIME: Duration = Duration::from_secs(2);

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let loaded = load(&args.file)?;
    let rule = args.search.rule(&loaded, Algorithm::AStar);
    let weighted = loaded.grid.is_weighted();
    let (mut bars, mut rows, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for algorithm in Algorithm::ALL {
        let same_as_jps4 = algorithm == Algorithm::Jps && rule == maze::Neighbours::Four;
        if !algorithm.allows(rule) || (weighted && !algorithm.allows_weights()) || same_as_jps4 {
            continue;
        }
        let mut query = args.search.query_for_all(&args.file, &loaded, algorithm, rule)?;
        query.budget.timer.get_or_insert(Timer { watch: Watch::default(), limit: Some(USUAL_TIME) });
        let mut solver = solver(&args.file, &loaded.grid, algorithm)?;
        let prepared = match prepare_solver(&mut solver, algorithm, rule) {
            Ok(seconds) => seconds,
            Err(error) => {
                left_out.push(error.to_string());
                continue;
            }
        };
        let (answer, seconds, runs) =
            measure(&mut solver, &mut query).with_context(|| args.file.display().to_string())?;
        let (cost, result) = match &answer.outcome {
            Outcome::Found(path) => (Some(path.cost), "found"),
            Outcome::NoPath => (None, "none"),
            Outcome::OutOfBudget { .. } => (None, "unknown"),
        };
        rows.push(json!({
            "algorithm": algorithm.name(), "result": result, "cost": cost, "bound": answer.bound,
            "expanded": answer.expanded, "seconds": seconds, "runs": runs, "prepare_seconds": prepared,
            "memory_bytes": solver.memory_bytes(),
        }));
        bars.push(Bar {
            name: algorithm.name().to_owned(),
            expanded: answer.expanded,
            seconds,
            stopped: result == "unknown",
        });
        if !args.json {
            if bars.len() == 1 {
                println!("{} neighbours, from {} to {}", rule, query.from, query.to);
                println!("time is the median of up to {MOST_RUNS} warm runs");
                println!(
                    "{:14}{:>14}{:>12}{:>14}{:>14}{:>12}",
                    "algorithm", "cost", "expanded", "time us", "prepare us", "memory kB"
                );
            }
            let cost = match (cost, result) {
                (Some(cost), _) => format!("{cost:.4}"),
                (None, "none") => "no path".to_owned(),
                (None, _) => "at limit".to_owned(),
            };
            let (time, prepared) = (seconds * 1e6, prepared * 1e6);
            let memory = solver.memory_bytes() / 1000;
            println!(
                "{:14}{cost:>14}{:>12}{time:>14.1}{prepared:>14.1}{memory:>12}",
                algorithm.name(),
                answer.expanded
            );
        }
    }
    if args.json {
        println!("{}", json!({ "neighbours": rule.name(), "algorithms": rows, "left_out": left_out }));
    } else {
        left_out.iter().for_each(|reason| println!("left out: {reason}"));
    }
    args.svg.as_ref().map_or(Ok(()), |file| write_file(file, chart(&bars).as_bytes()))
}
