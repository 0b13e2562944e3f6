//! `tengen rules GAME --forbidden POSITION`: what the rules say about a position.

use crate::games;
use crate::position::{self, BoardArgs};
use crate::usage::usage;
use anyhow::{Context, bail};
use game::{Cell, Game, Setup, Side};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: gomoku
    game: String,
    /// List Black's forbidden points (Renju rules unless --rule is given) in POSITION
    #[arg(long, value_name = "POSITION", num_args = 0..=1, default_missing_value = "", required = true)]
    forbidden: Option<String>,
    /// The position, where --forbidden does not name it
    position: Option<String>,
    /// Many positions: one JSON object per line in, one per line out, in the same order; - for standard input
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "position")]
    batch: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArgs,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let game = games::by_name(&args.game)?;
    let mut board = args.board.clone();
    if board.rule.is_empty() && game.rules().contains(&"renju") {
        board.rule = "renju".into();
    }
    if let Some(file) = &args.batch {
        return batch(game, file, &board.setup(game)?);
    }
    let named = args.forbidden.as_deref().filter(|word| !word.is_empty());
    let Some(word) = named.or(args.position.as_deref()) else {
        usage!("--forbidden needs a POSITION: a file, `-`, a move string, or `empty`")
    };
    let (name, text) =
        if word == "empty" { ("empty".into(), "empty".into()) } else { position::read_text(word)? };
    let found = forbidden(game, &text, &board.setup(game)?).with_context(|| name)?;
    if args.json {
        println!("{}", answer(&found));
    } else if found.is_empty() {
        println!("no forbidden points");
    } else {
        for (point, kind) in &found {
            println!("{point:<4} {kind}");
        }
    }
    Ok(())
}

fn batch(game: &dyn Game, file: &std::path::Path, defaults: &Setup) -> anyhow::Result<()> {
    let text = position::read_file(file)?;
    let mut failures = 0usize;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match forbidden(game, line, defaults) {
            Ok(found) => println!("{}", answer(&found)),
            Err(error) => {
                failures += 1;
                println!("{}", json!({"error": format!("line {}: {error:#}", number + 1)}));
            }
        }
    }
    if failures > 0 {
        bail!("{}: {failures} of its lines could not be read", file.display());
    }
    Ok(())
}

/// Black's forbidden points, whoever is to move.
fn forbidden(game: &dyn Game, text: &str, setup: &Setup) -> anyhow::Result<Vec<(String, &'static str)>> {
    let position = position::parse(game, text, setup).or_else(|error| {
        // Stones that do not tell whose turn it is tell as well what Black may not play.
        let black = Setup { to_move: Some(Side::Black), ..setup.clone() };
        position::parse(game, text, &black).map_err(|_| error)
    })?;
    let mut setup = game.setup_of(&*position);
    let cells = (0..position.rows()).flat_map(|row| (0..position.cols()).map(move |col| Cell::new(row, col)));
    setup.stones = cells.filter_map(|cell| position.at(cell).map(|side| (side, cell))).collect();
    setup.to_move = Some(Side::Black);
    let position = game.position(&setup).context("the same stones with black to move")?;
    let name = |cell: Cell| position.format_move(cell.into()).to_uppercase();
    Ok(position.forbidden().into_iter().map(|(cell, kind)| (name(cell), kind)).collect())
}

fn answer(found: &[(String, &'static str)]) -> Value {
    let points: Map<String, Value> = found.iter().map(|(point, kind)| (point.clone(), json!(kind))).collect();
    json!({ "forbidden": points })
}
