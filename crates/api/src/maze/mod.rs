//! Mazes: reading and making a map, and finding a path with every step of the search recorded for animation.
//!
//! | module | contents |
//! |---|---|
//! | `many` | many queries at once, and one start with many goals |
//! | `trace` | a whole search in one number per event |

mod many;
mod trace;

pub use many::{MazeBatch, MazeCosts, MazeGoals, MazeNearest, MazeReached, costs, nearest};

use crate::{Problem, Work};
use ::maze::format::{self, Format, FormatError};
use ::maze::generate::{Recipe, Style};
use ::maze::{
    Algorithm, Answer, Budget, Cell, Ends, Event, Grid, Keep, Neighbours, Outcome, Query, Recorder, Solver,
};
use game::Watch;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// The longest search.
const TIME: Duration = Duration::from_secs(10);
/// Events kept for animation.
const EVENTS: usize = 200_000;

/// A path to be found.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MazeQuery {
    /// A 0/1 matrix, a MovingAI map or a drawing.
    map: String,
    /// A name from the catalog; `astar` if omitted.
    #[serde(default)]
    algorithm: Option<String>,
    /// `[row, column]`; from the map if omitted.
    #[serde(default)]
    from: Option<[u32; 2]>,
    #[serde(default)]
    to: Option<[u32; 2]>,
    /// `4`, `8` or `8-cut`; those of the map if omitted.
    #[serde(default)]
    neighbours: Option<String>,
    /// For weighted A* only, 1 to 1000.
    #[serde(default)]
    weight: Option<f64>,
    /// Keep the search's events.
    #[serde(default)]
    record: bool,
    /// Keep the search's cells in short, for playing back large searches.
    #[serde(default)]
    trace: bool,
}

/// What was found.
#[derive(Serialize, ToSchema)]
pub struct MazeAnswer {
    algorithm: &'static str,
    neighbours: &'static str,
    from: [u32; 2],
    to: [u32; 2],
    /// `found`, `none` (proved) or `unknown` (out of time).
    result: &'static str,
    cost: Option<f64>,
    steps: Option<usize>,
    /// `U` `D` `L` `R`, with 4 neighbours only.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    /// Cells from start to goal; of an any-angle path, start, turns and goal.
    path: Vec<[u32; 2]>,
    expanded: u64,
    /// Of the search alone, without preparing and without keeping events; of a search that ran out of time, with both.
    seconds: f64,
    /// What the algorithm made of the map once, before the search.
    prepare_seconds: f64,
    /// Bytes of search state and of what was prepared.
    memory_bytes: usize,
    /// The cost is at most this many times the cheapest.
    bound: Option<f64>,
    /// The first events of the search: `["open", row, column, g, h]`, `["close", row, column, g, h]`,
    /// `["jump", row, column, row, column]`, `["bound", value]`, `["meet", row, column, cost]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Vec<serde_json::Value>>>)]
    events: Option<Vec<EventRow>>,
    /// One number per cell opened (1), closed (2), or at which IDA* starts again (3, without a cell), in this order: this
    /// plus four times the cell's number, row by row. The first 3,000,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<u32>>,
    /// Events beyond the limit that were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped: Option<u64>,
}

