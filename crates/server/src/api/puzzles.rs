//! Puzzles: the list by level, play against the solver's defence, hints, the solution, and progress.
//!
//! Whoever wants progress kept asks for a secret once and sends it along; nothing else is known of them.

use super::extract::{Asked, Body, GameAndId};
use super::games::wrong_secret;
use super::layer::busy;
use crate::app::App;
use crate::pool::Class;
use crate::problem::{Problem, ProblemBody};
use crate::puzzle::{self, Branch, Verdict};
use crate::security::{rate::Peer, secret};
use crate::shape::SideWord;
use crate::shape::{MoveBody, Setup, View, move_body};
use crate::store::{Kept, Progress};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use game::{Game, Puzzle, Side};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Which puzzles.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Which {
    /// Of this game only.
    game: Option<String>,
}

/// All puzzles.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleList {
    /// By game, easy ones first.
    puzzles: Vec<PuzzleEntry>,
}

/// A puzzle without its solution.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleEntry {
    game: &'static str,
    id: &'static str,
    /// 1 (easy) to 5.
    grade: u8,
    /// `vcf`, `vct` or `win`.
    goal: &'static str,
    /// Who is to move, and wins.
    #[schema(value_type = SideWord)]
    side: Side,
    rows: u8,
    cols: u8,
    rule: &'static str,
    /// Length of the win in plies.
    plies: u16,
    /// Exactly one first move wins.
    unique: bool,
    /// How often the holder of the secret solved it, failed, and asked for help.
    solved: i64,
    wrong: i64,
    hints: i64,
}

fn entry(game: &'static dyn Game, puzzle: &'static Puzzle, done: Progress) -> PuzzleEntry {
    PuzzleEntry {
        game: game.name(),
        id: &puzzle.id,
        grade: puzzle.grade,
        goal: &puzzle.goal,
        side: puzzle.side,
        rows: puzzle.size.0,
        cols: puzzle.size.1,
        rule: &puzzle.rule,
        plies: puzzle.plies,
        unique: puzzle.unique(),
        solved: done.solved,
        wrong: done.wrong,
        hints: done.hints,
    }
}

/// The hash under which somebody's progress is kept, if a secret came along.
fn owner(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    match secret::bearer(headers) {
        None => Ok(None),
        Some(given) if secret::looks_like_id(given) => Ok(Some(secret::hash(given))),
        Some(_) => Err(wrong_secret()),
    }
}

/// All puzzles, with the progress of whoever asks.
#[utoipa::path(get, path = "/puzzles", tag = "puzzles", params(Which), security((), ("secret" = [])), responses(
    (status = 200, body = PuzzleList),
    (status = 403, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Asked(which): Asked<Which>,
    headers: HeaderMap,
) -> Result<Json<PuzzleList>, Problem> {
    let games = match &which.game {
        Some(name) => vec![app.game(name)?],
        None => app.games.clone(),
    };
    let mut done = match owner(&headers)? {
        Some(owner) => app.store.progress(&owner).await.map_err(Problem::storage)?,
        None => HashMap::new(),
    };
    let mut puzzles = Vec::new();
    for game in games {
        for puzzle in game.puzzles() {
            let key = (game.name().to_string(), puzzle.id.clone());
            puzzles.push(entry(game, puzzle, done.remove(&key).unwrap_or_default()));
        }
    }
    Ok(Json(PuzzleList { puzzles }))
}

/// A secret under which progress is kept.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProgressSecret {
    secret: String,
}

/// Makes a secret to keep progress under.
#[utoipa::path(post, path = "/puzzles/progress", tag = "puzzles", responses((status = 201, body = ProgressSecret)))]
pub(crate) async fn progress() -> Result<(StatusCode, Json<ProgressSecret>), Problem> {
    let secret = secret::random().map_err(Problem::storage)?;
    Ok((StatusCode::CREATED, Json(ProgressSecret { secret })))
}

/// A puzzle to be solved.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleBody {
    #[serde(flatten)]
    entry: PuzzleEntry,
    setup: Setup,
    /// Moves from the set-up to the position.
    moves: Vec<String>,
    view: View,
}

/// A puzzle.
#[utoipa::path(get, path = "/puzzles/{game}/{id}", tag = "puzzles", security((), ("secret" = [])),
    params(("game" = String, Path), ("id" = String, Path)), responses(
    (status = 200, body = PuzzleBody),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    GameAndId(game, id): GameAndId,
    headers: HeaderMap,
) -> Result<Json<PuzzleBody>, Problem> {
    let (game, puzzle) = open(&app, &game, &id)?;
    let mut done = match owner(&headers)? {
        Some(owner) => app.store.progress(&owner).await.map_err(Problem::storage)?,
        None => HashMap::new(),
    };
    let done = done.remove(&(game.name().into(), id)).unwrap_or_default();
    let position = puzzle::position(game, puzzle)?;
    let view = View::of(game, &*position, None);
    Ok(Json(PuzzleBody {
        entry: entry(game, puzzle, done),
        setup: Setup::of(game, &*position),
        moves: view.moves.iter().map(|mv| mv.text.clone()).collect(),
        view,
    }))
}

fn open(app: &App, game: &str, id: &str) -> Result<(&'static dyn Game, &'static Puzzle), Problem> {
    let game = app.game(game).map_err(|_| Problem::missing("puzzle.unknown", "there is no such puzzle"))?;
    Ok((game, puzzle::find(game, id)?))
}

