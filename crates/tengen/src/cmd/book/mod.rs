//! `tengen book make|openings|show GAME`: opening books and balanced openings of our own making.
//!
//! A game that has a book is one arm in [`make()`] and one in [`show`].

mod make;

pub(crate) use make::{GomokuBook, HexBook};

use crate::fleet::FleetArgs;
use crate::position::{self, BoardArgs};
use crate::search_args::stop_on_ctrl_c;
use crate::usage::usage;
use crate::{games, json, output};
use anyhow::{Context, bail};
use game::Watch;
use gomoku::book::{self, Advice, Book};
use hex::balanced::{self, BalancedRecipe};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Make a book by searching with the engine
    Make(MakeArgs),
    /// Find balanced openings of two stones for matches (Hex)
    Openings(OpeningsArgs),
    /// Show the shipped book: its entry for a position, or all entries
    Show(ShowArgs),
}

#[derive(clap::Args)]
struct MakeArgs {
    /// The game
    game: String,
    /// Rule variant; the game's default if omitted
    #[arg(long, default_value = "", hide_default_value = true)]
    rule: String,
    /// Board size; the default size if omitted
    #[arg(long)]
    size: Option<u8>,
    /// Number of openings
    #[arg(long, default_value_t = 36)]
    openings: u64,
    /// Moves played after each opening
    #[arg(long, default_value_t = 4)]
    plies: usize,
    /// Nodes per decision
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Random seed; the same seed makes the same book
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE.jsonl")]
    out: Option<PathBuf>,
    #[command(flatten)]
    fleet: FleetArgs,
}

#[derive(clap::Args)]
struct OpeningsArgs {
    /// The game
    game: String,
    /// Board size
    #[arg(long, default_value_t = 11)]
    size: u8,
    /// Number of openings
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Nodes of the search that must think an opening even: a win rate of 40 to 60 %
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
    /// Random seed; the same seed finds the same openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE.txt")]
    out: Option<PathBuf>,
}

#[derive(clap::Args)]
struct ShowArgs {
    /// The game
    game: String,
    /// A file, `-`, a move string, or `empty`; the whole book (for Hex the swap map) if omitted
    position: Option<String>,
    /// A book in a file instead of the one that ships
    #[arg(long, value_name = "FILE.jsonl")]
    file: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArgs,
    /// JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::Make(args) => make(args),
        Action::Openings(args) => openings(args),
        Action::Show(args) => show(args),
    }
}

fn openings(args: &OpeningsArgs) -> anyhow::Result<()> {
    let &OpeningsArgs { size: n, count, nodes, seed, .. } = args;
    if games::by_name(&args.game)?.name() != "hex" {
        usage!("{} has no balanced openings of two stones; accepted: hex", args.game);
    }
    let size = hex_size(n)?;
    args.out.as_deref().map_or(Ok(()), output::check_writable)?;
    let stop = stop_on_ctrl_c();
    let recipe = BalancedRecipe { size, count, playouts: nodes, seed };
    let found = balanced::balanced_openings(&recipe, &Watch::start(stop.clone()), &mut |found| {
        output::progress(&format!("{found} of {count} openings"));
        !stop.is_stopped()
    })?;
    output::progress("");
    let command =
        format!("tengen book openings hex --size {n} --count {count} --nodes {nodes} --seed {seed}");
    let text = balanced::write(size, &found, &command);
    match &args.out {
        Some(path) => output::write_file(path, text.as_bytes())?,
        None => print!("{text}"),
    }
    if stop.is_stopped() || found.len() < count {
        let why = if stop.is_stopped() { "stopped" } else { "the board has not more that are even" };
        bail!("{why}: {} of {count} openings", found.len());
    }
    Ok(())
}

fn hex_size(n: u8) -> anyhow::Result<hex::Size> {
    match hex::Size::new(n, n) {
        Some(size) => Ok(size),
        None => usage!("a Hex board of size {n}; accepted: 1 to {}", hex::MAX_SIDE),
    }
}

