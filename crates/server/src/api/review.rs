//! Whole-game review: every position searched for a moment, every move's loss against the best one.
//!
//! Each position is a search of its own, so that a long game does not hold a thread against others.

use super::analysis::search;
use super::messages::AnalysisMessage;
use super::view::Line;
use crate::app::App;
use crate::engines::Choice;
use crate::pool::Class;
use crate::problem::Problem;
use crate::shape::{MoveBody, ReportBody, Setup, check_options, move_body};
use game::{Limits, Options, Position, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use utoipa::ToSchema;

/// A game to be reviewed.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ReviewOrder {
    pub(crate) id: String,
    setup: Setup,
    moves: Vec<String>,
    #[serde(default)]
    engine: String,
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// For each position, 10 to 10000; 500 if left out.
    time_ms: Option<u64>,
    /// Nodes for each position.
    nodes: Option<u64>,
}

/// A review ready to run.
pub(crate) struct Plan {
    id: String,
    /// Before each move, and after the last.
    positions: Vec<Box<dyn Position>>,
    played: Vec<MoveBody>,
    choice: Choice,
    options: Options,
    limits: Limits,
}

/// What is said about one move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Verdict {
    ply: usize,
    #[serde(flatten)]
    played: MoveBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<MoveBody>,
    /// Of the side that moved, before the move.
    win_rate: f64,
    /// Of black, after the move.
    black_rate: f64,
    /// How much of the win rate the move gave away.
    loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<Mark>,
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

/// Losses of win rate from which a move is marked.
const MARKS: [(f64, Mark); 3] = [(0.30, Mark::Blunder), (0.15, Mark::Mistake), (0.07, Mark::Inaccuracy)];

/// Checks an order.
pub(crate) fn plan(app: &App, order: ReviewOrder) -> Result<Plan, Problem> {
    let line = Line { setup: order.setup, moves: order.moves };
    let (game, last) = line.position(app)?;
    let choice = app.engines.find(game, &order.engine)?;
    check_options(&order.options)?;
    let options: Options = order.options.into_iter().collect();
    choice.make(&options)?;
    let mut at = line.setup.position(game)?;
    let (mut positions, mut played) = (vec![at.boxed()], Vec::new());
    for mv in last.history() {
        played.push(move_body(&*at, *mv));
        at.play(*mv)?;
        positions.push(at.boxed());
    }
    let time = Duration::from_millis(order.time_ms.unwrap_or(500).clamp(10, 10_000));
    let limits = Limits { nodes: order.nodes, memory_mb: 64, ..Limits::time(time) };
    Ok(Plan { id: order.id, positions, played, choice, options, limits })
}

/// Win rate of the side to move, and the best move.
type Found = (f64, Option<MoveBody>);

/// Runs a review and sends a message for each position, then one for the whole game.
pub(crate) async fn run(app: Arc<App>, client: String, messages: mpsc::Sender<AnalysisMessage>, plan: Plan) {
    let total = plan.positions.len();
    let mut rates: Vec<Found> = Vec::with_capacity(total);
    for (ply, position) in plan.positions.iter().enumerate() {
        let (found, report) = match position.outcome() {
            Some(outcome) => {
                let rate = outcome.winner().map_or(0.5, |side| f64::from(side == position.to_move()));
                ((rate, None), None)
            }
            None => match think(&app, &client, &plan, &**position).await {
                Ok((report, best)) => ((report.win_rate(), Some(best)), Some(report)),
                Err(problem) => {
                    let _ = messages.send(AnalysisMessage::failed(&plan.id, problem)).await;
                    return;
                }
            },
        };
        let message = AnalysisMessage::Review {
            id: plan.id.clone(),
            ply,
            total,
            best: found.1.clone(),
            black_rate: black(position.to_move(), found.0),
            report: report.map(Box::new),
        };
        rates.push(found);
        if messages.send(message).await.is_err() {
            return;
        }
    }
    let moves = Some(verdicts(&plan, &rates));
    let message = AnalysisMessage::ReviewDone { id: plan.id, complete: true, moves };
    let _ = messages.send(message).await;
}

fn black(to_move: Side, rate: f64) -> f64 {
    if to_move == Side::Black { rate } else { 1.0 - rate }
}

fn verdicts(plan: &Plan, rates: &[Found]) -> Vec<Verdict> {
    let pairs = plan.positions.windows(2).zip(rates.windows(2)).zip(&plan.played).enumerate();
    pairs
        .map(|(ply, ((positions, found), played))| {
            let mover = positions[0].to_move();
            let black_rate = black(positions[1].to_move(), found[1].0);
            let kept = if mover == Side::Black { black_rate } else { 1.0 - black_rate };
            let best = found[0].1.clone();
            let same = best.as_ref().is_some_and(|best| best.text == played.text);
            let loss = if same { 0.0 } else { (found[0].0 - kept).max(0.0) };
            let mark = MARKS.iter().find(|(least, _)| loss >= *least).map(|(_, mark)| *mark);
            let played = played.clone();
            Verdict { ply, played, best, win_rate: found[0].0, black_rate, loss, mark }
        })
        .collect()
}

async fn think(
    app: &App,
    client: &str,
    plan: &Plan,
    position: &dyn Position,
) -> Result<(ReportBody, MoveBody), Problem> {
    let (reply, answer) = oneshot::channel();
    let (choice, options, limits, at) =
        (plan.choice.clone(), plan.options.clone(), plan.limits.clone(), position.boxed());
    let work = move |stop: &game::StopFlag| {
        let _ = reply.send(search(&choice, &options, &*at, &limits, stop, &mut |_| {}));
    };
    let ticket = app.pool.submit(Class::Analysis, client, 1, work).map_err(|_| super::layer::busy())?;
    let failed = || Problem::refused("engine.failed", "the engine stopped working");
    let decision = answer.await.map_err(|_| failed())??;
    drop(ticket);
    Ok((ReportBody::of(position, &decision.report), move_body(position, decision.mv)))
}
