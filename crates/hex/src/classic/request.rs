//! What every classic engine does first: look at the position, the limits and the swap.

use super::{evaluation, level};
use crate::{HexPosition, SwapRule};
use game::{Decision, EngineError, Level, Limits, Line, Move, Position, Report, RootMove, Watch};
use std::time::Duration;

/// The document swaps if its evaluation grows by more than this factor.
const SWAP_FACTOR: f64 = 1.2;

/// A question to an engine, checked.
pub(super) struct Request<'a> {
    pub(super) position: &'a HexPosition,
    pub(super) limits: &'a Limits,
    pub(super) watch: &'a Watch,
    /// The empty cells that may be played.
    pub(super) cells: Vec<usize>,
    time: Option<Duration>,
}

/// Either a question that needs a search, or its answer.
pub(super) enum Opened<'a> {
    Search(Request<'a>),
    Answer(Decision),
}

/// Checks a question and answers it where no search is needed: swaps, and below the highest level wins in
/// one and losses in one.
pub(super) fn open<'a>(
    engine: &str,
    position: &'a dyn Position,
    limits: &'a Limits,
    watch: &'a Watch,
) -> Result<Opened<'a>, EngineError> {
    let Some(position) = position.downcast::<HexPosition>() else {
        let got = position.game().to_string();
        return Err(EngineError::WrongGame { engine: engine.into(), plays: "hex", got });
    };
    let size = position.size();
    let mut moves = position.legal_moves();
    if moves.is_empty() {
        return Err(EngineError::NoMove("the game is over".into()));
    }
    moves.retain(|mv| limits.allows(*mv));
    let cells: Vec<usize> = moves.iter().filter_map(|mv| mv.cell()).map(|cell| size.index(cell)).collect();
    let may_swap = moves.contains(&Move::Swap);
    if cells.is_empty() && !may_swap {
        return Err(EngineError::NoMove("the limits exclude every move".into()));
    }
    let time = limits.time_share();
    let request = Request { position, limits, watch, cells, time };
    if may_swap && (request.cells.is_empty() || worth_swapping(position)) {
        return Ok(Opened::Answer(request.at_once(Move::Swap)));
    }
    if limits.level < Level::Max {
        let board = position.board();
        let to_move = position.to_move();
        let urgent = [to_move, to_move.other()].into_iter().find_map(|side| {
            level::winning_cells(board, side).into_iter().find(|cell| request.cells.contains(cell))
        });
        if let Some(cell) = urgent {
            return Ok(Opened::Answer(request.at_once(Move::Place(size.cell(cell)))));
        }
    }
    Ok(Opened::Search(request))
}

impl Request<'_> {
    /// May the search go on, as far as stop and clock say?
    pub(super) fn may_go_on(&self) -> bool {
        !self.watch.is_stopped() && self.time.is_none_or(|time| self.watch.elapsed() < time)
    }

    /// Is there a limit on time?
    pub(super) fn is_timed(&self) -> bool {
        self.time.is_some()
    }

    /// The move of a cell.
    pub(super) fn mv(&self, index: usize) -> Move {
        Move::Place(self.position.size().cell(index))
    }

    /// The first lines of a report, from a root table.
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

    fn at_once(&self, mv: Move) -> Decision {
        let line = Line { moves: vec![mv], win_rate: 0.5, depth: 1, ..Line::default() };
        let root = vec![RootMove { mv, score: 0.0, win_rate: 0.5, nodes: 1 }];
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

/// The document's test: is the evaluation after the swap more than 1.2 times the one without? It values
/// the position for the side that the swapper holds in each case.
fn worth_swapping(position: &HexPosition) -> bool {
    let mine = position.to_move();
    let without = evaluation::evaluate(position.board(), mine);
    let mut swapped = position.clone();
    if swapped.play(Move::Swap).is_err() {
        return false;
    }
    let then = if position.swap_rule() == SwapRule::Sides { mine.other() } else { mine };
    evaluation::evaluate(swapped.board(), then) > SWAP_FACTOR * without
}
