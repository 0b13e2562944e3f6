//! `tengen render GAME POSITION`: a picture of a position.

use crate::position::{self, BoardArgs};
use crate::usage::usage;
use crate::{picture, terminal};
use game::Picture;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: gomoku or hex
    game: String,
    /// A file, `-`, a move string, or `empty`
    position: String,
    #[command(flatten)]
    board: BoardArgs,
    /// Write FILE.svg or FILE.png instead of drawing in the terminal
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write move numbers on the stones
    #[arg(long)]
    numbers: bool,
    /// Leave the coordinates out
    #[arg(long)]
    no_coordinates: bool,
    /// Orientation (hex: flat, pointy, diamond)
    #[arg(long, default_value = "", hide_default_value = true)]
    orientation: String,
    /// Pixels from one point to the next
    #[arg(long, default_value_t = 32.0, value_parser = parse_cell)]
    cell: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (game, position) = position::read(&args.game, &args.position, &args.board)?;
    let known = ["", "flat", "pointy", "diamond"];
    if !known.contains(&args.orientation.as_str()) {
        usage!("unknown orientation '{}'; accepted: flat, pointy, diamond", args.orientation);
    }
    let look = Picture {
        cell: args.cell,
        coordinates: !args.no_coordinates,
        numbers: args.numbers,
        orientation: args.orientation.clone(),
        marks: Vec::new(),
    };
    match &args.out {
        None => print!("{}", game.draw_text(&*position, &look, terminal::colour())),
        Some(path) => picture::write(&game.draw_svg(&*position, &look), path)?,
    }
    Ok(())
}

fn parse_cell(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(cell) if (4.0..=256.0).contains(&cell) => Ok(cell),
        _ => Err(format!("'{text}' is not a cell size; accepted: 4 to 256 pixels")),
    }
}
