//! Path searches for watching: the textbook algorithms on a grid with a heuristic to choose or to break, and the fast
//! ones through their own observer.
//!
//! Breadth-first search, Dijkstra, A* and IDA* are those of `crates/search`, whose open list is an exact heap: what
//! the record shows as its top is what is taken next. Jump point search and the others are this crate's.

mod heuristic;
#[cfg(test)]
mod tests;

pub use heuristic::Heuristic;

use crate::grid::{Cell, Grid};
use crate::moves::{Dir, STEPS};
use crate::observe::{Event, Observer};
use crate::solve::{Algorithm, Answer, Budget, Outcome, Query, QueryError, Solver, Timer};
use crate::{Neighbours, Path};
use search::path::{
    Memory, PathObserver, PathOutcome, PathSearchResult, Problem, astar, bfs, dijkstra, idastar,
};
use search::stop::every;
use search::theatre::{FORMAT, Language, Num, PathColumns, PathKind, VERSION};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is to be watched.
#[derive(Clone, Debug)]
pub struct Explain {
    /// The question, with the algorithm; its weight multiplies the heuristic (1 changes nothing).
    pub query: Query,
    /// The estimate, for A* and IDA*.
    pub heuristic: Heuristic,
    /// Events to write down at most.
    pub keep: usize,
}

/// The record of a path search.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "guide/en/records.md explains the fields")]
pub struct PathRecord {
    pub format: &'static str,
    pub version: u32,
    pub kind: &'static str,
    pub algorithm: &'static str,
    pub neighbours: &'static str,
    /// Empty where the algorithm has its own.
    pub heuristic: &'static str,
    pub weight: f64,
    pub rows: u32,
    pub cols: u32,
    /// One line per row: `#` wall, `.` free, `2` to `9` free at that cost.
    pub map: Vec<String>,
    pub start: u32,
    pub goal: u32,
    pub result: PathResult,
    #[serde(flatten)]
    pub columns: PathColumns,
}

/// The search's own summary.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "guide/en/records.md explains the fields")]
pub struct PathResult {
    /// `found`, `none` (proved) or `unknown` (out of budget).
    pub verdict: &'static str,
    pub cost: Option<Num>,
    pub path: Vec<u32>,
    pub expanded: u64,
    pub reopened: u64,
    pub rounds: u64,
    /// The least cost, by another search; `null` where there is no path or it was not found in time.
    pub optimal: Option<Num>,
    /// Cells whose estimate is more than the true cost to the goal: 0 means that the heuristic is admissible here.
    /// `null` where the algorithm has its own.
    pub overestimates: Option<u64>,
    pub seconds: f64,
}

/// Searches and writes down what was seen.
pub fn explain(grid: &Grid, ask: &Explain) -> Result<PathRecord, QueryError> {
    let mut query = ask.query.clone();
    // The weight belongs to the heuristic here, so weighted A* is A*.
    let weight = query.weight;
    if query.algorithm == Algorithm::WeightedAStar {
        query.algorithm = Algorithm::AStar;
    }
    query.weight = 1.0;
    let textbook = matches!(
        query.algorithm,
        Algorithm::Bfs | Algorithm::Dijkstra | Algorithm::AStar | Algorithm::IdaStar
    );
    let informed = matches!(query.algorithm, Algorithm::AStar | Algorithm::IdaStar);
    let mut columns = PathColumns::new(ask.keep);
    let mut solver = Solver::new(grid);
    let best = if query.algorithm.is_any_angle() { Algorithm::AnyAngle } else { Algorithm::Dijkstra };
    let optimal = Query { algorithm: best, ..query.clone() };
    let optimal = solver.solve(&optimal)?.path().map(|path| Num(path.cost));
    let started = elapsed(&query);
    let mut result = if textbook {
        // The solver has checked start, goal and rule; the textbook search takes its word.
        let field = Field { grid, query: &query, heuristic: ask.heuristic, weight };
        field.search(&mut columns)
    } else {
        let mut copy = Copy { grid, columns: &mut columns };
        let answer = solver.solve_observed(&query, &mut copy)?;
        summary(grid, &answer)
    };
    result.seconds = elapsed(&query) - started;
    result.optimal = optimal;
    if informed {
        result.overestimates = Some(overestimates(grid, &query, ask.heuristic, weight));
    }
    let letter = |cell: Cell| match (grid.is_free(cell), grid.weight(cell)) {
        (false, _) => '#',
        (true, weight @ 2..=9) => char::from(b'0' + weight),
        (true, _) => '.',
    };
    Ok(PathRecord {
        format: FORMAT,
        version: VERSION,
        kind: "path",
        algorithm: query.algorithm.name(),
        neighbours: query.neighbours.name(),
        heuristic: if informed { ask.heuristic.name() } else { "" },
        weight: if informed { weight } else { 1.0 },
        rows: grid.height(),
        cols: grid.width(),
        map: (0..grid.height())
            .map(|row| (0..grid.width()).map(|col| letter(Cell::new(row, col))).collect())
            .collect(),
        start: index(grid, query.from),
        goal: index(grid, query.to),
        result,
        columns,
    })
}

