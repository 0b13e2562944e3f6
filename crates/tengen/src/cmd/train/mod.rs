//! `tengen train gomoku|hex`: self-play games, and the networks trained on them. One file per game.

mod games_file;
mod gomoku;
mod hex;

pub(crate) use self::gomoku::GomokuGames;
pub(crate) use self::hex::HexGames;

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
