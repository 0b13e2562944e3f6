//! The `tengen` command: argument parsing and terminal output. One file per subcommand in `cmd/`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the room that prints")]

mod cmd;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "tengen", version, about, long_about = None, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print a completion script for a shell
    Completions(cmd::completions::Args),
    /// Solve, make, draw and compare mazes and grid maps
    Maze(cmd::maze::Args),
    /// Write manual pages into a folder
    Man(cmd::man::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Completions(args) => cmd::completions::run(&args, &mut Cli::command()),
        Command::Maze(args) => cmd::maze::run(&args),
        Command::Man(args) => cmd::man::run(&args, Cli::command()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tengen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