/// Seconds on the caller's watch; 0 without one.
fn elapsed(query: &Query) -> f64 {
    query.budget.timer.as_ref().map_or(0.0, |timer| timer.watch.elapsed().as_secs_f64())
}

fn index(grid: &Grid, cell: Cell) -> u32 {
    cell.row * grid.width() + cell.col
}

fn cell(grid: &Grid, index: u32) -> Cell {
    Cell::new(index / grid.width(), index % grid.width())
}

fn summary(grid: &Grid, answer: &Answer) -> PathResult {
    let path = answer.path();
    PathResult {
        verdict: match answer.outcome {
            Outcome::Found(_) => "found",
            Outcome::NoPath => "none",
            Outcome::OutOfBudget { .. } => "unknown",
        },
        cost: path.map(|path| Num(path.cost)),
        path: path.map(|path| path.cells.iter().map(|c| index(grid, *c)).collect()).unwrap_or_default(),
        expanded: answer.expanded,
        rounds: 1,
        ..PathResult::default()
    }
}

/// A grid as the textbook searches see it; states are cells counted row by row.
struct Field<'a> {
    grid: &'a Grid,
    query: &'a Query,
    heuristic: Heuristic,
    weight: f64,
}

/// The steps from a cell: where to, and at what cost.
fn steps(grid: &Grid, neighbours: Neighbours, from: Cell) -> impl Iterator<Item = (Cell, f64)> {
    let bits = grid.bits();
    let moves = neighbours.table()[bits.square(bits.id(from.row, from.col))];
    (0..8u8).filter(move |dir| moves & (1 << dir) != 0).map(move |dir: Dir| {
        let (rows, cols) = STEPS[usize::from(dir)];
        let to = Cell::new(from.row.wrapping_add_signed(rows), from.col.wrapping_add_signed(cols));
        let length = if rows != 0 && cols != 0 { std::f64::consts::SQRT_2 } else { 1.0 };
        (to, length * f64::from(grid.weight(to)))
    })
}

impl Problem for Field<'_> {
    type State = u32;

    fn start(&self) -> u32 {
        index(self.grid, self.query.from)
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == index(self.grid, self.query.to)
    }

    fn successors(&self, state: &u32, out: &mut Vec<(u32, f64)>) {
        let from = cell(self.grid, *state);
        out.extend(
            steps(self.grid, self.query.neighbours, from).map(|(to, cost)| (index(self.grid, to), cost)),
        );
    }

    fn heuristic(&self, state: &u32) -> f64 {
        self.weight * self.heuristic.between(cell(self.grid, *state), self.query.to)
    }
}

