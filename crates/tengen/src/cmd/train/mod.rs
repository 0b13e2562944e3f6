//! `tengen train gomoku|hex`: self-play games, and the networks trained on them. One file per game.

mod gomoku;
mod hex;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(clap::Subcommand)]
enum Game {
    /// The line-pattern network of the Gomoku engine
    Gomoku {
        #[command(subcommand)]
        action: gomoku::Action,
    },
    /// The convolutional network of the Hex engine
    Hex {
        #[command(subcommand)]
        action: hex::Action,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.game {
        Game::Gomoku { action } => gomoku::run(action),
        Game::Hex { action } => hex::run(action),
    }
}

/// The number of games in a file, each ended by a line for which `ends` holds. What follows the last of these lines was
/// not written to its end and is cut off.
fn whole_games(path: &Path, ends: impl Fn(&[u8]) -> bool) -> std::io::Result<u64> {
    let mut reader = match File::options().read(true).write(true).open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let (mut games, mut read, mut whole, mut line) = (0, 0, 0, Vec::new());
    while reader.read_until(b'\n', &mut line)? > 0 {
        read += line.len() as u64;
        if line.last() == Some(&b'\n') && ends(&line) {
            whole = read;
            games += 1;
        }
        line.clear();
    }
    reader.into_inner().set_len(whole)?;
    Ok(games)
}
