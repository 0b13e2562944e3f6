//! The requests of `crates/api` as JSON text: solver, recorded searches, evaluations, puzzles, mazes.
//!
//! Names and shapes are those of the HTTP API (guide/en/api.md), so there is one description of each.

use crate::error::{bad, problem};
use crate::games;
use crate::interrupt::stoppable;
use ::maze::{Cell, format, render};
use api::{Host, Problem, Work, explain, maze};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::num::NonZero;

/// Answers one request; both are JSON.
#[pyfunction]
pub(crate) fn request(py: Python<'_>, kind: &str, body: &str) -> PyResult<String> {
    let host = Host { threads: 256, ..Host::new(games()) };
    let refused = |error: Problem| problem(&error);
    match kind {
        "solve" => finish(py, api::solve(&host, read(body)?).map_err(refused)?),
        "explain" => text(py, explain::explain(&host, read(body)?).map_err(refused)?),
        "explain/path" => text(py, explain::path(read(body)?)),
        "xray" => text(py, explain::xray(&host, read(body)?).map_err(refused)?),
        "maze/solve" => finish(py, maze::solve(read(body)?)),
        "maze/batch" => {
            let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
            finish(py, maze::costs(read(body)?, threads))
        }
        "maze/nearest" => finish(py, maze::nearest(read(body)?)),
        "maze/generate" => finish(py, maze::generate(&read(body)?).map_err(refused)?),
        "maze/import" => write(&maze::import(&read(body)?, &game::Watch::default()).map_err(refused)?),
        "puzzles" => {
            let game = host.game(&read::<String>(body)?).map_err(refused)?;
            write(game.puzzles())
        }
        _ => Err(bad(format!("no request '{kind}'"))),
    }
}

fn read<T: DeserializeOwned>(body: &str) -> PyResult<T> {
    serde_json::from_str(body).map_err(bad)
}

fn write(answer: &(impl Serialize + ?Sized)) -> PyResult<String> {
    serde_json::to_string(answer).map_err(bad)
}

fn finish<T: Serialize + Send>(py: Python<'_>, work: Work<T>) -> PyResult<String> {
    let answer = stoppable(py, |watch| work(watch))?.map_err(|error| problem(&error))?;
    write(&answer)
}

fn text(py: Python<'_>, work: Work<String>) -> PyResult<String> {
    stoppable(py, |watch| work(watch))?.map_err(|error| problem(&error))
}

/// A picture of a map with a path and the cells a search closed, in order.
#[pyfunction]
pub(crate) fn maze_svg(
    map: &str,
    path: Vec<(u32, u32)>,
    closed: Vec<(u32, u32)>,
    scale: u32,
) -> PyResult<String> {
    let grid = format::read("map", map.as_bytes()).map_err(bad)?.grid;
    let cells = |pairs: Vec<(u32, u32)>| -> PyResult<Vec<Cell>> {
        let cell = |(row, col)| {
            let cell = Cell::new(row, col);
            if grid.contains(cell) {
                Ok(cell)
            } else {
                Err(bad(format!("({row}, {col}) is outside the map")))
            }
        };
        pairs.into_iter().map(cell).collect()
    };
    render::Picture::new(&grid, &cells(path)?, &cells(closed)?).svg(scale.clamp(1, 100)).map_err(bad)
}
