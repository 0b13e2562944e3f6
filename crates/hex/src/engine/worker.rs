//! One thread of the search: descend the tree, evaluate a leaf by the network or a playout, back up the result.
//!
//! The steps of [`Worker::iterate`] carry the names of the literature. All pruning is sound: it never changes who wins.

use super::features::{FeatureTables, MoveFeatures};
use super::heavy_playout::{HeavyPlayout, NO_CELL};
use super::network::{self, QuantizedNetwork, Workspace};
use super::observer::Observer;
use super::params::{Params, TREE_EFFORT};
use super::policy::Policy;
use super::select::{Selected, select};
use super::transpositions::{self, Transpositions};
use super::tree::{Estimate, NodeId, NodeState, ROOT, Tree};
use crate::bits::Bits;
use crate::pruning::{Analysis, Analyzer, Reduced};
use crate::stones::{Shape, Stones};
use game::Side;
use search::Rng;

/// Children that a node gets at first, the likeliest: a tree of all moves would fill its memory in seconds. The others
/// follow before anything is concluded from their absence (see [`Worker::expand_remaining`]).
const FIRST_CHILDREN: usize = 32;

/// What all threads of a search share.
pub(crate) struct SearchContext<'a, const W: usize> {
    pub(crate) shape: &'a Shape<W>,
    pub(crate) tables: &'a FeatureTables,
    pub(crate) policy: &'a Policy,
    pub(crate) network: Option<&'a QuantizedNetwork>,
    pub(crate) params: &'a Params,
    pub(crate) tree: &'a Tree<W>,
    pub(crate) transpositions: &'a Transpositions,
    pub(crate) start: SearchPosition<W>,
    /// Must the search end now? Asked within long analyses too.
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
}

/// A position of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchPosition<const W: usize> {
    pub(crate) stones: Stones<W>,
    pub(crate) to_move: Side,
    /// The opponent's last move and the one before it, or [`NO_CELL`].
    pub(crate) last: [usize; 2],
}

/// The state of one thread.
pub(crate) struct Worker<'a, const W: usize> {
    context: &'a SearchContext<'a, W>,
    analyzer: Analyzer<'a, W>,
    playout: HeavyPlayout<W>,
    /// The network's scratch space for black and for white to move.
    workspaces: [Workspace; 2],
    rng: Rng,
    shares_transpositions: bool,
    /// Hash of the root position.
    hash: u64,
    path: Vec<NodeId>,
    moves: Vec<(u16, Estimate)>,
    /// Longest path so far, in plies.
    pub(crate) deepest: u32,
}

