//! Games and positions as files: reading any notation, writing SGF, JSON, pictures and more.

mod tree;

use self::tree::Tree;
use super::extract::{Asked, Body, Id, Raw, read_deep};
use super::games::open;
use super::layer::busy;
use super::watch::Secret;
use crate::app::App;
use crate::pool::Class;
use crate::problem::{Problem, ProblemBody};
use crate::security::{rate::Peer, secret};
use crate::shape::{Setup, View};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use game::{Game, Picture, Position, Record, StopFlag};
use resvg::{tiny_skia, usvg};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

pub(crate) use self::tree::TreeNode;

/// A file to be read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportRequest {
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
pub(crate) struct Imported {
    setup: Setup,
    /// The moves with their variations.
    tree: Vec<TreeNode>,
    /// The end of the main line.
    view: View,
}

/// Reads a game or a position in any notation.
#[utoipa::path(post, path = "/import", tag = "files", request_body = ImportRequest, responses(
    (status = 200, body = Imported),
    (status = 422, body = ProblemBody, content_type = "application/problem+json",
     description = "`params.line` and `params.column` say where"),
))]
pub(crate) async fn import(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Body(asked): Body<ImportRequest>,
) -> Result<Response, Problem> {
    if asked.text.trim().is_empty() {
        return Err(Problem::refused("text.empty", "the file is empty"));
    }
    let games = match &asked.game {
        Some(name) => vec![app.game(name)?],
        None => candidates(&app.games, &asked),
    };
    // The answer nests as deep as the game is long: it is written where the stack is.
    let read = app.quick.run(Class::Play, peer, 1, move |stop| {
        let mut first_problem = None;
        for game in games {
            match read(game, &asked.text, stop) {
                Ok(imported) => return serde_json::to_vec(&imported).map_err(Problem::storage),
                Err(problem) => first_problem = first_problem.or(Some(problem)),
            }
        }
        Err(first_problem.unwrap_or_else(|| Problem::refused("game.kind", "this server knows no game")))
    });
    Ok(file("application/json", read.await.map_err(|_| busy())??))
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
        tree: tree.nodes,
    })
}

/// A game or a position to be written.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportRequest {
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
}

/// How a picture looks.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Look {
    /// Pixels from one point to the next, 8 to 96.
    cell: Option<f64>,
    /// Column letters and row numbers; shown if left out.
    coordinates: Option<bool>,
    /// Move numbers on the stones.
    numbers: bool,
    /// For hex: `flat`, `pointy` or `diamond`.
    orientation: String,
}

/// Writes a game or a position as a file.
#[utoipa::path(post, path = "/export", tag = "files", request_body = ExportRequest, responses(
    (status = 200, description = "the file", content_type = "application/octet-stream"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Raw(body): Raw,
) -> Result<Response, Problem> {
    let work = app.clone();
    let written = app.quick.run(Class::Play, peer, 1, move |stop| written(&work, &body, stop)).await;
    let (kind, bytes) = written.map_err(|_| busy())??;
    Ok(file(kind, bytes))
}

fn written(app: &App, body: &[u8], stop: &StopFlag) -> Result<(&'static str, Vec<u8>), Problem> {
    let asked: ExportRequest = read_deep(body)?;
    let game = app.game(&asked.setup.game)?;
    super::view::check_count(asked.moves.len())?;
    let tree = if asked.tree.is_empty() {
        Tree::line(game, &asked.setup, &asked.moves)?
    } else {
        Tree::checked(game, &asked.setup, asked.tree)?
    };
    let clean = |name: String| name.chars().filter(|c| !c.is_control()).take(80).collect();
    let names = [asked.first, asked.second].map(clean);
    match asked.format.as_str() {
        "sgf" => Ok(("application/x-go-sgf", tree.sgf(game, &names, stop)?.into_bytes())),
        "json" => Ok(("application/json", tree.json().into_bytes())),
        other => match game.write(&tree.main_record(game, &names), other) {
            Some(text) => Ok(("text/plain; charset=utf-8", text.into_bytes())),
            None if asked.moves.is_empty() => drawn(game, &*tree.main_line(game)?, other, &asked.picture),
            None => drawn(game, &*asked.setup.after(game, &asked.moves)?, other, &asked.picture),
        },
    }
}

/// Which file of a game.
#[derive(Deserialize, IntoParams)]
pub(crate) struct RecordQuery {
    /// `sgf` if left out.
    format: Option<String>,
    /// Of a seat or the owner, where the game is private.
    secret: Option<String>,
}

/// The file of a live or finished game.
#[utoipa::path(get, path = "/games/{id}/record", tag = "games", params(("id" = String, Path), RecordQuery), responses(
    (status = 200, description = "the file", content_type = "application/octet-stream"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn record(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Id(id): Id,
    Asked(query): Asked<RecordQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Secret { secret } = Secret { secret: query.secret };
    let given = secret::bearer(&headers).or(secret.as_deref());
    let (handle, _) = open(&app, &id, given).await?;
    let game = app.game(&handle.header.setup.game)?;
    let record: Record = handle.record().await?;
    let position = handle.position().await?;
    let format = query.format.unwrap_or_else(|| "sgf".into());
    let written = app.quick.run(Class::Play, peer, 1, move |_| match format.as_str() {
        "sgf" => Ok(("application/x-go-sgf", game.write_sgf(&record).into_bytes())),
        "json" => {
            let text = serde_json::to_string_pretty(&record).map_err(Problem::storage)?;
            Ok(("application/json", text.into_bytes()))
        }
        other => match game.write(&record, other) {
            Some(text) => Ok(("text/plain; charset=utf-8", text.into_bytes())),
            None => drawn(game, &*position, other, &Look::default()),
        },
    });
    let (kind, bytes) = written.await.map_err(|_| busy())??;
    Ok(file(kind, bytes))
}

/// Pictures.
fn drawn(
    game: &dyn Game,
    position: &dyn Position,
    format: &str,
    look: &Look,
) -> Result<(&'static str, Vec<u8>), Problem> {
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

fn png(svg: &str) -> Result<Vec<u8>, Problem> {
    let fail = |what: String| Problem::refused("picture.failed", what);
    let tree =
        usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|error| fail(error.to_string()))?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| fail("the picture has no size".into()))?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| fail(error.to_string()))
}

fn file(kind: &'static str, bytes: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], bytes).into_response()
}