impl Field<'_> {
    fn search(&self, columns: &mut PathColumns) -> PathResult {
        let Budget { expansions, timer } = &self.query.budget;
        let mut left = expansions.unwrap_or(u64::MAX);
        let mut clock = every(256, || !timer.as_ref().is_some_and(Timer::has_expired));
        let keep_going = || {
            let go = left > 0 && clock();
            left = left.saturating_sub(1);
            go
        };
        let informed = matches!(self.query.algorithm, Algorithm::AStar | Algorithm::IdaStar);
        let cells = self.grid.width() as usize * self.grid.height() as usize;
        let lists = self.query.algorithm != Algorithm::IdaStar;
        let mut seen = Seen {
            columns,
            estimate: |state: u32| if informed { self.heuristic(&state) } else { 0.0 },
            best: vec![f64::INFINITY; if lists { cells } else { 0 }],
        };
        if lists {
            let start = self.start();
            seen.open(start, -1, 0.0);
        }
        let outcome = match self.query.algorithm {
            Algorithm::Bfs => bfs(self, keep_going, &mut seen),
            Algorithm::Dijkstra => dijkstra(self, keep_going, &mut seen),
            Algorithm::IdaStar => idastar(self, Memory::Costs, keep_going, &mut seen),
            _ => astar(self, 1.0, keep_going, &mut seen),
        };
        self.result(&outcome)
    }

    fn result(&self, outcome: &PathOutcome<u32>) -> PathResult {
        let path = outcome.path().unwrap_or_default();
        PathResult {
            verdict: match outcome.result {
                PathSearchResult::Found { .. } => "found",
                PathSearchResult::NoPath => "none",
                PathSearchResult::GaveUp => "unknown",
            },
            // Summed along the path, as everywhere in this crate.
            cost: outcome.path().map(|path| {
                Num(Path::new(path.iter().map(|at| cell(self.grid, *at)).collect(), self.grid).cost)
            }),
            path: path.to_vec(),
            expanded: outcome.stats.expanded,
            reopened: outcome.stats.reopened,
            rounds: outcome.stats.rounds,
            ..PathResult::default()
        }
    }
}

/// Writes down what a textbook search shows. A cell is open when it is reached more cheaply than ever before.
struct Seen<'a, H> {
    columns: &'a mut PathColumns,
    estimate: H,
    /// The cheapest cost of every cell so far; empty for IDA*, which has no open list.
    best: Vec<f64>,
}

impl<H: Fn(u32) -> f64> Seen<'_, H> {
    fn open(&mut self, state: u32, from: i32, g: f64) {
        self.best[state as usize] = g;
        self.columns.push(PathKind::Open, state as i32, from, g, (self.estimate)(state));
    }
}

impl<H: Fn(u32) -> f64> PathObserver<u32> for Seen<'_, H> {
    fn expand(&mut self, state: &u32, g: f64, h: f64) {
        self.columns.push(PathKind::Close, *state as i32, -1, g, h);
    }

    fn generate(&mut self, parent: &u32, child: &u32, g: f64) {
        if self.best.get(*child as usize).is_some_and(|best| g < *best) {
            self.open(*child, *parent as i32, g);
        }
    }

    fn reopen(&mut self, state: &u32, _old_g: f64, g: f64) {
        self.columns.push(PathKind::Reopen, *state as i32, -1, g, (self.estimate)(*state));
    }

    fn bound(&mut self, bound: f64) {
        self.columns.push(PathKind::Bound, -1, -1, bound, 0.0);
    }

    fn cut(&mut self, state: &u32, f: f64, _bound: f64) {
        let h = (self.estimate)(*state);
        self.columns.push(PathKind::Cut, *state as i32, -1, f - h, h);
    }
}

/// Writes down what this crate's own searches show.
struct Copy<'a> {
    grid: &'a Grid,
    columns: &'a mut PathColumns,
}

impl Observer for Copy<'_> {
    fn see(&mut self, event: Event) {
        let at = |cell: Cell| index(self.grid, cell) as i32;
        match event {
            Event::Open { cell, from, g, h, .. } => {
                self.columns.push(PathKind::Open, at(cell), at(from), g, h)
            }
            Event::Close { cell, g, h, .. } => self.columns.push(PathKind::Close, at(cell), -1, g, h),
            Event::Jump { from, to } => self.columns.push(PathKind::Jump, at(to), at(from), 0.0, 0.0),
            Event::Bound { bound } => self.columns.push(PathKind::Bound, -1, -1, bound, 0.0),
            Event::Meet { cell, cost } => self.columns.push(PathKind::Meet, at(cell), -1, cost, 0.0),
        }
    }
}

/// In how many cells the estimate exceeds the true cost to the goal: the true costs by Dijkstra backwards.
fn overestimates(grid: &Grid, query: &Query, heuristic: Heuristic, weight: f64) -> u64 {
    let cells = grid.width() as usize * grid.height() as usize;
    let mut true_cost = vec![f64::INFINITY; cells];
    // Costs are not negative, so the order of their bits is their order.
    let mut open = BinaryHeap::from([(Reverse(0u64), index(grid, query.to))]);
    true_cost[index(grid, query.to) as usize] = 0.0;
    let mut count = 0;
    while let Some((Reverse(bits), state)) = open.pop() {
        let g = f64::from_bits(bits);
        if g > true_cost[state as usize] {
            continue;
        }
        let here = cell(grid, state);
        count += u64::from(weight * heuristic.between(here, query.to) > g + 1e-9);
        for (before, length) in steps(grid, query.neighbours, here) {
            // Entering a cell costs its weight: going backwards, that is this cell's and not the neighbour's.
            let length = length / f64::from(grid.weight(before)) * f64::from(grid.weight(here));
            let cost = g + length;
            let known = &mut true_cost[index(grid, before) as usize];
            if cost < *known {
                *known = cost;
                open.push((Reverse(cost.to_bits()), index(grid, before)));
            }
        }
    }
    count
}

