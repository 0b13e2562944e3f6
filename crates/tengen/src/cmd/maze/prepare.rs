//! `tengen maze prepare FILE`: makes the subgoal table of a map and writes it beside the map.

use super::{load, read, timed};
use crate::output::write_file;
use crate::search_args::stop_on_ctrl_c;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use maze::{Grid, SubgoalTable};
use serde_json::json;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The map
    file: PathBuf,
    /// Where to write the table [default: the map's name with .subgoals added]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<u16>>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let loaded = load(&args.file)?;
    let out = args.out.clone().unwrap_or_else(|| beside(&args.file));
    let threads = match args.threads {
        Some(threads) => threads.into(),
        None => available_parallelism().unwrap_or(NonZero::<usize>::MIN),
    };
    // Drawn on standard error, and only if that is a terminal.
    let bar = ProgressBar::new(SubgoalTable::count(&loaded.grid) as u64);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} subgoals {wide_bar} {eta}") {
        bar.set_style(style);
    }
    let stop = stop_on_ctrl_c();
    let progress = |done: usize| bar.set_position(done as u64);
    let (built, seconds) = timed(|| SubgoalTable::build(&loaded.grid, threads, &stop, &progress));
    bar.finish_and_clear();
    let table = built.with_context(|| args.file.display().to_string())?;
    let bytes = table.to_bytes(&loaded.grid);
    write_file(&out, &bytes)?;
    let (cells, subgoals) = (loaded.grid.free_cells(), table.subgoals());
    if args.json {
        let value = json!({
            "file": out.display().to_string(), "cells": cells, "subgoals": subgoals, "bytes": bytes.len(),
            "seconds": seconds, "threads": threads,
        });
        println!("{value}");
    } else {
        println!("table     {}", out.display());
        println!("cells     {cells}");
        println!("subgoals  {subgoals}");
        println!("bytes     {}", bytes.len());
        println!("seconds   {seconds:.3} on {threads} threads");
    }
    Ok(())
}

/// Where the table of a map is looked for.
fn beside(map: &Path) -> PathBuf {
    let mut name = map.as_os_str().to_owned();
    name.push(".subgoals");
    name.into()
}

/// The table beside a map, if there is one; one that is not the map's is an error.
pub(super) fn table_beside(map: &Path, grid: &Grid) -> anyhow::Result<Option<Arc<SubgoalTable>>> {
    let file = beside(map);
    if !file.is_file() {
        return Ok(None);
    }
    let table = SubgoalTable::from_bytes(&read(&file)?, grid).with_context(|| file.display().to_string())?;
    Ok(Some(Arc::new(table)))
}