fn make(args: &MakeArgs) -> anyhow::Result<()> {
    let game = games::by_name(&args.game)?;
    args.out.as_deref().map_or(Ok(()), output::check_writable)?;
    let stop = stop_on_ctrl_c();
    let lines = match game.name() {
        "gomoku" => make::gomoku(args, &stop)?,
        "hex" => make::hex(args, &stop)?,
        other => bail!("{other} has no book; accepted: gomoku, hex"),
    };
    let text = lines.join("\n") + "\n";
    match &args.out {
        Some(path) => output::write_file(path, text.as_bytes())?,
        None => print!("{text}"),
    }
    if stop.is_stopped() {
        bail!("stopped: the book has {} positions so far", lines.len());
    }
    Ok(())
}

fn show(args: &ShowArgs) -> anyhow::Result<()> {
    match games::by_name(&args.game)?.name() {
        "gomoku" => show_gomoku(args),
        "hex" => show_hex(args),
        other => bail!("{other} has no book; accepted: gomoku, hex"),
    }
}

fn show_gomoku(args: &ShowArgs) -> anyhow::Result<()> {
    let read;
    let book: &Book = match &args.file {
        Some(file) => {
            read = Book::read(&position::read_file(file)?).with_context(|| file.display().to_string())?;
            &read
        }
        None => book::shipped(),
    };
    let Some(word) = &args.position else {
        print_all(book, args.json);
        return Ok(());
    };
    let (_, position) = position::read("gomoku", word, &args.board)?;
    let found = position.downcast().and_then(|position| book.find(position));
    match (found, args.json) {
        (found, true) => println!("{}", advice_json(&*position, found.as_ref())),
        (None, false) => println!("not in the book"),
        (Some(Advice { moves, score, depth }), false) => {
            let names: Vec<String> = moves.iter().map(|mv| position.format_move(*mv)).collect();
            println!("{}  (score {score}, depth {depth})", names.join(" "));
        }
    }
    Ok(())
}

/// The answer to a position, or the swap map.
fn show_hex(args: &ShowArgs) -> anyhow::Result<()> {
    let (game, position) = position::read("hex", args.position.as_deref().unwrap_or("empty"), &args.board)?;
    let read;
    let book = match &args.file {
        Some(file) => {
            let text = position::read_file(file)?;
            read = hex::book::Book::parse(&text).map_err(anyhow::Error::msg);
            Some(read.as_ref().map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))?)
        }
        None => hex::Size::new(position.rows(), position.cols()).and_then(hex::book::Book::shipped),
    };
    if args.position.is_none() {
        return super::analyze::show_swap_map(
            game,
            &*position,
            book.map(hex::book::Book::swap_map),
            args.json,
        );
    }
    let found = position.downcast().and_then(|position| book?.find(position));
    let text = |advice: &hex::book::Advice| position.format_move(cell_of(&*position, advice.cell).into());
    match (found, args.json) {
        (Some(advice), true) => {
            let mut object = json!({"win_rate": advice.rate});
            json::put_move(&mut object, &*position, cell_of(&*position, advice.cell).into());
            println!("{}", json!({ "moves": [object] }));
        }
        (None, true) => println!("{}", json!({"moves": []})),
        (Some(advice), false) => println!("{}  ({:.1} %)", text(&advice), advice.rate * 100.0),
        (None, false) => println!("not in the book"),
    }
    Ok(())
}

fn cell_of(position: &dyn game::Position, index: usize) -> game::Cell {
    let cols = usize::from(position.cols());
    game::Cell::new((index / cols) as u8, (index % cols) as u8)
}

fn print_all(book: &Book, as_json: bool) {
    let entries: Vec<_> = book.entries().collect();
    if as_json {
        println!("{}", json!(entries));
        return;
    }
    for entry in &entries {
        let position = if entry.position.is_empty() { "empty" } else { &entry.position };
        println!("{:<5} {position:<28} {:<20} {:>6}", entry.opening, entry.moves.join(" "), entry.score);
    }
    println!("{} positions", entries.len());
}

fn advice_json(position: &dyn game::Position, advice: Option<&Advice>) -> Value {
    let Some(advice) = advice else { return json!({"moves": []}) };
    let moves: Vec<Value> = advice
        .moves
        .iter()
        .map(|mv| {
            let mut object = json!({});
            json::put_move(&mut object, position, *mv);
            object
        })
        .collect();
    json!({"moves": moves, "score": advice.score, "depth": advice.depth})
}