impl<'a, const W: usize> Worker<'a, W> {
    pub(crate) fn new(context: &'a SearchContext<'a, W>, rng: Rng) -> Worker<'a, W> {
        let cells = context.shape.size().cells();
        Worker {
            context,
            analyzer: Analyzer::new(context.shape, TREE_EFFORT),
            playout: HeavyPlayout::new(context.shape).saving(context.params.bridges),
            workspaces: Side::BOTH
                .map(|side| Workspace::new(context.shape.size(), side, context.params.kernel)),
            rng,
            shares_transpositions: context.params.transpositions && context.network.is_some(),
            hash: transpositions::hash(&context.start.stones),
            path: Vec::with_capacity(cells + 1),
            moves: Vec::with_capacity(cells),
            deepest: 0,
        }
    }

    /// Gives the root all its children.
    pub(crate) fn expand_root(&mut self) {
        let SearchContext { tree, start, .. } = *self.context;
        let filled = tree.filled(ROOT).unwrap_or(start.stones);
        if tree.children(ROOT).is_empty() {
            self.expand(ROOT, &start, &filled, None);
        }
        self.expand_remaining(ROOT, &start, &self.context.shape.empty(&filled));
    }

    /// One visit: from the root to a leaf or a proved node, and back.
    pub(crate) fn iterate<O: Observer>(&mut self, observer: &mut O) {
        let SearchContext { tree, transpositions, start, params, .. } = *self.context;
        let mut now = start;
        // The stones with fill-in: playouts and connections use these, the network the real ones.
        let mut filled = start.stones;
        let mut hash = self.hash;
        self.path.clear();
        observer.start();
        let mut node = ROOT;
        // The result for the side to move at the end of the path.
        let result = loop {
            // Virtual loss (Chaslot et al. 2008): the visit counts before its result is known and looks like a loss until
            // then, which sends other threads elsewhere. One visit's worth: no constant to tune.
            let visits = tree.visit(node);
            self.path.push(node);
            let mut state = tree.state(node);

            // Must-play pruning and fill-in (Henderson 2010), once per node that proved important: virtual connections
            // prove the node, or leave fewer moves and fill dead and captured cells. `knowledge_visits` balances the few
            // milliseconds this takes against visits.
            if state == NodeState::Open && visits >= params.knowledge_visits && tree.claim_analysis(node) {
                self.analyze(node, &now, &filled);
                state = tree.state(node);
            }
            if let Some(stones) = tree.filled(node) {
                filled = stones;
            }

            // Expansion and evaluation of a leaf. Without a network only from `expand` visits on, as in MoHex.
            let mut leaf_value = None;
            if state == NodeState::Open && tree.children(node).is_empty() {
                let due = self.context.network.is_some() || visits >= params.expand || node == ROOT;
                let other = if self.shares_transpositions { transpositions.find(hash) } else { None };
                leaf_value = if due { self.expand(node, &now, &filled, other) } else { None };
                state = tree.state(node);
            }
            let children = tree.children(node);

            // Transposition sharing: the table names the most visited node of each position.
            if self.shares_transpositions && !children.is_empty() {
                match transpositions.find(hash) {
                    Some(other) if other == node || tree.count(other).visits >= visits => {}
                    _ => transpositions.insert(hash, node),
                }
            }
            if state == NodeState::Open && !children.is_empty() && leaf_value.is_none() {
                match select(tree, children, visits, params) {
                    Selected::Child(child) => {
                        if O::ON {
                            observer.select(self.path.len() - 1, tree, child, visits, params);
                        }
                        let cell = tree.cell(child);
                        now.stones.put(now.to_move, cell);
                        filled.put(now.to_move, cell);
                        hash ^= transpositions::stone(now.to_move, cell);
                        (now.to_move, now.last) = (now.to_move.other(), [cell, now.last[0]]);
                        node = child;
                        continue;
                    }
                    // Proof back-up (MCTS-Solver, Winands et al. 2008): one winning child decides; that all lose decides
                    // only once every move that may matter has a child.
                    Selected::Won => tree.set_state(node, NodeState::Lost),
                    Selected::Lost if tree.is_fully_expanded(node) => tree.set_state(node, NodeState::Won),
                    Selected::Lost => {
                        self.expand_remaining(node, &now, &self.context.shape.empty(&filled));
                    }
                }
                state = tree.state(node);
            }
            match state {
                NodeState::Won => break 0.0,
                NodeState::Lost => break 1.0,
                NodeState::Open | NodeState::Pruned => {}
            }
            break match leaf_value {
                Some(value) => value,
                None => self.play_out(&filled, &now),
            };
        };
        self.deepest = self.deepest.max(self.path.len() as u32 - 1);
        // Back-up. A node counts what the player who moved to it gets: the opponent of the side to move there.
        let mut mover = start.to_move.other();
        for &node in &self.path {
            tree.win(node, if mover == now.to_move { result } else { 1.0 - result });
            mover = mover.other();
        }
        if O::ON {
            let result = if now.to_move == start.to_move { result } else { 1.0 - result };
            observer.backed_up(tree, &self.path, result);
        }
    }

    /// A playout; 1 if the side to move wins.
    fn play_out(&mut self, stones: &Stones<W>, now: &SearchPosition<W>) -> f32 {
        let shape = self.context.shape;
        let black = self.playout.run(stones, shape.empty(stones), now.to_move, now.last[0], &mut self.rng);
        let winner = if shape.lattice().joins(Side::Black, &black) { Side::Black } else { Side::White };
        self.update_amaf(black, winner);
        f32::from(u8::from(winner == now.to_move))
    }

    /// All moves as first (AMAF): credits every child of the path whose cell its mover owned at the end. In Hex the order
    /// of moves does not matter to the final position, so this is less biased than in most games.
    fn update_amaf(&self, black: Bits<W>, winner: Side) {
        let tree = self.context.tree;
        let mut side = self.context.start.to_move;
        for &node in &self.path {
            let own = if side == Side::Black { black } else { !black };
            let won = winner == side;
            for child in tree.children(node) {
                if own.contains(tree.cell(child)) {
                    tree.add_rave(child, won);
                }
            }
            side = side.other();
        }
    }

    /// Gives a node children for the likeliest empty cells of `filled`. Returns the value of the position for the side to
    /// move, from the network or from `other`, a node of the same position; `None` without either.
    fn expand(
        &mut self,
        node: NodeId,
        now: &SearchPosition<W>,
        filled: &Stones<W>,
        other: Option<NodeId>,
    ) -> Option<f32> {
        let SearchContext { tree, shape, .. } = *self.context;
        if let Some(winner) = shape.winner(filled) {
            tree.set_state(node, if winner == now.to_move { NodeState::Lost } else { NodeState::Won });
            return None;
        }
        let copied = other.and_then(|other| self.copy_transposition(other, filled));
        let value = copied.or_else(|| self.evaluate(now, filled));
        let many = if value.is_some() { FIRST_CHILDREN.min(self.moves.len()) } else { self.moves.len() };
        self.moves.sort_by(|a, b| b.1.prior.total_cmp(&a.1.prior).then(a.0.cmp(&b.0)));
        tree.expand(node, &self.moves[..many]);
        if many == self.moves.len() && copied.is_none() {
            tree.set_fully_expanded(node);
        }
        value
    }

    /// Lists the moves of another node of the same position with the values found there, and returns that node's value
    /// for the side to move. Sound because a Hex position's value does not depend on the order of its moves.
    fn copy_transposition(&mut self, other: NodeId, filled: &Stones<W>) -> Option<f32> {
        let SearchContext { tree, shape, params, .. } = *self.context;
        let (empty, count) = (shape.empty(filled), tree.count(other));
        self.moves.clear();
        for child in tree.children(other).filter(|&child| empty.contains(tree.cell(child))) {
            let estimate = tree.estimate(child);
            let value = match tree.state(child) {
                NodeState::Won => 1.0,
                NodeState::Lost => 0.0,
                NodeState::Open | NodeState::Pruned => {
                    tree.count(child).mean(estimate.value, params.prior_visits)
                }
            };
            self.moves.push((tree.cell(child) as u16, Estimate { value, ..estimate }));
        }
        (!self.moves.is_empty() && count.visits > 0).then(|| 1.0 - count.wins / count.visits as f32)
    }

    /// Lists the empty cells of `filled` with priors and values. Returns the network's value of the position, if there is
    /// a network.
    fn evaluate(&mut self, now: &SearchPosition<W>, filled: &Stones<W>) -> Option<f32> {
        let SearchContext { shape, tables, policy, network, params, .. } = *self.context;
        self.moves.clear();
        self.moves.extend(shape.empty(filled).iter().map(|cell| (cell as u16, Estimate::default())));
        match network {
            Some(network) => {
                let workspace = &mut self.workspaces[now.to_move.index()];
                let logits = network.logits(workspace, shape.lattice(), (&now.stones, now.to_move));
                Some(network::estimate(logits, &mut self.moves, params.policy_temperature))
            }
            None => {
                self.playout.set(filled);
                let features = MoveFeatures::new(tables, &self.playout, filled, now.to_move, now.last);
                policy.priors(&features, &mut self.moves);
                None
            }
        }
    }

    /// Gives a node the children it did not get at first, for all `cells` that may matter.
    fn expand_remaining(&mut self, node: NodeId, now: &SearchPosition<W>, cells: &Bits<W>) {
        let tree = self.context.tree;
        let mut rest = *cells;
        tree.children(node).for_each(|child| rest.remove(tree.cell(child)));
        if !rest.is_empty() {
            self.evaluate(now, &now.stones);
            self.moves.retain(|row| rest.contains(row.0 as usize));
            if !tree.widen(node, &self.moves) {
                return;
            }
        }
        tree.set_fully_expanded(node);
    }

    /// Must-play pruning and fill-in of a node, or its proof.
    fn analyze(&mut self, node: NodeId, now: &SearchPosition<W>, filled: &Stones<W>) {
        let SearchContext { tree, shape, params, stop, .. } = *self.context;
        match self.analyzer.analyze_until(filled, now.to_move, stop) {
            Analysis::Won => tree.set_state(node, NodeState::Lost),
            Analysis::Lost => tree.set_state(node, NodeState::Won),
            Analysis::Open(reduced) => {
                let (keep, stones) = params.candidates(shape, filled, &reduced);
                if !tree.children(node).is_empty() {
                    self.expand_remaining(node, now, &keep);
                }
                prune(tree, node, &keep);
                tree.set_filled(node, &stones);
            }
        }
    }
}

