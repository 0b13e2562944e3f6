//! `tengen maze scen FILE.scen`: answers every query of a scenario file and checks its cost.

use super::prepare::Beside;
use super::{
    algorithm_parser, all_threads, limit_time, load, neighbours_parser, prepare_solver, read, timed, usage,
};
use crate::search_args::parse_seconds;
use anyhow::{Context, bail};
use maze::format::{Scenario, read_scenarios};
use maze::{Algorithm, Neighbours, Query, QueryError, Searched, batch};
use serde_json::json;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The scenario file (MovingAI, version 1 or 1.0)
    file: PathBuf,
    /// The map [default: the file's name without .scen, else the map it names, in the same folder]
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// How to search; costs of anyangle are checked not to be above the file's, those of theta are not checked
    #[arg(long, short, default_value = "jps", value_parser = algorithm_parser())]
    algorithm: Algorithm,
    /// Neighbours of a cell; the lengths in the file hold for 8
    #[arg(long, default_value = "8", value_parser = neighbours_parser())]
    neighbours: Neighbours,
    /// Only the first N queries
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Stop each query after this many seconds; it then counts as unsolved
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Search on N threads, 0 for one per core; seconds are then those of all together
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: u16,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Largest accepted difference from the cost in the file, which is rounded.
const TOLERANCE: f64 = 1e-4;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if args.time.is_some() && args.threads != 1 {
        usage("--time limits one query after another: it does not go with --threads");
    }
    let name = args.file.display().to_string();
    let list = read_scenarios(&name, &read(&args.file)?)?.list;
    let list = &list[..list.len().min(args.limit.unwrap_or(usize::MAX))];
    let Some(first) = list.first() else { bail!("{name}: no scenarios") };
    let map = args.map.clone().unwrap_or_else(|| beside(&args.file, first));
    let loaded = load(&map)?;
    check_map(&name, list, &map, &loaded.grid)?;
    let beside = Beside::read(&map, &loaded.grid, args.algorithm)?;
    let mut solver = beside.solver(&loaded.grid);
    let prepared = prepare_solver(&mut solver, args.algorithm, args.neighbours)
        .with_context(|| map.display().to_string())?;
    let query = |scenario: &Scenario| Query {
        budget: limit_time(args.time),
        ..Query::new(scenario.from, scenario.to).by(args.algorithm).with_neighbours(args.neighbours)
    };
    let threads = NonZero::new(usize::from(args.threads)).unwrap_or_else(all_threads);
    let (found, seconds): (Vec<_>, f64) = if threads.get() == 1 {
        let one = |scenario| {
            let query = query(scenario);
            let (searched, seconds) = timed(|| solver.search(&query));
            (Found::keep(searched), seconds)
        };
        let (found, seconds): (Vec<_>, Vec<f64>) = list.iter().map(one).unzip();
        (found, seconds.iter().sum())
    } else {
        let queries: Vec<_> = list.iter().map(query).collect();
        timed(|| {
            batch(|| beside.solver(&loaded.grid), &queries, threads, |_, searched| Found::keep(searched))
        })
    };
    let (mut mismatches, mut invalid) = (Vec::new(), Vec::new());
    let (mut unsolved, mut expanded) = (0u64, 0u64);
    for (scenario, found) in list.iter().zip(found) {
        let Found { cost, stopped, expanded: more } = match found {
            Ok(found) => found,
            Err(error @ (QueryError::InWall { .. } | QueryError::Outside { .. })) => {
                invalid.push((scenario.line, error));
                continue;
            }
            // Every other query would fail the same way.
            Err(error) => return Err(error).with_context(|| format!("{name}:{}:1", scenario.line)),
        };
        expanded += more;
        if stopped {
            unsolved += 1;
            continue;
        }
        let right = cost.is_some_and(|cost| {
            let (over, most) = (cost - scenario.optimum, TOLERANCE + scenario.rounding);
            match args.algorithm {
                // The file's lengths are of steps between neighbours; the best path in any direction is no longer.
                Algorithm::AnyAngle => over <= most,
                Algorithm::Theta => true,
                _ => over.abs() <= most,
            }
        });
        if !right {
            mismatches.push((scenario.line, cost, scenario.optimum));
        }
    }
    if args.json {
        let shown: Vec<_> = mismatches
            .iter()
            .map(|(line, cost, optimum)| json!({ "line": line, "cost": cost, "optimum": optimum }))
            .collect();
        let refused: Vec<_> =
            invalid.iter().map(|(line, error)| json!({ "line": line, "error": error.to_string() })).collect();
        println!(
            "{}",
            json!({
                "algorithm": args.algorithm.name(), "neighbours": args.neighbours.name(), "map": map.display().to_string(),
                "queries": list.len(), "threads": threads, "mismatches": shown, "invalid": refused, "unsolved": unsolved, "expanded": expanded,
                "seconds": seconds, "prepare_seconds": prepared, "memory_bytes": solver.memory_bytes(),
            })
        );
    } else {
        println!("map         {}", map.display());
        println!("algorithm   {} with {} neighbours", args.algorithm, args.neighbours);
        println!("queries     {}", list.len());
        println!("mismatches  {}", mismatches.len());
        println!("invalid     {}", invalid.len());
        println!("unsolved    {unsolved}");
        println!("expanded    {expanded}");
        println!("seconds     {seconds:.6} on {threads} threads, preparing {prepared:.6}");
    }
    if let Some((line, cost, optimum)) = mismatches.first() {
        let found = cost.map_or("no path".to_owned(), |cost| format!("cost {cost:.6}"));
        bail!(
            "{name}:{line}:1: {found} where the file says {optimum}; {} mismatches in all",
            mismatches.len()
        );
    }
    if let Some((line, error)) = invalid.first() {
        bail!("{name}:{line}:1: {error}; {} invalid queries in all", invalid.len());
    }
    Ok(())
}

/// What is kept of an answer: paths would fill the memory.
struct Found {
    cost: Option<f64>,
    stopped: bool,
    expanded: u64,
}

impl Found {
    fn keep(searched: Result<Searched<'_>, QueryError>) -> Result<Found, QueryError> {
        let searched = searched?;
        let (cost, stopped, expanded) = (searched.cost(), searched.is_stopped(), searched.expanded());
        // The path is built too: a wrong one would not fit its cost.
        let built = searched.answer();
        Ok(Found { cost: built.path().map(|path| path.cost).or(cost), stopped, expanded })
    }
}

fn beside(file: &Path, first: &Scenario) -> PathBuf {
    let without = file.with_extension("");
    if without.is_file() { without } else { file.with_file_name(first.map_name()) }
}

/// Every scenario must be for this map: the same name and size.
fn check_map(name: &str, list: &[Scenario], map: &Path, grid: &maze::Grid) -> anyhow::Result<()> {
    let own = map.file_name().map(|own| own.to_string_lossy().into_owned()).unwrap_or_default();
    for scenario in list {
        let line = scenario.line;
        if scenario.map_name() != own {
            bail!("{name}:{line}:1: the scenario is for the map '{}', not for '{own}'", scenario.map);
        }
        if (scenario.width, scenario.height) != (grid.width(), grid.height()) {
            bail!(
                "{name}:{line}:1: the scenario is for a map {} wide and {} high, {own} is {} wide and {} high",
                scenario.width,
                scenario.height,
                grid.width(),
                grid.height()
            );
        }
    }
    Ok(())
}