/// Moves since the puzzle's position, of both sides.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attempt {
    moves: Vec<String>,
}

impl Attempt {
    fn position(&self, game: &dyn Game, puzzle: &Puzzle) -> Result<Box<dyn game::Position>, Problem> {
        super::view::check_count(self.moves.len())?;
        puzzle::after(game, puzzle, &self.moves)
    }
}

/// What the last move was worth, and the answer to it.
#[derive(Serialize, ToSchema)]
pub(crate) struct JudgedBody {
    /// `solved`, `right` (still winning), `wrong` (refuted by the answer), `unclear` (not proved in time).
    verdict: &'static str,
    /// The defender's answer, already on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<MoveBody>,
    view: View,
}

/// Judges the last of the moves, and answers it.
#[utoipa::path(post, path = "/puzzles/{game}/{id}/moves", tag = "puzzles", request_body = Attempt,
    params(("game" = String, Path), ("id" = String, Path)), security((), ("secret" = [])), responses(
    (status = 200, body = JudgedBody),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 409, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn judge(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    GameAndId(game, id): GameAndId,
    headers: HeaderMap,
    Body(attempt): Body<Attempt>,
) -> Result<Json<JudgedBody>, Problem> {
    let (game, puzzle) = open(&app, &game, &id)?;
    let owner = owner(&headers)?;
    if attempt.moves.len().is_multiple_of(2) {
        return Err(Problem::conflict("turn.other", "the last move must be the solver's"));
    }
    let position = attempt.position(game, puzzle)?;
    let work = move |stop: &game::StopFlag| puzzle::judge(game, puzzle, &attempt.moves, position, stop);
    let judged = app.pool.run(Class::Play, peer, 1, work).await.map_err(|_| busy())?;
    let more = match judged.verdict {
        Verdict::Solved => Some(Progress { solved: 1, ..Progress::default() }),
        Verdict::Wrong => Some(Progress { wrong: 1, ..Progress::default() }),
        Verdict::Right | Verdict::Unclear => None,
    };
    record(&app, peer, owner, game, &id, more).await?;
    let view = View::of(game, &*judged.position, None);
    let reply = judged.reply.and(view.last.clone());
    Ok(Json(JudgedBody { verdict: judged.verdict.word(), reply, view }))
}

/// Progress is on disk before the answer goes out.
async fn record(
    app: &App,
    peer: IpAddr,
    owner: Option<String>,
    game: &dyn Game,
    id: &str,
    more: Option<Progress>,
) -> Result<(), Problem> {
    let (Some(owner), Some(more)) = (owner, more) else { return Ok(()) };
    let (creator, now) = (peer.to_string(), crate::time::now_ms());
    if !app.store.has_progress(&owner, game.name(), id).await.map_err(Problem::storage)? {
        app.store.make_room(&app.config.storage(), &creator, Kept::Progress).await?;
    }
    app.store.add_progress(&owner, game.name(), id, more, creator, now).await.map_err(Problem::storage)
}

/// A winning move.
#[utoipa::path(post, path = "/puzzles/{game}/{id}/hint", tag = "puzzles", request_body = Attempt,
    params(("game" = String, Path), ("id" = String, Path)), security((), ("secret" = [])), responses(
    (status = 200, body = MoveBody),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn hint(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    GameAndId(game, id): GameAndId,
    headers: HeaderMap,
    Body(attempt): Body<Attempt>,
) -> Result<Json<MoveBody>, Problem> {
    let (game, puzzle) = open(&app, &game, &id)?;
    let owner = owner(&headers)?;
    let position = attempt.position(game, puzzle)?;
    let work = move |stop: &game::StopFlag| {
        let mv = puzzle::hint(game, puzzle, &*position, stop)?;
        Some(move_body(&*position, mv))
    };
    let found = app.pool.run(Class::Play, peer, 1, work).await.map_err(|_| busy())?;
    let found = found.ok_or_else(|| Problem::refused("hint.none", "no win was found from here"))?;
    record(&app, peer, owner, game, &id, Some(Progress { hints: 1, ..Progress::default() })).await?;
    Ok(Json(found))
}

/// The solution.
#[derive(Serialize, ToSchema)]
pub(crate) struct SolutionBody {
    /// The winning first moves, each with the answers to it.
    tree: Vec<Branch>,
}

/// The solution as a tree. Counts as help.
#[utoipa::path(post, path = "/puzzles/{game}/{id}/solution", tag = "puzzles",
    params(("game" = String, Path), ("id" = String, Path)), security((), ("secret" = [])), responses(
    (status = 200, body = SolutionBody),
    (status = 404, body = ProblemBody, content_type = "application/problem+json"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn solution(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    GameAndId(game, id): GameAndId,
    headers: HeaderMap,
) -> Result<Json<SolutionBody>, Problem> {
    let (game, puzzle) = open(&app, &game, &id)?;
    let owner = owner(&headers)?;
    let position = puzzle::position(game, puzzle)?;
    let work = move |stop: &game::StopFlag| puzzle::solution(game, puzzle, &*position, stop);
    let tree = app.pool.run(Class::Analysis, peer, 1, work).await.map_err(|_| busy())?;
    record(&app, peer, owner, game, &id, Some(Progress { hints: 1, ..Progress::default() })).await?;
    Ok(Json(SolutionBody { tree }))
}
