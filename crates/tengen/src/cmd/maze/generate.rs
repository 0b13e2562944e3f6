//! `tengen maze generate STYLE`

use crate::output::write_file;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use maze::format::Format;
use maze::generate::{Recipe, Style};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The kind of map: four kinds of perfect maze, scattered obstacles, or rooms
    #[arg(value_parser = PossibleValuesParser::new(Style::ALL.map(Style::name)).try_map(|name| name.parse::<Style>()))]
    style: Style,
    /// Rows, walls included
    #[arg(long, default_value_t = 21)]
    height: u64,
    /// Columns, walls included
    #[arg(long, default_value_t = 41)]
    width: u64,
    /// The same seed gives the same map
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Mazes: share of dead ends to open into cycles, 0 to 1
    #[arg(long, default_value_t = 0.0)]
    braid: f64,
    /// Obstacles: share of blocked cells, 0 to 1
    #[arg(long, default_value_t = 0.25)]
    density: f64,
    /// Rooms: cells along the side of a room
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=32768))]
    room: u32,
    /// How to write it
    #[arg(long, default_value = "matrix",
        value_parser = PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>()))]
    format: Format,
    /// Write to a file instead of the terminal
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let recipe = Recipe {
        braid: args.braid,
        density: args.density,
        room: args.room,
        ..Recipe::new(args.style, args.height, args.width, args.seed)
    };
    let text = maze::format::write(&recipe.make()?, args.format);
    match &args.out {
        Some(out) => write_file(out, text.as_bytes()),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}
