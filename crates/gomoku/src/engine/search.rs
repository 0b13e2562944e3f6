//! The tree search: principal variation search with the reductions, prunings and extensions that suit a game
//! of threats. Each step carries the name it has in the literature; its number is in [`super::params`].
//!
//! A node first asks [`crate::threat`] whether the end is forced and which replies are; only then are moves
//! generated and ordered. Wins and losses are proofs: a node is scored as lost only after every legal move,
//! near or far, has been searched and lost, and no pruning below returns a decided score that was not proved.

use super::observer::Observer;
use super::ordering::{Context, ScoredMove, candidates, pick, push_scored};
use super::params::*;
use super::score::{INFINITE, MATE, MATE_BOUND, is_decided, loss_in, of_forced_end};
use super::techniques::Technique;
use super::transposition::Entry;
use super::worker::{MAX_PLY, StackEntry, Worker};
use crate::threat::{Replies, forced_end, forced_replies};
use crate::{Class, Point, PointSet};
use ::game::Bound;
use ::search::theatre::{End, Entered};

/// What does not change while the moves of a node are searched.
struct Node {
    ply: usize,
    /// Window and depth as the node was entered, after mate distance pruning and internal iterative reduction.
    beta: i32,
    depth: i32,
    /// Is a fail-high expected?
    cut: bool,
    /// Is the node on the principal variation, or was it in an earlier search?
    on_pv: bool,
    /// Does the opponent threaten five?
    must_block: bool,
    /// Has the evaluation risen since the side's last move?
    improving: bool,
    excluded: Option<Point>,
    found: Option<Entry>,
    hash_move: Option<Point>,
}

/// What becomes of a hash move tested for being singular.
enum Singular {
    Extend(i32),
    Return(i32),
}

