//! Watching the search: what a node reports about itself, and the record made of it.
//!
//! The search is generic over its [`Observer`]. In play that is `()`, whose methods are empty, so nothing is left of
//! them in the compiled search.

use super::params::PLY;
use super::score::{INFINITE, MATE};
use super::{INFO, Tengen, allowed_points};
use crate::{Point, Position};
use ::game::{EngineError, Limits, Options, Position as _, Watch};
use ::search::theatre::{
    Algorithm, End, Entered, FORMAT, Num, PvsRecorder, Record, RecordOptions, Search, TreeResult, VERSION,
};

/// Sees the nodes of a search in their order. Scores and windows are those of the side to move.
pub(super) trait Observer {
    #[inline(always)]
    fn start_iteration(&mut self, _nodes: u64) {}

    #[inline(always)]
    fn finish_iteration(&mut self, _depth: i32, _value: i32, _best: Point, _nodes: u64) {}

    /// How the next node is entered, where not with a full window.
    #[inline(always)]
    fn next_is(&mut self, _entered: Entered) {}

    /// A node at `ply` is entered by a move; `None`: the same position without its hash move.
    #[inline(always)]
    fn enter(&mut self, _ply: usize, _mv: Option<Point>, _window: (i32, i32), _depth: i32) {}

    #[inline(always)]
    fn leave(&mut self, _ply: usize, _value: i32) {}

    /// What gives the current node its value.
    #[inline(always)]
    fn end(&mut self, _end: End) {}

    /// The last move is the best so far.
    #[inline(always)]
    fn raise(&mut self) {}

    /// The remaining moves of the node at `ply` are cut off.
    #[inline(always)]
    fn cut(&mut self, _ply: usize, _beta: i32, _skipped: usize) {}

    /// Only so many replies meet the opponent's threat.
    #[inline(always)]
    fn forced(&mut self, _replies: usize) {}

    /// Late move pruning leaves out so many moves.
    #[inline(always)]
    fn pruned(&mut self, _moves: usize) {}
}

impl Observer for () {}

/// Turns scores of the side to move into those of MAX, the side to move at the root.
struct Recorder<'a> {
    record: &'a mut PvsRecorder,
    cols: u32,
    entered: Entered,
    nodes_before: u64,
}

impl Recorder<'_> {
    fn code(&self, point: Point) -> u32 {
        u32::from(point.row()) * self.cols + u32::from(point.col())
    }
}

fn number(score: i32) -> f64 {
    match score {
        INFINITE.. => f64::INFINITY,
        score if score <= -INFINITE => f64::NEG_INFINITY,
        score => f64::from(score),
    }
}

/// The score for MAX of the side to move at `ply`.
fn for_max(ply: usize, score: i32) -> f64 {
    number(if ply.is_multiple_of(2) { score } else { -score })
}

impl Observer for Recorder<'_> {
    fn start_iteration(&mut self, nodes: u64) {
        self.nodes_before = nodes;
        self.record.start_iteration();
    }

    fn finish_iteration(&mut self, depth: i32, value: i32, best: Point, nodes: u64) {
        let best = self.code(best);
        self.record.finish_iteration(depth as u32, number(value), best, nodes - self.nodes_before);
    }

    #[inline]
    fn next_is(&mut self, entered: Entered) {
        self.entered = entered;
    }

    #[inline]
    fn enter(&mut self, ply: usize, mv: Option<Point>, (alpha, beta): (i32, i32), depth: i32) {
        let (alpha, beta) = if ply.is_multiple_of(2) { (alpha, beta) } else { (-beta, -alpha) };
        let mv = mv.map_or(-1, |point| self.code(point) as i32);
        let entered = std::mem::take(&mut self.entered);
        let left = f64::from(depth.max(0)) / f64::from(PLY);
        self.record.enter(mv, number(alpha), number(beta), entered, left);
    }

    #[inline]
    fn leave(&mut self, ply: usize, value: i32) {
        self.record.leave(for_max(ply, value));
    }

    #[inline]
    fn end(&mut self, end: End) {
        self.record.end(end);
    }

    #[inline]
    fn raise(&mut self) {
        self.record.raise();
    }

    #[inline]
    fn cut(&mut self, ply: usize, beta: i32, skipped: usize) {
        self.record.cut(u8::from(ply.is_multiple_of(2)), for_max(ply, beta), skipped);
    }

    #[inline]
    fn forced(&mut self, replies: usize) {
        self.record.forced(replies);
    }

    #[inline]
    fn pruned(&mut self, moves: usize) {
        self.record.pruned(moves);
    }
}

