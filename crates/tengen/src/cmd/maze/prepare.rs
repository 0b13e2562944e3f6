//! `tengen maze prepare FILE`: makes a table of a map and writes it beside the map.

use super::{all_threads, load, read, timed};
use crate::output::write_file;
use crate::search_args::stop_on_ctrl_c;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use maze::{Algorithm, BuildError, FirstMoves, Grid, Solver, SubgoalTable};
use serde_json::{Value, json};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The map
    file: PathBuf,
    /// Distances between corners of walls, or the first move from each cell to each other
    #[arg(long, value_name = "TABLE", default_value = "subgoals")]
    table: Table,
    /// Where to write the table [default: the map's name with .subgoals or .firstmoves added]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<u16>>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// The tables that can be made.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Table {
    /// For --algorithm subgoal
    Subgoals,
    /// For --algorithm firstmoves
    Firstmoves,
}

impl Table {
    /// Where the table of a map is looked for.
    fn beside(self, map: &Path) -> PathBuf {
        let mut name = map.as_os_str().to_owned();
        name.push(match self {
            Table::Subgoals => ".subgoals",
            Table::Firstmoves => ".firstmoves",
        });
        name.into()
    }

    /// What the table is made from one by one, and how many of these the map has.
    fn work(self, grid: &Grid) -> (&'static str, u64) {
        match self {
            Table::Subgoals => ("subgoals", SubgoalTable::count(grid) as u64),
            Table::Firstmoves => ("cells", FirstMoves::count(grid)),
        }
    }

    /// The table as a file, and what there is to say of it.
    fn make(
        self,
        grid: &Grid,
        threads: NonZero<usize>,
        bar: &ProgressBar,
    ) -> Result<(Vec<u8>, Value), BuildError> {
        let stop = stop_on_ctrl_c();
        let progress = |done: usize| bar.set_position(done as u64);
        Ok(match self {
            Table::Subgoals => {
                let table = SubgoalTable::build(grid, threads, &stop, &progress)?;
                (table.to_bytes(grid), json!({ "subgoals": table.subgoals() }))
            }
            Table::Firstmoves => {
                let table = FirstMoves::build(grid, threads, &stop, &progress)?;
                (table.to_bytes(grid), json!({ "runs": table.runs() }))
            }
        })
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let loaded = load(&args.file)?;
    let out = args.out.clone().unwrap_or_else(|| args.table.beside(&args.file));
    let threads = args.threads.map_or_else(all_threads, NonZero::from);
    let (what, count) = args.table.work(&loaded.grid);
    // Drawn on standard error, and only if that is a terminal.
    let bar = ProgressBar::new(count);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {msg} {wide_bar} {eta}") {
        bar.set_style(style.clone());
    }
    bar.set_message(what);
    let (built, seconds) = timed(|| args.table.make(&loaded.grid, threads, &bar));
    bar.finish_and_clear();
    let (bytes, mut about) = built.with_context(|| args.file.display().to_string())?;
    write_file(&out, &bytes)?;
    let cells = loaded.grid.free_cells();
    if args.json {
        let value = json!({
            "file": out.display().to_string(), "cells": cells, "bytes": bytes.len(), "seconds": seconds, "threads": threads,
        });
        if let (Some(about), Value::Object(more)) = (about.as_object_mut(), value) {
            about.extend(more);
        }
        println!("{about}");
    } else {
        println!("table     {}", out.display());
        println!("cells     {cells}");
        for (name, number) in about.as_object().into_iter().flatten() {
            println!("{name:10}{number}");
        }
        println!("bytes     {}", bytes.len());
        println!("seconds   {seconds:.3} on {threads} threads");
    }
    Ok(())
}

/// The tables found beside a map; one that is not the map's is an error.
#[derive(Default)]
pub(super) struct Beside {
    subgoals: Option<Arc<SubgoalTable>>,
    first_moves: Option<Arc<FirstMoves>>,
}

impl Beside {
    /// The table that an algorithm uses, if it uses one and it is there.
    pub(super) fn read(map: &Path, grid: &Grid, algorithm: Algorithm) -> anyhow::Result<Beside> {
        let mut found = Beside::default();
        let table = match algorithm {
            Algorithm::Subgoal => Table::Subgoals,
            Algorithm::FirstMoves => Table::Firstmoves,
            _ => return Ok(found),
        };
        let file = table.beside(map);
        if !file.is_file() {
            return Ok(found);
        }
        let bytes = read(&file)?;
        let name = || file.display().to_string();
        match table {
            Table::Subgoals => {
                let table = SubgoalTable::from_bytes(&bytes, grid).with_context(name)?;
                found.subgoals = Some(Arc::new(table));
            }
            Table::Firstmoves => {
                let table = FirstMoves::from_bytes(&bytes, grid).with_context(name)?;
                found.first_moves = Some(Arc::new(table));
            }
        }
        Ok(found)
    }

    /// A solver with these tables.
    pub(super) fn solver<'g>(&self, grid: &'g Grid) -> Solver<'g> {
        let mut solver = Solver::new(grid);
        if let Some(table) = &self.subgoals {
            solver = solver.with_table(table.clone());
        }
        if let Some(table) = &self.first_moves {
            solver = solver.with_first_moves(table.clone());
        }
        solver
    }
}