/// What a path search came to: the map with the path, its cost and whether a cheaper one exists.
pub fn conclusion(record: &PathRecord, language: Language) -> String {
    use std::fmt::Write;
    let PathResult { verdict, cost, path, expanded, optimal, overestimates, .. } = &record.result;
    let mut text = String::from("\n");
    let on_path: std::collections::HashSet<u32> = path.iter().copied().collect();
    for (row, line) in record.map.iter().enumerate() {
        for (col, cell) in line.chars().enumerate() {
            let here = row as u32 * record.cols + col as u32;
            text.push(match here {
                here if here == record.start => 'S',
                here if here == record.goal => 'G',
                here if on_path.contains(&here) => '*',
                _ => cell,
            });
        }
        text.push('\n');
    }
    text.push('\n');
    let zh = language == Language::Zh;
    let number = |Num(value): Num| (value * 1e4).round() / 1e4;
    let Some(cost) = cost.map(number) else {
        let (en, zh) = match *verdict {
            "none" => (
                "There is no path: everything that can be reached was expanded.\n",
                "没有路径：能到达的格子都已展开。\n",
            ),
            _ => ("The search ended before it was done.\n", "搜索在完成之前就结束了。\n"),
        };
        text.push_str(language.pick(en, zh));
        return text;
    };
    let steps = path.len().saturating_sub(1);
    let _ = match zh {
        false => writeln!(text, "Path of cost {cost} in {steps} steps, {expanded} cells expanded."),
        true => writeln!(text, "路径代价 {cost}，共 {steps} 步，展开了 {expanded} 个格子。"),
    };
    if let Some(best) = optimal.map(number) {
        let over = overestimates.unwrap_or(0);
        let _ = match (best < cost, zh) {
            (false, false) => writeln!(text, "Why: no path is cheaper; another search found {best} as well."),
            (false, true) => writeln!(text, "理由：没有更便宜的路径，另一种搜索也得到 {best}。"),
            (true, false) => {
                writeln!(text, "It is not the cheapest, {best}: the heuristic overestimates in {over} cells.")
            }
            (true, true) => {
                writeln!(text, "这不是最便宜的路径（{best}）：启发函数在 {over} 个格子上高估了。")
            }
        };
    }
    text
}

/// The first `lines` steps of a path search in words.
pub fn walk_through(record: &PathRecord, lines: usize) -> String {
    use std::fmt::Write;
    let place = |at: i32| match u32::try_from(at) {
        Ok(at) => format!("({},{})", at / record.cols.max(1), at % record.cols.max(1)),
        Err(_) => "the start".into(),
    };
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    let columns = &record.columns;
    let mut text = String::new();
    for at in 0..columns.event.len() {
        if at >= lines {
            let _ = writeln!(text, "... and {} more steps", columns.event.len() - at);
            break;
        }
        let (g, h) = (columns.g[at].0, columns.h[at].0);
        let terms = format!("g {} + h {} = f {}", round(g), round(h), round(g + h));
        let (cell, from) = (place(columns.cell[at]), place(columns.from[at]));
        let _ = match columns.event[at] {
            0 if columns.from[at] < 0 => writeln!(text, "  open {cell}: {terms}"),
            0 => writeln!(text, "  open {cell} from {from}: {terms}"),
            1 => writeln!(text, "expand {cell}: {terms}"),
            2 => writeln!(text, "  reopen {cell}: a cheaper way, g {}", round(g)),
            3 => writeln!(text, "a round with bound {}", round(g)),
            4 => writeln!(text, "  turn back at {cell}: {terms}, beyond the bound"),
            5 => writeln!(text, "  jump from {from} to {cell}"),
            _ => writeln!(text, "both halves meet at {cell}: cost {}", round(g)),
        };
    }
    if columns.dropped > 0 {
        let _ = writeln!(text, "({} steps were made but not written down)", columns.dropped);
    }
    text
}
