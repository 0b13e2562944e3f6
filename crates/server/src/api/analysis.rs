//! The WebSocket for analysis: searches that report while they run and end when the client leaves.

use super::extract::Upgrade;
use super::layer::busy;
use super::messages::AnalysisMessage;
use super::review::{self, ReviewOrder};
use super::socket::{self, ClientSocket};
use super::view::Line;
use crate::app::App;
use crate::engines::Choice;
use crate::pool::{Class, Ticket};
use crate::problem::{Problem, ProblemBody};
use crate::security::rate::Peer;
use crate::shape::{ReportBody, Setup, check_options, move_body};
use axum::extract::State;
use axum::response::Response;
use game::{Decision, EngineError, Level, Limits, Options, Position, Report, StopFlag, Watch};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use utoipa::ToSchema;

/// The longest search, and the usual one, in milliseconds.
const LONGEST: u64 = 600_000;
const USUAL: u64 = 30_000;

/// Reports of one search come at most this often.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// A message from a client on `/analysis`.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum AnalysisRequest {
    /// Searches.
    Start(SearchOrder),
    /// Reviews a whole game.
    Review(ReviewOrder),
    /// Ends a search with what it has found, or a review.
    Stop {
        /// Which.
        id: String,
    },
    /// Keeps the connection open.
    Ping,
}

/// A search to be made.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SearchOrder {
    /// The client's name for it.
    id: String,
    setup: Setup,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    engine: String,
    #[serde(default)]
    options: BTreeMap<String, String>,
    #[serde(default)]
    #[schema(value_type = String)]
    level: Level,
    threads: Option<usize>,
    lines: Option<usize>,
    time_ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    #[serde(default)]
    exclude: Vec<String>,
    #[serde(default)]
    only: Vec<String>,
}

/// Work of this connection; dropping it stops it.
enum Job {
    Search(Ticket),
    Review { _task: Abort },
}

/// Ends a task when dropped.
struct Abort(AbortHandle);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Opens a WebSocket for analysis.
#[utoipa::path(get, path = "/analysis", tag = "analysis", responses(
    (status = 101, description = "a WebSocket: see the API's text"),
    (status = 429, body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn analysis(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let counted = socket::count(&app, peer)?;
    Ok(upgrade.0.on_upgrade(move |socket| async move {
        let socket = ClientSocket::new(&app, socket, counted);
        converse(app, socket, peer.to_string()).await;
    }))
}

async fn converse(app: Arc<App>, mut socket: ClientSocket, client: String) -> Option<()> {
    let (messages, mut pending) = mpsc::channel::<AnalysisMessage>(256);
    let mut jobs: HashMap<String, Job> = HashMap::new();
    let mut places = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            Some(message) = pending.recv() => {
                if let Some(id) = message.ends() {
                    jobs.remove(id);
                }
                socket.send(&message).await?;
            }
            request = socket.receive::<AnalysisRequest>() => {
                let done = match request? {
                    Ok(request) => obey(&app, &client, &messages, &mut jobs, request),
                    Err(problem) => Err(AnalysisMessage::Error { id: None, error: problem.into() }),
                };
                if let Err(message) = done {
                    socket.send(&message).await?;
                }
            }
            _ = places.tick() => {
                let waiting: Vec<_> = jobs.iter().filter_map(|(id, job)| match job {
                    Job::Search(ticket) => ticket.place().map(|place| (id.clone(), place)),
                    Job::Review { .. } => None,
                }).collect();
                for (id, place) in waiting {
                    socket.send(&AnalysisMessage::Queued { id, place }).await?;
                }
            }
        }
    }
}

