//! Studies: an analysis board with its move tree and settings, kept under an unguessable id, so that it is
//! there after a crash of the browser or the server, and can be shared as a link.

use super::docs::Refused;
use super::extract::{Id, Raw};
use super::games::no_secret;
use crate::app::App;
use crate::problem::storage_failed;
use crate::security::{rate::Peer, secret};
use crate::store::{Kept, Saved};
use api::{Problem, ProblemBody};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;
use utoipa::ToSchema;

/// The largest study, in bytes of JSON.
const MAX_BYTES: usize = 512 << 10;

/// A study, as the browser keeps it.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StudyBody {
    /// Grows with every change; an older one never overwrites a newer one.
    version: i64,
    /// Set-up, tree, settings: the browser's own business, kept as the text it came in.
    #[schema(value_type = Object)]
    body: Box<RawValue>,
}

/// A study that was created.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedStudy {
    id: String,
    /// Needed to change it.
    secret: String,
}

/// The answer to a change.
#[derive(Serialize, ToSchema)]
pub(crate) struct SavedStudy {
    version: i64,
}

fn read(body: &[u8]) -> Result<StudyBody, Problem> {
    serde_json::from_slice(body).map_err(|error| match error.is_data() {
        true => Problem::refused("body.shape", error.to_string()),
        false => Problem::bad("body.syntax", error.to_string()),
    })
}

fn text(study: &StudyBody) -> Result<String, Problem> {
    let text = study.body.get().to_string();
    if text.len() > MAX_BYTES {
        return Err(Problem::refused("study.too-large", format!("a study has at most {MAX_BYTES} bytes")));
    }
    Ok(text)
}

/// Creates a study.
#[utoipa::path(post, path = "/studies", tag = "studies", request_body = StudyBody, responses(
    (status = 201, body = CreatedStudy),
    Refused<422>,
    (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "`quota.yours`"),
    (status = 507, body = ProblemBody, content_type = "application/problem+json", description = "`quota.full`"),
))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    Raw(body): Raw,
) -> Result<(StatusCode, Json<CreatedStudy>), Problem> {
    let study = read(&body)?;
    let body = text(&study)?;
    let creator = peer.to_string();
    app.store.make_room(&app.config.storage(), &creator, Kept::Study(body.len() as u64)).await?;
    let id = secret::random().map_err(storage_failed)?;
    let own = secret::random().map_err(storage_failed)?;
    let now = crate::time::now_ms();
    app.store.save_study(&id, &own, body, study.version, creator, now).await.map_err(storage_failed)?;
    Ok((StatusCode::CREATED, Json(CreatedStudy { id, secret: own })))
}

fn unknown() -> Problem {
    Problem::missing("study.unknown", "there is no such study")
}

/// A study; whoever knows the id may read it.
#[utoipa::path(get, path = "/studies/{id}", tag = "studies", params(("id" = String, Path)), responses(
    (status = 200, body = StudyBody),
    Refused<404>,
))]
pub(crate) async fn show(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<StudyBody>, Problem> {
    let study = app.store.study(&id).await.map_err(storage_failed)?.ok_or_else(unknown)?;
    let body = RawValue::from_string(study.body).map_err(storage_failed)?;
    Ok(Json(StudyBody { version: study.version, body }))
}

/// Changes a study.
#[utoipa::path(put, path = "/studies/{id}", tag = "studies", request_body = StudyBody,
    params(("id" = String, Path)), security(("secret" = [])), responses(
    (status = 200, body = SavedStudy),
    Refused<401, 422>,
    (status = 404, body = ProblemBody, content_type = "application/problem+json",
     description = "no such study, or not its secret"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "`study.newer`"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "`quota.yours`"),
    (status = 507, body = ProblemBody, content_type = "application/problem+json", description = "`quota.full`"),
))]
pub(crate) async fn save(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
    Raw(body): Raw,
) -> Result<Json<SavedStudy>, Problem> {
    let given = secret::bearer(&headers).ok_or_else(no_secret)?;
    let known = app.store.study(&id).await.map_err(storage_failed)?.ok_or_else(unknown)?;
    if !known.is_of(given) {
        // The same as for a study that does not exist.
        return Err(unknown());
    }
    let study = read(&body)?;
    let (body, version) = (text(&study)?, study.version);
    let growth = body.len().saturating_sub(known.body.len()) as u64;
    app.store.make_room(&app.config.storage(), &known.creator, Kept::Growth(growth)).await?;
    let now = crate::time::now_ms();
    let saved = app.store.save_study(&id, given, body, version, known.creator, now).await;
    match saved.map_err(storage_failed)? {
        Saved::Stored => Ok(Json(SavedStudy { version })),
        Saved::Newer(newer) => {
            let detail = format!("version {newer} is there already");
            Err(Problem::conflict("study.newer", detail).with("version", newer))
        }
    }
}