impl<O: Observer> Worker<'_, O> {
    /// The value of the position at `ply` to the side to move, exact within (alpha, beta). `cut` says that a
    /// fail-high is expected.
    #[inline]
    pub(super) fn search<const PV: bool>(
        &mut self,
        ply: usize,
        alpha: i32,
        beta: i32,
        depth: i32,
        cut: bool,
    ) -> i32 {
        let (excluded, played) = (self.entry(ply).excluded, self.earlier(ply, 1).played);
        self.observer.enter(ply, played.filter(|_| excluded.is_none()), (alpha, beta), depth);
        let value = self.search_node::<PV>(ply, alpha, beta, depth, cut);
        self.observer.leave(ply, value);
        value
    }

    fn search_node<const PV: bool>(
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
        self.entry(ply).line.clear();
        self.deepest = self.deepest.max(ply);
        if self.board.is_full() {
            self.observer.end(End::Draw);
            return 0;
        }
        if let Some(end) = forced_end(&self.board, self.side) {
            self.observer.end(End::Forced);
            return of_forced_end(end, ply as i32);
        }
        if ply + 1 >= MAX_PLY {
            self.observer.end(End::Static);
            return self.evaluate();
        }
        let must_block = self.board.count(self.side.other(), Class::Five) > 0;
        if depth <= 0 {
            self.observer.end(End::Static);
            return match must_block {
                true => self.blocked_leaf(ply, alpha, beta),
                false => self.leaf(ply, alpha, beta),
            };
        }

        // Mate distance pruning: `forced_end` found neither a loss in two plies nor a win in three, so no score
        // here lies outside these limits.
        alpha = alpha.max(loss_in(ply as i32 + 2));
        beta = beta.min(MATE - ply as i32 - 3);
        if alpha >= beta {
            self.observer.end(End::MateDistance);
            return alpha;
        }

        // Transposition table cutoff. On the principal variation only proofs are taken over, so that lines stay
        // whole and a win once found is not lost again.
        let excluded = self.entry(ply).excluded;
        let key = self.board.hash(self.side) ^ excluded.map_or(0, exclusion_key);
        let found = self.shared.table.get(key, ply as i32);
        let on_pv = PV || found.is_some_and(|entry| entry.on_pv);
        if excluded.is_none() {
            self.entry(ply).on_pv = on_pv;
        }
        if let Some(entry) = found
            && (!PV || is_decided(entry.value))
            && entry.reaches(depth)
            && entry.cuts(alpha, beta)
        {
            self.observer.end(End::Table);
            return entry.value;
        }
        let hash_move = found.and_then(|entry| entry.best).filter(|point| self.board.is_empty(*point));

        self.entry(ply + 2).killers = [None; 2];
        let threatened = must_block || self.opponent_has_strong_four();
        let (eval, improving) = self.static_eval(ply, threatened, found);
        if !PV
            && !threatened
            && excluded.is_none()
            && let Some(value) = self.prune_node(ply, eval, improving, alpha, beta, depth)
        {
            return value;
        }
        // Internal iterative reduction (IIR): without a hash move the ordering is a guess, so the first visit is
        // made cheaper; the table then has a move for the next.
        if hash_move.is_none() && depth > 3 * PLY && !must_block && self.uses(Technique::Iir) {
            depth -= IIR_REDUCTION;
        }
        let node = Node { ply, beta, depth, cut, on_pv, must_block, improving, excluded, found, hash_move };
        let start = self.moves.len();
        let value = self.search_moves::<PV>(&node, alpha, start, key, threatened);
        self.moves.truncate(start);
        value
    }

    /// Searches the moves of a node and stores the result.
    fn search_moves<const PV: bool>(
        &mut self,
        node: &Node,
        mut alpha: i32,
        start: usize,
        key: u64,
        threatened: bool,
    ) -> i32 {
        let Node { ply, beta, must_block, excluded, .. } = *node;
        let side = self.side;
        let lost_in = self.generate_moves(node, start);
        let mut depth = node.depth;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0usize;
        let mut best_prior = i32::MIN;
        let mut failed: [Point; 32] = [Point::from_index(0); 32];
        let mut failures = 0;
        let forbids = self.board.rule().forbids(side);
        let mut next = start;
        let most = match self.uses(Technique::LateMovePruning) {
            true => late_move_limit(depth, node.improving),
            false => usize::MAX,
        };
        let mut widened = lost_in != 0;
        loop {
            let Some(scored) = pick(&mut self.moves, next) else {
                // A loss is proved only when the points far from every stone lose as well.
                if widened || best > -MATE_BOUND || number == 0 {
                    break;
                }
                widened = true;
                let far = self.board.empty_points().difference(&candidates(&self.board));
                self.push_moves(ply, far);
                continue;
            };
            next += 1;
            let point = scored.point;
            if Some(point) == excluded || forbids && self.board.forbidden(point).is_some() {
                continue;
            }
            number += 1;
            best_prior = best_prior.max(i32::from(scored.prior));
            // Late move pruning (LMP): with this much depth left a good move is among the first. Only once a move
            // that does not lose is known, so that no proof of a loss skips a defence.
            if best > -MATE_BOUND && !must_block && number > most {
                self.observer.pruned(self.moves.len() - next + 1);
                break;
            }
            let extension = match self.extension::<PV>(node, point, depth) {
                Singular::Extend(extension) => extension,
                Singular::Return(value) => {
                    self.observer.end(End::MultiCut);
                    return value;
                }
            };
            let child_depth = depth - PLY + extension;
            let behind = best_prior - i32::from(scored.prior);
            let value =
                self.search_move::<PV>(node, &scored, (number, behind), (alpha, best), (depth, child_depth));
            if self.stopped {
                return 0;
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(point);
                    self.observer.raise();
                    if PV {
                        self.extend_line(ply, point);
                    }
                    if value >= beta {
                        self.observer.cut(ply, beta, self.moves.len() - next);
                        break;
                    }
                    alpha = value;
                    // Alpha-raise reduction: after one move has raised alpha, another better one is unlikely, so the
                    // rest is verified less deeply.
                    if self.uses(Technique::AlphaRaiseReduction)
                        && depth > 2 * PLY
                        && depth < 12 * PLY
                        && !is_decided(value)
                    {
                        depth -= ALPHA_RAISE_REDUCTION;
                    }
                }
            }
            if best_move != Some(point) && failures < failed.len() {
                failed[failures] = point;
                failures += 1;
            }
        }

        if number == 0 {
            // Nothing meets the threat, or Black has forbidden points only.
            self.observer.end(End::Forced);
            return match (excluded, lost_in) {
                (Some(_), _) => alpha,
                (None, 0) => 0,
                (None, plies) => loss_in(ply as i32 + plies),
            };
        }
        if let Some(point) = best_move {
            self.learn(node, point, &failed[..failures], threatened);
        }
        if excluded.is_none() {
            let bound = match () {
                () if best >= beta => Bound::Lower,
                () if PV && best_move.is_some() => Bound::Exact,
                () => Bound::Upper,
            };
            let eval = self.entry(ply).eval;
            let entry =
                Entry { best: best_move, value: best, eval, depth: node.depth, bound, on_pv: node.on_pv };
            self.shared.table.put(key, entry, ply as i32);
        }
        best
    }

    /// Searches one move: late move reduction, null-window search, and the full window where PVS needs it.
    /// `number` counts the moves from 1; `behind` is its distance from the best ordering score.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        scored: &ScoredMove,
        (number, behind): (usize, i32),
        (alpha, best): (i32, i32),
        (depth, mut child_depth): (i32, i32),
    ) -> i32 {
        let Node { ply, beta, cut, must_block, .. } = *node;
        let attacks = self.board.class(scored.point, self.side) >= Class::Three;
        let history = self.memory.history.of(&self.board, scored.point, self.side);
        self.enter(ply, scored.point);
        let mut value = 0;
        let mut full = PV && number == 1;
        if depth >= 2 * PLY && number > 1 && !must_block && self.uses(Technique::Lmr) {
            // Late move reduction (LMR): a reduced null-window search; whatever beats alpha is searched again.
            let mut reduction = self.reduction(depth, number);
            if self.uses(Technique::OrderReduction) {
                let behind = (behind - ORDER_REDUCTION_MARGIN).max(0);
                reduction += (behind * ORDER_REDUCTION / 100).min(ORDER_REDUCTION_MAX);
            }
            reduction += i32::from(node.on_pv) * LMR_PV
                + i32::from(cut) * LMR_CUT_NODE
                + i32::from(!node.improving) * LMR_NOT_IMPROVING;
            if attacks && self.earlier(ply, 2).made.is_some_and(|made| made >= Class::Three) {
                reduction += LMR_ATTACK;
            }
            reduction -= history * PLY / LMR_HISTORY;
            let reduced = (child_depth - reduction.max(0)).max(PLY.min(child_depth));
            self.observer.next_is(if reduced < child_depth { Entered::Reduced } else { Entered::Null });
            value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, reduced, true);
            if value > alpha && reduced < child_depth {
                // Deeper re-search of a move that turned out far better than expected.
                child_depth += PLY / 2 * i32::from(value > best + 2 * ASPIRATION && best > -MATE_BOUND);
                self.observer.next_is(Entered::Again);
                value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, child_depth, !cut);
            }
            full = PV && value > alpha;
        } else if !full {
            self.observer.next_is(Entered::Null);
            value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, child_depth, !cut);
            full = PV && value > alpha;
        }
        if full {
            value = -self.search::<true>(ply + 1, -beta, -alpha, child_depth, false);
        }
        self.leave();
        value
    }

    /// The static evaluation of a node, and whether it has improved since the side's last move.
    fn static_eval(&mut self, ply: usize, threatened: bool, found: Option<Entry>) -> (i32, bool) {
        if threatened {
            // Under a threat the static value is meaningless; the one before it is the best guess.
            let eval = -self.earlier(ply, 1).eval;
            self.entry(ply).eval = eval;
            return (eval, false);
        }
        let pure = match found {
            Some(entry) => entry.eval,
            None => self.evaluate(),
        };
        self.entry(ply).eval = pure;
        let eval = match found {
            Some(entry) if entry.cuts(pure, pure + 1) => entry.value,
            _ => pure,
        };
        (eval, pure > self.earlier(ply, 2).eval)
    }

    /// Prunings of a whole node near the horizon, by its static evaluation.
    fn prune_node(
        &mut self,
        ply: usize,
        eval: i32,
        improving: bool,
        alpha: i32,
        beta: i32,
        depth: i32,
    ) -> Option<i32> {
        // Razoring: far below alpha only a VCF can help, and the leaf looks for one.
        if depth < RAZOR_DEPTH
            && self.uses(Technique::Razoring)
            && alpha < MATE_BOUND
            && eval + RAZOR_MARGIN + RAZOR_MARGIN_PLY * depth / PLY < alpha
        {
            self.observer.end(End::Razoring);
            return Some(self.leaf(ply, alpha, beta));
        }
        // Reverse futility pruning: far above beta a few plies rarely lose that much, unless an attack by fours
        // is under way. Never returns a decided score.
        let margin = FUTILITY_MARGIN_PLY * (depth - PLY * i32::from(improving)).max(0) / PLY;
        let prunes = depth < FUTILITY_DEPTH
            && self.uses(Technique::Futility)
            && eval < MATE_BOUND
            && beta > -MATE_BOUND
            && eval - margin >= beta
            && !self.attacks_by_fours(ply);
        if prunes {
            self.observer.end(End::Futility);
        }
        prunes.then_some(eval)
    }

    /// Generates the moves of a node onto the stack, the hash move first. Returns the distance of the loss that
    /// the replies have to avert, 0 where there is none.
    fn generate_moves(&mut self, node: &Node, start: usize) -> i32 {
        let lost_in = match forced_replies(&self.board, self.side) {
            Replies::Any => {
                self.push_moves(node.ply, candidates(&self.board));
                0
            }
            Replies::Forced { moves, lost_in } => {
                self.observer.forced(moves.len());
                self.push_moves(node.ply, moves.into_iter().collect());
                lost_in
            }
        };
        if let Some(hash_move) = node.hash_move
            && let Some(found) = self.moves[start..].iter_mut().find(|scored| scored.point == hash_move)
        {
            found.prefer();
        }
        lost_in
    }

    fn push_moves(&mut self, ply: usize, points: PointSet) {
        let context = match self.uses(Technique::Killers) {
            true => Context { killers: self.earlier(ply, 0).killers, last: self.earlier(ply, 1).played },
            false => Context { killers: [None; 2], last: None },
        };
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.apply_pending();
        }
        let (history, network) = (&self.memory.history, self.accumulator.as_ref());
        push_scored(
            &mut self.moves,
            &self.board,
            self.side,
            points.into_points(),
            history,
            &context,
            network,
        );
    }

    /// The extension of a move, or a value for the whole node.
    fn extension<const PV: bool>(&mut self, node: &Node, point: Point, depth: i32) -> Singular {
        // Four extension (the check extension of chess): blocks of a four are forced, so the pair costs no depth.
        if node.must_block {
            let extends = self.uses(Technique::FourExtension);
            return Singular::Extend(if extends { FOUR_EXTENSION } else { 0 });
        }
        // Singular extension: a hash move that all others fall short of, by a search without it, is extended.
        if node.hash_move == Some(point)
            && self.uses(Technique::SingularExtension)
            && node.excluded.is_none()
            && depth >= SINGULAR_DEPTH
            && let Some(entry) = node.found
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.depth >= depth - 3 * PLY
            && !is_decided(entry.value)
        {
            let target = entry.value - SINGULAR_MARGIN_PLY * depth / PLY;
            self.entry(node.ply).excluded = Some(point);
            self.observer.next_is(Entered::Singular);
            let value = self.search::<false>(node.ply, target - 1, target, depth / 2, node.cut);
            self.entry(node.ply).excluded = None;
            if self.stopped {
                return Singular::Return(0);
            }
            if value < target {
                // Double extension: the others are far behind.
                let double = !PV && value < target - DOUBLE_EXTENSION_MARGIN;
                return Singular::Extend(SINGULAR_EXTENSION[usize::from(double)]);
            }
            // Multi-cut: a second move reaches beta as well, so the node is expected to fail high anyway.
            if target >= node.beta {
                return Singular::Return(target);
            }
            // Negative extension: the hash move reaches beta, and so may others.
            if entry.value >= node.beta {
                return Singular::Extend(NEGATIVE_EXTENSION);
            }
        }
        Singular::Extend(0)
    }

    /// History, counter move and killers learn from the best move of a node.
    fn learn(&mut self, node: &Node, best: Point, failed: &[Point], threatened: bool) {
        let side = self.side;
        if !node.must_block && self.uses(Technique::History) {
            let last = self.earlier(node.ply, 1).played;
            self.memory.history.learn(&self.board, side, node.depth, best, failed, last);
        }
        let quiet = self.board.class(best, side) < Class::Three;
        let killers = &mut self.entry(node.ply).killers;
        if !threatened && killers[0] != Some(best) && quiet {
            *killers = [Some(best), killers[0]];
        }
    }

    fn opponent_has_strong_four(&self) -> bool {
        let other = self.side.other();
        self.board.count(other, Class::OpenFour) + self.board.count(other, Class::DoubleFour) > 0
    }

    /// Has the side to move made a four with each of its last two moves?
    fn attacks_by_fours(&self, ply: usize) -> bool {
        let four = |entry: &StackEntry| entry.made.is_some_and(|made| made >= Class::Four);
        four(self.earlier(ply, 2)) && four(self.earlier(ply, 4))
    }
}

/// How many moves are searched before late move pruning skips the rest.
fn late_move_limit(depth: i32, improving: bool) -> usize {
    let [base, linear, square] = LMP_COUNT;
    let plies = depth / PLY;
    let limit = (base + linear * plies + square * plies * plies) / 100;
    (if improving { limit } else { limit / 2 }).max(1) as usize
}

/// Positions searched without one move have a key of their own.
fn exclusion_key(point: Point) -> u64 {
    (point.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
