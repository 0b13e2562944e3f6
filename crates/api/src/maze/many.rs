//! Many queries at once, and one start with many goals.

use super::{TIME, broken, cell, pair};
use crate::{Problem, Work};
use ::maze::{Algorithm, Budget, Query, QueryError, Searched, Solver, batch, format};
use serde::{Deserialize, Serialize};
use std::num::NonZero;
use utoipa::ToSchema;

/// Queries, or goals, of one request.
const MOST: usize = 20_000;

/// Many paths on one map.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MazeBatch {
    /// A 0/1 matrix, a MovingAI map or a drawing.
    map: String,
    /// `[row, column, row, column]` of start and goal; up to 20,000.
    queries: Vec<[u32; 4]>,
    /// A name from the catalog; `astar` if omitted.
    #[serde(default)]
    algorithm: Option<String>,
    /// `4`, `8` or `8-cut`; those of the map if omitted.
    #[serde(default)]
    neighbours: Option<String>,
    /// For weighted A*, 1 to 1000.
    #[serde(default)]
    weight: Option<f64>,
}

/// What they cost.
#[derive(Serialize, ToSchema)]
pub struct MazeCosts {
    algorithm: &'static str,
    neighbours: &'static str,
    /// One a query; `null` where there is no path, or no answer.
    costs: Vec<Option<f64>>,
    /// Queries without an answer when the time was over, from 0.
    unanswered: Vec<usize>,
    expanded: u64,
    /// For all together, on `threads` threads, with what each of them prepares.
    seconds: f64,
    threads: usize,
}

/// Answers many queries on as many threads as are given.
pub fn costs(asked: MazeBatch, threads: usize) -> Work<MazeCosts> {
    Box::new(move |watch| {
        if asked.queries.len() > MOST {
            return Err(Problem::refused("maze.many", format!("one request has at most {MOST} queries")));
        }
        let loaded = format::read("map", asked.map.as_bytes()).map_err(|error| broken(&error))?;
        let (algorithm, neighbours) =
            super::method(asked.algorithm.as_deref(), asked.neighbours.as_deref(), loaded.format)?;
        let watch = watch.restarted();
        let budget = Budget::timed(watch.clone(), Some(TIME));
        let weight = asked.weight.unwrap_or(1.5);
        let query = |&[row, col, to_row, to_col]: &[u32; 4]| Query {
            from: cell([row, col]),
            to: cell([to_row, to_col]),
            algorithm,
            neighbours,
            weight,
            budget: budget.clone(),
        };
        let queries: Vec<Query> = asked.queries.iter().map(query).collect();
        let threads = NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN);
        let done = batch(
            || Solver::new(&loaded.grid),
            &queries,
            threads,
            |index, searched: Result<Searched<'_>, QueryError>| {
                let searched = searched.map_err(|error| (index, error))?;
                Ok((searched.cost(), searched.is_stopped(), searched.expanded()))
            },
        );
        let done: Vec<_> = done.into_iter().collect::<Result<_, _>>().map_err(|(index, error)| {
            Problem::said("maze.query", format!("query {index}: {error}")).with("query", index)
        })?;
        let unanswered = done.iter().enumerate().filter(|(_, (_, stopped, _))| *stopped);
        Ok(MazeCosts {
            algorithm: algorithm.name(),
            neighbours: neighbours.name(),
            unanswered: unanswered.map(|(index, _)| index).collect(),
            expanded: done.iter().map(|(_, _, expanded)| expanded).sum(),
            costs: done.into_iter().map(|(cost, _, _)| cost).collect(),
            seconds: watch.elapsed().as_secs_f64(),
            threads: threads.get(),
        })
    })
}

/// Which goals are nearest?
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MazeGoals {
    /// A 0/1 matrix, a MovingAI map or a drawing.
    map: String,
    /// `[row, column]`.
    from: [u32; 2],
    /// Up to 20,000.
    goals: Vec<[u32; 2]>,
    /// So many of the nearest; all that can be reached if omitted.
    #[serde(default)]
    count: Option<usize>,
    /// `4`, `8` or `8-cut`; those of the map if omitted.
    #[serde(default)]
    neighbours: Option<String>,
}

/// The goals reached.
#[derive(Serialize, ToSchema)]
pub struct MazeNearest {
    neighbours: &'static str,
    /// Nearest first.
    reached: Vec<MazeReached>,
    /// `false` if the time was over; then goals that are missing may still be reachable.
    complete: bool,
    expanded: u64,
    seconds: f64,
}

/// A goal that was reached.
#[derive(Serialize, ToSchema)]
pub struct MazeReached {
    /// Which of the goals asked for, from 0.
    index: usize,
    goal: [u32; 2],
    /// Of a cheapest path.
    cost: f64,
}

/// Distances from one cell to many, by one search.
pub fn nearest(asked: MazeGoals) -> Work<MazeNearest> {
    Box::new(move |watch| {
        if asked.goals.len() > MOST {
            return Err(Problem::refused("maze.many", format!("one request has at most {MOST} goals")));
        }
        let loaded = format::read("map", asked.map.as_bytes()).map_err(|error| broken(&error))?;
        let dijkstra = Algorithm::Dijkstra.name();
        let (_, neighbours) = super::method(Some(dijkstra), asked.neighbours.as_deref(), loaded.format)?;
        let watch = watch.restarted();
        let budget = Budget::timed(watch.clone(), Some(TIME));
        let goals: Vec<_> = asked.goals.iter().copied().map(cell).collect();
        let count = asked.count.unwrap_or(goals.len());
        let found = Solver::new(&loaded.grid)
            .nearest(cell(asked.from), &goals, count, neighbours, &budget)
            .map_err(super::refused)?;
        let reached = found.reached.iter().map(|reached| MazeReached {
            index: reached.index,
            goal: pair(reached.goal),
            cost: reached.cost,
        });
        Ok(MazeNearest {
            neighbours: neighbours.name(),
            reached: reached.collect(),
            complete: found.complete,
            expanded: found.expanded,
            seconds: watch.elapsed().as_secs_f64(),
        })
    })
}
