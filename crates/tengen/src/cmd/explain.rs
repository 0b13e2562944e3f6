//! `tengen explain ALGORITHM GAME POSITION`: record a search for watching.

use crate::position::{self, BoardArgs};
use crate::{games, output, search_args};
use anyhow::{Context, anyhow, bail};
use game::{Game, Move, Watch};
use maze::explain::{Explain, Heuristic};
use maze::{Algorithm as PathAlgorithm, Budget, Ends, Neighbours, Query};
use search::theatre::{Algorithm, Language, Record, RecordOptions, conclusion, walk_through};
use search::tictactoe::TicTacToe;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// minimax, alphabeta, alphabeta-tt, uct or flat; pvs (gomoku) and puct (hex) for the main engine's own search; for a maze bfs, dijkstra, astar, idastar, jps and so on
    algorithm: String,
    /// tictactoe, gomoku, hex or maze
    game: String,
    /// A file, `-`, a move string, or `empty`; for a maze a map file, for tic-tac-toe nine cells such as X.O.X....
    position: String,
    #[command(flatten)]
    board: BoardArgs,
    /// Whose evaluation to search with (gomoku: classic-ac, classic-shapes, classic-squares; hex: classic-minimax)
    #[arg(long, default_value = "", hide_default_value = true)]
    engine: String,
    /// Depth in plies [default: 3; tic-tac-toe: 9]
    #[arg(long)]
    depth: Option<u32>,
    /// Stop after this many nodes (or cells of a map)
    #[arg(long, default_value_t = 2_000_000)]
    nodes: u64,
    /// Most nodes, playouts or steps to record
    #[arg(long, default_value_t = 100_000, value_parser = keep_parser())]
    keep: u32,
    /// Playouts (uct, flat)
    #[arg(long, default_value_t = 1_000)]
    playouts: u64,
    /// Exploration constant of UCB1
    #[arg(long, default_value_t = std::f64::consts::SQRT_2)]
    c: f64,
    /// Random seed of the playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Moves searched at each node; 0 means all
    #[arg(long)]
    width: Option<usize>,
    /// Search moves in the order of the board (tic-tac-toe: --ordering on puts the centre first)
    #[arg(long, value_parser = ["on", "off"])]
    ordering: Option<String>,
    /// Maze: heuristic: zero, manhattan, octile, euclidean, chebyshev, squared
    #[arg(long)]
    heuristic: Option<Heuristic>,
    /// Maze: factor on the heuristic
    #[arg(long, default_value_t = 1.0)]
    weight: f64,
    /// Maze: 4, 8 or 8-cut
    #[arg(long)]
    neighbours: Option<Neighbours>,
    /// Write the record (FILE.json) or a page that plays it without any server (FILE.html); else a walk-through
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Lines of the walk-through
    #[arg(long, default_value_t = 200)]
    lines: usize,
    /// Language of the conclusion: en or zh [default: that of the locale]
    #[arg(long, value_parser = ["en", "zh"])]
    language: Option<String>,
    /// Print the record
    #[arg(long)]
    json: bool,
}

fn keep_parser() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=1_000_000)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if !(args.c.is_finite() && args.c >= 0.0) {
        bail!("--c {}: accepted: a number from 0", args.c);
    }
    let (json, words) = if args.game == "maze" { path(args)? } else { tree(args)? };
    match &args.out {
        Some(file) => write(file, &json),
        None if args.json => {
            println!("{json}");
            Ok(())
        }
        None => {
            print!("{words}");
            Ok(())
        }
    }
}

fn write(file: &Path, json: &str) -> anyhow::Result<()> {
    let content = match file.extension().and_then(|ending| ending.to_str()) {
        Some("json") => json.to_string(),
        Some("html") => server::player_page(json).ok_or_else(|| {
            anyhow!("this build has no web app, so no page can be made; `cargo xtask run` builds it")
        })?,
        _ => bail!("{}: the name of a record ends in .json, that of a page in .html", file.display()),
    };
    output::write_file(file, content.as_bytes())
}

