//! `tengen maze render FILE`

use super::{SearchArgs, algorithm_parser, load, usage};
use crate::output::write_file;
use crate::terminal;
use anyhow::{Context, bail};
use maze::render::Picture;
use maze::{Algorithm, ClosedCells, Outcome, Solver};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The map
    file: PathBuf,
    /// Also search, and draw the path and the expanded cells, shaded from first to last
    #[arg(long, short, value_parser = algorithm_parser())]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    search: SearchArgs,
    /// Write FILE.svg or FILE.png, or FILE.txt as a drawing, instead of colours in the terminal
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Pixels per cell
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    scale: u32,
}

/// Expanded cells remembered for shading; more are left unshaded.
const MOST_SHADED: usize = 1 << 24;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let kind =
        args.out.as_ref().map(|out| out.extension().and_then(|kind| kind.to_str()).unwrap_or_default());
    if !matches!(kind, None | Some("svg" | "png" | "txt")) {
        usage("--out must end in .svg, .png or .txt");
    }
    let loaded = load(&args.file)?;
    let name = || args.file.display().to_string();
    let mut closed = ClosedCells::new(MOST_SHADED);
    let mut path = Vec::new();
    if let Some(algorithm) = args.algorithm {
        let query = args.search.query(&args.file, &loaded, algorithm)?;
        let answer = Solver::new(&loaded.grid).solve_observed(&query, &mut closed).with_context(name)?;
        match answer.outcome {
            Outcome::Found(found) => path = found.cells,
            Outcome::NoPath => bail!("{}: no path from {} to {}", name(), query.from, query.to),
            Outcome::OutOfBudget { .. } => {}
        }
    }
    let picture = Picture::new(&loaded.grid, &path, &closed.cells);
    let Some(out) = &args.out else {
        // Half blocks need colours and Unicode; the drawing needs neither.
        if terminal::colour() && terminal::unicode() {
            print!("{}", picture.terminal());
        } else {
            print!("{}", maze::format::draw_path(&loaded.grid, &path));
        }
        return Ok(());
    };
    match kind {
        Some("svg") => write_file(out, picture.svg(args.scale).with_context(name)?.as_bytes()),
        Some("png") => write_file(out, &picture.png(args.scale).with_context(name)?),
        _ => write_file(out, maze::format::draw_path(&loaded.grid, &path).as_bytes()),
    }
}
