//! What teachers do: watch submissions arrive, play rounds, publish, export.

use super::{problem, with_class};
use crate::app::App;
use crate::classes::{Busy, OpenClass};
use crate::routes::extract::{Asked, Body, Id};
use api::{Problem, ProblemBody, review};
use arena::journal::Finished;
use arena::schedule::Format;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use class::review::Reviewer;
use class::round::{self, LADDER, Round};
use class::students::Students;
use class::{ClassError, report, submission};
use game::Watch;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A student as the teacher sees them.
#[derive(Serialize, ToSchema)]
pub(crate) struct StudentEntry {
    id: String,
    name: String,
    /// Has the key been redeemed?
    entered: bool,
    /// Versions handed in.
    versions: usize,
    /// The version that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<u32>,
    /// When the last one arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    /// What failed in the last version: `unpack`, `language`, `compile` or `check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    /// The last version came after the deadline.
    late: bool,
}

/// Who has handed in what.
#[utoipa::path(get, path = "/classes/{id}/students", tag = "classes", params(("id" = String, Path)),
    security(("secret" = [])), responses(
    (status = 200, body = Vec<StudentEntry>),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "`class.teacher-only`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn students(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Json<Vec<StudentEntry>>, Problem> {
    let list = with_class(&app, id, &headers, |class, visitor, _| {
        visitor.teacher()?;
        let mut list = Vec::new();
        for student in Students::read(&class.folder).map_err(problem)?.students {
            let versions = submission::versions(&class.folder, &student.id).map_err(problem)?;
            let counting = versions.iter().rev().find(|version| version.verdict.accepted && !version.late);
            let last = versions.last();
            list.push(StudentEntry {
                entered: student.has_entered(),
                versions: versions.len(),
                counts: counting.map(|version| version.version),
                last: last.map(|last| last.received.clone()),
                language: last.map(|last| last.language.clone()).filter(|language| !language.is_empty()),
                failed: last.map(|last| last.verdict.failed.clone()).filter(|failed| !failed.is_empty()),
                late: last.is_some_and(|last| last.late),
                id: student.id,
                name: student.name,
            });
        }
        Ok(list)
    })
    .await?;
    Ok(Json(list))
}

/// A round.
#[derive(Serialize, ToSchema)]
pub(crate) struct RoundEntry {
    /// Its name, or `ladder`.
    name: String,
    /// `round-robin`, `swiss`, `swiss:ROUNDS`, `knockout` or `ladder`.
    format: String,
    /// Programs that take part.
    programs: usize,
    /// Finished games.
    games: usize,
    /// Games known to be planned; absent for the ladder.
    #[serde(skip_serializing_if = "Option::is_none")]
    planned: Option<usize>,
    /// `running`, `paused` or `over`.
    state: &'static str,
    /// Why it stopped by itself before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

fn rounds_of(class: &OpenClass, classes: &Arc<crate::classes::Classes>) -> Result<Vec<RoundEntry>, Problem> {
    let now = classes.rounds().of(&class.id);
    let mut list = Vec::new();
    let ladder = class.folder.join(LADDER).is_dir()
        || now.as_ref().is_some_and(|now| now.running && now.round == LADDER);
    let names = round::names(&class.folder).into_iter().chain(ladder.then(|| LADDER.to_string()));
    for name in names {
        let Some(played) = classes.journals().of(class, Some(&name)).map_err(problem)? else { continue };
        let current = now.as_ref().filter(|now| now.round == name);
        let over = played.round.as_ref().is_some_and(|round| round.is_over(&played.games));
        list.push(RoundEntry {
            format: played.round.as_ref().map_or(LADDER.into(), |round| round.format.to_string()),
            programs: played.players.len(),
            games: played.games.len(),
            planned: played.round.as_ref().map(|round| round.games_planned().max(played.games.len())),
            state: match (current.is_some_and(|now| now.running), over) {
                (true, _) => "running",
                (false, true) => "over",
                (false, false) => "paused",
            },
            failure: current.and_then(|now| now.failure.clone()),
            name,
        });
    }
    Ok(list)
}

/// The rounds of a class, oldest first, and the ladder.
#[utoipa::path(get, path = "/classes/{id}/rounds", tag = "classes", params(("id" = String, Path)),
    security(("secret" = [])), responses(
    (status = 200, body = Vec<RoundEntry>),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn rounds(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Json<Vec<RoundEntry>>, Problem> {
    let list = with_class(&app, id, &headers, |class, visitor, classes| {
        visitor.teacher()?;
        rounds_of(&class, classes)
    })
    .await?;
    Ok(Json(list))
}

/// A round to be played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoundOrder {
    /// 1 to 40 letters, digits, - and _; one that exists goes on where it was. `ladder` is the standing ladder.
    name: String,
    /// Stop it instead.
    #[serde(default)]
    pause: bool,
    /// `round-robin` (if left out), `swiss`, `swiss:ROUNDS` or `knockout`.
    #[serde(default)]
    format: Option<String>,
    /// Games of each pairing, 1 to 100; 2 if left out.
    #[serde(default)]
    games: Option<u32>,
}

/// Starts a round or the ladder, goes on with one, or pauses it. One at a time is played in each class.
#[utoipa::path(post, path = "/classes/{id}/rounds", tag = "classes", params(("id" = String, Path)), request_body = RoundOrder,
    security(("secret" = [])), responses(
    (status = 202, body = Vec<RoundEntry>),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json",
     description = "`class.round-running`, `class.round-idle` or `class.too-few`"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
    Body(order): Body<RoundOrder>,
) -> Result<(StatusCode, Json<Vec<RoundEntry>>), Problem> {
    let list = with_class(&app, id, &headers, move |class, visitor, classes| {
        visitor.teacher()?;
        let name = order.name.trim();
        if order.pause {
            if !classes.rounds().pause(&class.id, name) {
                return Err(Problem::conflict("class.round-idle", "this round is not being played"));
            }
            return rounds_of(&class, classes);
        }
        let refused = |text: String| Problem::refused("class.refused", text.clone()).with("detail", text);
        let format = order.format.as_deref().map(str::parse::<Format>).transpose().map_err(refused)?;
        if order.games.is_some_and(|games| !(1..=100).contains(&games)) {
            return Err(refused("games of each pairing: accepted: 1 to 100".into()));
        }
        if name != LADDER {
            Round::open(&class.folder, &class.config, name, format, order.games).map_err(problem)?;
        }
        let id = class.id.clone();
        classes.rounds().start(class, name).map_err(|Busy(other)| {
            Problem::conflict("class.round-running", format!("'{other}' is being played; pause it first"))
                .with("round", other)
        })?;
        rounds_of(&super::find(classes, &id)?, classes)
    })
    .await?;
    Ok((StatusCode::ACCEPTED, Json(list)))
}

/// Whether the table may be seen.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    published: bool,
}

/// Lets everybody see the table, or only the teacher.
#[utoipa::path(put, path = "/classes/{id}/published", tag = "classes", params(("id" = String, Path)), request_body = Published,
    security(("secret" = [])), responses(
    (status = 200, body = Published),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn publish(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
    Body(wanted): Body<Published>,
) -> Result<Json<Published>, Problem> {
    let done = with_class(&app, id, &headers, move |class, visitor, _| {
        visitor.teacher()?;
        class::publish(&class.folder, wanted.published).map_err(problem)?;
        Ok(wanted)
    })
    .await?;
    Ok(Json(done))
}

/// A file to be downloaded.
fn download(kind: &'static str, name: &str, bytes: Vec<u8>) -> Response {
    let safe: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect();
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{safe}\""));
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(disposition) = disposition {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    response
}

/// Which round to export.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportOf {
    /// The last one if left out.
    #[serde(default)]
    round: Option<String>,
}

