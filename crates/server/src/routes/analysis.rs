//! The WebSocket for analysis: searches that report while they run and end when the client leaves.

use super::docs::Refused;
use super::extract::Upgrade;
use super::review;
use super::socket::{self, ClientSocket};
use crate::app::App;
use crate::pool::{Class, Need, Ticket};
use crate::security::rate::Peer;
use api::review::Review;
use api::{AnalysisMessage, AnalysisRequest, Problem, Search, SearchOrder};
use axum::extract::State;
use axum::response::Response;
use game::Watch;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

/// Work of this connection; dropping it stops it.
enum RunningAnalysis {
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
    Refused<429>,
))]
pub(crate) async fn analysis(
    State(app): State<Arc<App>>,
    Peer(peer): Peer,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let counted = socket::count(&app, peer)?;
    Ok(upgrade.0.on_upgrade(move |socket| async move {
        let socket = ClientSocket::new(&app, socket, counted);
        run_socket(app, socket, peer.to_string()).await;
    }))
}

async fn run_socket(app: Arc<App>, mut socket: ClientSocket, client: String) -> Option<()> {
    let (messages, mut pending) = mpsc::channel::<AnalysisMessage>(256);
    let mut jobs: HashMap<String, RunningAnalysis> = HashMap::new();
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
                    Ok(request) => handle_request(&app, &client, &messages, &mut jobs, request),
                    Err(problem) => Err(AnalysisMessage::Error { id: None, error: problem.into() }),
                };
                if let Err(message) = done {
                    socket.send(&message).await?;
                }
            }
            _ = places.tick() => {
                let waiting: Vec<_> = jobs.iter().filter_map(|(id, job)| match job {
                    RunningAnalysis::Search(ticket) => ticket.place().map(|place| (id.clone(), place)),
                    RunningAnalysis::Review { .. } => None,
                }).collect();
                for (id, place) in waiting {
                    socket.send(&AnalysisMessage::Queued { id, place }).await?;
                }
            }
        }
    }
}

fn handle_request(
    app: &Arc<App>,
    client: &str,
    messages: &mpsc::Sender<AnalysisMessage>,
    jobs: &mut HashMap<String, RunningAnalysis>,
    request: AnalysisRequest,
) -> Result<(), AnalysisMessage> {
    let refuse = AnalysisMessage::refused;
    match request {
        // While results wait to be sent, these show that the connection is alive.
        AnalysisRequest::Ping => {
            let _ = messages.try_send(AnalysisMessage::Pong);
        }
        AnalysisRequest::Stop { id } => match jobs.get(&id) {
            // Its results still come, with `done`.
            Some(RunningAnalysis::Search(ticket)) => ticket.stop(),
            Some(RunningAnalysis::Review { .. }) => {
                jobs.remove(&id);
                let _ = messages.try_send(AnalysisMessage::ReviewDone { id, complete: false, moves: None });
            }
            None => {}
        },
        AnalysisRequest::Start(order) => {
            let id = order.id.clone();
            AnalysisRequest::check_id(&id).map_err(|problem| refuse("", problem))?;
            jobs.remove(&id);
            let ticket = start(app, client, messages, order).map_err(|problem| refuse(&id, problem))?;
            jobs.insert(id, RunningAnalysis::Search(ticket));
        }
        AnalysisRequest::Review(order) => {
            let id = order.id.clone();
            AnalysisRequest::check_id(&id).map_err(|problem| refuse("", problem))?;
            jobs.remove(&id);
            if jobs.len() >= app.config.quota().searches {
                return Err(refuse(&id, Problem::busy()));
            }
            let review = Review::plan(&app.host, order).map_err(|problem| refuse(&id, problem))?;
            let task = tokio::spawn(review::run(app.clone(), client.to_string(), messages.clone(), review));
            jobs.insert(id, RunningAnalysis::Review { _task: Abort(task.abort_handle()) });
        }
    }
    Ok(())
}

fn start(
    app: &App,
    client: &str,
    messages: &mpsc::Sender<AnalysisMessage>,
    order: SearchOrder,
) -> Result<Ticket, Problem> {
    let search = Search::plan(&app.host, order)?;
    let (messages, threads) = (messages.clone(), search.threads());
    let work = move |watch: &Watch| {
        let mut reporter = PanicReporter { messages: &messages, id: search.id(), done: false };
        let message = search.run(watch, &mut |report| {
            // A client that does not keep up misses some of these, never the last message.
            let _ = messages.try_send(report);
        });
        reporter.done = true;
        let _ = messages.blocking_send(message);
    };
    app.pool.submit(Class::Analysis, client, Need::anywhere(threads), work).map_err(|_| Problem::busy())
}

/// Tells the client if the engine panics.
struct PanicReporter<'a> {
    messages: &'a mpsc::Sender<AnalysisMessage>,
    id: &'a str,
    done: bool,
}

impl Drop for PanicReporter<'_> {
    fn drop(&mut self) {
        if !self.done {
            let problem = Problem::refused("engine.failed", "the engine stopped working");
            let _ = self.messages.blocking_send(AnalysisMessage::failed(self.id, problem));
        }
    }
}
