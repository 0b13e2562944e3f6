//! The record of a principal variation search: an engine's own tree, with null windows, reductions, prunings, table hits
//! and forced replies named.
//!
//! An engine that deepens step by step visits its tree many times over; the record has the tree of the last iteration
//! that was finished, and one line about each iteration. A position that is searched again (a null-window search that
//! failed high, a test without one move) is a node of its own each time, because it was visited each time.

use super::Num;
use super::tree::{CUT, DROPPED, ENTER, HIT, LEAVE, RAISE, TreeColumns, TreeNode};

/// How a node was entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entered {
    /// With a full window.
    #[default]
    Full,
    /// With a null window: is it better than alpha or not?
    Null,
    /// With a null window and less depth (late move reduction).
    Reduced,
    /// Once more without the reduction, because the reduced search beat alpha.
    Again,
    /// The same position without its hash move, to see whether that move is singular.
    Singular,
}

/// What gave a node its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Its moves.
    #[default]
    Moves,
    /// The end is forced: a five, a four that cannot be stopped.
    Forced,
    /// The transposition table.
    Table,
    /// The static evaluation.
    Static,
    /// A win by continuous fours.
    Vcf,
    /// Razoring.
    Razoring,
    /// Reverse futility pruning.
    Futility,
    /// Mate distance pruning.
    MateDistance,
    /// Multi-cut.
    MultiCut,
    /// A full board.
    Draw,
}

/// What a principal variation search adds to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Visit {
    /// How it was entered.
    pub entered: Entered,
    /// What gave it its value.
    pub end: End,
    /// Plies left.
    pub left: f64,
    /// Replies that meet the opponent's threat; 0: no reply was forced.
    pub forced: u32,
    /// Moves left out by late move pruning.
    pub pruned: u32,
}

/// One iteration: its depth, the value and the best move it found, and the nodes it visited.
pub type Iteration = (u32, Num, u32, u64);

/// Writes down a principal variation search. Values and windows are MAX's.
#[derive(Clone, Debug)]
pub struct PvsRecorder {
    keep: usize,
    now: TreeColumns,
    /// The tree of the last finished iteration.
    finished: Option<TreeColumns>,
    iterations: Vec<Iteration>,
    /// From the root to the node that is searched.
    line: Vec<u32>,
    last_left: u32,
}

impl PvsRecorder {
    /// Keeps at most `keep` nodes besides the root.
    pub fn new(keep: usize) -> PvsRecorder {
        let keep = keep.min(u32::MAX as usize / 8 - 1);
        let (now, finished, iterations) = (TreeColumns::default(), None, Vec::new());
        let mut recorder =
            PvsRecorder { keep, now, finished, iterations, line: Vec::new(), last_left: DROPPED };
        recorder.start_iteration();
        recorder
    }

    /// An iteration begins; what an unfinished one left is dropped.
    pub fn start_iteration(&mut self) {
        let TreeColumns { dropped, nodes, events, cuts, visits } = &mut self.now;
        *dropped = 0;
        nodes.clear();
        events.clear();
        cuts.clear();
        visits.clear();
        let (alpha, beta) = (f64::NEG_INFINITY, f64::INFINITY);
        nodes.push(TreeNode { parent: -1, mv: -1, alpha, beta, value: f64::NAN });
        visits.push(Visit::default());
        self.line = vec![0];
    }

    /// The iteration is done.
    pub fn finish_iteration(&mut self, depth: u32, value: f64, best: u32, nodes: u64) {
        self.now.nodes[0].value = value;
        self.iterations.push((depth, Num(value), best, nodes));
        let used = self.finished.take().unwrap_or_default();
        self.finished = Some(std::mem::replace(&mut self.now, used));
        self.start_iteration();
    }

    /// The search goes down: `mv` is -1 where it stays in the same position.
    #[inline]
    pub fn enter(&mut self, mv: i32, alpha: f64, beta: f64, entered: Entered, left: f64) {
        let parent = self.at();
        let node = self.now.nodes.len();
        if parent == DROPPED || node > self.keep {
            self.now.dropped += 1;
            self.line.push(DROPPED);
            return;
        }
        self.now.nodes.push(TreeNode { parent: parent as i32, mv, alpha, beta, value: f64::NAN });
        self.now.visits.push(Visit { entered, left, ..Visit::default() });
        self.now.events.push(node as u32 * 8 + ENTER);
        self.line.push(node as u32);
    }