/// Everything about a round as a zip archive: the table as CSV and HTML, all games as SGF and a page to click through, a
/// page for each student with the engine's review of their best and worst game.
#[utoipa::path(get, path = "/classes/{id}/export", tag = "classes", params(("id" = String, Path), ExportOf),
    security(("secret" = [])), responses(
    (status = 200, content_type = "application/zip", body = Vec<u8>),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(asked): Asked<ExportOf>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let own = app.clone();
    with_class(&app, id, &headers, move |class, visitor, classes| {
        visitor.teacher()?;
        let name = asked.round.or_else(|| round::names(&class.folder).pop());
        let missing = || Problem::missing("class.no-round", "no round has been started in this class");
        let round = Round::read(&class.folder, &name.ok_or_else(missing)?).map_err(problem)?;
        let mut reviewer = |played: &Finished| {
            let (setup, moves) = (&played.setup, &played.moves);
            let watch = Watch::start(classes.stop().clone());
            let moves = review::whole(&own.host, class.game, setup, moves, report::REVIEW_NODES, &watch)
                .map_err(|problem| ClassError::Refused(problem.detail))?;
            serde_json::to_value(moves).map_err(|error| ClassError::Refused(error.to_string()))
        };
        let reviewer = Some(&mut reviewer as &mut Reviewer<'_>);
        let bytes = report::export_archive(&class.folder, &class.config, class.game, &round, reviewer)
            .map_err(problem)?;
        Ok(download("application/zip", &format!("{}-{}.zip", class.id, round.name), bytes))
    })
    .await
}

/// Which version.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct VersionOf {
    version: u32,
    #[serde(default)]
    student: Option<String>,
}

/// A file as it was handed in, for its student and the teacher.
#[utoipa::path(get, path = "/classes/{id}/submissions", tag = "classes", params(("id" = String, Path), VersionOf),
    security(("secret" = [])), responses(
    (status = 200, content_type = "application/octet-stream", body = Vec<u8>),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn handed_in(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(asked): Asked<VersionOf>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    with_class(&app, id, &headers, move |class, visitor, _| {
        let student = visitor.about(asked.student)?;
        Students::read(&class.folder).map_err(problem)?.get(&student).map_err(problem)?;
        let versions = submission::versions(&class.folder, &student).map_err(problem)?;
        let found = versions.iter().find(|version| version.version == asked.version);
        let name = found.map(|found| found.file.clone()).unwrap_or_default();
        let bytes = submission::handed_in(&class.folder, &student, asked.version).map_err(problem)?;
        Ok(download("application/octet-stream", &name, bytes))
    })
    .await
}
