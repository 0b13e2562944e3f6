//! Whole-game review, each position a search of its own in the engine pool.

use crate::app::App;
use crate::pool::{Class, Need};
use api::review::{Found, Review};
use api::{AnalysisMessage, Problem, Work};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Runs a review and sends a message for each position, then one for the whole game.
pub(crate) async fn run(
    app: Arc<App>,
    client: String,
    messages: mpsc::Sender<AnalysisMessage>,
    mut review: Review,
) {
    while let Some(work) = review.next() {
        let message = match search(&app, &client, work).await {
            Ok(found) => review.add(found),
            Err(problem) => {
                let _ = messages.send(AnalysisMessage::failed(review.id(), problem)).await;
                return;
            }
        };
        if messages.send(message).await.is_err() {
            return;
        }
    }
    let _ = messages.send(review.done()).await;
}

async fn search(app: &App, client: &str, work: Work<Found>) -> Result<Found, Problem> {
    let (reply, answer) = oneshot::channel();
    let work = move |watch: &game::Watch| {
        let _ = reply.send(work(watch));
    };
    let ticket =
        app.pool.submit(Class::Analysis, client, Need::anywhere(1), work).map_err(|_| Problem::busy())?;
    let failed = |_| Problem::refused("engine.failed", "the engine stopped working");
    let found = answer.await.map_err(failed)?;
    drop(ticket);
    found
}
