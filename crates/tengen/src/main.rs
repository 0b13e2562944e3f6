//! The `tengen` command: argument parsing and terminal output. Rules, search and everything else that does not depend on a
//! terminal are in the crates below.
//!
//! A subcommand is a variant of `Command` here and a file in `cmd` with its `Args` and its `run`: it reads a position,
//! asks a library, and prints the answer, with `--json` as one object.
//!
//! ```console
//! $ tengen rules gomoku g8a1i8o1h7a15h9o15 --forbidden --json
//! {"forbidden":{"H8":"double-three"}}
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `cmd` | one file or folder per subcommand |
//! | `games`, `position` | the games and engines by name; positions in any notation |
//! | `search_args`, `usage` | options that several subcommands share; exit codes and advice |
//! | `json`, `output`, `picture`, `terminal` | answers as JSON, files and progress, pictures, colours |
//! | `contest` | matches and tournaments: options, progress, summary |
//! | `fleet` | what a fleet computes: games, lines of a batch, searches |
//! | `folders`, `platform` | where files are kept; what differs between operating systems |

#[macro_use]
mod output;

mod cmd;
mod contest;
mod fleet;
mod folders;
mod games;
mod json;
mod picture;
mod platform;
mod position;
mod search_args;
mod terminal;
mod usage;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// The version with the commit, the processor it was built for and how; packages and bug reports quote it.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("TENGEN_COMMIT"),
    ", ",
    env!("TENGEN_TARGET"),
    ", ",
    env!("TENGEN_BUILD"),
    ")"
);

#[derive(Parser)]
#[command(name = "tengen", version = VERSION, about, long_about = None, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search a position: best move, root table, principal lines, statistics
    #[command(alias = "analyse")]
    Analyze(cmd::analyze::Args),
    /// Copy the server's database into a file, also while it runs
    Backup(cmd::backup::BackupArgs),
    /// Run the fixed searches that show whether an engine has changed
    Bench(cmd::bench::Args),
    /// Opening books: make, show
    Book(cmd::book::Args),
    /// Tools for engine authors
    Arena(cmd::arena::Args),
    /// Run a course: students' programs, rounds, ladder, table and marks
    Class(cmd::class::Args),
    /// Speak an engine protocol on stdin and stdout
    Engine(cmd::engine::Args),
    /// List the built-in engines
    Engines(cmd::engines::Args),
    /// Record a search for watching: JSON, a page, or a walk-through
    Explain(cmd::explain::Args),
    /// Work on many machines: status, runs, pause, stop, retry
    Fleet(cmd::fleet::Args),
    /// Grade answers about search: mazes, minimax, alpha-beta, UCT
    Grade(cmd::grade::Args),
    /// Play a match between two engines: Elo, SPRT
    Match(cmd::match_::Args),
    /// Play in the terminal against an engine or a person
    Play(cmd::play::Args),
    /// Delete from the server's database what nobody touched for long
    Prune(cmd::backup::PruneArgs),
    /// Puzzles: list, show, play, check, make
    Puzzle(cmd::puzzle::Args),
    /// Draw a position in the terminal, or as SVG or PNG
    Render(cmd::render::Args),
    /// Read a copy made by `tengen backup` into a new database
    Restore(cmd::backup::RestoreArgs),
    /// Ask the rules about a position
    Rules(cmd::rules::Args),
    /// Play a tournament: round robin, gauntlet or knockout
    Tournament(cmd::tournament::Args),
    /// Make training data for the networks and train them
    Train(cmd::train::Args),
    /// Serve the web app and the API
    Serve(cmd::serve::Args),
    /// Prove or refute: forced wins
    Solve(cmd::solve::Args),
    /// Print a completion script for a shell
    Completions(cmd::completions::Args),
    /// Solve, make, draw and compare mazes and grid maps
    Maze(cmd::maze::Args),
    /// Write manual pages into a folder
    Man(cmd::man::Args),
    /// Compute for a fleet: join it and work until Ctrl-C
    Worker(cmd::worker::Args),
}

fn main() -> ExitCode {
    let matches = taking_negative_numbers(Cli::command())
        .try_get_matches_from(cmd::engine::arguments(std::env::args_os()));
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(message) => return show(&message),
    };
    let Some(command) = cli.command else {
        print!("{SHORT_HELP}");
        output::flush();
        return ExitCode::SUCCESS;
    };
    let done = match command {
        Command::Analyze(args) => cmd::analyze::run(&args),
        Command::Backup(args) => cmd::backup::backup(&args),
        Command::Bench(args) => cmd::bench::run(&args),
        Command::Book(args) => cmd::book::run(&args),
        Command::Arena(args) => cmd::arena::run(&args),
        Command::Class(args) => cmd::class::run(&args),
        Command::Engine(args) => cmd::engine::run(&args),
        Command::Engines(args) => cmd::engines::run(&args),
        Command::Explain(args) => cmd::explain::run(&args),
        Command::Fleet(args) => cmd::fleet::run(&args),
        Command::Grade(args) => cmd::grade::run(&args),
        Command::Match(args) => cmd::match_::run(&args),
        Command::Play(args) => cmd::play::run(&args),
        Command::Prune(args) => cmd::backup::prune(&args),
        Command::Puzzle(args) => cmd::puzzle::run(&args),
        Command::Render(args) => cmd::render::run(&args),
        Command::Restore(args) => cmd::backup::restore(&args),
        Command::Rules(args) => cmd::rules::run(&args),
        Command::Tournament(args) => cmd::tournament::run(&args),
        Command::Train(args) => cmd::train::run(&args),
        Command::Serve(args) => cmd::serve::run(&args),
        Command::Solve(args) => cmd::solve::run(&args),
        Command::Completions(args) => cmd::completions::run(&args, Cli::command()),
        Command::Maze(args) => cmd::maze::run(&args),
        Command::Man(args) => cmd::man::run(&args, Cli::command()),
        Command::Worker(args) => cmd::worker::run(&args),
    };
    match done {
        Ok(()) => {
            output::flush();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("tengen: {error:#}{}", usage::advice(&error));
            ExitCode::from(usage::exit_code(&error))
        }
    }
}

/// What somebody sees who types the name alone.
const SHORT_HELP: &str = "\
Tengen plays, analyses, referees and shows game-tree and path search.

  tengen play gomoku                     play in the terminal (or: play hex)
  tengen serve                           the web app at http://127.0.0.1:7878
  tengen analyze gomoku h8i9 --time 5    search a position
  tengen match tengen classic-ac --game gomoku
                                         let two engines play each other
  tengen maze generate prim              make a maze (then: maze solve, maze compare)

All commands: tengen --help. One of them: tengen COMMAND --help
";

/// `--time -1` is then a bad value of `--time` and not an unknown option `-1`.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    command.allow_negative_numbers(true).mut_subcommands(taking_negative_numbers)
}

/// Help and version go to standard output, errors in the call to standard error.
fn show(message: &clap::Error) -> ExitCode {
    match message.print() {
        Err(error) if !message.use_stderr() => output::stdout_failed(&error),
        _ => {}
    }
    output::flush();
    ExitCode::from(message.exit_code() as u8)
}
