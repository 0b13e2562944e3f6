//! What came of it: tables, reports, games with their logs.

use super::{Visitor, problem, with_class};
use crate::app::App;
use crate::classes::{Games, OpenClass};
use crate::routes::extract::{Asked, ClassAndNumber, Id};
use api::{Problem, ProblemBody, Setup};
use arena::journal::Finished;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use class::report::{GameLine, student_report};
use class::students::Students;
use class::table::Row;
use class::{is_published, trial};
use game::Seat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

fn hidden() -> Problem {
    let detail = "the table of this class is not published";
    Problem::new(StatusCode::FORBIDDEN, "class.hidden", detail)
}

fn nothing_played() -> Problem {
    Problem::missing("class.no-round", "no round has been started in this class")
}

/// Which round.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfRound {
    /// Its name, or `ladder`; the last one if left out.
    #[serde(default)]
    round: Option<String>,
    /// For teachers: whose report or trial game.
    #[serde(default)]
    student: Option<String>,
}

/// The table of a round or of the ladder.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableBody {
    /// The round's name, or `ladder`.
    round: String,
    /// Finished games.
    games: usize,
    /// Games known to be planned; more come in a Swiss tournament or a knockout. Absent for the ladder.
    #[serde(skip_serializing_if = "Option::is_none")]
    planned: Option<usize>,
    /// Has the round ended?
    over: bool,
    /// Is it being played?
    running: bool,
    /// Best first. Marks are the teacher's alone.
    rows: Vec<Row>,
}