/// An event as a short array: there are many of them.
#[derive(Serialize)]
#[serde(untagged)]
enum EventRow {
    Cell(&'static str, u32, u32, f64, f64),
    Jump(&'static str, u32, u32, u32, u32),
    Bound(&'static str, f64),
    Meet(&'static str, u32, u32, f64),
}

impl From<&Event> for EventRow {
    fn from(event: &Event) -> EventRow {
        // Three decimals are enough to show.
        let round = |value: f64| (value * 1000.0).round() / 1000.0;
        match event {
            Event::Open { cell, g, h, .. } => {
                EventRow::Cell("open", cell.row, cell.col, round(*g), round(*h))
            }
            Event::Close { cell, g, h, .. } => {
                EventRow::Cell("close", cell.row, cell.col, round(*g), round(*h))
            }
            Event::Jump { from, to } => EventRow::Jump("jump", from.row, from.col, to.row, to.col),
            Event::Bound { bound } => EventRow::Bound("bound", round(*bound)),
            Event::Meet { cell, cost } => EventRow::Meet("meet", cell.row, cell.col, round(*cost)),
        }
    }
}

pub(crate) fn broken(error: &FormatError) -> Problem {
    let detail = format!("line {}, column {}: {}", error.line, error.column, error.problem);
    Problem::refused("map.unreadable", detail).with("line", error.line).with("column", error.column)
}

pub(crate) fn cell(pair: [u32; 2]) -> Cell {
    Cell::new(pair[0], pair[1])
}

fn pair(cell: Cell) -> [u32; 2] {
    [cell.row, cell.col]
}

/// Finds a path.
pub fn solve(asked: MazeQuery) -> Work<MazeAnswer> {
    Box::new(move |watch| search(&asked, watch))
}

fn search(asked: &MazeQuery, watch: &Watch) -> Result<MazeAnswer, Problem> {
    let loaded = format::read("map", asked.map.as_bytes()).map_err(|error| broken(&error))?;
    let (algorithm, neighbours) =
        method(asked.algorithm.as_deref(), asked.neighbours.as_deref(), loaded.format)?;
    let weight = weight_for(algorithm, asked.weight)?;
    let ends = Ends::resolve(&loaded.grid, asked.from.map(cell), asked.to.map(cell))
        .map_err(|error| Problem::said("maze.ends", error))?;
    // Reading the map does not count.
    let watch = watch.restarted();
    let budget = Budget::timed(watch.clone(), Some(TIME));
    let query = Query { from: ends.from, to: ends.to, algorithm, neighbours, weight, budget };
    let mut solver = Solver::new(&loaded.grid);
    let fail = refused;
    let before = watch.elapsed();
    solver.prepare(algorithm, neighbours).map_err(fail)?;
    let prepared = watch.elapsed() - before;
    let mut found = MazeAnswer::of(&query);
    found.prepare_seconds = prepared.as_secs_f64();
    // Recorded first: a search that runs out of time does so once.
    let recorded = if asked.trace {
        let mut trace = trace::Trace::new(loaded.grid.width());
        let answer = solver.solve_observed(&query, &mut trace).map_err(fail)?;
        (found.dropped, found.trace) = (Some(trace.dropped), Some(trace.events));
        Some(answer)
    } else if asked.record {
        let mut recorder = Recorder::new(EVENTS, Keep::First);
        let answer = solver.solve_observed(&query, &mut recorder).map_err(fail)?;
        found.events = Some(recorder.events().map(EventRow::from).collect());
        found.dropped = Some(recorder.dropped());
        Some(answer)
    } else {
        None
    };
    let in_vain = |answer: &Answer| matches!(answer.outcome, Outcome::OutOfBudget { .. });
    let answer = match recorded.filter(in_vain) {
        Some(answer) => {
            found.seconds = watch.elapsed().as_secs_f64();
            answer
        }
        None => {
            let before = watch.elapsed();
            let searched = solver.search(&query).map_err(fail)?;
            found.seconds = (watch.elapsed() - before).as_secs_f64();
            searched.answer()
        }
    };
    found.memory_bytes = solver.memory_bytes();
    Ok(found.with(&answer))
}

/// A query that makes no sense on this map.
fn refused(error: ::maze::QueryError) -> Problem {
    match error {
        ::maze::QueryError::NotPrepared { .. } => Problem::said("maze.not-prepared", error),
        _ => Problem::said("maze.query", error),
    }
}

/// The algorithm asked for, and the neighbour rule: the one asked for, else the one that the map and the algorithm are
/// made for.
fn method(
    algorithm: Option<&str>,
    neighbours: Option<&str>,
    format: Format,
) -> Result<(Algorithm, Neighbours), Problem> {
    let algorithm: Algorithm =
        algorithm.unwrap_or("astar").parse().map_err(|error| Problem::said("maze.algorithm", error))?;
    let neighbours = match neighbours {
        Some(word) => word.parse::<Neighbours>().map_err(|error| Problem::said("maze.neighbours", error))?,
        None => algorithm.rule_for(format.neighbours()),
    };
    Ok((algorithm, neighbours))
}

/// The factor on the estimate: the one asked for, which only weighted A* has, else the usual one.
fn weight_for(algorithm: Algorithm, asked: Option<f64>) -> Result<f64, Problem> {
    match asked {
        Some(_) if algorithm != Algorithm::WeightedAStar => {
            let detail = format!("weight is for {}, not for {algorithm}", Algorithm::WeightedAStar);
            Err(Problem::refused("maze.query", detail))
        }
        _ => Ok(asked.unwrap_or(1.5)),
    }
}

impl MazeAnswer {
    /// Nothing found yet.
    fn of(query: &Query) -> MazeAnswer {
        MazeAnswer {
            algorithm: query.algorithm.name(),
            neighbours: query.neighbours.name(),
            from: pair(query.from),
            to: pair(query.to),
            result: "unknown",
            cost: None,
            steps: None,
            moves: None,
            path: Vec::new(),
            expanded: 0,
            seconds: 0.0,
            prepare_seconds: 0.0,
            memory_bytes: 0,
            bound: None,
            events: None,
            trace: None,
            dropped: None,
        }
    }

    fn with(self, answer: &Answer) -> MazeAnswer {
        let path = answer.path();
        let four = self.neighbours == Neighbours::Four.name();
        MazeAnswer {
            result: match answer.outcome {
                Outcome::Found(_) => "found",
                Outcome::NoPath => "none",
                Outcome::OutOfBudget { .. } => "unknown",
            },
            cost: path.map(|path| path.cost),
            steps: path.map(|path| path.steps()),
            moves: path.filter(|_| four).and_then(|path| path.moves()),
            path: path.map(|path| path.cells.iter().copied().map(pair).collect()).unwrap_or_default(),
            expanded: answer.expanded,
            bound: answer.bound,
            ..self
        }
    }
}

/// A map file to be read, or to be written in another format.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MapText {
    text: String,
    /// The file's name, for messages.
    #[serde(default)]
    name: Option<String>,
}

/// A map.
#[derive(Serialize, ToSchema)]
pub struct MapBody {
    rows: u32,
    cols: u32,
    /// What it was written as: `matrix`, `movingai`, `drawing`.
    format: &'static str,
    /// One string a row: `#` wall, `.` free, `2` to `9` free at that cost.
    map: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<[u32; 2]>,
    /// The neighbour rule it is made for.
    neighbours: &'static str,
}

/// Reads a map file; not for somebody who has left.
pub fn import(asked: &MapText, watch: &Watch) -> Result<MapBody, Problem> {
    let going = || if watch.stop_flag().is_stopped() { Err(Problem::busy()) } else { Ok(()) };
    going()?;
    let name = asked.name.as_deref().unwrap_or("map");
    let loaded = format::read(name, asked.text.as_bytes()).map_err(|error| broken(&error))?;
    going()?;
    Ok(map_body(&loaded.grid, loaded.format))
}

/// The longest side of a map that is made here.
const SIDE: u64 = 512;

/// A map to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MapRecipe {
    /// A name from the catalog.
    style: String,
    /// Walls included, up to 512.
    rows: u64,
    cols: u64,
    /// The same seed gives the same map.
    #[serde(default)]
    seed: u64,
    /// Share of a maze's dead ends that are opened into circles, 0 to 1.
    #[serde(default)]
    braid: Option<f64>,
    /// Share of cells blocked by `obstacles`, 0 to 1.
    #[serde(default)]
    density: Option<f64>,
    /// For `rooms`: side of a room in cells.
    #[serde(default)]
    room: Option<u32>,
}

/// Makes a map.
pub fn generate(asked: &MapRecipe) -> Result<Work<MapBody>, Problem> {
    let style: Style = asked.style.parse().map_err(|error| Problem::said("maze.style", error))?;
    if asked.rows > SIDE || asked.cols > SIDE {
        let detail = format!("a map made here has at most {SIDE} rows and columns");
        return Err(Problem::refused("maze.size", detail));
    }
    let usual = Recipe::new(style, asked.rows, asked.cols, asked.seed);
    let recipe = Recipe {
        braid: asked.braid.unwrap_or(usual.braid),
        density: asked.density.unwrap_or(usual.density),
        room: asked.room.unwrap_or(usual.room).max(1),
        ..usual
    };
    Ok(Box::new(move |_| {
        let grid = recipe.make().map_err(|error| Problem::said("maze.recipe", error))?;
        Ok(map_body(&grid, Format::Matrix))
    }))
}

/// A map as JSON.
fn map_body(grid: &Grid, format: Format) -> MapBody {
    let ends = Ends::resolve(grid, None, None).ok();
    let letter = |cell: Cell| match (grid.is_free(cell), grid.weight(cell)) {
        (false, _) => '#',
        (true, weight @ 2..=9) => char::from(b'0' + weight),
        (true, _) => '.',
    };
    MapBody {
        rows: grid.height(),
        cols: grid.width(),
        format: format.name(),
        map: (0..grid.height())
            .map(|row| (0..grid.width()).map(|col| letter(Cell::new(row, col))).collect())
            .collect(),
        from: ends.map(|ends| pair(ends.from)),
        to: ends.map(|ends| pair(ends.to)),
        neighbours: format.neighbours().name(),
    }
}

/// What the catalog says about mazes.
#[derive(Serialize, ToSchema)]
pub struct MazeEntry {
    algorithms: Vec<AlgorithmEntry>,
    neighbours: Vec<&'static str>,
    /// Kinds of map that `/maze/generate` makes.
    styles: Vec<&'static str>,
}

/// A path-finding algorithm.
#[derive(Serialize, ToSchema)]
pub struct AlgorithmEntry {
    name: &'static str,
    /// The neighbour rules it can do.
    neighbours: Vec<&'static str>,
    /// Can it do cells of different cost?
    weights: bool,
    /// Are its paths straight lines between turns, which may be any cells? `path` then has the turns.
    any_angle: bool,
}

/// The algorithms.
pub(crate) fn entry() -> MazeEntry {
    MazeEntry {
        algorithms: Algorithm::ALL
            .into_iter()
            .map(|algorithm| AlgorithmEntry {
                name: algorithm.name(),
                neighbours: Neighbours::ALL
                    .into_iter()
                    .filter(|n| algorithm.allows(*n))
                    .map(Neighbours::name)
                    .collect(),
                weights: algorithm.allows_weights(),
                any_angle: algorithm.is_any_angle(),
            })
            .collect(),
        neighbours: Neighbours::ALL.map(Neighbours::name).to_vec(),
        styles: Style::ALL.map(Style::name).to_vec(),
    }
}