impl Params {
    /// What an analysis leaves of some stones: the moves worth searching, and the stones with fill-in.
    pub(crate) fn candidates<const W: usize>(
        &self,
        shape: &Shape<W>,
        stones: &Stones<W>,
        reduced: &Reduced<W>,
    ) -> (Bits<W>, Stones<W>) {
        let stones = if self.fill_in { reduced.stones } else { *stones };
        let mut moves = Bits::EMPTY;
        reduced.moves.iter().for_each(|&cell| moves.insert(cell as usize));
        (if self.must_play { moves } else { shape.empty(&stones) }, stones)
    }
}

/// Prunes all children of a node but some.
pub(crate) fn prune<const W: usize>(tree: &Tree<W>, node: NodeId, keep: &Bits<W>) {
    for child in tree.children(node) {
        if !keep.contains(tree.cell(child)) {
            tree.set_state(child, NodeState::Pruned);
        }
    }
}

/// The last two stones of a board as [`SearchPosition::last`].
pub(crate) fn last_two(board: &crate::Board, to_move: Side) -> [usize; 2] {
    let mut stones = board.stones().rev();
    let mut next =
        |side: Side| stones.next().filter(|stone| stone.0 == side).map_or(NO_CELL, |stone| stone.1);
    [next(to_move.other()), next(to_move)]
}
