//! One thread's search state: the board, the search stack, node counting and stopping.

use super::evaluation;
use super::leaf_vcf::Refuted;
use super::observer::Observer;
use super::ordering::{History, ScoredMove};
use super::params::{LMR_SCALE, PLY};
use super::techniques::{Technique, Techniques};
use super::time::SearchLimits;
use super::transposition::TranspositionTable;
use crate::network::{Accumulator, Network};
use crate::{Board, Class, Point};
use ::game::{Side, Watch};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};

/// Plies from the root at most.
pub(super) const MAX_PLY: usize = 200;
/// Stack entries before the root, so that a node can look two and four plies back.
const BEFORE: usize = 4;

/// What threads share.
pub(super) struct SharedState<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) stop: &'a AtomicBool,
    /// The iteration that the main thread is in.
    pub(super) iteration: AtomicI32,
    pub(super) techniques: Techniques,
    /// Evaluates and orders moves instead of the shapes.
    pub(super) network: Option<&'a Network>,
}

/// What a thread remembers from one search to the next.
pub(super) struct ThreadMemory {
    pub(super) history: History,
    pub(super) refuted: Refuted,
}

impl ThreadMemory {
    pub(super) fn new() -> ThreadMemory {
        ThreadMemory { history: History::new(), refuted: Refuted::new() }
    }
}

/// A node on the path from the root.
#[derive(Clone, Default)]
pub(super) struct StackEntry {
    /// The move played here, and the class it had.
    pub(super) played: Option<Point>,
    pub(super) made: Option<Class>,
    pub(super) eval: i32,
    pub(super) killers: [Option<Point>; 2],
    /// The move left out by a singular-extension search.
    pub(super) excluded: Option<Point>,
    pub(super) on_pv: bool,
    /// The principal variation below this node (a row of the triangular PV table).
    pub(super) line: Vec<Point>,
}

/// One thread's search.
pub(super) struct Worker<'a, O = ()> {
    pub(super) board: Board,
    pub(super) side: Side,
    pub(super) shared: &'a SharedState<'a>,
    pub(super) memory: &'a mut ThreadMemory,
    pub(super) limits: &'a SearchLimits,
    pub(super) watch: &'a Watch,
    /// The main thread checks the clock and the limits; the others only the shared stop flag.
    pub(super) is_main: bool,
    pub(super) nodes: u64,
    pub(super) deepest: usize,
    pub(super) stopped: bool,
    /// The node count at which the clock is checked again.
    next_check: u64,
    stack: Vec<StackEntry>,
    /// The move lists of all nodes on the path, one after the other.
    pub(super) moves: Vec<ScoredMove>,
    /// 1000 ln(n), rounded.
    logarithms: Vec<i32>,
    /// The network's state for `board`.
    pub(super) accumulator: Option<Accumulator<'a>>,
    /// Sees every node; `()` in play.
    pub(super) observer: O,
}

impl<'a, O: Observer> Worker<'a, O> {
    pub(super) fn new(
        (board, side): (Board, Side),
        shared: &'a SharedState<'a>,
        memory: &'a mut ThreadMemory,
        limits: &'a SearchLimits,
        watch: &'a Watch,
        is_main: bool,
        observer: O,
    ) -> Worker<'a, O> {
        let ln = |n: usize| ((n.max(1) as f64).ln() * 1000.0).round() as i32;
        let accumulator = shared.network.map(|network| Accumulator::new(network, &board));
        Worker {
            accumulator,
            board,
            side,
            shared,
            memory,
            limits,
            watch,
            is_main,
            nodes: 0,
            deepest: 0,
            stopped: false,
            next_check: limits.check_interval,
            stack: vec![StackEntry::default(); MAX_PLY + BEFORE + 4],
            moves: Vec::with_capacity(4096),
            logarithms: (0..512).map(ln).collect(),
            observer,
        }
    }

    /// The stack entry of a ply.
    #[inline]
    pub(super) fn entry(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[ply + BEFORE]
    }

    /// The stack entry `back` plies before `ply`, up to four before the root.
    #[inline]
    pub(super) fn earlier(&self, ply: usize, back: usize) -> &StackEntry {
        &self.stack[ply + BEFORE - back]
    }

    /// The principal variation found below a node.
    pub(super) fn line(&self, ply: usize) -> &[Point] {
        &self.earlier(ply, 0).line
    }

    /// The principal variation of a node becomes `point` and that of its child.
    pub(super) fn extend_line(&mut self, ply: usize, point: Point) {
        let (above, below) = self.stack.split_at_mut(ply + BEFORE + 1);
        let line = &mut above[ply + BEFORE].line;
        line.clear();
        line.push(point);
        line.extend_from_slice(&below[0].line);
    }

    /// Plays a move at a node.
    pub(super) fn enter(&mut self, ply: usize, point: Point) {
        let made = self.board.class(point, self.side);
        let entry = self.entry(ply);
        (entry.played, entry.made) = (Some(point), Some(made));
        self.shared.table.prefetch(self.board.hash_after(point, self.side));
        self.board.make(point, self.side);
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.make(point, self.side);
        }
        self.side = self.side.other();
    }

    /// Takes back the move of [`Worker::enter`].
    pub(super) fn leave(&mut self) {
        self.board.undo();
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.undo();
        }
        self.side = self.side.other();
    }

    /// The static value of the position for the side to move.
    pub(super) fn evaluate(&mut self) -> i32 {
        match &mut self.accumulator {
            Some(accumulator) => evaluation::of_logit(accumulator.value(&self.board, self.side)),
            None => evaluation::evaluate(&self.board, self.side),
        }
    }

    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if self.is_main && self.nodes >= self.limits.nodes {
            self.stop();
        }
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + self.limits.check_interval;
            if self.shared.stop.load(Relaxed) || self.is_main && self.limits.time.is_over(self.watch) {
                self.stop();
            }
        }
    }

    fn stop(&mut self) {
        self.stopped = true;
        if self.is_main {
            self.shared.stop.store(true, Relaxed);
        }
    }

    #[inline]
    pub(super) fn uses(&self, technique: Technique) -> bool {
        self.shared.techniques.uses(technique)
    }

    /// The basic late move reduction: proportional to ln(depth) * ln(move number).
    pub(super) fn reduction(&self, depth: i32, number: usize) -> i32 {
        let ln = |n: usize| i64::from(self.logarithms[n.min(511)]);
        let product = ln((depth / PLY).max(1) as usize) * ln(number);
        (product * LMR_SCALE as i64 / 1_000_000) as i32
    }
}
