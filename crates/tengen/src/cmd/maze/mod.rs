//! `tengen maze …`: what its subcommands share, reading a map and asking for a path.

mod compare;
mod generate;
mod nearest;
mod prepare;
mod render;
mod scen;
mod solve;

use crate::search_args::{parse_count, parse_seconds};
use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use game::Watch;
use maze::format::Loaded;
use maze::{Algorithm, Budget, Cell, Ends, Grid, Neighbours, Query, QueryError, Solver};
use std::io::Read;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Find one path through a map
    Solve(solve::Args),
    /// Answer every query of a MovingAI scenario file and check its cost
    Scen(scen::Args),
    /// Make a table of a map, for --algorithm subgoal or firstmoves
    Prepare(prepare::Args),
    /// Distances from one cell to many, or the nearest few of them
    Nearest(nearest::Args),
    /// Make a maze, a map of obstacles or a map of rooms
    Generate(generate::Args),
    /// Draw a map, and perhaps a search in it
    Render(render::Args),
    /// Run every algorithm on one map: cost, cells expanded, time
    Compare(compare::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Solve(args) => solve::run(args),
        Command::Scen(args) => scen::run(args),
        Command::Prepare(args) => prepare::run(args),
        Command::Nearest(args) => nearest::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Render(args) => render::run(args),
        Command::Compare(args) => compare::run(args),
    }
}

/// Which path to look for, and how.
#[derive(Clone, clap::Args)]
struct SearchArgs {
    /// Start as ROW,COLUMN from the top left, from 0 [default: the start marked in the map, else an opening in its border]
    #[arg(long, value_name = "R,C", allow_hyphen_values = true, value_parser = parse_cell)]
    from: Option<Cell>,
    /// Goal as ROW,COLUMN [default: the goal marked in the map, else the other opening]
    #[arg(long, value_name = "R,C", allow_hyphen_values = true, value_parser = parse_cell)]
    to: Option<Cell>,
    /// Neighbours of a cell: 8 never cuts corners; 8-cut may [default: 8 for a MovingAI map, else 4]
    #[arg(long, value_parser = neighbours_parser())]
    neighbours: Option<Neighbours>,
    /// Weighted A*: multiplies the heuristic by W; the path costs at most W times the optimum [default: 1.5]
    #[arg(long, value_name = "W", value_parser = parse_weight)]
    weight: Option<f64>,
    /// Stop after this many seconds and say so
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Stop after expanding this many cells and say so
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
}

impl SearchArgs {
    /// The neighbour rule: the one given, else the one the map and the algorithm are made for.
    fn rule(&self, loaded: &Loaded, algorithm: Algorithm) -> Neighbours {
        self.neighbours.unwrap_or_else(|| algorithm.rule_for(loaded.format.neighbours()))
    }

    fn query(&self, file: &Path, loaded: &Loaded, algorithm: Algorithm) -> anyhow::Result<Query> {
        let algorithm = match (algorithm, self.weight) {
            (Algorithm::AStar, Some(_)) => Algorithm::WeightedAStar,
            (Algorithm::WeightedAStar, _) | (_, None) => algorithm,
            (other, Some(_)) => usage(&format!("--weight is for astar and wastar, not for {other}")),
        };
        let rule = self.rule(loaded, algorithm);
        if !algorithm.allows(rule) {
            let able: Vec<_> = Neighbours::ALL.into_iter().filter(|rule| algorithm.allows(*rule)).collect();
            let able: Vec<_> = able.into_iter().map(Neighbours::name).collect();
            let able = able.join(" or ");
            usage(&format!("{algorithm} does not work with --neighbours {rule}; it works with {able}"));
        }
        self.query_for_all(file, loaded, algorithm, rule)
    }

    /// The same question for any algorithm; the weight is for weighted A* alone.
    fn query_for_all(
        &self,
        file: &Path,
        loaded: &Loaded,
        algorithm: Algorithm,
        neighbours: Neighbours,
    ) -> anyhow::Result<Query> {
        let ends = Ends::resolve(&loaded.grid, self.from, self.to)
            .with_context(|| format!("{} (--from R,C and --to R,C)", file.display()))?;
        let budget = Budget { expansions: self.nodes, ..limit_time(self.time) };
        let weight = self.weight.unwrap_or(1.5);
        Ok(Query { from: ends.from, to: ends.to, algorithm, neighbours, weight, budget })
    }
}

/// A solver for an algorithm, with the table beside the map where the algorithm uses one.
fn solver<'g>(map: &Path, grid: &'g Grid, algorithm: Algorithm) -> anyhow::Result<Solver<'g>> {
    Ok(prepare::Beside::read(map, grid, algorithm)?.solver(grid))
}

/// One thread per core.
fn all_threads() -> NonZero<usize> {
    available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Prepares a solver; returns how many seconds that took.
fn prepare_solver(
    solver: &mut Solver<'_>,
    algorithm: Algorithm,
    neighbours: Neighbours,
) -> Result<f64, QueryError> {
    let (prepared, seconds) = timed(|| solver.prepare(algorithm, neighbours));
    prepared.map(|()| seconds)
}

/// What the work gives, and how many seconds it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed().as_secs_f64())
}

/// A budget by the clock, which starts now; without a limit no clock is read.
fn limit_time(limit: Option<Duration>) -> Budget {
    match limit {
        Some(_) => Budget::timed(Watch::default(), limit),
        None => Budget::default(),
    }
}

/// The same question asked again: its clock starts again.
fn restart(query: &mut Query) {
    if let Some(timer) = &mut query.budget.timer {
        timer.watch = timer.watch.restarted();
    }
}

/// Reads a map from a file, or from standard input for `-`.
fn load(file: &Path) -> anyhow::Result<Loaded> {
    Ok(maze::format::read(&file.display().to_string(), &read(file)?)?)
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Ends the program with a message about its arguments and exit code 2.
fn usage(message: &str) -> ! {
    clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, format!("{message}\n")).exit()
}

fn algorithm_parser() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| name.parse::<Algorithm>())
}

fn neighbours_parser() -> impl TypedValueParser<Value = Neighbours> {
    PossibleValuesParser::new(Neighbours::ALL.map(Neighbours::name))
        .try_map(|name| name.parse::<Neighbours>())
}

fn parse_cell(text: &str) -> Result<Cell, String> {
    let cell = text
        .split_once(',')
        .and_then(|(row, col)| Some(Cell { row: row.trim().parse().ok()?, col: col.trim().parse().ok()? }));
    cell.ok_or_else(|| "a cell is ROW,COLUMN, two whole numbers from 0, such as 1,0".to_owned())
}

fn parse_weight(text: &str) -> Result<f64, String> {
    let weight = text.parse::<f64>().ok().filter(|weight| (1.0..=1000.0).contains(weight));
    weight.ok_or_else(|| "a weight is a number from 1 to 1000".to_owned())
}
