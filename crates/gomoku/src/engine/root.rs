//! Iterative deepening at the root: aspiration windows, several lines, and when to stop.

use super::observer::Observer;
use super::ordering::{Context, candidates, pick, push_scored};
use super::params::*;
use super::score::{INFINITE, MATE, MATE_BOUND, is_decided};
use super::techniques::Technique;
use super::worker::Worker;
use crate::threat::{Replies, forced_replies};
use crate::{Board, Class, Point, PointSet};
use ::game::Bound;
use ::search::theatre::Entered;
use std::sync::atomic::Ordering::Relaxed;

/// A move at the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) point: Point,
    /// The value of the last search, whatever its window.
    pub(super) value: i32,
    /// The value of this iteration where it is exact, for the order.
    rank: i32,
    /// What is published: the last value that says something about this move, and how it relates to the true one.
    /// A decided value is a proof.
    pub(super) known: Option<(i32, Bound)>,
    pub(super) nodes: u64,
    /// The principal variation, from the root on.
    pub(super) line: Vec<Point>,
}

impl RootMove {
    fn new(point: Point) -> RootMove {
        let line = vec![point];
        RootMove { point, value: 0, rank: -INFINITE, known: None, nodes: 0, line }
    }

    /// Takes the value of a search with this window. "At most a win" and "at least a loss" say nothing: what was
    /// known before is kept.
    fn update(&mut self, value: i32, alpha: i32, beta: i32) {
        self.value = value;
        let bound = match value {
            value if value <= alpha => Bound::Upper,
            value if value >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let says_nothing = match bound {
            Bound::Exact => false,
            Bound::Upper => value >= MATE_BOUND,
            Bound::Lower => value <= -MATE_BOUND,
        };
        if !says_nothing {
            self.known = Some((value, bound));
        }
    }
}

/// The moves at the root: those that are searched, and those far from everything, which are added only where all
/// others lose.
pub(super) struct RootMoves {
    pub(super) near: Vec<RootMove>,
    pub(super) far: Vec<RootMove>,
}

/// How a search went so far.
#[derive(Clone, Debug)]
pub(super) struct SearchProgress {
    pub(super) roots: Vec<RootMove>,
    /// Iterations completed.
    pub(super) depth: i32,
    pub(super) nodes: u64,
    pub(super) deepest: usize,
}

impl SearchProgress {
    /// The value of the best move.
    pub(super) fn value(&self) -> i32 {
        self.roots.first().map_or(0, |root| root.value)
    }
}

/// The root moves, best ordering score first: what can meet a threat, or what is near stones; of these, those
/// in `allowed`, or all of `allowed` where none is.
pub(super) fn root_moves<O: Observer>(worker: &mut Worker<'_, O>, allowed: &PointSet) -> RootMoves {
    let (board, side) = (&worker.board, worker.side);
    let mut exhaustive = true;
    let wanted = match forced_replies(board, side) {
        _ if board.count(side, Class::Five) > 0 => board.points_of(side, Class::Five).collect(),
        Replies::Forced { moves, .. } if !moves.is_empty() => moves.into_iter().collect(),
        _ => {
            exhaustive = false;
            candidates(board)
        }
    };
    let mut points = wanted.intersection(allowed);
    if board.stones() == 0 {
        (points, exhaustive) = (nearest_to_centre(board, allowed), true);
    } else if points.is_empty() {
        points = *allowed;
    }
    let far = if exhaustive { PointSet::EMPTY } else { allowed.difference(&points) };
    let mut scored = Vec::new();
    let context = Context { killers: [None; 2], last: None };
    let (history, network) = (&worker.memory.history, worker.accumulator.as_ref());
    push_scored(&mut scored, board, side, points.into_points(), history, &context, network);
    let mut near = Vec::new();
    while let Some(next) = pick(&mut scored, near.len()) {
        near.push(RootMove::new(next.point));
    }
    RootMoves { near, far: far.into_points().map(RootMove::new).collect() }
}

/// On an empty board only the centre is worth a search.
fn nearest_to_centre(board: &Board, allowed: &PointSet) -> PointSet {
    let middle = i32::from(board.size() / 2);
    let distance = |point: &Point| {
        let (row, col) = (i32::from(point.row()) - middle, i32::from(point.col()) - middle);
        row * row + col * col
    };
    allowed.iter().min_by_key(distance).into_iter().collect()
}

/// Iterative deepening until the limits are reached or nothing is left to find out. `report` is called after every
/// iteration. A helper stays `ahead` of the main thread's iteration, so that what it stores is deep enough to be used
/// there; two threads at the same depth search the same tree twice.
pub(super) fn deepen<O: Observer>(
    worker: &mut Worker<'_, O>,
    moves: RootMoves,
    lines: usize,
    ahead: i32,
    mut report: impl FnMut(&SearchProgress),
) -> SearchProgress {
    let RootMoves { near: mut roots, mut far } = moves;
    let lines = lines.clamp(1, roots.len().max(1));
    let limits = worker.limits;
    let mut completed = 0;
    let mut settled_since = None;
    let mut next = (1 + ahead).min(limits.depth);
    while next <= limits.depth {
        let depth = next;
        if worker.is_main {
            worker.shared.iteration.store(depth, Relaxed);
        }
        for root in &mut roots {
            root.rank = -INFINITE;
        }
        worker.observer.start_iteration(worker.nodes);
        for from in 0..lines {
            aspire(worker, &mut roots, from, depth);
            if worker.stopped {
                break;
            }
        }
        // A later line may turn out better than an earlier one, which was searched without its help.
        roots[..lines].sort_by_key(|root| std::cmp::Reverse(root.value));
        if worker.stopped {
            break;
        }
        completed = depth;
        next = match worker.is_main {
            true => depth + 1,
            false => (depth + 1).max((worker.shared.iteration.load(Relaxed) + ahead).min(limits.depth)),
        };
        worker.observer.finish_iteration(depth, roots[0].value, roots[0].point, worker.nodes);
        report(&SearchProgress { roots: roots.clone(), depth, nodes: worker.nodes, deepest: worker.deepest });
        if roots[0].value <= -MATE_BOUND && !far.is_empty() {
            // A loss is proved only when the points far from every stone lose as well.
            roots.append(&mut far);
            continue;
        }
        // In a game an only move is played at once; an analysis wants to know how good it is.
        let forced = roots.len() == 1 && depth >= 4 && limits.time.soft.is_some();
        let settled = roots[..lines].iter().all(|root| is_decided(root.value));
        if settled {
            let since = *settled_since.get_or_insert(depth);
            let plies = roots[..lines].iter().map(|root| MATE - root.value.abs()).max().unwrap_or(0);
            if depth >= plies || depth >= since + 4 {
                break;
            }
        } else {
            settled_since = None;
        }
        if forced || limits.time.is_enough(worker.watch) {
            break;
        }
    }
    SearchProgress { roots, depth: completed, nodes: worker.nodes, deepest: worker.deepest }
}

/// One line of one iteration: aspiration windows that widen until the value is inside.
fn aspire<O: Observer>(worker: &mut Worker<'_, O>, roots: &mut [RootMove], from: usize, depth: i32) {
    let guess = roots[from].value;
    let mut width = ASPIRATION;
    let (mut alpha, mut beta) = (-INFINITE, INFINITE);
    if depth > ASPIRATION_DEPTH && worker.uses(Technique::Aspiration) && !is_decided(guess) {
        (alpha, beta) = (guess - width, guess + width);
    }
    loop {
        let value = search_root(worker, &mut roots[from..], alpha, beta, depth * PLY);
        roots[from..].sort_by_key(|root| std::cmp::Reverse(root.rank));
        if worker.stopped {
            return;
        }
        if value == MATE - 1 {
            return;
        }
        width += width / 2 + value.abs() / 16;
        if value <= alpha && alpha > -INFINITE {
            beta = (alpha + beta) / 2;
            alpha = (value - width).max(-INFINITE);
        } else if value >= beta && beta < INFINITE {
            beta = (value + width).min(INFINITE);
        } else {
            return;
        }
        if is_decided(value) {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
    }
}

/// Searches all root moves once.
fn search_root<O: Observer>(
    worker: &mut Worker<'_, O>,
    roots: &mut [RootMove],
    mut alpha: i32,
    beta: i32,
    depth: i32,
) -> i32 {
    let mut best = -INFINITE;
    for root in roots.iter_mut() {
        root.rank = -INFINITE;
    }
    let many = roots.len();
    for (index, root) in roots.iter_mut().enumerate() {
        let before = worker.nodes;
        if worker.board.makes_five(root.point, worker.side) {
            root.update(MATE - 1, -INFINITE, INFINITE);
            root.rank = MATE - 1;
            return MATE - 1;
        }
        worker.enter(0, root.point);
        let child = depth - PLY;
        let mut value = 0;
        let mut full = index == 0;
        if !full {
            let reduction = if depth >= 2 * PLY && index > 1 {
                (worker.reduction(depth, index + 1) + LMR_PV).max(0)
            } else {
                0
            };
            let reduced = (child - reduction).max(PLY.min(child));
            worker.observer.next_is(if reduced < child { Entered::Reduced } else { Entered::Null });
            value = -worker.search::<false>(1, -alpha - 1, -alpha, reduced, true);
            if value > alpha && reduced < child {
                worker.observer.next_is(Entered::Again);
                value = -worker.search::<false>(1, -alpha - 1, -alpha, child, true);
            }
            full = value > alpha;
        }
        if full {
            value = -worker.search::<true>(1, -beta, -alpha, child, false);
        }
        worker.leave();
        root.nodes += worker.nodes - before;
        if worker.stopped {
            return best;
        }
        root.update(value, alpha, beta);
        if index == 0 || value > alpha {
            root.rank = value;
            root.line.truncate(1);
            root.line.extend_from_slice(worker.line(1));
        }
        if value > best {
            best = value;
            if value > alpha {
                worker.observer.raise();
            }
            alpha = alpha.max(value);
            if value >= beta {
                worker.observer.cut(0, beta, many - index - 1);
                break;
            }
        }
    }
    best
}
