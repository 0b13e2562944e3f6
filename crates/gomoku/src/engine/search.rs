//! The tree search: principal-variation search with the reductions, prunings and extensions that suit a game
//! of threats.
//!
//! A node first asks [`super::threat`] whether its end is plain and which moves are forced; only then are
//! moves made and ordered. At depth zero a short search for a win by fours takes over. Wins and losses are
//! proved: no pruning applies before a move that does not lose is known.

use super::devices::{Device, Devices};
use super::eval::evaluate;
use super::ordering::{Context, History, Scored, candidates, pick, push_scored};
use super::params::*;
use super::threat::{Duty, can_make_four, duty, five_answers, plain_result};
use super::time::Budget;
use super::tt::{Bound, Entry, Table};
use super::vcf::{Failures, vcf};
use super::{INFINITE, MATE, MATE_BOUND, mated_in};
use crate::{Board, Class, Point};
use ::game::{Side, Watch};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Plies from the root at most.
pub(super) const MAX_PLY: usize = 200;
/// Frames before the root, so that a node can look two and four plies back.
const BEFORE: usize = 4;

/// What threads share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) stop: &'a AtomicBool,
    pub(super) devices: Devices,
}

/// What a thread remembers from one search to the next.
pub(super) struct Memory {
    pub(super) history: History,
    failures: Failures,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { history: History::new(), failures: Failures::new() }
    }
}

/// A node on the way from the root.
#[derive(Clone, Default)]
struct Frame {
    /// The move played here, and what it made.
    played: Option<Point>,
    made: Option<Class>,
    eval: i32,
    killers: [Option<Point>; 2],
    excluded: Option<Point>,
    on_pv: bool,
    line: Vec<Point>,
}

