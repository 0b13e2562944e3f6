//! `tengen play GAME`: a game in the terminal, against an engine or between two persons.
//!
//! `controller` holds the game (a session of `crates/play`) and knows nothing of terminals; `line` speaks with
//! it one command per line (in a pipe, or with `--plain`), `screen` draws the board. `thinker` keeps the engine
//! in a thread of its own, `clocks` shows a clock, `record` saves and loads.

mod clocks;
mod controller;
mod line;
mod record;
mod screen;
mod thinker;
#[cfg(test)]
mod tictactoe;

use crate::games;
use crate::position::{self, BoardArgs};
use crate::search_args::SearchArgs;
use anyhow::{Context, bail};
use controller::{Controller, DEFAULT_TIME, PlaySettings};
use game::{EngineError, Game, Setup, Side};
use play::TimeControl;
use std::io::IsTerminal;
use std::path::PathBuf;
use thinker::Thinker;

#[derive(clap::Args)]
#[command(after_help = "The engine is any of `tengen engines`; `--engine human` is for two persons.\n\
    Without --time it thinks 2 seconds per move, or as --clock allows. Press ? on the screen, or type help, \
    for what can be done.")]
pub(crate) struct Args {
    /// The game: gomoku or hex
    game: String,
    /// Your colour
    #[arg(long, value_name = "black|white", default_value = "black", value_parser = position::parse_side)]
    side: Side,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Play with clocks: minutes for the game, and seconds added after each move
    #[arg(long, value_name = "MIN+INC")]
    clock: Option<TimeControl>,
    /// Go on from a file: SGF, a grid, moves, or anything else the game reads
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// One command a line instead of a drawn board, also in a terminal
    #[arg(long)]
    plain: bool,
    /// Draw the board with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let game = games::by_name(&args.game)?;
    let defaults = args.board.setup(game)?;
    let mut session = open(game, args, &defaults)?;
    if let Some(file) = &args.load {
        session.load(file, &defaults)?;
    }
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if terminal && !args.plain {
        return screen::run(session, defaults, args.ascii);
    }
    let mut out = std::io::stdout();
    let look = line::Look { colour: out.is_terminal() && !args.ascii, prompt: terminal };
    line::run(&mut session, &defaults, &look, std::io::stdin().lock(), &mut out).or_else(|error| {
        // Whoever read our lines has gone: that is an end like any other.
        if error.kind() == std::io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
    })?;
    Ok(())
}

fn open(game: &'static dyn Game, args: &Args, defaults: &Setup) -> anyhow::Result<Controller> {
    let persons = matches!(args.search.engine.as_str(), "human" | "none");
    // Two persons can still ask the recommended engine for advice.
    let info = if persons { game.engines().first() } else { Some(games::info(game, &args.search.engine)?) };
    let options = args.search.options()?;
    let make = move || match info {
        Some(info) => (info.make)(&options),
        None => Err(EngineError::Unsupported("this game has no engine to ask".into())),
    };
    if info.is_some() {
        // Made once here, so that wrong options are refused before the first move.
        make()?;
    }
    let thinker = Thinker::start(Box::new(make)).context("starting the engine")?;
    let mut limits = args.search.limits(args.clock.is_none().then_some(DEFAULT_TIME));
    limits.seed = args.search.seed.unwrap_or_else(fresh_seed);
    let name = info.map_or("engine", |info| info.name);
    let engine = args.search.level.map_or(name.to_string(), |level| format!("{name} (level {level})"));
    let settings =
        PlaySettings { game, human: (!persons).then_some(args.side), engine, limits, control: args.clock };
    let position = game.position(defaults)?;
    if position.rows() == 0 || position.cols() == 0 {
        bail!("a board without cells cannot be played on");
    }
    Ok(Controller::new(settings, position, thinker))
}

/// Another game each time, unless `--seed` asks for the same one.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.as_secs() ^ u64::from(now.subsec_nanos()).rotate_left(32)
}
