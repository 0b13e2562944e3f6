//! Classes: courses in which students hand in programs. A class is named by its folder.
//!
//! | module | for |
//! |---|---|
//! | `hand_in` | students: handing in, verdicts, trial games |
//! | `results` | tables, reports and games |
//! | `set_up` | making a class; its teacher: settings, students and their keys |
//! | `teach` | teachers: who has handed in, rounds, publishing, export |

pub(crate) mod hand_in;
pub(crate) mod results;
pub(crate) mod set_up;
pub(crate) mod teach;

use super::extract::{Body, Id};
use crate::app::App;
use crate::classes::{Classes, OpenClass};
use crate::security::secret;
use api::{Problem, ProblemBody};
use arena::sandbox::SandboxPolicy;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use class::ClassError;
use class::config::MarkWeights;
use class::round::LADDER;
use class::students::{Student, Students};
use class::{settings, teacher};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// What went wrong with a class.
fn problem(error: ClassError) -> Problem {
    let detail = error.to_string();
    match error {
        ClassError::Refused(_)
        | ClassError::OtherRound(_)
        | ClassError::Setting(_)
        | ClassError::Roster(_) => Problem::refused("class.refused", detail.clone()).with("detail", detail),
        ClassError::Fixed { setting, .. } => {
            Problem::conflict("class.fixed", detail).with("setting", setting)
        }
        ClassError::NameTaken(name) => Problem::conflict("class.name-taken", detail).with("name", name),
        ClassError::KeyWrong => Problem::new(StatusCode::UNAUTHORIZED, "class.key-wrong", detail),
        ClassError::KeyUsed => Problem::conflict("class.key-used", detail),
        ClassError::SameFile { version, received } => {
            Problem::conflict("class.same-file", detail).with("version", version).with("received", received)
        }
        ClassError::StillChecking => Problem::conflict("class.still-checking", detail),
        ClassError::NothingToTry(_) => Problem::conflict("class.nothing-to-try", detail),
        ClassError::TooFew => Problem::conflict("class.too-few", detail),
        other => {
            // Paths of this machine are for its operator.
            tracing::error!(error = %other, "a class failed");
            let detail =
                "the class could not be read or written; its teacher finds the reason in the server's log";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "class.failed", detail)
        }
    }
}

fn busy() -> Problem {
    let detail = "too many programs wait to be checked; try again in a minute";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "class.busy", detail)
}

fn classes(app: &App) -> Result<&Arc<Classes>, Problem> {
    app.classes.as_ref().ok_or_else(|| {
        let detail = "this server has no classes; its operator adds them with: tengen serve --classes FOLDER";
        Problem::missing("class.none", detail)
    })
}

/// Does something with files, on a thread that may wait for them.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Err(Problem::new(status, "server.failed", "the server made a mistake; nothing was changed"))
    })
}

/// Who asks.
#[derive(Clone, Debug)]
enum Visitor {
    Teacher,
    Student(Student),
    Nobody,
}

impl Visitor {
    fn is_teacher(&self) -> bool {
        matches!(self, Visitor::Teacher)
    }

    fn teacher(&self) -> Result<(), Problem> {
        match self {
            Visitor::Teacher => Ok(()),
            Visitor::Nobody => Err(no_key()),
            Visitor::Student(_) => Err(teacher_only()),
        }
    }

    fn student(self) -> Result<Student, Problem> {
        match self {
            Visitor::Student(student) => Ok(student),
            Visitor::Nobody => Err(no_key()),
            Visitor::Teacher => {
                let detail = "this is for students; teachers hand in with: tengen class submit";
                Err(Problem::new(StatusCode::FORBIDDEN, "class.student-only", detail))
            }
        }
    }

    /// The student that is asked about: oneself, or for a teacher the one named.
    fn about(self, named: Option<String>) -> Result<String, Problem> {
        match (self, named) {
            (Visitor::Student(own), None) => Ok(own.id),
            (Visitor::Student(own), Some(named)) if own.id == named => Ok(named),
            (Visitor::Student(_), Some(_)) => Err(teacher_only()),
            (Visitor::Teacher, Some(named)) => Ok(named),
            (Visitor::Teacher, None) => {
                Err(Problem::refused("class.student-missing", "say which student: ?student=NUMBER"))
            }
            (Visitor::Nobody, _) => Err(no_key()),
        }
    }
}