/// The table: for the teacher always, for anybody once it is published.
#[utoipa::path(get, path = "/classes/{id}/table", tag = "classes", params(("id" = String, Path), OfRound),
    security((), ("secret" = [])), responses(
    (status = 200, body = TableBody),
    (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "`class.hidden`"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json",
     description = "`class.unknown` or `class.no-round`"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn table(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(asked): Asked<OfRound>,
    headers: HeaderMap,
) -> Result<Json<TableBody>, Problem> {
    let body = with_class(&app, id, &headers, move |class, visitor, classes| {
        if !visitor.is_teacher() && !is_published(&class.folder) {
            return Err(hidden());
        }
        let found = classes.journals().of(&class, asked.round.as_deref()).map_err(problem)?;
        let played = found.ok_or_else(nothing_played)?;
        let mut rows = played.rows.clone();
        if !visitor.is_teacher() {
            rows.iter_mut().for_each(|row| row.mark = None);
        }
        let running =
            classes.rounds().of(&class.id).is_some_and(|now| now.running && now.round == played.name);
        Ok(TableBody {
            round: played.name.clone(),
            games: played.games.len(),
            planned: played.round.as_ref().map(|round| round.games_planned().max(played.games.len())),
            over: played.round.as_ref().is_some_and(|round| round.is_over(&played.games)),
            running,
            rows,
        })
    })
    .await?;
    Ok(Json(body))
}

/// A student's round.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClassReport {
    round: String,
    /// The student's line of the table, where the table may be seen; with the mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<Row>,
    games: Vec<GameLine>,
    /// Number of the game won against the highest-rated opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<u32>,
    /// Number of the game lost against the lowest-rated opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<u32>,
}

/// A student's games of a round with their logs, losses by reason, time, rating and mark.
#[utoipa::path(get, path = "/classes/{id}/report", tag = "classes", params(("id" = String, Path), OfRound),
    security(("secret" = [])), responses(
    (status = 200, body = ClassReport),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn report(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(asked): Asked<OfRound>,
    headers: HeaderMap,
) -> Result<Json<ClassReport>, Problem> {
    let body = with_class(&app, id, &headers, move |class, visitor, classes| {
        let sees_row = visitor.is_teacher() || is_published(&class.folder);
        let student = visitor.about(asked.student)?;
        Students::read(&class.folder).map_err(problem)?.get(&student).map_err(problem)?;
        let found = classes.journals().of(&class, asked.round.as_deref()).map_err(problem)?;
        let played = found.ok_or_else(nothing_played)?;
        let report = student_report(&class.folder, &class.config, &played.rows, &played.games, &student)
            .map_err(problem)?;
        Ok(ClassReport {
            round: played.name.clone(),
            row: sees_row.then_some(report.row),
            games: report.games,
            best: report.best,
            worst: report.worst,
        })
    })
    .await?;
    Ok(Json(body))
}

/// A game in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClassGameEntry {
    id: u32,
    /// Student numbers or reference opponents, the first seat's first.
    #[schema(value_type = Vec<String>)]
    names: [String; 2],
    /// 0 or 1; absent for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<usize>,
    reason: play::Termination,
    moves: usize,
}

/// The games of a round: all of them for the teacher and where the table is published, one's own for a student.
#[utoipa::path(get, path = "/classes/{id}/games", tag = "classes", params(("id" = String, Path), OfRound),
    security((), ("secret" = [])), responses(
    (status = 200, body = Vec<ClassGameEntry>),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn games(
    State(app): State<Arc<App>>,
    Id(id): Id,
    Asked(asked): Asked<OfRound>,
    headers: HeaderMap,
) -> Result<Json<Vec<ClassGameEntry>>, Problem> {
    let list = with_class(&app, id, &headers, move |class, visitor, classes| {
        let found = classes.journals().of(&class, asked.round.as_deref()).map_err(problem)?;
        let Some(played) = found else { return Ok(Vec::new()) };
        let seen = played.games.iter().filter(|game| may_see(&class, &visitor, game));
        Ok(seen
            .map(|game| ClassGameEntry {
                id: game.task.id,
                names: game.names.clone(),
                winner: game.winner.map(Seat::index),
                reason: game.reason,
                moves: game.moves.len(),
            })
            .collect())
    })
    .await?;
    Ok(Json(list))
}

fn may_see(class: &OpenClass, visitor: &Visitor, game: &Finished) -> bool {
    is_published(&class.folder) || plays(visitor, game).is_some() || visitor.is_teacher()
}

/// The seat of a student in a game of theirs.
fn plays(visitor: &Visitor, game: &Finished) -> Option<Seat> {
    let Visitor::Student(student) = visitor else { return None };
    [Seat::First, Seat::Second].into_iter().find(|seat| game.names[seat.index()] == student.id)
}

/// A game to be looked at.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClassGame {
    id: u32,
    /// The round's name, `ladder`, or nothing for a trial game.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<String>,
    #[schema(value_type = Vec<String>)]
    names: [String; 2],
    /// 0 or 1; absent for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<usize>,
    reason: play::Termination,
    /// The reason in detail, for whose fault it was and for the teacher.
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
    date: String,
    #[schema(value_type = Vec<f64>)]
    seconds: [f64; 2],
    setup: Setup,
    moves: Vec<String>,
    /// Seconds of each move, where known.
    times: Vec<Option<f64>>,
    /// The last lines in both directions and the end of stderr of each program; only of one's own, or for the teacher.
    #[schema(value_type = Vec<String>)]
    logs: [String; 2],
}

impl ClassGame {
    fn new(
        class: &OpenClass,
        visitor: &Visitor,
        round: Option<String>,
        finished: &Finished,
    ) -> Result<ClassGame, Problem> {
        let own = plays(visitor, finished);
        let sees = |seat: Seat| visitor.is_teacher() || own == Some(seat);
        let loser = finished.winner.map(Seat::other);
        let log = |seat: Seat| if sees(seat) { finished.log(seat).to_string() } else { String::new() };
        let position = class.game.position(&finished.setup)?;
        Ok(ClassGame {
            id: finished.task.id,
            round,
            names: finished.names.clone(),
            winner: finished.winner.map(Seat::index),
            reason: finished.reason,
            detail: if loser.is_none_or(sees) { finished.detail.clone() } else { String::new() },
            date: finished.date.clone(),
            seconds: finished.seconds,
            setup: Setup::of(class.game, &*position),
            moves: finished.moves.clone(),
            times: finished.notes.iter().map(|note| note.seconds).collect(),
            logs: [log(Seat::First), log(Seat::Second)],
        })
    }
}

fn unknown_game() -> Problem {
    Problem::missing("class.game-unknown", "there is no such game that you may see")
}

/// A game of a round or of the ladder with the logs that this visitor may read.
#[utoipa::path(get, path = "/classes/{id}/games/{number}", tag = "classes",
    params(("id" = String, Path), ("number" = u32, Path), OfRound), security((), ("secret" = [])), responses(
    (status = 200, body = ClassGame),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn game(
    State(app): State<Arc<App>>,
    ClassAndNumber(id, number): ClassAndNumber,
    Asked(asked): Asked<OfRound>,
    headers: HeaderMap,
) -> Result<Json<ClassGame>, Problem> {
    let body = with_class(&app, id, &headers, move |class, visitor, classes| {
        let found = classes.journals().of(&class, asked.round.as_deref()).map_err(problem)?;
        let played: Arc<Games> = found.ok_or_else(nothing_played)?;
        let game = played.games.iter().find(|game| game.task.id == number);
        let game = game.filter(|game| may_see(&class, &visitor, game)).ok_or_else(unknown_game)?;
        ClassGame::new(&class, &visitor, Some(played.name.clone()), game)
    })
    .await?;
    Ok(Json(body))
}

/// A trial game, for its student and the teacher.
#[utoipa::path(get, path = "/classes/{id}/trials/{number}", tag = "classes",
    params(("id" = String, Path), ("number" = u32, Path), OfRound), security(("secret" = [])), responses(
    (status = 200, body = ClassGame),
    (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn trial(
    State(app): State<Arc<App>>,
    ClassAndNumber(id, number): ClassAndNumber,
    Asked(asked): Asked<OfRound>,
    headers: HeaderMap,
) -> Result<Json<ClassGame>, Problem> {
    let body = with_class(&app, id, &headers, move |class, visitor, _| {
        let student = visitor.clone().about(asked.student)?;
        Students::read(&class.folder).map_err(problem)?.get(&student).map_err(problem)?;
        let games = trial::games(&class.folder, &student).map_err(problem)?;
        let game = games.iter().find(|game| game.task.id == number).ok_or_else(unknown_game)?;
        ClassGame::new(&class, &visitor, None, game)
    })
    .await?;
    Ok(Json(body))
}
