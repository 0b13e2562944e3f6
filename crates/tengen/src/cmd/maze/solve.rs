//! `tengen maze solve FILE`

use super::{SearchArgs, algorithm_parser, load, solver, usage};
use crate::output::write_file;
use anyhow::{Context, bail};
use maze::{Algorithm, Answer, Neighbours, Outcome, Query, Solver};
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The map: a 0/1 matrix, a MovingAI map or a drawing; - for standard input
    file: PathBuf,
    /// How to search
    #[arg(long, short, default_value = "astar", value_parser = algorithm_parser())]
    algorithm: Algorithm,
    #[command(flatten)]
    search: SearchArgs,
    /// Write the three-line answer file: seconds, moves, steps (4 neighbours only)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the map with the path
    #[arg(long)]
    draw: bool,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let loaded = load(&args.file)?;
    let mut query = args.search.query(&args.file, &loaded, args.algorithm)?;
    if args.out.is_some() && query.neighbours != Neighbours::Four {
        usage("--out writes moves of four letters: it needs --neighbours 4 and an algorithm for these");
    }
    let name = || args.file.display().to_string();
    let (answer, seconds, runs) =
        measure(&mut solver(&args.file, &loaded.grid, query.algorithm)?, &mut query).with_context(name)?;
    if args.json {
        println!("{}", to_json(&query, &answer, seconds, runs));
    }
    let path = match &answer.outcome {
        Outcome::Found(path) => path,
        Outcome::NoPath => bail!("{}: no path from {} to {}", name(), query.from, query.to),
        Outcome::OutOfBudget { lower_bound } => bail!(
            "{}: {} stopped at its limit after {} cells and {:.3} s without a path; none costs less than {lower_bound:.4}",
            name(),
            query.algorithm,
            answer.expanded,
            seconds
        ),
    };
    let moves = path.moves().unwrap_or_default();
    if let Some(out) = &args.out {
        write_file(out, format!("{:.9}\n{moves}\n{}\n", seconds, path.steps()).as_bytes())?;
    }
    if args.json {
        return Ok(());
    }
    let any_angle = query.algorithm.is_any_angle();
    if any_angle {
        println!("algorithm  {}, in any direction", query.algorithm);
    } else {
        println!("algorithm  {} with {} neighbours", query.algorithm, query.neighbours);
    }
    println!("from, to   {} {}", query.from, query.to);
    println!("cost       {}", round(path.cost));
    match answer.bound {
        Some(bound) if bound > 1.0 => println!("bound      at most {bound} times the cheapest"),
        Some(_) => {}
        None if any_angle => println!("bound      none: short, but not always shortest"),
        None => println!("bound      none: fewest steps, not cheapest"),
    }
    if any_angle {
        let turns: Vec<_> = path.cells.iter().map(ToString::to_string).collect();
        println!("lines      {}: {}", path.steps(), turns.join(" "));
    } else {
        println!("steps      {}", path.steps());
    }
    println!("expanded   {}", answer.expanded);
    let how = if runs > 1 { format!(" (median of {runs} warm runs)") } else { String::new() };
    println!("seconds    {:.9}{how}", seconds);
    if query.neighbours == Neighbours::Four {
        println!("moves      {moves}");
    }
    if args.draw {
        print!("{}", maze::format::draw_path(&loaded.grid, &path.cells));
    }
    Ok(())
}

/// How often a short search is repeated at most.
pub(super) const MOST_RUNS: usize = 101;

/// Answers a query and times the search, path building aside: short searches are repeated and their median taken,
/// because the first one measures the loading of code and memory more than the search. Also returns the seconds and the
/// number of runs.
pub(super) fn measure(
    solver: &mut Solver<'_>,
    query: &mut Query,
) -> Result<(Answer, f64, usize), maze::QueryError> {
    const ENOUGH: f64 = 0.002;
    // What the algorithm prepares once per map is no part of a search.
    solver.prepare(query.algorithm, query.neighbours)?;
    let mut times = Vec::new();
    loop {
        super::restart(query);
        let (searched, seconds) = super::timed(|| solver.search(query));
        let searched = searched?;
        times.push(seconds);
        if times.iter().sum::<f64>() >= ENOUGH || times.len() >= MOST_RUNS {
            let answer = searched.answer();
            times.sort_by(f64::total_cmp);
            return Ok((answer, times[times.len() / 2], times.len()));
        }
    }
}

fn to_json(query: &Query, answer: &Answer, seconds: f64, runs: usize) -> serde_json::Value {
    let path = answer.path();
    let mut value = json!({
        "algorithm": query.algorithm.name(),
        "neighbours": query.neighbours.name(),
        "from": [query.from.row, query.from.col],
        "to": [query.to.row, query.to.col],
        "result": match answer.outcome {
            Outcome::Found(_) => "found",
            Outcome::NoPath => "none",
            Outcome::OutOfBudget { .. } => "unknown",
        },
        "cost": path.map(|path| round(path.cost)),
        "steps": path.map(|path| path.steps()),
        "expanded": answer.expanded,
        "seconds": seconds,
        "runs": runs,
        "bound": answer.bound,
    });
    if let Outcome::OutOfBudget { lower_bound } = answer.outcome {
        value["lower_bound"] = json!(lower_bound);
    }
    if query.neighbours == Neighbours::Four {
        value["moves"] = json!(path.and_then(|path| path.moves()));
    } else {
        value["path"] = json!(
            path.map(|path| { path.cells.iter().map(|cell| [cell.row, cell.col]).collect::<Vec<_>>() })
        );
    }
    value
}

/// Eight decimals, so that sums of roots print alike everywhere.
fn round(cost: f64) -> f64 {
    (cost * 1e8).round() / 1e8
}
