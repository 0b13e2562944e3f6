//! Proofs: is there a forced win, who wins, with which moves.

use crate::{Host, MoveBody, PlayedLine, Problem, Setup, Work, move_body, words};
use game::{Limits, ProofResult};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// The longest proof, and the usual one, in milliseconds.
const LONGEST: u64 = 600_000;
const USUAL: u64 = 10_000;

/// A question about a position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    setup: Setup,
    #[serde(default)]
    moves: Vec<String>,
    /// One of the game's questions in the catalog.
    question: String,
    /// Up to ten minutes; 10000 if left out.
    #[serde(default)]
    time_ms: Option<u64>,
    #[serde(default)]
    nodes: Option<u64>,
    #[serde(default)]
    threads: Option<usize>,
}

/// What was proved, and what it took.
#[derive(Serialize, ToSchema)]
pub struct ProofBody {
    /// `win`, `loss`, `none` (proved: no win of the kind asked for) or `unknown` (the budget ended first).
    result: &'static str,
    /// The winner's moves against stubborn answers.
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
}

impl ProofBody {
    /// A result with its line, in the game's notation.
    pub fn new(result: ProofResult, line: Vec<String>, nodes: u64, elapsed: Duration) -> ProofBody {
        ProofBody { result: result.name(), line, nodes, seconds: elapsed.as_secs_f64() }
    }
}

/// What was proved about the side to move.
#[derive(Serialize, ToSchema)]
pub struct SolveAnswer {
    question: String,
    #[serde(flatten)]
    proof: ProofBody,
    /// `[row, column]` of each move of the line.
    #[schema(value_type = Vec<Option<(u8, u8)>>)]
    cells: Vec<Option<[u8; 2]>>,
    /// All first moves proved to win, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    winning_moves: Option<Vec<MoveBody>>,
    /// First moves that the budget left undecided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undecided: Vec<MoveBody>,
}

impl SolveRequest {
    /// Threads it asks for, of those there are.
    pub fn threads(&self, host: &Host) -> usize {
        self.threads.unwrap_or(1).clamp(1, host.threads)
    }
}

/// Proves or refutes.
pub fn solve(host: &Host, asked: SolveRequest) -> Result<Work<SolveAnswer>, Problem> {
    let threads = asked.threads(host);
    let (game, position) = PlayedLine { setup: asked.setup, moves: asked.moves }.position(host)?;
    let Some((question, _)) = game.questions().iter().find(|(name, _)| *name == asked.question) else {
        let names: Vec<_> = game.questions().iter().map(|(name, _)| *name).collect();
        let detail = format!("{} cannot be asked that; accepted: {}", game.name(), names.join(", "));
        return Err(Problem::refused("question.unknown", detail));
    };
    let limits = Limits {
        nodes: asked.nodes.map(|nodes| nodes.max(1)),
        threads,
        memory_mb: host.memory_mb.min(128),
        ..Limits::time(Duration::from_millis(asked.time_ms.unwrap_or(USUAL).clamp(1, LONGEST)))
    };
    let elsewhere = host.elsewhere.clone();
    Ok(Box::new(move |watch| {
        let stop = watch.stop_flag();
        let there =
            elsewhere.and_then(|elsewhere| elsewhere.prove(game, &*position, question, &limits, stop));
        // The time begins anew where another machine failed.
        let proof = there.or_else(|| game.prove(&*position, question, &limits, &watch.restarted()));
        let Some(proof) = proof else {
            return Err(Problem::refused("question.none", "nothing can be proved of this position"));
        };
        let bodies = |moves: &[game::Move]| moves.iter().map(|mv| move_body(&*position, *mv)).collect();
        Ok(SolveAnswer {
            question: (*question).into(),
            proof: ProofBody::new(proof.result, words(&*position, &proof.line), proof.nodes, watch.elapsed()),
            cells: proof.line.iter().map(|mv| mv.cell().map(|cell| [cell.row, cell.col])).collect(),
            winning_moves: proof.winning_moves.as_deref().map(bodies),
            undecided: bodies(&proof.undecided),
        })
    }))
}
