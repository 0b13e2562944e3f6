//! Whole-game review: every position searched for a moment, every move's loss against the best one.

use crate::analysis::{chosen, think};
use crate::{
    AnalysisMessage, Choice, Host, MoveBody, PlayedLine, Problem, ReportBody, Setup, Work, move_body,
};
use game::{Game, Limits, Options, Position, Side, Watch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// A game to be reviewed.
#[derive(Deserialize, ToSchema)]
pub struct ReviewOrder {
    pub id: String,
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

/// The review of one move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewedMove {
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
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

/// Losses of win rate from which a move is marked.
const MARKS: [(f64, Mark); 3] = [(0.30, Mark::Blunder), (0.15, Mark::Mistake), (0.07, Mark::Inaccuracy)];

/// A review under way: each position is a search of its own, so that a long game holds no thread against others.
pub struct Review {
    id: String,
    /// Before each move, and after the last.
    positions: Vec<Box<dyn Position>>,
    played: Vec<MoveBody>,
    choice: Choice,
    options: Options,
    limits: Limits,
    /// One for each position searched so far.
    found: Vec<Found>,
}

/// What a search found in one position.
pub struct Found {
    /// Of the side to move.
    win_rate: f64,
    /// None where the game is over.
    best: Option<MoveBody>,
    report: Option<Box<ReportBody>>,
}

impl Review {
    /// Checks an order.
    pub fn plan(host: &Host, order: ReviewOrder) -> Result<Review, Problem> {
        let line = PlayedLine { setup: order.setup, moves: order.moves };
        let (game, last) = line.position(host)?;
        let (choice, options) = chosen(host, game, &order.engine, order.options)?;
        let mut at = line.setup.position(game)?;
        let (mut positions, mut played) = (vec![at.boxed()], Vec::new());
        for mv in last.history() {
            played.push(move_body(&*at, *mv));
            at.play(*mv)?;
            positions.push(at.boxed());
        }
        let time = Duration::from_millis(order.time_ms.unwrap_or(500).clamp(10, 10_000));
        let limits = Limits { nodes: order.nodes, memory_mb: host.memory_mb.min(64), ..Limits::time(time) };
        Ok(Review { id: order.id, positions, played, choice, options, limits, found: Vec::new() })
    }

    /// What its messages are about.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The search of the next position; `None` after the last one.
    pub fn next(&self) -> Option<Work<Found>> {
        let position = self.positions.get(self.found.len())?.boxed();
        let (choice, options, limits) = (self.choice.clone(), self.options.clone(), self.limits.clone());
        Some(Box::new(move |watch| {
            if let Some(outcome) = position.outcome() {
                let win_rate = outcome.winner().map_or(0.5, |side| f64::from(side == position.to_move()));
                return Ok(Found { win_rate, best: None, report: None });
            }
            let decision = think(&choice, &options, &*position, &limits, watch, &mut |_| {})?;
            let report = ReportBody::of(&*position, &decision.report);
            let best = Some(move_body(&*position, decision.mv));
            Ok(Found { win_rate: report.win_rate(), best, report: Some(Box::new(report)) })
        }))
    }

    /// Takes what the next position's search found, and says so.
    pub fn add(&mut self, mut found: Found) -> AnalysisMessage {
        let ply = self.found.len();
        let to_move = self.positions.get(ply).map_or(Side::Black, |position| position.to_move());
        let message = AnalysisMessage::Review {
            id: self.id.clone(),
            ply,
            total: self.positions.len(),
            best: found.best.clone(),
            black_rate: black(to_move, found.win_rate),
            report: found.report.take(),
        };
        self.found.push(found);
        message
    }

    /// The last message of a complete review.
    pub fn done(&self) -> AnalysisMessage {
        AnalysisMessage::ReviewDone {
            id: self.id.clone(),
            complete: true,
            moves: Some(self.reviewed_moves()),
        }
    }

    fn reviewed_moves(&self) -> Vec<ReviewedMove> {
        let pairs = self.positions.windows(2).zip(self.found.windows(2)).zip(&self.played).enumerate();
        pairs
            .map(|(ply, ((positions, found), played))| {
                let mover = positions[0].to_move();
                let black_rate = black(positions[1].to_move(), found[1].win_rate);
                let kept = if mover == Side::Black { black_rate } else { 1.0 - black_rate };
                let best = found[0].best.clone();
                let same = best.as_ref().is_some_and(|best| best.text == played.text);
                let loss = if same { 0.0 } else { (found[0].win_rate - kept).max(0.0) };
                let mark = MARKS.iter().find(|(least, _)| loss >= *least).map(|(_, mark)| *mark);
                let played = played.clone();
                ReviewedMove { ply, played, best, win_rate: found[0].win_rate, black_rate, loss, mark }
            })
            .collect()
    }
}

/// A review from beginning to end, for those who wait for it: the verdict on each move, with so many nodes for each
/// position, whatever the time.
pub fn whole(
    host: &Host,
    game: &dyn Game,
    setup: &game::Setup,
    moves: &[String],
    nodes: u64,
    watch: &Watch,
) -> Result<Vec<ReviewedMove>, Problem> {
    let setup = Setup::of(game, &*game.position(setup)?);
    let (id, engine, options) = (String::new(), String::new(), BTreeMap::new());
    let time_ms = Some(10_000);
    let order =
        ReviewOrder { id, setup, moves: moves.to_vec(), engine, options, time_ms, nodes: Some(nodes) };
    let mut review = Review::plan(host, order)?;
    while let Some(search) = review.next() {
        let found = search(&watch.restarted())?;
        review.found.push(found);
    }
    Ok(review.reviewed_moves())
}

fn black(to_move: Side, rate: f64) -> f64 {
    if to_move == Side::Black { rate } else { 1.0 - rate }
}