fn teacher_only() -> Problem {
    let detail = "only the teacher of this class may do that";
    Problem::new(StatusCode::FORBIDDEN, "class.teacher-only", detail)
}

fn no_key() -> Problem {
    let detail = "this needs a key of the class: Authorization: Bearer …";
    Problem::new(StatusCode::UNAUTHORIZED, "class.key-needed", detail)
}

/// Finds a class and who asks, and does something with both on a thread that may wait.
async fn with_class<T: Send + 'static>(
    app: &App,
    id: String,
    headers: &HeaderMap,
    work: impl FnOnce(OpenClass, Visitor, &Arc<Classes>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let classes = classes(app)?.clone();
    let key = secret::bearer(headers).map(str::to_string);
    blocking(move || {
        let class = find(&classes, &id)?;
        let visitor = visitor(&class, key.as_deref())?;
        work(class, visitor, &classes)
    })
    .await
}

fn find(classes: &Classes, id: &str) -> Result<OpenClass, Problem> {
    let missing = || Problem::missing("class.unknown", "there is no such class on this server");
    classes.find(id).map_err(problem)?.ok_or_else(missing)
}

/// Whose key this is. One that is nobody's is refused, so that a page does not take itself for signed in.
fn visitor(class: &OpenClass, key: Option<&str>) -> Result<Visitor, Problem> {
    let Some(key) = key else { return Ok(Visitor::Nobody) };
    if teacher::is_teacher(&class.folder, key).map_err(problem)? {
        return Ok(Visitor::Teacher);
    }
    let students = Students::read(&class.folder).map_err(problem)?;
    match students.by_token(key) {
        Some(student) => Ok(Visitor::Student(student.clone())),
        None => {
            let detail = "this key has ended or never was one of this class; enter again";
            Err(Problem::new(StatusCode::UNAUTHORIZED, "class.key-ended", detail))
        }
    }
}

/// A class in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClassEntry {
    id: String,
    title: String,
    game: String,
    /// When handing in ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<String>,
    /// May anybody see the table?
    published: bool,
}

/// The classes of this server.
#[utoipa::path(get, path = "/classes", tag = "classes", responses((status = 200, body = Vec<ClassEntry>)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<ClassEntry>>, Problem> {
    let Ok(classes) = classes(&app).cloned() else { return Ok(Json(Vec::new())) };
    blocking(move || {
        let mut list = Vec::new();
        for id in classes.ids() {
            match classes.find(&id) {
                Ok(Some(class)) => list.push(ClassEntry {
                    published: class::is_published(&class.folder),
                    title: class.config.title,
                    game: class.config.game,
                    deadline: class.config.deadline,
                    id,
                }),
                Ok(None) => {}
                // One that cannot be read must not hide the others.
                Err(error) => tracing::warn!(class = %id, %error, "a class cannot be read"),
            }
        }
        Ok(Json(list))
    })
    .await
}

/// What programs may use.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClassLimits {
    memory_mb: u64,
    cpu_seconds: u64,
    processes: u64,
    tmp_mb: u64,
}

impl From<&SandboxPolicy> for ClassLimits {
    fn from(policy: &SandboxPolicy) -> ClassLimits {
        let SandboxPolicy { memory_mb, cpu_seconds, processes, tmp_mb, .. } = *policy;
        ClassLimits { memory_mb, cpu_seconds, processes, tmp_mb }
    }
}

/// A programming language of a class.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClassLanguage {
    name: String,
    /// The main file where there are several.
    main: String,
    /// Endings of its files.
    extensions: Vec<String>,
}

/// A class, and who asks.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClassBody {
    id: String,
    title: String,
    game: String,
    rule: String,
    size: u8,
    /// The protocol that programs speak.
    protocol: &'static str,
    seconds_per_move: f64,
    /// When handing in ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<String>,
    /// Is it over?
    closed: bool,
    references: Vec<String>,
    /// Nodes per move of the built-in reference opponents, instead of the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_nodes: Option<u64>,
    /// Stones of random openings.
    opening_stones: usize,
    languages: Vec<ClassLanguage>,
    limits: ClassLimits,
    marks: MarkWeights,
    published: bool,
    /// Names of the rounds that this visitor may see, and last `ladder` if it has been played.
    rounds: Vec<String>,
    /// Settings that can no longer change; only for the teacher.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixed: Vec<&'static str>,
    /// `teacher`, `student`, or nothing without a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    /// The student's number and name.
    #[serde(skip_serializing_if = "Option::is_none")]
    student: Option<StudentName>,
}

