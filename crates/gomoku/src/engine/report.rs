//! What the engine publishes about a search. A win or loss that is shown is proved: [`RootMove::known`] has no
//! decided value without a proof, and a move about which nothing is known is left out.

use super::line::{CompleteLine, LineCompleter};
use super::root::{RootMove, SearchProgress};
use super::root_vct::RootVct;
use super::score::{MATE, MATE_BOUND, win_rate};
use super::transposition::TranspositionTable;
use crate::{Point, Position};
use ::game::{Bound, Line, Move, Position as _, Report, Watch};
use ::search::adversarial::full_tree;

/// A search result ready to be published: its lines are whole.
pub(super) struct Published {
    pub(super) progress: SearchProgress,
    /// The lines asked for, best first.
    lines: Vec<CompleteLine>,
}

impl Published {
    /// Completes the lines of a search.
    pub(super) fn new(
        position: &Position,
        table: &TranspositionTable,
        progress: SearchProgress,
        lines: usize,
    ) -> Published {
        let mut completer = LineCompleter::new(position.board(), position.to_move(), table);
        let depth = progress.depth.max(1) as usize;
        let mut complete = |root: &RootMove| completer.complete(&root.line, known_value(root), depth);
        let lines = progress.roots.iter().take(lines.max(1)).map(&mut complete).collect();
        Published { progress, lines }
    }

    /// Where the best move wins: plays the shortest VCF instead, if that is at least as fast and allowed.
    pub(super) fn prefer_vcf(
        &mut self,
        position: &Position,
        table: &TranspositionTable,
        allowed: impl Fn(Point) -> bool,
    ) {
        let roots = &mut self.progress.roots;
        let won = roots.first().is_some_and(|root| known_value(root) >= MATE_BOUND);
        let Some(best) = self.lines.first_mut().filter(|_| won) else { return };
        let plies = best.mate.unwrap_or(i32::MAX);
        if plies <= 1 {
            return;
        }
        let mut completer = LineCompleter::new(position.board(), position.to_move(), table);
        if let Some(vcf) = completer.shortest_vcf()
            && let Some(faster) = vcf.mate.filter(|faster| *faster <= plies)
            && let Some(first) = vcf.moves.first().filter(|first| allowed(**first))
            && let Some(at) = roots.iter().position(|root| root.point == *first)
        {
            roots[..=at].rotate_right(1);
            roots[0].known = Some((MATE - faster, Bound::Exact));
            *best = vcf;
        }
    }

    /// Puts the first move of a proved win first, unless the search has found a win itself. Its distance is that of the
    /// most stubborn defence; where it is not known, none is published.
    pub(super) fn prefer_proof(&mut self, position: &Position, table: &TranspositionTable, proof: &RootVct) {
        let roots = &mut self.progress.roots;
        let found = self.lines.first().is_some_and(|best| best.mate.is_some_and(|plies| plies > 0));
        let first = proof.line.first().filter(|_| !found);
        let Some(at) = first.and_then(|first| roots.iter().position(|root| root.point == *first)) else {
            return;
        };
        let mut completer = LineCompleter::new(position.board(), position.to_move(), table);
        let value = proof.plies.map_or(MATE_BOUND, |plies| MATE - plies as i32);
        let mut proved = completer.complete(&proof.line, value, proof.line.len());
        proved.mate = proved.mate.filter(|_| proof.plies.is_some());
        let value = proved.mate.map_or(MATE_BOUND, |plies| MATE - plies);
        roots[..=at].rotate_right(1);
        (roots[0].value, roots[0].known) = (value, Some((value, Bound::Lower)));
        self.lines.remove(at.min(self.lines.len() - 1));
        self.lines.insert(0, proved);
    }

    /// The report of the search.
    pub(super) fn report(&self, position: &Position, watch: &Watch) -> Report {
        let progress = &self.progress;
        let place = |point: &Point| Move::Place(point.cell());
        let lines: Vec<Line> = progress
            .roots
            .iter()
            .zip(&self.lines)
            .map(|(root, line)| Line {
                moves: line.moves.iter().map(place).collect(),
                score: f64::from(known_value(root)),
                win_rate: win_rate(known_value(root)),
                mate: line.mate,
                depth: progress.depth.max(0) as u32,
                nodes: root.nodes,
            })
            .collect();
        let mate = self.lines.first().and_then(|line| line.mate);
        let root = root_table(&progress.roots);
        Report { mate, lines, root, ..overview(position, progress, watch) }
    }
}

/// The report of a search without its moves.
pub(super) fn overview(position: &Position, progress: &SearchProgress, watch: &Watch) -> Report {
    let depth = progress.depth.max(0) as u32;
    let value = progress.roots.first().map_or(0, known_value);
    let empty = position.board().empty_points().len() as u32;
    let full_tree = full_tree((0..depth).map(|ply| empty.saturating_sub(ply).max(1)));
    Report {
        depth,
        selective_depth: progress.deepest as u32,
        score: f64::from(value),
        win_rate: win_rate(value),
        nodes: progress.nodes,
        elapsed: watch.elapsed(),
        full_tree: Some(full_tree + 1.0),
        ..Report::default()
    }
}

/// The root table: the best move, then the others by score.
fn root_table(roots: &[RootMove]) -> Vec<::game::RootMove> {
    let row = |root: &RootMove| {
        let (value, bound) = root.known?;
        Some(::game::RootMove {
            mv: Move::Place(root.point.cell()),
            score: f64::from(value),
            win_rate: win_rate(value),
            bound,
            nodes: root.nodes,
        })
    };
    let mut table: Vec<::game::RootMove> = roots.iter().filter_map(row).collect();
    if let Some(others) = table.get_mut(1..) {
        others.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    table
}

/// The published value of a root move; 0 where nothing is known.
pub(super) fn known_value(root: &RootMove) -> i32 {
    root.known.map_or(0, |(value, _)| value)
}
