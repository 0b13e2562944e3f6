//! Games and positions as files, read and written in the quick pool.

use super::docs::Refused;
use super::extract::{Asked, Body, Id, Raw};
use super::games::open;
use super::watch::Secret;
use crate::app::App;
use crate::pool::Class;
use crate::security::{rate::Peer, secret};
use api::files::{ExportRequest, ImportRequest, Imported, export as write, record_file};
use api::{Problem, ProblemBody};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use game::Record;
use resvg::{tiny_skia, usvg};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

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
    let work = api::files::import(&app.host, asked)?;
    let read = app.quick.run(Class::Play, peer, 1, work).await;
    Ok(file("application/json", read.map_err(|_| Problem::busy())??))
}

/// Writes a game or a position as a file.
#[utoipa::path(post, path = "/export", tag = "files", request_body = ExportRequest, responses(
    (status = 200, description = "the file", content_type = "application/octet-stream"),
    Refused<422>,
))]
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Raw(body): Raw,
) -> Result<Response, Problem> {
    let work = app.clone();
    let written = app
        .quick
        .run(Class::Play, peer, 1, move |watch| write(&work.host, &body, png, watch.stop_flag()))
        .await;
    let (kind, bytes) = written.map_err(|_| Problem::busy())??;
    Ok(file(kind, bytes))
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
    Refused<404, 422, 429>,
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
    let game = app.host.game(&handle.header.setup.game)?;
    let record: Record = handle.record().await?;
    let position = handle.position().await?;
    let format = query.format.unwrap_or_else(|| "sgf".into());
    let work = move |_: &game::Watch| record_file(game, &record, &*position, &format, png);
    let (kind, bytes) = app.quick.run(Class::Play, peer, 1, work).await.map_err(|_| Problem::busy())??;
    Ok(file(kind, bytes))
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
