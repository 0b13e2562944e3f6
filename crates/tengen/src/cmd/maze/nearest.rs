//! `tengen maze nearest FILE`: one search from one cell to many.

use super::{SearchArgs, load, parse_cell, read, timed};
use anyhow::{Context, bail};
use maze::{Algorithm, Cell, Query, Solver};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The map
    file: PathBuf,
    /// A goal as ROW,COLUMN; may be repeated
    #[arg(long = "goal", value_name = "R,C", allow_hyphen_values = true, value_parser = parse_cell)]
    goals: Vec<Cell>,
    /// A file of goals, one ROW,COLUMN a line
    #[arg(long = "goals", value_name = "FILE")]
    list: Option<PathBuf>,
    /// Only the K nearest goals [default: all that can be reached]
    #[arg(long, short = 'k', value_name = "K")]
    count: Option<usize>,
    #[command(flatten)]
    search: SearchArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if args.search.weight.is_some() || args.search.to.is_some() {
        super::usage("nearest has neither --weight nor --to: name goals with --goal R,C or --goals FILE");
    }
    let loaded = load(&args.file)?;
    let mut goals = args.goals.clone();
    if let Some(list) = &args.list {
        goals.extend(read_goals(list)?);
    }
    let Some(first) = goals.first() else {
        super::usage("no goals: name them with --goal R,C or --goals FILE");
    };
    let rule = args.search.rule(&loaded, Algorithm::Dijkstra);
    let search = SearchArgs { to: Some(*first), ..args.search.clone() };
    let name = || args.file.display().to_string();
    let Query { from, budget, .. } = search.query_for_all(&args.file, &loaded, Algorithm::Dijkstra, rule)?;
    let count = args.count.unwrap_or(goals.len());
    let mut solver = Solver::new(&loaded.grid);
    let (found, seconds) = timed(|| solver.nearest(from, &goals, count, rule, &budget));
    let found = found.with_context(name)?;
    if args.json {
        let reached: Vec<_> = found
            .reached
            .iter()
            .map(|goal| json!({ "index": goal.index, "goal": [goal.goal.row, goal.goal.col], "cost": goal.cost }))
            .collect();
        let value = json!({
            "neighbours": rule.name(), "from": [from.row, from.col], "reached": reached, "complete": found.complete,
            "expanded": found.expanded, "seconds": seconds,
        });
        println!("{value}");
    } else {
        println!("from {from} with {rule} neighbours: {} of {} goals", found.reached.len(), goals.len());
        for goal in &found.reached {
            println!("{:>12}  {:.4}", goal.goal.to_string(), goal.cost);
        }
    }
    if !found.complete {
        bail!(
            "{}: stopped at the limit after {} cells; goals not listed may be reachable",
            name(),
            found.expanded
        );
    }
    Ok(())
}

fn read_goals(file: &Path) -> anyhow::Result<Vec<Cell>> {
    let bytes = read(file)?;
    let text = std::str::from_utf8(&bytes).with_context(|| format!("{}: not UTF-8 text", file.display()))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let place = || format!("{}:{number}:1", file.display());
            parse_cell(line.trim()).map_err(anyhow::Error::msg).with_context(place)
        })
        .collect()
}
