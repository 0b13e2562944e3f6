//! `tengen analyze GAME POSITION`: search a position and show what was found.

use crate::position::{self, BoardArgs};
use crate::search_args::{self, SearchArgs};
use crate::usage::usage;
use crate::{games, json, terminal};
use anyhow::bail;
use game::{Game, Layer, Picture, Position, Report, Watch};
use std::io::IsTerminal;
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: gomoku or hex
    game: String,
    /// A file, `-`, a move string, or `empty`
    position: String,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// How many principal lines to show
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=400))]
    lines: u16,
    /// Search only these moves, such as h8,i9
    #[arg(long, default_value = "", hide_default_value = true)]
    only: String,
    /// Do not search these moves
    #[arg(long, default_value = "", hide_default_value = true)]
    exclude: String,
    /// Successors searched at each node: a number or `all` (engines with a `width` option)
    #[arg(long)]
    width: Option<String>,
    /// Do not order successors by score (engines with an `ordering` option)
    #[arg(long)]
    no_ordering: bool,
    /// Show knowledge about the position instead of searching it
    #[arg(long, value_name = "LAYER")]
    show: Option<String>,
    /// Show how often each first stone wins (Hex): which of them to swap
    #[arg(long, conflicts_with = "show")]
    swap_map: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Rows of the root table that fit a screen.
const ROOT_ROWS: usize = 10;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (game, position) = position::read(&args.game, &args.position, &args.board)?;
    let position = &*position;
    if args.swap_map {
        let size = (game.name() == "hex").then(|| hex::Size::new(position.rows(), position.cols())).flatten();
        let map = size.and_then(hex::book::SwapMap::shipped);
        return show_swap_map(game, position, map, args.json);
    }
    if let Some(name) = &args.show {
        return show_layer(game, position, name, args.json);
    }
    if let Some(outcome) = position.outcome() {
        match outcome.winner() {
            Some(side) => bail!("the game is over: {side} has won"),
            None => bail!("the game is over: a draw"),
        }
    }
    let mut options = args.search.options()?;
    if let Some(width) = &args.width {
        options.set("width", width.as_str());
    }
    if args.no_ordering {
        options.set("ordering", "off");
    }
    let mut engine = games::engine(game, &args.search.engine, &options)?;
    let mut limits = args.search.limits(Some(Duration::from_secs(5)));
    limits.lines = usize::from(args.lines);
    limits.only = search_args::moves(position, &args.only)?;
    limits.exclude = search_args::moves(position, &args.exclude)?;
    let watch = Watch::start(search_args::stop_on_ctrl_c());
    let live = std::io::stderr().is_terminal() && !args.json;
    let mut report = |report: &Report| {
        if live {
            eprintln!("{}", progress(position, report));
        }
    };
    let decision = engine.think(position, &limits, &watch, &mut report)?;
    if args.json {
        println!("{}", json::decision(position, &decision));
    } else {
        let mut picture = Picture::default();
        picture.marks.extend(decision.mv.cell().map(|cell| (cell, "*".to_string())));
        print!("{}", game.draw_text(position, &picture, terminal::colour()));
        println!("{} plays {} (*)", engine.name(), position.format_move(decision.mv));
        print_report(position, &decision.report);
    }
    Ok(())
}

fn progress(position: &dyn Position, report: &Report) -> String {
    format!(
        "depth {:>2}/{:<2} {:>12} nodes {:>7.2} s  {} {}  {}",
        report.depth,
        report.selective_depth,
        report.nodes,
        report.elapsed.as_secs_f64(),
        position.to_move(),
        value(report.score, report.win_rate, report.mate),
        line(position, report.pv()),
    )
}