/// The record as JSON, and in words.
fn tree(args: &Args) -> anyhow::Result<(String, String)> {
    let algorithm: Algorithm = args.algorithm.parse().map_err(|error: String| anyhow!(error))?;
    let mut wanted = RecordOptions {
        nodes: args.nodes,
        keep: args.keep as usize,
        playouts: args.playouts,
        exploration: args.c,
        seed: args.seed,
        width: args.width,
        ordering: args.ordering.as_deref().map(|word| word == "on"),
        ..RecordOptions::new(algorithm)
    };
    let watch = Watch::start(search_args::stop_on_ctrl_c());
    if args.game == "tictactoe" {
        let text = match args.position.as_str() {
            "empty" => ".".repeat(9),
            // Nine cells look like the name of a file, because of the dots.
            cells if cells.chars().all(|c| "XOxo. \n".contains(c)) => cells.to_string(),
            other => position::read_text(other)?.1,
        };
        let position: TicTacToe = text.parse().with_context(|| "tic-tac-toe".to_string())?;
        algorithm.check("tictactoe", None).map_err(|error| anyhow!(error))?;
        wanted.depth = args.depth.unwrap_or(9);
        wanted.width = wanted.width.filter(|width| *width > 0);
        let record = search::tictactoe::explain(&position, &wanted, || !watch.is_stopped());
        let record = record.timed(watch.elapsed().as_secs_f64());
        let name = |mv: u32| format!("{}{}", char::from(b'a' + (mv % 3) as u8), mv / 3 + 1);
        return words(&record, &name, false, args);
    }
    wanted.depth = args.depth.unwrap_or(3);
    if games::by_name(&args.game).is_err() {
        bail!("unknown game '{}'; accepted: tictactoe, gomoku, hex, maze", args.game);
    }
    let (game, position) = position::read(&args.game, &args.position, &args.board)?;
    let game: &dyn Game = game;
    let record = game.explain(&*position, &args.engine, &wanted, &watch)?;
    let cols = u32::from(position.cols()).max(1);
    let name =
        |mv: u32| position.format_move(Move::Place(game::Cell::new((mv / cols) as u8, (mv % cols) as u8)));
    words(&record, &name, game.hexagonal(), args)
}

fn words(
    record: &Record,
    name: &dyn Fn(u32) -> String,
    hexagonal: bool,
    args: &Args,
) -> anyhow::Result<(String, String)> {
    let conclusion = conclusion(record, name, hexagonal, args.language());
    let text = walk_through(record, name, args.lines) + &conclusion;
    Ok((serde_json::to_string(record)?, text))
}

impl Args {
    fn language(&self) -> Language {
        let locale =
            || ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
        let chosen = self.language.clone().or_else(|| locale().find(|value| !value.is_empty()));
        Language::of_locale(&chosen.unwrap_or_default())
    }
}

fn path(args: &Args) -> anyhow::Result<(String, String)> {
    let algorithm: PathAlgorithm = args.algorithm.parse().map_err(|error: String| anyhow!(error))?;
    if !(args.weight.is_finite() && (0.0..=1000.0).contains(&args.weight)) {
        bail!("--weight {}: accepted: 0 to 1000", args.weight);
    }
    let (name, text) = position::read_text(&args.position)?;
    let loaded = maze::format::read(&name, text.as_bytes())?;
    let ends = Ends::resolve(&loaded.grid, None, None).with_context(|| name.clone())?;
    let usual = loaded.format.neighbours();
    let fallback = if algorithm.allows(usual) { usual } else { Neighbours::Four };
    let neighbours = args.neighbours.unwrap_or(fallback);
    let stop = search_args::stop_on_ctrl_c();
    let timed = Budget::timed(Watch::start(stop), Some(Duration::from_secs(600)));
    let budget = Budget { expansions: Some(args.nodes), ..timed };
    let query = Query { from: ends.from, to: ends.to, algorithm, neighbours, weight: args.weight, budget };
    let heuristic = args.heuristic.unwrap_or(Heuristic::usual(neighbours));
    let wanted = Explain { query, heuristic, keep: args.keep as usize };
    let record = maze::explain::explain(&loaded.grid, &wanted).with_context(|| name)?;
    let text = maze::explain::walk_through(&record, args.lines);
    Ok((serde_json::to_string(&record)?, text + &maze::explain::conclusion(&record, args.language())))
}
