//! What students do: hand in, read verdicts, play trial games.

use super::{busy, classes, find, problem, visitor, with_class};
use crate::app::App;
use crate::routes::extract::{Asked, Body, Id};
use crate::security::secret;
use api::{Problem, ProblemBody};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use class::report::{GameLine, game_line};
use class::students::Students;
use class::submission::{self, Desk, Submission, Tongue};
use class::trial::{self, Trial};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// How a file is handed in.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandIn {
    /// Name of the file.
    file: String,
    /// Language of the verdict: `en` or `zh`.
    #[serde(default)]
    lang: Option<String>,
}

/// Hands in a source file, a zip or a tar archive, which is the body as it is; the verdict of the compliance check is the
/// answer. It takes as long as compiling and checking do. A client that leaves finds the verdict in its versions.
#[utoipa::path(post, path = "/classes/{id}/submissions", tag = "classes", params(("id" = String, Path), HandIn),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), security(("secret" = [])), responses(
    (status = 201, body = Submission, description = "kept; `verdict.accepted` says whether it can take part"),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "`class.student-only`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json",
     description = "`class.same-file` or `class.still-checking`"),
    (status = 413, body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, body = ProblemBody, content_type = "application/problem+json",
     description = "`class.busy`: too many programs wait"),
))]
pub(crate) async fn submit(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(asked): Asked<HandIn>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<(StatusCode, Json<Submission>), Problem> {
    let tongue: Tongue =
        asked.lang.as_deref().unwrap_or("en").parse().map_err(|error: String| {
            Problem::refused("class.refused", error.clone()).with("detail", error)
        })?;
    // What counts is when it came, not how long it waited to be checked.
    let received = class::now();
    let (class, student) =
        with_class(&app, id, &headers, |class, visitor, _| Ok((class, visitor.student()?))).await?;
    let place = classes(&app)?.admit().map_err(|_| busy())?;
    // Apart from the request: the work and its place in line do not end with a client that leaves.
    let checked = tokio::spawn(async move {
        let turn = place.turn().await;
        super::blocking(move || {
            let _turn = turn;
            let desk = Desk {
                folder: &class.folder,
                config: &class.config,
                game: class.game,
                sandbox: &class.sandbox,
                tongue,
            };
            desk.submit(&student, &asked.file, &bytes, received).map_err(problem)
        })
        .await
    });
    let submission = checked.await.unwrap_or_else(|_| Err(problem(class::ClassError::StillChecking)))?;
    Ok((StatusCode::CREATED, Json(submission)))
}

/// Which student; a teacher names one, a student is oneself.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    #[serde(default)]
    student: Option<String>,
}

/// A student's work.
#[derive(Serialize, ToSchema)]
pub(crate) struct Work {
    id: String,
    name: String,
    /// Every version, oldest first.
    versions: Vec<Submission>,
    /// The version that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<u32>,
    /// Are trial games under way?
    trying: bool,
    /// The last trial games, oldest first.
    trials: Vec<GameLine>,
}

/// The versions and trial games of a student.
#[utoipa::path(get, path = "/classes/{id}/work", tag = "classes", params(("id" = String, Path), About),
    security(("secret" = [])), responses(
    (status = 200, body = Work),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn work(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(asked): Asked<About>,
    headers: HeaderMap,
) -> Result<Json<Work>, Problem> {
    let work = with_class(&app, id, &headers, move |class, visitor, classes| {
        let named = visitor.about(asked.student)?;
        let students = Students::read(&class.folder).map_err(problem)?;
        let student = students.get(&named).map_err(problem)?;
        let trials = trial::games(&class.folder, &student.id).map_err(problem)?;
        Ok(Work {
            versions: submission::versions(&class.folder, &student.id).map_err(problem)?,
            counts: submission::counting(&class.folder, &student.id)
                .map_err(problem)?
                .map(|found| found.version),
            trying: classes.is_trying(&class.id, &student.id),
            trials: trials.iter().filter_map(|game| game_line(game, &student.id)).collect(),
            id: student.id.clone(),
            name: student.name.clone(),
        })
    })
    .await?;
    Ok(Json(work))
}

/// Trial games to be played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTrial {
    /// Only against this reference opponent.
    #[serde(default)]
    against: Option<String>,
}

/// Trial games that were begun.
#[derive(Serialize, ToSchema)]
pub(crate) struct BegunTrial {
    /// The version that plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
}

/// Plays two trial games against each reference opponent; they appear in `GET /classes/{id}/work` as they end.
#[utoipa::path(post, path = "/classes/{id}/trials", tag = "classes", params(("id" = String, Path)), request_body = NewTrial,
    security(("secret" = [])), responses(
    (status = 202, body = BegunTrial),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json",
     description = "`class.nothing-to-try` or `class.still-trying`"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, body = ProblemBody, content_type = "application/problem+json", description = "`class.busy`"),
))]
pub(crate) async fn try_games(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
    Body(new): Body<NewTrial>,
) -> Result<(StatusCode, Json<BegunTrial>), Problem> {
    let key = secret::bearer(&headers).map(str::to_string);
    let all = classes(&app)?.clone();
    let place = all.admit().map_err(|_| busy())?;
    let (class, student, version, mark, against, all) = super::blocking(move || {
        let class = find(&all, &id)?;
        let student = visitor(&class, key.as_deref())?.student()?;
        let trial = Trial::new(&class.folder, &class.config, &student.id, new.against.as_deref());
        let version = trial.map_err(problem)?.version();
        let mark = all.begin_trial(&class.id, &student.id).ok_or_else(|| {
            Problem::conflict("class.still-trying", "your trial games are under way; wait for their end")
        })?;
        Ok((class, student, version, mark, new.against, all))
    })
    .await?;
    tokio::spawn(async move {
        let turn = place.turn().await;
        let played = super::blocking(move || {
            let _held = (turn, mark);
            let trial = Trial::new(&class.folder, &class.config, &student.id, against.as_deref());
            let played =
                trial.and_then(|trial| trial.play(class.game, &class.sandbox, all.stop(), &mut |_| {}));
            played.map_err(problem)
        });
        if let Err(problem) = played.await {
            tracing::warn!(detail = %problem.detail, "trial games ended early");
        }
    });
    Ok((StatusCode::ACCEPTED, Json(BegunTrial { version })))
}
