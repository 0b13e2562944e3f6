//! What every classic engine does before its search: decide the swap and, at lower levels, what is decided in one move.

use super::{evaluation, level};
use crate::request::EngineRequest;
use crate::{Position, SwapRule};
use game::{
    Decision, Engine, EngineError, Level, Limits, Line, Move, Position as _, Report, RootMove, Watch,
};

/// Swap if the evaluation grows by more than this factor; the value of the source document.
const SWAP_FACTOR: f64 = 1.2;

/// How a classic engine searches.
pub(super) trait ClassicSearch: Send {
    /// The engine's name.
    const NAME: &'static str;

    fn search(&self, request: &EngineRequest, report: &mut dyn FnMut(&Report)) -> Decision;
}

/// A classic engine: its search decides, except swaps and, below the highest level, wins in one and losses in one.
pub(super) struct ClassicEngine<S>(pub(super) S);

impl<S: ClassicSearch> Engine for ClassicEngine<S> {
    fn name(&self) -> &str {
        S::NAME
    }

    fn think(
        &mut self,
        position: &dyn game::Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let request = EngineRequest::check(S::NAME, position, limits, watch)?;
        let Some(mv) = request.move_without_search() else { return Ok(self.0.search(&request, report)) };
        let decision = request.unsearched(mv);
        report(&decision.report);
        Ok(decision)
    }
}

impl EngineRequest<'_> {
    /// A swap that pays or is the only move; below the highest level a win in one, or the block of a loss in one.
    fn move_without_search(&self) -> Option<Move> {
        if self.may_swap && (self.cells.is_empty() || worth_swapping(self.position)) {
            return Some(Move::Swap);
        }
        if self.limits.level == Level::MAX {
            return None;
        }
        let to_move = self.position.to_move();
        let urgent = [to_move, to_move.other()].into_iter().find_map(|side| {
            let winning = level::winning_cells(self.position.board(), side);
            winning.into_iter().find(|cell| self.cells.contains(cell))
        });
        urgent.map(|cell| self.mv(cell))
    }

    /// May the search continue, by stop flag and time?
    pub(super) fn may_continue(&self) -> bool {
        !self.watch.is_stopped() && self.limits.time_share().is_none_or(|time| self.watch.elapsed() < time)
    }

    /// Is there a limit on time?
    pub(super) fn is_timed(&self) -> bool {
        self.limits.time_share().is_some()
    }

    /// The move of a cell.
    pub(super) fn mv(&self, index: usize) -> Move {
        Move::Place(self.position.size().cell(index))
    }

    /// The principal lines of a report: the best, then the other root moves by score.
    pub(super) fn lines(&self, best: Line, root: &[RootMove]) -> Vec<Line> {
        let mut rest: Vec<&RootMove> =
            root.iter().filter(|row| best.moves.first() != Some(&row.mv)).collect();
        rest.sort_by(|a, b| b.score.total_cmp(&a.score));
        let rest = rest.into_iter().map(|row| Line {
            moves: vec![row.mv],
            score: row.score,
            win_rate: row.win_rate,
            depth: 1,
            nodes: row.nodes,
            ..Line::default()
        });
        std::iter::once(best).chain(rest).take(self.limits.lines.max(1)).collect()
    }

    fn unsearched(&self, mv: Move) -> Decision {
        let line = Line { moves: vec![mv], win_rate: 0.5, depth: 1, ..Line::default() };
        let root = vec![RootMove { mv, score: 0.0, win_rate: 0.5, bound: game::Bound::Exact, nodes: 1 }];
        let report = Report {
            depth: 1,
            nodes: 1,
            win_rate: 0.5,
            elapsed: self.watch.elapsed(),
            lines: vec![line],
            root,
            ..Report::default()
        };
        Decision { mv, report }
    }
}

/// Is the evaluation after the swap more than [`SWAP_FACTOR`] times the one without? Each is for the side that the
/// swapping player then has.
fn worth_swapping(position: &Position) -> bool {
    let mine = position.to_move();
    let without = evaluation::evaluate(position.board(), mine);
    let mut swapped = position.clone();
    if swapped.play(Move::Swap).is_err() {
        return false;
    }
    let then = if position.swap_rule() == SwapRule::Sides { mine.other() } else { mine };
    evaluation::evaluate(swapped.board(), then) > SWAP_FACTOR * without
}