fn print_report(position: &dyn Position, report: &Report) {
    println!(
        "{} nodes in {:.3} s ({:.0} per second), depth {}, selective depth {}",
        report.nodes,
        report.elapsed.as_secs_f64(),
        report.speed(),
        report.depth,
        report.selective_depth
    );
    if let (Some(full), Some(ratio)) = (report.full_tree, report.prune_ratio()) {
        println!("full tree {full:.0}, prune ratio {:.4} %", ratio * 100.0);
    }
    if !report.lines.is_empty() {
        println!("chances of {}, who is to move:", position.to_move());
    }
    for found in &report.lines {
        println!("{:>20}  {}", value(found.score, found.win_rate, found.mate), line(position, &found.moves));
    }
    if report.root.is_empty() {
        return;
    }
    println!("\n{:<6} {:>13} {:>7} {:>12}", "move", "score", "win %", "nodes");
    let mut root = report.root.clone();
    // A score before a bound of the same number.
    let is_bound = |root: &game::RootMove| root.bound != game::Bound::Exact;
    root.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(is_bound(a).cmp(&is_bound(b))).then(b.nodes.cmp(&a.nodes))
    });
    for root in root.iter().take(ROOT_ROWS) {
        println!(
            "{:<6} {:>13} {:>7.1} {:>12}",
            position.format_move(root.mv),
            format!("{}{}", bound_sign(root.bound), (root.score * 100.0).round() / 100.0),
            root.win_rate * 100.0,
            root.nodes
        );
    }
    if root.len() > ROOT_ROWS {
        println!("and {} more (--json has them all)", root.len() - ROOT_ROWS);
    }
}

/// Marks a score that is only a bound.
fn bound_sign(bound: game::Bound) -> &'static str {
    match bound {
        game::Bound::Exact => "",
        game::Bound::Upper => "<= ",
        game::Bound::Lower => ">= ",
    }
}

fn value(score: f64, win_rate: f64, mate: Option<i32>) -> String {
    match mate {
        Some(plies) => api::mate_text(plies),
        None => format!("{} ({:.1} %)", (score * 100.0).round() / 100.0, win_rate * 100.0),
    }
}

/// Moves in order, each written for the position it is played in.
fn line(position: &dyn Position, moves: &[game::Move]) -> String {
    api::words(position, moves).join(" ")
}

fn show_layer(game: &dyn Game, position: &dyn Position, name: &str, as_json: bool) -> anyhow::Result<()> {
    let Some(layer) = game.layer(position, name) else {
        let names: Vec<_> = game.layers().iter().map(|(name, _)| *name).collect();
        usage!("{} cannot show '{name}'; accepted: {}", game.name(), names.join(", "))
    };
    if as_json {
        println!("{}", json::layer(position, &layer));
        return Ok(());
    }
    let marks = layer.cells.iter().map(|cell| (cell.cell, cell.label.clone())).collect();
    let picture = Picture { marks, ..Picture::default() };
    print!("{}", game.draw_text(position, &picture, terminal::colour()));
    print_layer(position, &layer);
    Ok(())
}

/// How often each first stone wins.
pub(super) fn show_swap_map(
    game: &dyn Game,
    position: &dyn Position,
    map: Option<hex::book::SwapMap>,
    as_json: bool,
) -> anyhow::Result<()> {
    let Some(map) =
        map.filter(|map| (map.size().rows(), map.size().cols()) == (position.rows(), position.cols()))
    else {
        let (rows, cols) = (position.rows(), position.cols());
        bail!("no swap map for {} {rows}x{cols}; accepted: hex 11x11", game.name())
    };
    let size = map.size();
    let rates = (0..size.cells()).filter_map(|cell| Some((size.cell(cell), map.rate(cell)?, map.swap(cell))));
    if as_json {
        let cells = rates.map(|(cell, rate, swap)| {
            let mut object = serde_json::json!({"win_rate": rate, "swap": swap});
            json::put_move(&mut object, position, cell.into());
            object
        });
        println!("{}", serde_json::json!({ "swap_map": cells.collect::<Vec<_>>() }));
        return Ok(());
    }
    let marks = rates.map(|(cell, rate, _)| (cell, format!("{:.0}", rate * 100.0))).collect();
    let picture = Picture { marks, ..Picture::default() };
    print!("{}", game.draw_text(position, &picture, terminal::colour()));
    println!("percent that a first stone there is worth by search; above 50 it should be swapped");
    Ok(())
}

fn print_layer(position: &dyn Position, layer: &Layer) {
    let name = |cell: game::Cell| position.format_move(cell.into());
    for cell in &layer.cells {
        let side = cell.side.map(|side| side.to_string()).unwrap_or_default();
        println!("{:<5} {:<6} {:>8.4} {}", name(cell.cell), side, cell.value, cell.label);
    }
    for link in &layer.links {
        let to = link.to.map_or_else(|| link.edge.clone(), name);
        let carrier: Vec<_> = link.carrier.iter().map(|cell| name(*cell)).collect();
        println!("{:<6} {} - {to} over {}", link.side, name(link.from), carrier.join(" "));
    }
}
