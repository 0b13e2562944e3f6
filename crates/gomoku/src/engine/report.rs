//! What the engine publishes about a search.

use super::root::SearchProgress;
use super::score::{MATE, MATE_BOUND, win_rate};
use crate::solver::{AttackResult, SolverBudget, Vcf};
use crate::{Point, Position};
use ::game::{Limits, Line, Move, Position as _, Report, RootMove, Watch};

/// The report of a search.
pub(super) fn summary(position: &Position, progress: &SearchProgress, lines: usize, watch: &Watch) -> Report {
    let mate = |value: i32| match value {
        win if win == MATE - 1 => Some(1),
        loss if loss == -MATE + 2 => Some(-2),
        // Anything longer is a belief until `prove` has proved it.
        _ => None,
    };
    let value = progress.value();
    let depth = progress.depth.max(0) as u32;
    let places = |line: &[Point]| line.iter().map(|point| Move::Place(point.cell())).collect();
    let empty = position.board().empty_points().len() as u32;
    Report {
        depth,
        selective_depth: progress.deepest as u32,
        score: f64::from(value),
        win_rate: win_rate(value),
        mate: mate(value),
        nodes: progress.nodes,
        elapsed: watch.elapsed(),
        lines: progress
            .roots
            .iter()
            .take(lines)
            .map(|root| Line {
                moves: places(&root.line),
                score: f64::from(root.value),
                win_rate: win_rate(root.value),
                mate: mate(root.value),
                depth,
                nodes: root.nodes,
            })
            .collect(),
        root: progress
            .roots
            .iter()
            .map(|root| RootMove {
                mv: Move::Place(root.point.cell()),
                score: f64::from(root.value),
                win_rate: win_rate(root.value),
                nodes: root.nodes,
            })
            .collect(),
        full_tree: Some(
            (0..depth)
                .scan(1.0, |product, ply| {
                    *product *= f64::from(empty.saturating_sub(ply).max(1));
                    Some(*product)
                })
                .sum::<f64>()
                + 1.0,
        ),
    }
}

/// Nodes a proof of a found win may take: a few milliseconds, since it runs after the search's time is up.
const PROOF_NODES: u64 = 2_000;

/// Looks for the shortest victory by fours where the search believes in a win, and puts it into the answer.
/// The search prunes defences, so its own distances are beliefs; only what this finds is claimed.
pub(super) fn prove(
    position: &Position,
    limits: &Limits,
    progress: &SearchProgress,
    answer: &mut Report,
) -> Option<Move> {
    if progress.value() < MATE_BOUND || answer.mate == Some(1) {
        return None;
    }
    let mut board = position.board().clone();
    let mut vcf = Vcf::new(1 << 14);
    if vcf.shortest(&mut board, position.to_move(), &mut SolverBudget::nodes(PROOF_NODES))
        != AttackResult::Win
    {
        return None;
    }
    let moves: Vec<Move> = vcf.line().iter().map(|point| Move::Place(point.cell())).collect();
    let first = moves.first().copied().filter(|mv| limits.allows(*mv))?;
    answer.mate = Some(moves.len() as i32);
    if let Some(line) = answer.lines.first_mut() {
        (line.mate, line.moves) = (answer.mate, moves);
    }
    Some(first)
}