    /// The search comes back with a value.
    #[inline]
    pub fn leave(&mut self, value: f64) {
        self.last_left = self.line.pop().unwrap_or(DROPPED);
        if self.last_left != DROPPED {
            self.now.nodes[self.last_left as usize].value = value;
            self.now.events.push(self.last_left * 8 + LEAVE);
        }
    }

    /// The move that the search has just come back from is the best so far.
    #[inline]
    pub fn raise(&mut self) {
        if self.last_left != DROPPED {
            self.now.events.push(self.last_left * 8 + RAISE);
        }
    }

    /// The remaining moves of the current node are cut off by a bound (0 alpha, 1 beta).
    #[inline]
    pub fn cut(&mut self, bound: u8, limit: f64, skipped: usize) {
        let node = self.at();
        if node == DROPPED || skipped == 0 {
            return;
        }
        let by = if self.last_left == DROPPED { -1 } else { self.last_left as i32 };
        self.now.cuts.push((node, by, bound, Num(limit), -1, skipped));
        self.now.events.push(node * 8 + CUT);
    }

    /// What gave the current node its value.
    #[inline]
    pub fn end(&mut self, end: End) {
        let node = self.at();
        if end == End::Table && node != DROPPED {
            self.now.events.push(node * 8 + HIT);
        }
        self.change(|visit| visit.end = end);
    }

    /// So many replies of the current node meet the opponent's threat.
    #[inline]
    pub fn forced(&mut self, replies: usize) {
        self.change(|visit| visit.forced = replies as u32);
    }

    /// So many moves of the current node are left out by late move pruning.
    #[inline]
    pub fn pruned(&mut self, moves: usize) {
        self.change(|visit| visit.pruned = moves as u32);
    }

    /// The tree of the last finished iteration (or of the unfinished first one), and all iterations.
    pub fn into_columns(self) -> (TreeColumns, Vec<Iteration>) {
        (self.finished.unwrap_or(self.now), self.iterations)
    }

    fn at(&self) -> u32 {
        self.line.last().copied().unwrap_or(DROPPED)
    }

    #[inline]
    fn change(&mut self, change: impl FnOnce(&mut Visit)) {
        let node = self.at();
        if let Some(visit) = self.now.visits.get_mut(node as usize) {
            change(visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_finished_iteration_is_kept() {
        let mut recorder = PvsRecorder::new(2);
        recorder.enter(4, f64::NEG_INFINITY, f64::INFINITY, Entered::Full, 1.0);
        recorder.leave(3.0);
        recorder.raise();
        recorder.finish_iteration(1, 3.0, 4, 1);
        for mv in [4, 5, 6] {
            recorder.enter(mv, 3.0, 4.0, Entered::Null, 1.5);
            recorder.end(End::Table);
            recorder.leave(2.0);
        }
        recorder.cut(1, 2.0, 7);
        recorder.finish_iteration(2, 2.0, 4, 3);
        recorder.enter(1, 0.0, 1.0, Entered::Reduced, 2.0);
        let (columns, iterations) = recorder.into_columns();
        assert_eq!(iterations, [(1, Num(3.0), 4, 1), (2, Num(2.0), 4, 3)]);
        assert_eq!((columns.nodes.len(), columns.visits.len(), columns.dropped), (3, 3, 1));
        assert_eq!(columns.nodes[0].value, 2.0);
        assert_eq!(
            columns.visits[2],
            Visit { entered: Entered::Null, end: End::Table, left: 1.5, forced: 0, pruned: 0 }
        );
        assert_eq!(columns.events, [8, 12, 9, 16, 20, 17, 3]);
        assert_eq!(columns.cuts, [(0, -1, 1, Num(2.0), -1, 7)], "the move that cut was not kept");
    }
}