fn obey(
    app: &Arc<App>,
    client: &str,
    messages: &mpsc::Sender<AnalysisMessage>,
    jobs: &mut HashMap<String, Job>,
    request: AnalysisRequest,
) -> Result<(), AnalysisMessage> {
    let named = AnalysisMessage::refused;
    match request {
        AnalysisRequest::Ping => {}
        AnalysisRequest::Stop { id } => match jobs.get(&id) {
            // Its results still come, with `done`.
            Some(Job::Search(ticket)) => ticket.stop(),
            Some(Job::Review { .. }) => {
                jobs.remove(&id);
                let _ = messages.try_send(AnalysisMessage::ReviewDone { id, complete: false, moves: None });
            }
            None => {}
        },
        AnalysisRequest::Start(order) => {
            let id = order.id.clone();
            check_id(&id).map_err(|problem| named("", problem))?;
            jobs.remove(&id);
            let ticket = start(app, client, messages, order).map_err(|problem| named(&id, problem))?;
            jobs.insert(id, Job::Search(ticket));
        }
        AnalysisRequest::Review(order) => {
            let id = order.id.clone();
            check_id(&id).map_err(|problem| named("", problem))?;
            jobs.remove(&id);
            if jobs.len() >= app.config.quota().searches {
                return Err(named(&id, busy()));
            }
            let plan = review::plan(app, order).map_err(|problem| named(&id, problem))?;
            let task = tokio::spawn(review::run(app.clone(), client.to_string(), messages.clone(), plan));
            jobs.insert(id, Job::Review { _task: Abort(task.abort_handle()) });
        }
    }
    Ok(())
}

fn check_id(id: &str) -> Result<(), Problem> {
    if id.is_empty() || id.len() > 64 {
        return Err(Problem::refused("analysis.id", "an id has 1 to 64 bytes"));
    }
    Ok(())
}

/// One search on the thread that calls.
pub(crate) fn search(
    choice: &Choice,
    options: &Options,
    position: &dyn Position,
    limits: &Limits,
    stop: &StopFlag,
    report: &mut dyn FnMut(&Report),
) -> Result<Decision, EngineError> {
    let mut engine = choice.make(options)?;
    engine.think(position, limits, &Watch::start(stop.clone()), report)
}

fn start(
    app: &App,
    client: &str,
    messages: &mpsc::Sender<AnalysisMessage>,
    order: SearchOrder,
) -> Result<Ticket, Problem> {
    let (game, position) = Line { setup: order.setup, moves: order.moves }.position(app)?;
    if position.outcome().is_some() {
        return Err(Problem::refused("game.over", "the game is over"));
    }
    let choice = app.engines.find(game, &order.engine)?;
    check_options(&order.options)?;
    let options: Options = order.options.into_iter().collect();
    choice.make(&options)?;
    let words = |list: &[String]| -> Result<Vec<game::Move>, Problem> {
        super::view::check_count(list.len())?;
        list.iter().map(|word| Ok(position.parse_move(word)?)).collect()
    };
    let threads = order.threads.unwrap_or(1).clamp(1, app.pool.slots());
    let limits = Limits {
        move_time: Some(Duration::from_millis(order.time_ms.unwrap_or(USUAL).clamp(1, LONGEST))),
        nodes: order.nodes.map(|nodes| nodes.max(1)),
        depth: order.depth.map(|depth| depth.max(1)),
        threads,
        memory_mb: 512,
        level: order.level,
        lines: order.lines.unwrap_or(1).clamp(1, 64),
        only: words(&order.only)?,
        exclude: words(&order.exclude)?,
        ..Limits::default()
    };
    let (messages, id) = (messages.clone(), order.id);
    let work = move |stop: &StopFlag| {
        let mut failure = Failure { messages: &messages, id: &id, done: false };
        let mut last: Option<Instant> = None;
        let mut report = |report: &Report| {
            if last.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL) {
                last = Some(Instant::now());
                let report = Box::new(ReportBody::of(&*position, report));
                // A client that does not keep up misses some of these, never the last message.
                let _ = messages.try_send(AnalysisMessage::Report { id: id.clone(), report });
            }
        };
        let found = search(&choice, &options, &*position, &limits, stop, &mut report);
        failure.done = true;
        let message = match found {
            Ok(decision) => AnalysisMessage::Done {
                id: id.clone(),
                mv: move_body(&*position, decision.mv),
                report: Box::new(ReportBody::of(&*position, &decision.report)),
            },
            Err(error) => AnalysisMessage::failed(&id, error.into()),
        };
        let _ = messages.blocking_send(message);
    };
    app.pool.submit(Class::Analysis, client, threads, work).map_err(|_| busy())
}

/// Tells the client if the engine panics.
struct Failure<'a> {
    messages: &'a mpsc::Sender<AnalysisMessage>,
    id: &'a str,
    done: bool,
}

impl Drop for Failure<'_> {
    fn drop(&mut self) {
        if !self.done {
            let problem = Problem::refused("engine.failed", "the engine stopped working");
            let _ = self.messages.blocking_send(AnalysisMessage::failed(self.id, problem));
        }
    }
}
