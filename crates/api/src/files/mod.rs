//! Games and positions as files: reading any notation, writing SGF, JSON, pictures and more.

mod note;
mod tree;

use self::tree::Tree;
use crate::{Host, Problem, Setup, View, Work, check_count, read_deep};
use game::{Game, Picture, Position, Record, StopFlag};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::note::{Drawing, Note};
pub use self::tree::TreeNode;

/// A file to be read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// The game, where the text does not say.
    #[serde(default)]
    game: Option<String>,
    /// SGF, `.psq`, JSON, a HexWorld link, a grid or a move string.
    text: String,
    /// The file's name, which may say what it is.
    #[serde(default)]
    name: Option<String>,
}

/// What was in it.
#[derive(Serialize, ToSchema)]
pub struct Imported {
    setup: Setup,
    /// What it says of the whole game and before the first move.
    #[serde(skip_serializing_if = "Note::is_empty")]
    #[schema(required = false)]
    root: Note,
    /// The moves with their variations.
    tree: Vec<TreeNode>,
    /// The end of the main line.
    view: View,
}

/// Reads a game or a position in any notation; the answer as JSON. It nests as deep as the game is long, so the work
/// needs a stack for it.
pub fn import(host: &Host, asked: ImportRequest) -> Result<Work<Vec<u8>>, Problem> {
    if asked.text.trim().is_empty() {
        return Err(Problem::refused("text.empty", "the file is empty"));
    }
    let games = match &asked.game {
        Some(name) => vec![host.game(name)?],
        None => candidates(&host.games, &asked),
    };
    Ok(Box::new(move |stop| {
        let mut first_problem = None;
        for game in games {
            match read(game, &asked.text, stop) {
                Ok(imported) => return Ok(serde_json::to_vec(&imported).unwrap_or_default()),
                Err(problem) => first_problem = first_problem.or(Some(problem)),
            }
        }
        Err(first_problem.unwrap_or_else(|| Problem::refused("game.kind", "no game is known here")))
    }))
}

/// Which games a text may belong to, the most likely first.
fn candidates(games: &[&'static dyn Game], asked: &ImportRequest) -> Vec<&'static dyn Game> {
    let text = asked.text.trim_start();
    let name = asked.name.as_deref().unwrap_or_default().to_ascii_lowercase();
    let says = |word: &str| text.get(..text.len().min(400)).unwrap_or(text).contains(word);
    let hint = if says("hexworld") || says("GM[11]") || says("\"hex\"") {
        "hex"
    } else if name.ends_with(".psq") || says("Piskvorky") || says("GM[4]") || says("\"gomoku\"") {
        "gomoku"
    } else {
        ""
    };
    let mut games = games.to_vec();
    games.sort_by_key(|game| game.name() != hint);
    games
}

fn read(game: &'static dyn Game, text: &str, stop: &StopFlag) -> Result<Imported, Problem> {
    let tree = Tree::read(game, text, stop)?;
    let position = tree.main_line(game)?;
    Ok(Imported {
        setup: Setup::of(game, &*position),
        view: View::of(game, &*position, None),
        root: tree.root,
        tree: tree.nodes,
    })
}

/// A game or a position to be written.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    setup: Setup,
    /// The moves; or `tree`.
    #[serde(default)]
    moves: Vec<String>,
    /// The moves with their variations.
    #[serde(default)]
    tree: Vec<TreeNode>,
    /// `sgf`, `json`, `text`, `svg`, `png`, or a format of the game such as `psq` or `hexworld`.
    format: String,
    #[serde(default)]
    picture: Look,
    #[serde(default)]
    first: String,
    #[serde(default)]
    second: String,
    /// What is said of the whole game and before the first move.
    #[serde(default)]
    root: Note,
}

/// How a picture looks.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Look {
    /// Pixels from one point to the next, 8 to 96.
    cell: Option<f64>,
    /// Column letters and row numbers; shown if left out.
    coordinates: Option<bool>,
    /// Move numbers on the stones.
    numbers: bool,
    /// For hex: `flat`, `pointy` or `diamond`.
    orientation: String,
}

/// A file: its media type and its bytes.
pub type File = (&'static str, Vec<u8>);

/// Draws an SVG as a PNG.
pub type DrawPng = fn(&str) -> Result<Vec<u8>, Problem>;

/// Writes a game or a position as a file, from the JSON of an [`ExportRequest`], which may nest deeply.
pub fn export(host: &Host, body: &[u8], png: DrawPng, stop: &StopFlag) -> Result<File, Problem> {
    let asked: ExportRequest = read_deep(body)?;
    let game = host.game(&asked.setup.game)?;
    check_count(asked.moves.len())?;
    let tree = if asked.tree.is_empty() {
        Tree::line(game, &asked.setup, &asked.moves)?.with_root(asked.root)
    } else {
        Tree::checked(game, &asked.setup, asked.root, asked.tree)?
    };
    let clean = |name: String| name.chars().filter(|c| !c.is_control()).take(80).collect();
    let names = [asked.first, asked.second].map(clean);
    match asked.format.as_str() {
        "sgf" => Ok(("application/x-go-sgf", tree.sgf(game, &names, stop)?.into_bytes())),
        "json" => Ok(("application/json", tree.json().into_bytes())),
        other => match game.write(&tree.main_record(game, &names), other) {
            Some(text) => Ok(("text/plain; charset=utf-8", text.into_bytes())),
            None if asked.moves.is_empty() => {
                drawn(game, &*tree.main_line(game)?, other, &asked.picture, png)
            }
            None => drawn(game, &*asked.setup.after(game, &asked.moves)?, other, &asked.picture, png),
        },
    }
}

/// The file of a game that is or was played.
pub fn record_file(
    game: &dyn Game,
    record: &Record,
    position: &dyn Position,
    format: &str,
    png: DrawPng,
) -> Result<File, Problem> {
    match format {
        "sgf" => Ok(("application/x-go-sgf", game.write_sgf(record).into_bytes())),
        "json" => {
            Ok(("application/json", serde_json::to_string_pretty(record).unwrap_or_default().into_bytes()))
        }
        other => match game.write(record, other) {
            Some(text) => Ok(("text/plain; charset=utf-8", text.into_bytes())),
            None => drawn(game, position, other, &Look::default(), png),
        },
    }
}

/// Pictures.
fn drawn(
    game: &dyn Game,
    position: &dyn Position,
    format: &str,
    look: &Look,
    png: DrawPng,
) -> Result<File, Problem> {
    let picture = Picture {
        cell: look.cell.filter(|cell| cell.is_finite()).unwrap_or(32.0).clamp(8.0, 96.0),
        coordinates: look.coordinates.unwrap_or(true),
        numbers: look.numbers,
        orientation: look.orientation.clone(),
        marks: Vec::new(),
    };
    match format {
        "text" => Ok(("text/plain; charset=utf-8", game.draw_text(position, &picture, false).into_bytes())),
        "svg" => Ok(("image/svg+xml", game.draw_svg(position, &picture).into_bytes())),
        "png" => Ok(("image/png", png(&game.draw_svg(position, &picture))?)),
        _ => {
            let own: String = game.formats().iter().map(|(name, _)| format!(", {name}")).collect();
            let detail = format!("unknown format; accepted: sgf, json, text, svg, png{own}");
            Err(Problem::refused("format.unknown", detail))
        }
    }
}
