//! Searches that report while they run.

use crate::player::check_options;
use crate::review::{ReviewOrder, ReviewedMove};
use crate::{
    Choice, ErrorBody, Host, MoveBody, PlayedLine, Problem, ReportBody, Setup, Work, check_count, move_body,
};
use game::{Decision, EngineError, Game, Level, Limits, Options, Position, Report, Watch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// The longest search, and the usual one, in milliseconds.
const LONGEST: u64 = 600_000;
const USUAL: u64 = 30_000;

/// Reports of one search come at most this often.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// A message from a client on `/analysis`.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum AnalysisRequest {
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
pub struct SearchOrder {
    /// The client's name for it.
    pub id: String,
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

impl AnalysisRequest {
    /// An id names the work in every message about it.
    pub fn check_id(id: &str) -> Result<(), Problem> {
        if id.is_empty() || id.len() > 64 {
            return Err(Problem::refused("analysis.id", "an id has 1 to 64 bytes"));
        }
        Ok(())
    }
}

/// What the server says on `/analysis`. `id` is the client's name for the work.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum AnalysisMessage {
    /// The search waits; so many are before it.
    Queued { id: String, place: usize },
    /// What the search has found so far.
    Report { id: String, report: Box<ReportBody> },
    /// The search has ended, by itself or by `stop`.
    Done {
        id: String,
        #[serde(rename = "move")]
        mv: MoveBody,
        report: Box<ReportBody>,
    },
    /// One position of a review.
    Review {
        id: String,
        ply: usize,
        /// Positions of the game.
        total: usize,
        /// None where the game is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<MoveBody>,
        /// Black's win rate.
        black_rate: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        report: Option<Box<ReportBody>>,
    },
    /// The review has ended.
    ReviewDone {
        id: String,
        /// False if it was stopped.
        complete: bool,
        /// Every move of a complete review.
        #[serde(skip_serializing_if = "Option::is_none")]
        moves: Option<Vec<ReviewedMove>>,
    },
    /// The work has ended without a result.
    Failed {
        id: String,
        #[serde(flatten)]
        error: ErrorBody,
    },
    /// A message was refused; with the id of the work it asked for.
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        #[serde(flatten)]
        error: ErrorBody,
    },
}

impl AnalysisMessage {
    /// The work that ends with this message.
    pub fn ends(&self) -> Option<&str> {
        match self {
            AnalysisMessage::Done { id, .. }
            | AnalysisMessage::ReviewDone { id, .. }
            | AnalysisMessage::Failed { id, .. } => Some(id),
            AnalysisMessage::Queued { .. }
            | AnalysisMessage::Report { .. }
            | AnalysisMessage::Review { .. }
            | AnalysisMessage::Error { .. } => None,
        }
    }

    /// The work has ended without a result.
    pub fn failed(id: &str, problem: Problem) -> AnalysisMessage {
        AnalysisMessage::Failed { id: id.into(), error: problem.into() }
    }

    /// The work was not begun.
    pub fn refused(id: &str, problem: Problem) -> AnalysisMessage {
        AnalysisMessage::Error { id: Some(id.into()), error: problem.into() }
    }
}

/// A search that was checked, ready to run.
pub struct Search {
    id: String,
    position: Box<dyn Position>,
    choice: Choice,
    options: Options,
    limits: Limits,
}

impl Search {
    /// Checks an order.
    pub fn plan(host: &Host, order: SearchOrder) -> Result<Search, Problem> {
        let (game, position) = PlayedLine { setup: order.setup, moves: order.moves }.position(host)?;
        if position.outcome().is_some() {
            return Err(Problem::refused("game.over", "the game is over"));
        }
        let (choice, options) = chosen(host, game, &order.engine, order.options)?;
        let words = |list: &[String]| -> Result<Vec<game::Move>, Problem> {
            check_count(list.len())?;
            list.iter().map(|word| Ok(position.parse_move(word)?)).collect()
        };
        let limits = Limits {
            move_time: Some(Duration::from_millis(order.time_ms.unwrap_or(USUAL).clamp(1, LONGEST))),
            nodes: order.nodes.map(|nodes| nodes.max(1)),
            depth: order.depth.map(|depth| depth.max(1)),
            threads: order.threads.unwrap_or(1).clamp(1, host.threads),
            memory_mb: host.memory_mb,
            level: order.level,
            lines: order.lines.unwrap_or(1).clamp(1, 64),
            only: words(&order.only)?,
            exclude: words(&order.exclude)?,
            ..Limits::default()
        };
        Ok(Search { id: order.id, position, choice, options, limits })
    }

    /// Threads it uses.
    pub fn threads(&self) -> usize {
        self.limits.threads
    }

    /// What its messages are about.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Searches on the thread that calls. `report` gets what is found so far, ten times a second at most; the answer is the
    /// last message.
    pub fn run(&self, watch: &Watch, report: &mut dyn FnMut(AnalysisMessage)) -> AnalysisMessage {
        let (position, id) = (&*self.position, &self.id);
        let mut next = Duration::ZERO;
        let found = think(&self.choice, &self.options, position, &self.limits, watch, &mut |found| {
            let now = watch.elapsed();
            if now >= next {
                next = now + REPORT_INTERVAL;
                let found = Box::new(ReportBody::of(position, found));
                report(AnalysisMessage::Report { id: id.clone(), report: found });
            }
        });
        match found {
            Ok(decision) => AnalysisMessage::Done {
                id: id.clone(),
                mv: move_body(position, decision.mv),
                report: Box::new(ReportBody::of(position, &decision.report)),
            },
            Err(error) => AnalysisMessage::failed(id, error.into()),
        }
    }
}

/// An engine that can be made with these options.
pub(crate) fn chosen(
    host: &Host,
    game: &dyn Game,
    engine: &str,
    options: BTreeMap<String, String>,
) -> Result<(Choice, Options), Problem> {
    let choice = host.engine(game, engine)?;
    check_options(&options)?;
    let options: Options = options.into_iter().collect();
    choice.make(&options)?;
    Ok((choice, options))
}

/// One search by a new engine.
pub(crate) fn think(
    choice: &Choice,
    options: &Options,
    position: &dyn Position,
    limits: &Limits,
    watch: &Watch,
    report: &mut dyn FnMut(&Report),
) -> Result<Decision, EngineError> {
    choice.make(options)?.think(position, limits, watch, report)
}

/// A move worth considering.
#[derive(Serialize, ToSchema)]
pub struct Hint {
    #[serde(flatten)]
    mv: MoveBody,
    report: ReportBody,
}

/// What the recommended engine would play, after a second of thought.
pub fn hint(host: &Host, game: &dyn Game, position: Box<dyn Position>) -> Result<Work<Hint>, Problem> {
    let choice = host.engine(game, "")?;
    let limits = Limits { memory_mb: host.memory_mb.min(64), ..Limits::time(Duration::from_secs(1)) };
    Ok(Box::new(move |watch| {
        let found = think(&choice, &Options::new(), &*position, &limits, watch, &mut |_| {})?;
        Ok(Hint { mv: move_body(&*position, found.mv), report: ReportBody::of(&*position, &found.report) })
    }))
}