/// Searches a position with a fresh engine and one thread, and records the tree of the last finished iteration. MAX is
/// the side to move. With `keep` 0 nothing is watched and only the result is recorded.
pub(crate) fn explain(
    position: &Position,
    wanted: &RecordOptions,
    watch: &Watch,
) -> Result<Record, EngineError> {
    let limits = Limits { nodes: Some(wanted.nodes), ..Limits::depth(wanted.depth) };
    let allowed = allowed_points(position, &limits);
    if position.outcome().is_some() || allowed.is_empty() || position.stones_to_place() > 0 {
        return Err(EngineError::NoMove("the game is over, or its opening is being chosen".into()));
    }
    let mut engine = Tengen::new(&Options::new())?;
    let mut record = PvsRecorder::new(wanted.keep);
    let cols = u32::from(position.size());
    let progress = if wanted.keep > 0 {
        let observer = Recorder { record: &mut record, cols, entered: Entered::Full, nodes_before: 0 };
        engine.search(position, &allowed, &limits, watch, observer, &mut |_, _| {})
    } else {
        engine.search(position, &allowed, &limits, watch, (), &mut |_, _| {})
    };
    let code = |point: Point| u32::from(point.row()) * cols + u32::from(point.col());
    let (columns, iterations) = record.into_columns();
    let value = progress.roots.first().map_or(f64::NAN, |root| number(root.value));
    let count = |wanted: &dyn Fn(End) -> bool| {
        columns.visits.iter().skip(1).filter(|visit| wanted(visit.end)).count() as u64
    };
    let result = TreeResult {
        best: progress.roots.first().map(|root| code(root.point)),
        value: Num(value),
        win: Some(f64::from(MATE)),
        line: progress
            .roots
            .first()
            .map(|root| root.line.iter().map(|point| code(*point)).collect())
            .unwrap_or_default(),
        root: progress
            .roots
            .iter()
            .filter_map(|root| Some((code(root.point), Num(number(root.known?.0)), root.nodes)))
            .collect(),
        completed: progress.depth >= wanted.depth as i32 || value.abs() >= f64::from(super::MATE_BOUND),
        nodes: progress.nodes,
        leaves: count(&|end| end != End::Moves),
        cutoffs: columns.cuts.len() as u64,
        table_hits: count(&|end| end == End::Table),
        full_tree: Num(f64::NAN),
        best_case: Num(f64::NAN),
        prune_ratio: Num(f64::NAN),
        seconds: watch.elapsed().as_secs_f64(),
        iterations,
    };
    let stage = ::game::stage(position, INFO.name, wanted);
    Ok(Record {
        format: FORMAT,
        version: VERSION,
        kind: "tree",
        algorithm: Algorithm::Pvs,
        max: stage.to_move.clone(),
        stage,
        search: Search::Tree { depth: progress.depth.max(0) as u32, result, columns: Box::new(columns) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::game::{Engine, Game as _, Setup};

    fn position(moves: &str) -> Box<dyn ::game::Position> {
        crate::GOMOKU.parse(moves, &Setup::empty(15, 15)).unwrap()
    }

    fn recorded(moves: &str, wanted: &RecordOptions) -> (Record, TreeResult) {
        let record = crate::GOMOKU.explain(&*position(moves), "", wanted, &Watch::default()).unwrap();
        let Search::Tree { result, .. } = &record.search else { panic!("a tree") };
        let result = result.clone();
        (record, result)
    }

    /// The recorded search is the engine's: the same nodes, move, value and line as an engine that nobody watches.
    #[test]
    fn the_recorded_search_visits_the_nodes_of_the_unrecorded_one() {
        for moves in ["h8i9", "h8i9h9i8j8", "h8h9i9g7i7i8j8"] {
            let wanted = RecordOptions { depth: 7, ..RecordOptions::new(Algorithm::Pvs) };
            let (record, result) = recorded(moves, &wanted);
            // The solver at the root is no part of the recorded search.
            let mut engine = Tengen::new(&[("without", "root-vct")].into_iter().collect()).unwrap();
            let position = position(moves);
            let decision =
                engine.think(&*position, &Limits::depth(7), &Watch::default(), &mut |_| {}).unwrap();
            assert_eq!(result.nodes, decision.report.nodes, "{moves}");
            assert_eq!(result.value, Num(decision.report.score), "{moves}");
            let best = decision.mv.cell().map(|cell| u32::from(cell.row) * 15 + u32::from(cell.col));
            assert_eq!(result.best, best, "{moves}");
            let (_, unwatched) = recorded(moves, &RecordOptions { keep: 0, ..wanted });
            assert_eq!((unwatched.nodes, unwatched.best), (result.nodes, result.best));
            let Search::Tree { columns, .. } = &record.search else { panic!("a tree") };
            assert_eq!(columns.visits.len(), columns.nodes.len());
            // Every node is written down or counted; the searches for fours at the leaves count nodes of their own.
            let last = result.iterations.last().unwrap();
            let seen = columns.nodes.len() as u64 - 1 + columns.dropped;
            assert!(seen <= last.3 && 2 * seen > last.3, "{moves}: {seen} of {}", last.3);
            assert_eq!(result.nodes, result.iterations.iter().map(|row| row.3).sum::<u64>());
        }
    }

    #[test]
    fn windows_reductions_hits_and_forced_replies_are_named() {
        // White's open three must be answered.
        let (record, _) =
            recorded("a1h8c1h9o15h10", &RecordOptions { depth: 8, ..RecordOptions::new(Algorithm::Pvs) });
        let Search::Tree { columns, result, .. } = &record.search else { panic!("a tree") };
        for entered in [Entered::Null, Entered::Reduced, Entered::Again] {
            assert!(columns.visits.iter().any(|visit| visit.entered == entered), "{entered:?}");
        }
        for end in [End::Forced, End::Table, End::Static, End::Moves] {
            assert!(columns.visits.iter().any(|visit| visit.end == end), "{end:?}");
        }
        assert!(columns.visits.iter().any(|visit| visit.forced > 0));
        // A null window has no room; a value within the full window is exact, so the root's is that of a child.
        for (node, visit) in columns.nodes.iter().zip(&columns.visits).skip(1) {
            assert!(
                visit.entered == Entered::Full || node.beta - node.alpha == 1.0 || node.mv == -1,
                "{node:?}"
            );
        }
        let children = columns.nodes.iter().filter(|node| node.parent == 0);
        assert!(children.clone().any(|child| Num(child.value) == result.value));
        assert_eq!(record.max, "black");
    }

    #[test]
    fn a_record_keeps_to_its_budget_and_counts_the_rest() {
        let wanted = RecordOptions { depth: 6, keep: 100, ..RecordOptions::new(Algorithm::Pvs) };
        let (record, result) = recorded("h8i9", &wanted);
        let Search::Tree { columns, .. } = &record.search else { panic!("a tree") };
        assert_eq!(columns.nodes.len(), 101);
        assert!(columns.dropped > 0);
        let (_, all) = recorded("h8i9", &RecordOptions { keep: 1_000_000, ..wanted });
        assert_eq!((result.nodes, result.best, result.value), (all.nodes, all.best, all.value));
        let over = crate::GOMOKU.explain(&*position("a1a2b1b2c1c2d1d2e1"), "", &wanted, &Watch::default());
        assert!(matches!(over, Err(EngineError::NoMove(_))));
    }

    /// CPU time of this thread, which does not grow while others use the processor.
    fn thread_time() -> std::time::Duration {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        std::time::Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    }

    /// Both in turn, so that what else the machine does falls on both; the quickest of each counts.
    #[test]
    fn recording_takes_less_than_twice_the_time() {
        let mut least = [std::time::Duration::MAX; 2];
        for _ in 0..4 {
            for (least, keep) in least.iter_mut().zip([0, 200_000]) {
                let wanted = RecordOptions { depth: 9, keep, ..RecordOptions::new(Algorithm::Pvs) };
                let before = thread_time();
                recorded("h8i9h9i8j8", &wanted);
                *least = (*least).min(thread_time() - before);
            }
        }
        let [off, on] = least;
        assert!(on < 2 * off, "recorded {on:?}, not recorded {off:?}");
    }
}
