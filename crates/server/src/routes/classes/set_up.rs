//! Making a class with the operator's key, and what its teacher sets up: settings, students, their keys.
//!
//! What is accepted is decided by the `class` crate, as on the command line; only programs as reference opponents are left
//! to whoever has the folder.

use super::{blocking, classes, no_key, problem, with_class};
use crate::app::App;
use crate::classes::OpenClass;
use crate::routes::extract::{Body, Id, TwoIds};
use crate::security::secret;
use api::{Problem, ProblemBody};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use class::ClassError;
use class::settings::{self, ClassSettings, Opponents};
use class::students::{NewKey, Students, key_table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A class to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewClass {
    /// Its name in addresses: 1 to 40 letters, digits, - and _.
    id: String,
    /// `gomoku` or `hex`.
    game: String,
    /// What is left out has its usual value; the title is the name.
    #[serde(default)]
    settings: ClassSettings,
}

/// A class that was made.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedClass {
    id: String,
    /// The teacher's key to it; shown only now.
    key: String,
}

/// Makes a class; the bearer is the operator's key of `tengen class key FOLDER --create`.
#[utoipa::path(post, path = "/classes", tag = "classes", request_body = NewClass, security(("secret" = [])), responses(
    (status = 201, body = CreatedClass),
    (status = 401, body = ProblemBody, content_type = "application/problem+json", description = "`class.creator-wrong`"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json",
     description = "`class.not-here`: no classes are made here over the network"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "`class.name-taken`"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Body(new): Body<NewClass>,
) -> Result<(StatusCode, Json<CreatedClass>), Problem> {
    let all = classes(&app)?.clone();
    let key = secret::bearer(&headers).ok_or_else(no_key)?.to_string();
    let created = blocking(move || {
        match all.is_creator(&key).map_err(problem)? {
            Some(true) => {}
            Some(false) => {
                let detail = "this is not the key with which classes are made here";
                return Err(Problem::new(StatusCode::UNAUTHORIZED, "class.creator-wrong", detail));
            }
            None => {
                let detail = "no classes are made here over the network; the operator allows it with: \
                              tengen class key FOLDER --create";
                return Err(Problem::new(StatusCode::FORBIDDEN, "class.not-here", detail));
            }
        }
        let key = all.create(&new.id, &new.game, &new.settings).map_err(problem)?;
        tracing::info!(class = %new.id, "a class was made over the network");
        Ok(CreatedClass { id: new.id, key })
    })
    .await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// Changes settings of a class; what is left out stays. Rule, size and protocol are fixed once a program has been handed
/// in, and what games depend on once a round or the ladder has begun (`fixed` of the class names them).
#[utoipa::path(put, path = "/classes/{id}/settings", tag = "classes", params(("id" = String, Path)),
    request_body = ClassSettings, security(("secret" = [])), responses(
    (status = 204, description = "done"),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "`class.fixed`"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn change(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
    Body(wanted): Body<ClassSettings>,
) -> Result<StatusCode, Problem> {
    with_class(&app, id, &headers, move |class, visitor, _| {
        visitor.teacher()?;
        settings::change(&class.folder, class.game, &wanted, Opponents::BuiltIn).map_err(problem)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// One-time keys that were made.
#[derive(Serialize, ToSchema)]
pub(crate) struct IssuedKeys {
    /// All students of the class now.
    students: usize,
    /// The students who have a new key, with it; shown only now.
    keys: Vec<NewKey>,
    /// The same as a CSV table, to be saved.
    csv: String,
}

/// Adds students from a CSV table in UTF-8 with the columns `id` and `name`, which is the body as it is. Who is in the
/// class already keeps key and token and gets the new name. A list with a mistake is refused whole, with its line.
#[utoipa::path(post, path = "/classes/{id}/students", tag = "classes", params(("id" = String, Path)),
    request_body(content = Vec<u8>, content_type = "text/csv"), security(("secret" = [])), responses(
    (status = 201, body = IssuedKeys),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn add(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
    list: Bytes,
) -> Result<(StatusCode, Json<IssuedKeys>), Problem> {
    let added = with_class(&app, id, &headers, move |class, visitor, _| {
        visitor.teacher()?;
        issue(&class, |students| students.add(&list))
    })
    .await?;
    Ok((StatusCode::CREATED, Json(added)))
}

/// Changes the list of students; what is answered are the keys that this made.
fn issue(
    class: &OpenClass,
    change: impl FnOnce(&mut Students) -> Result<Vec<NewKey>, ClassError>,
) -> Result<IssuedKeys, Problem> {
    let issued = Students::update(&class.folder, |students| {
        let keys = change(students)?;
        Ok(IssuedKeys { students: students.students.len(), csv: key_table(&keys), keys })
    });
    issued.map_err(problem)
}

/// Makes a new key for a student who lost theirs; the old key and token end.
#[utoipa::path(post, path = "/classes/{id}/students/{student}/key", tag = "classes",
    params(("id" = String, Path), ("student" = String, Path)), security(("secret" = [])), responses(
    (status = 201, body = IssuedKeys),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn renew(
    State(app): State<Arc<App>>,
    TwoIds(id, student): TwoIds,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<IssuedKeys>), Problem> {
    let issued = with_class(&app, id, &headers, move |class, visitor, _| {
        visitor.teacher()?;
        issue(&class, |students| Ok(vec![students.renew(&student)?]))
    })
    .await?;
    Ok((StatusCode::CREATED, Json(issued)))
}

/// Takes a student off the list: key and token end, and later rounds are played without them. What they handed in stays.
#[utoipa::path(delete, path = "/classes/{id}/students/{student}", tag = "classes",
    params(("id" = String, Path), ("student" = String, Path)), security(("secret" = [])), responses(
    (status = 204, description = "done"),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    TwoIds(id, student): TwoIds,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    with_class(&app, id, &headers, move |class, visitor, _| {
        visitor.teacher()?;
        Students::update(&class.folder, |students| students.remove(&student)).map_err(problem)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