/// One thread's search.
pub(super) struct Worker<'a> {
    pub(super) board: Board,
    pub(super) side: Side,
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) budget: &'a Budget,
    pub(super) watch: &'a Watch,
    /// The first thread looks at the clock and the limits; the others only at the shared switch.
    pub(super) leads: bool,
    pub(super) nodes: u64,
    pub(super) deepest: usize,
    pub(super) stopped: bool,
    /// The node at which the clock is looked at again.
    next_look: u64,
    frames: Vec<Frame>,
    moves: Vec<Scored>,
    reductions: Vec<i32>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        board: Board,
        side: Side,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        budget: &'a Budget,
        watch: &'a Watch,
        leads: bool,
    ) -> Worker<'a> {
        let ln = |n: usize| ((n.max(1) as f64).ln() * 1000.0).round() as i32;
        Worker {
            board,
            side,
            shared,
            memory,
            budget,
            watch,
            leads,
            nodes: 0,
            deepest: 0,
            stopped: false,
            next_look: budget.interval,
            frames: vec![Frame::default(); MAX_PLY + BEFORE + 4],
            moves: Vec::with_capacity(4096),
            reductions: (0..512).map(ln).collect(),
        }
    }

    /// The line found below a node.
    pub(super) fn line(&self, ply: usize) -> &[Point] {
        &self.frames[ply + BEFORE].line
    }

    /// Notes the move about to be made at a node.
    pub(super) fn enter(&mut self, ply: usize, point: Point) {
        let made = self.board.class(point, self.side);
        let frame = &mut self.frames[ply + BEFORE];
        (frame.played, frame.made) = (Some(point), Some(made));
        self.shared.table.expect(self.board.hash_after(point, self.side));
        self.board.make(point, self.side);
        self.side = self.side.other();
    }

    pub(super) fn leave(&mut self) {
        self.board.undo();
        self.side = self.side.other();
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.leads && self.nodes >= self.budget.nodes {
            self.stop();
        }
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + self.budget.interval;
            if self.shared.stop.load(Relaxed) || self.leads && self.budget.is_spent(self.watch) {
                self.stop();
            }
        }
    }

    fn stop(&mut self) {
        self.stopped = true;
        if self.leads {
            self.shared.stop.store(true, Relaxed);
        }
    }

    #[inline]
    pub(super) fn has(&self, device: Device) -> bool {
        self.shared.devices.has(device)
    }

    /// The reduction of a late move, before what is special about it.
    pub(super) fn reduction(&self, depth: i32, number: usize) -> i32 {
        let ln = |n: usize| i64::from(self.reductions[n.min(511)]);
        let product = ln((depth / PLY).max(1) as usize) * ln(number);
        (product * REDUCTION as i64 / 1_000_000) as i32
    }

    /// The value of the position at `ply` to the side to move, exact within (alpha, beta). `cut` says that a
    /// value of at least beta is expected.
    pub(super) fn search<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        cut: bool,
    ) -> i32 {
        self.count_node();
        if self.stopped {
            return 0;
        }
        let at = ply + BEFORE;
        self.frames[at].line.clear();
        self.deepest = self.deepest.max(ply);
        let (side, other) = (self.side, self.side.other());
        if self.board.is_full() {
            return 0;
        }
        if let Some(value) = plain_result(&self.board, side, ply as i32) {
            return value;
        }
        if ply + 1 >= MAX_PLY {
            return evaluate(&self.board, side);
        }
        let must_block = self.board.count(other, Class::Five) > 0;
        if depth <= 0 {
            return if must_block {
                self.blocked_leaf(ply, alpha, beta)
            } else {
                self.leaf(ply, alpha, beta)
            };
        }
        alpha = alpha.max(mated_in(ply as i32 + 2));
        beta = beta.min(MATE - ply as i32 - 3);
        if alpha >= beta {
            return alpha;
        }

        let excluded = self.frames[at].excluded;
        let key = self.board.hash(side) ^ excluded.map_or(0, split_key);
        let found = self.shared.table.get(key, ply as i32);
        let on_pv = PV || found.is_some_and(|entry| entry.on_pv);
        if excluded.is_none() {
            self.frames[at].on_pv = on_pv;
        }
        // On the principal line only proofs are taken over, so that a win once found is not lost again.
        if let Some(entry) = found
            && (!PV || entry.value.abs() >= MATE_BOUND)
            && entry.depth >= depth
            && entry.bound.cuts(entry.value, beta)
        {
            return entry.value;
        }
        let hash_move = found.and_then(|entry| entry.best).filter(|point| self.board.is_empty(*point));

        self.frames[at + 2].killers = [None; 2];
        let pressed = must_block
            || self.board.count(other, Class::OpenFour) + self.board.count(other, Class::DoubleFour) > 0;
        let (eval, improving) = if pressed {
            // Under a threat the static value is meaningless; the one before it is the best guess.
            self.frames[at].eval = -self.frames[at - 1].eval;
            (self.frames[at].eval, false)
        } else {
            let pure = found.map_or_else(|| evaluate(&self.board, side), |entry| entry.eval);
            self.frames[at].eval = pure;
            let eval = match found {
                Some(entry) if entry.bound != Bound::None && entry.bound.cuts(entry.value, pure + 1) => {
                    entry.value
                }
                _ => pure,
            };
            (eval, pure > self.frames[at - 2].eval)
        };

        if !PV && !pressed && excluded.is_none() {
            if depth < RAZOR_DEPTH
                && self.has(Device::Razoring)
                && alpha < MATE_BOUND
                && eval + RAZOR_MARGIN + RAZOR_MARGIN_PLY * depth / PLY < alpha
            {
                return self.leaf(ply, alpha, beta);
            }
            let margin = FUTILITY_MARGIN_PLY * (depth - PLY * i32::from(improving)).max(0) / PLY;
            if depth < FUTILITY_DEPTH
                && self.has(Device::Futility)
                && eval < MATE_BOUND
                && beta > -MATE_BOUND
                && eval - margin >= beta
                && !self.attacks_on(at)
            {
                return eval;
            }
        }
        if hash_move.is_none() && depth > 3 * PLY && !must_block && self.has(Device::Unknown) {
            depth -= UNKNOWN_REDUCTION;
        }

        let duty = duty(&self.board, side);
        let start = self.moves.len();
        let context = match self.has(Device::Killers) {
            true => Context { killers: self.frames[at].killers, last: self.frames[at - 1].played },
            false => Context { killers: [None; 2], last: None },
        };
        let lost_in = match &duty {
            Duty::Free => {
                let points = candidates(&self.board);
                let history = &self.memory.history;
                push_scored(&mut self.moves, &self.board, side, points.into_points(), history, &context);
                0
            }
            Duty::Answer { moves, lost_in } => {
                let history = &self.memory.history;
                let points = moves.iter().copied();
                push_scored(&mut self.moves, &self.board, side, points, history, &context);
                *lost_in
            }
        };
        if let Some(hash_move) = hash_move {
            // The hash move comes first, and only if it is among the moves at all.
            if let Some(index) = self.moves[start..].iter().position(|scored| scored.point == hash_move) {
                self.moves[start + index].prefer();
            }
        }

        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0usize;
        let mut best_promise = i32::MIN;
        let mut failed: [Point; 32] = [Point::from_index(0); 32];
        let mut failures = 0;
        let forbids = self.board.rule().forbids(side);
        let mut next = start;
        let full_depth = depth;
        let most = if self.has(Device::MoveCount) { self.move_limit(depth, improving) } else { usize::MAX };
        let mut widened = lost_in != 0;
        loop {
            let Some(scored) = pick(&mut self.moves, next) else {
                // A loss is proved only when the far points, which nobody thinks of, lose as well.
                if widened || best > -MATE_BOUND || number == 0 {
                    break;
                }
                widened = true;
                let far = self.board.empty_points().difference(&candidates(&self.board));
                let history = &self.memory.history;
                push_scored(&mut self.moves, &self.board, side, far.into_points(), history, &context);
                continue;
            };
            next += 1;
            let point = scored.point;
            if Some(point) == excluded || forbids && self.board.forbidden(point).is_some() {
                continue;
            }
            number += 1;
            best_promise = best_promise.max(i32::from(scored.promise));
            let made = self.board.class(point, side);
            let attacks = made >= Class::Three;
            let is_hash = hash_move == Some(point);
            if best > -MATE_BOUND && !must_block && number > most {
                break;
            }

            let mut extension = 0;
            if must_block {
                extension = if self.has(Device::Extension) { EXTENSION_FIVE } else { 0 };
            } else if is_hash
                && self.has(Device::Singular)
                && excluded.is_none()
                && depth >= SINGULAR_DEPTH
                && let Some(entry) = found
                && matches!(entry.bound, Bound::Lower | Bound::Exact)
                && entry.depth >= depth - 3 * PLY
                && entry.value.abs() < MATE_BOUND
            {
                let target = entry.value - SINGULAR_MARGIN_PLY * depth / PLY;
                self.frames[at].excluded = Some(point);
                let value = self.search::<false>(ply, target - 1, target, depth / 2, cut);
                self.frames[at].excluded = None;
                if self.stopped {
                    self.moves.truncate(start);
                    return 0;
                }
                if value < target {
                    let lonely = !PV && value < target - SINGULAR_LONELY;
                    extension = SINGULAR_EXTENSION[usize::from(lonely)];
                } else if target >= beta {
                    self.moves.truncate(start);
                    return target;
                } else if entry.value >= beta {
                    extension = SINGULAR_REDUCTION;
                }
            }

            let mut child_depth = depth - PLY + extension;
            let experience = self.memory.history.of(&self.board, point, side);
            self.enter(ply, point);
            let mut value = 0;
            let mut full = PV && number == 1;
            if depth >= 2 * PLY && number > 1 && !must_block && self.has(Device::Reduction) {
                let mut reduction = self.reduction(depth, number);
                let behind = best_promise - i32::from(scored.promise) - PROMISE_FREE;
                if self.has(Device::Promise) {
                    reduction += (behind.max(0) * REDUCTION_PROMISE / 100).min(PROMISE_MOST);
                }
                reduction += i32::from(on_pv) * REDUCTION_PV
                    + i32::from(cut) * REDUCTION_CUT
                    + i32::from(!improving) * REDUCTION_STALE;
                if attacks && self.frames[at - 2].made.is_some_and(|made| made >= Class::Three) {
                    reduction += REDUCTION_ATTACK;
                }
                reduction -= experience * PLY / REDUCTION_HISTORY;
                let reduced = (child_depth - reduction.max(0)).max(PLY.min(child_depth));
                value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, reduced, true);
                if value > alpha && reduced < child_depth {
                    child_depth += PLY / 2 * i32::from(value > best + 2 * ASPIRATION && best > -MATE_BOUND);
                    value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, child_depth, !cut);
                }
                full = PV && value > alpha;
            } else if !full {
                value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, child_depth, !cut);
                full = PV && value > alpha;
            }
            if full {
                value = -self.search::<true>(ply + 1, -beta, -alpha, child_depth, false);
            }
            self.leave();
            if self.stopped {
                self.moves.truncate(start);
                return 0;
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(point);
                    if PV {
                        self.extend_line(at, point);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                    if self.has(Device::Raised)
                        && depth > 2 * PLY
                        && depth < 12 * PLY
                        && value.abs() < MATE_BOUND
                    {
                        depth -= REDUCTION_RAISED;
                    }
                }
            }
            if best_move != Some(point) && failures < failed.len() {
                failed[failures] = point;
                failures += 1;
            }
        }
        self.moves.truncate(start);

        if number == 0 {
            // Nothing answers the threat, or Black has forbidden points only.
            return match (excluded, lost_in) {
                (Some(_), _) => alpha,
                (None, 0) => 0,
                (None, plies) => mated_in(ply as i32 + plies),
            };
        }
        if let Some(point) = best_move {
            if !must_block && self.has(Device::History) {
                let last = self.frames[at - 1].played;
                let failed = &failed[..failures];
                self.memory.history.learn(&self.board, side, full_depth, point, failed, last);
            }
            let killers = &mut self.frames[at].killers;
            if !pressed && killers[0] != Some(point) && self.board.class(point, side) < Class::Three {
                *killers = [Some(point), killers[0]];
            }
        }
        if excluded.is_none() {
            let bound = match () {
                () if best >= beta => Bound::Lower,
                () if PV && best_move.is_some() => Bound::Exact,
                () => Bound::Upper,
            };
            let eval = self.frames[at].eval;
            let entry = Entry { best: best_move, value: best, eval, depth: full_depth, bound, on_pv };
            self.shared.table.put(key, entry, ply as i32);
        }
        best
    }

    /// Has the side to move made a four with each of its last two moves? Then it is after something.
    fn attacks_on(&self, at: usize) -> bool {
        let four = |frame: &Frame| frame.made.is_some_and(|made| made >= Class::Four);
        four(&self.frames[at - 2]) && four(&self.frames[at - 4])
    }

    /// How many moves are searched before the rest is skipped.
    fn move_limit(&self, depth: i32, improving: bool) -> usize {
        let [base, linear, square] = MOVE_COUNT;
        let plies = depth / PLY;
        let limit = (base + linear * plies + square * plies * plies) / 100;
        (if improving { limit } else { limit / 2 }).max(1) as usize
    }

    /// The line of a node becomes `point` and the line below it.
    fn extend_line(&mut self, at: usize, point: Point) {
        let (above, below) = self.frames.split_at_mut(at + 1);
        let line = &mut above[at].line;
        line.clear();
        line.push(point);
        line.extend_from_slice(&below[0].line);
    }

    /// Depth zero with a four to answer: the answer is played, and then it is a leaf.
    fn blocked_leaf(&mut self, ply: usize, alpha: i32, beta: i32) -> i32 {
        let mut best = mated_in(ply as i32 + 2);
        for answer in five_answers(&self.board, self.side.other()) {
            if self.side == Side::Black && self.board.forbidden(answer).is_some() {
                continue;
            }
            self.enter(ply, answer);
            let value = match plain_result(&self.board, self.side, ply as i32 + 1) {
                Some(value) => -value,
                None if self.board.count(self.side.other(), Class::Five) > 0 => {
                    -evaluate(&self.board, self.side)
                }
                None => -self.leaf(ply + 1, -beta, -alpha),
            };
            self.leave();
            best = best.max(value);
        }
        best
    }

    /// Depth zero: the evaluation, or a win by fours.
    fn leaf(&mut self, ply: usize, alpha: i32, beta: i32) -> i32 {
        let side = self.side;
        let key = self.board.hash(side);
        let found = self.shared.table.get(key, ply as i32);
        if let Some(entry) = found
            && entry.bound.cuts(entry.value, beta)
            && entry.depth >= 0
        {
            return entry.value;
        }
        let eval = evaluate(&self.board, side);
        if eval >= beta
            || !can_make_four(&self.board, side)
            || alpha >= MATE_BOUND
            || !self.has(Device::LeafVcf)
        {
            return eval;
        }
        let mut budget = LEAF_VCF_NODES;
        let win = vcf(&mut self.board, side, &mut self.memory.failures, &mut budget);
        self.nodes += u64::from(LEAF_VCF_NODES - budget);
        let (value, bound) = match win {
            Some(plies) => (MATE - ply as i32 - plies, Bound::Lower),
            None => (eval, Bound::Exact),
        };
        let depth = if win.is_some() { 100 * PLY } else { 0 };
        let entry = Entry { best: None, value, eval, depth, bound, on_pv: false };
        self.shared.table.put(key, entry, ply as i32);
        value
    }
}

/// Positions searched without one move have a key of their own.
fn split_key(point: Point) -> u64 {
    (point.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