/// A student.
#[derive(Serialize, ToSchema)]
pub(crate) struct StudentName {
    id: String,
    name: String,
}

/// A class, as far as this visitor may know it.
#[utoipa::path(get, path = "/classes/{id}", tag = "classes", params(("id" = String, Path)), security((), ("secret" = [])),
    responses(
    (status = 200, body = ClassBody),
    (status = 401, body = ProblemBody, content_type = "application/problem+json", description = "`class.key-ended`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Json<ClassBody>, Problem> {
    let body = with_class(&app, id, &headers, |class, visitor, _| {
        let published = class::is_published(&class.folder);
        let sees_rounds = published || !matches!(visitor, Visitor::Nobody);
        let mut rounds = Vec::new();
        if sees_rounds {
            rounds = class::round::names(&class.folder);
            rounds.extend(class::ladder::exists(&class.folder).then(|| LADDER.to_string()));
        }
        let config = &class.config;
        let languages = config.languages().language.into_iter();
        let languages = languages.map(|language| ClassLanguage {
            name: language.name,
            main: language.main,
            extensions: language.extensions,
        });
        let deadline = config.deadline().ok().flatten();
        Ok(ClassBody {
            title: config.title.clone(),
            game: config.game.clone(),
            rule: config.rule.clone(),
            size: config.size,
            protocol: config.protocol.name(),
            seconds_per_move: config.seconds_per_move,
            closed: deadline.is_some_and(|deadline| class::now() > deadline),
            deadline: config.deadline.clone(),
            references: config.references.clone(),
            reference_nodes: config.reference_nodes,
            opening_stones: config.opening_stones,
            fixed: match &visitor {
                Visitor::Teacher => {
                    settings::fixed(&class.folder).into_iter().map(|(name, _)| name).collect()
                }
                _ => Vec::new(),
            },
            languages: languages.collect(),
            limits: (&config.limits).into(),
            marks: config.marks,
            published,
            rounds,
            role: match &visitor {
                Visitor::Teacher => Some("teacher"),
                Visitor::Student(_) => Some("student"),
                Visitor::Nobody => None,
            },
            student: match visitor {
                Visitor::Student(student) => Some(StudentName { id: student.id, name: student.name }),
                _ => None,
            },
            id: class.id,
        })
    })
    .await?;
    Ok(Json(body))
}

/// A key to be exchanged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSession {
    /// The student's number; left out by the teacher.
    #[serde(default)]
    student: Option<String>,
    /// A student's one-time key, or the teacher's key.
    key: String,
}

/// A session.
#[derive(Serialize, ToSchema)]
pub(crate) struct Session {
    /// `teacher` or `student`.
    role: &'static str,
    /// For `Authorization: Bearer`; shown only now.
    token: String,
}

/// Exchanges a student's one-time key for a token. A teacher's key is the token itself and is only checked.
#[utoipa::path(post, path = "/classes/{id}/sessions", tag = "classes", params(("id" = String, Path)),
    request_body = NewSession, responses(
    (status = 201, body = Session),
    (status = 401, body = ProblemBody, content_type = "application/problem+json", description = "`class.key-wrong`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "`class.key-used`"),
))]
pub(crate) async fn enter(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Body(new): Body<NewSession>,
) -> Result<(StatusCode, Json<Session>), Problem> {
    let session = with_class(&app, id, &HeaderMap::new(), move |class, _, _| {
        let key = new.key.trim().to_string();
        match new.student.map(|student| student.trim().to_string()).filter(|student| !student.is_empty()) {
            Some(student) => {
                let token =
                    Students::update(&class.folder, |list| list.redeem(&student, &key)).map_err(problem)?;
                Ok(Session { role: "student", token })
            }
            None if teacher::is_teacher(&class.folder, &key).map_err(problem)? => {
                Ok(Session { role: "teacher", token: key })
            }
            None => Err(problem(ClassError::KeyWrong)),
        }
    })
    .await?;
    Ok((StatusCode::CREATED, Json(session)))
}
