//! One thread of the search: down the tree, a playout, and back up.

use super::features::{Outlook, Scene};
use super::net::{Network, View};
use super::params::{LOOK, Params};
use super::playout::{NOWHERE, Playout};
use super::policy::Policy;
use super::select::{Selected, select};
use super::tree::{NodeId, ROOT, Tree, Verdict};
use crate::bits::Bits;
use crate::solver::knowledge::{Looked, Looker};
use crate::stones::{Shape, Stones};
use game::Side;
use search::Rng;

/// What all threads of a search look at.
pub(super) struct Ground<'a, const W: usize> {
    pub(super) shape: &'a Shape<W>,
    pub(super) outlook: &'a Outlook,
    pub(super) policy: &'a Policy,
    pub(super) network: Option<&'a Network>,
    pub(super) params: &'a Params,
    pub(super) tree: &'a Tree<W>,
    pub(super) start: Start<W>,
}

/// The position at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start<const W: usize> {
    pub(super) stones: Stones<W>,
    pub(super) to_move: Side,
    /// The opponent's last move and the one before it, or [`NOWHERE`].
    pub(super) last: [usize; 2],
}

/// The memory of one thread.
pub(super) struct Worker<'a, const W: usize> {
    ground: &'a Ground<'a, W>,
    looker: Looker<'a, W>,
    playout: Playout<W>,
    /// What the network sees when black and when white is to move.
    views: [View; 2],
    rng: Rng,
    path: Vec<NodeId>,
    moves: Vec<(u16, f32)>,
    /// Longest path so far, in plies.
    pub(super) deepest: u32,
}

impl<'a, const W: usize> Worker<'a, W> {
    pub(super) fn new(ground: &'a Ground<'a, W>, rng: Rng) -> Worker<'a, W> {
        let cells = ground.shape.size().cells();
        Worker {
            ground,
            looker: Looker::new(ground.shape, LOOK),
            playout: Playout::new(ground.shape),
            views: Side::BOTH.map(|side| View::new(ground.shape.size(), side)),
            rng,
            path: Vec::with_capacity(cells + 1),
            moves: Vec::with_capacity(cells),
            deepest: 0,
        }
    }

    /// Gives the root its children.
    pub(super) fn open_root(&mut self) {
        let Ground { tree, start, .. } = *self.ground;
        let stones = tree.filled(ROOT).unwrap_or(start.stones);
        self.expand(ROOT, &stones, start.to_move, start.last);
        tree.claim_glance(ROOT);
        self.glance(ROOT, &Start { stones, ..start });
    }

    /// One playout, or one visit to a proved position.
    pub(super) fn iterate(&mut self) {
        let Ground { tree, start, shape, params, .. } = *self.ground;
        let Start { mut stones, mut to_move, mut last } = start;
        self.path.clear();
        let mut node = ROOT;
        let winner = loop {
            let visits = tree.visit(node);
            self.path.push(node);
            let mut verdict = tree.verdict(node);
            if verdict == Verdict::Open && visits >= params.know && tree.claim_look(node) {
                self.look(node, &stones, to_move);
                verdict = tree.verdict(node);
            }
            if let Some(filled) = tree.filled(node) {
                stones = filled;
            }
            if verdict == Verdict::Open
                && tree.children(node).is_empty()
                && (visits >= params.expand || node == ROOT)
            {
                self.expand(node, &stones, to_move, last);
                verdict = tree.verdict(node);
            }
            if verdict == Verdict::Open && visits >= params.net && tree.claim_glance(node) {
                self.glance(node, &Start { stones, to_move, last });
            }
            let children = tree.children(node);
            if verdict == Verdict::Open && !children.is_empty() {
                match select(tree, children, visits, params) {
                    Selected::Child(child) => {
                        let cell = tree.cell(child);
                        stones.put(to_move, cell);
                        (to_move, last) = (to_move.other(), [cell, last[0]]);
                        node = child;
                        continue;
                    }
                    Selected::Won => tree.settle(node, Verdict::Lost),
                    Selected::Lost => tree.settle(node, Verdict::Won),
                }
                verdict = tree.verdict(node);
            }
            match verdict {
                Verdict::Won => break to_move.other(),
                Verdict::Lost => break to_move,
                Verdict::Open | Verdict::Pruned => {}
            }
            let empty = shape.empty(&stones);
            let black = self.playout.run(&stones, empty, to_move, last[0], &mut self.rng);
            let winner = if shape.lattice().joins(Side::Black, &black) { Side::Black } else { Side::White };
            self.learn_amaf(black, winner);
            break winner;
        };
        self.deepest = self.deepest.max(self.path.len() as u32 - 1);
        // The mover to the root is the opponent of the side to move there.
        let mut mover = start.to_move.other();
        for &node in &self.path {
            if mover == winner {
                tree.win(node);
            }
            mover = mover.other();
        }
    }

    /// All moves as first: every child of the path whose cell its mover had in the end.
    fn learn_amaf(&self, black: Bits<W>, winner: Side) {
        let tree = self.ground.tree;
        let mut side = self.ground.start.to_move;
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

    fn expand(&mut self, node: NodeId, stones: &Stones<W>, to_move: Side, last: [usize; 2]) {
        let Ground { tree, shape, outlook, policy, .. } = *self.ground;
        if let Some(winner) = shape.winner(stones) {
            tree.settle(node, if winner == to_move { Verdict::Lost } else { Verdict::Won });
            return;
        }
        self.moves.clear();
        self.moves.extend(shape.empty(stones).iter().map(|cell| (cell as u16, 0.0)));
        self.playout.set(stones);
        let scene = Scene::new(outlook, &self.playout, stones, to_move, last);
        policy.priors(&scene, &mut self.moves);
        tree.expand(node, &self.moves);
    }

    /// Lets the network say what the moves are worth.
    fn glance(&mut self, node: NodeId, start: &Start<W>) {
        let Ground { tree, network: Some(network), .. } = *self.ground else { return };
        self.moves.clear();
        self.moves.extend(tree.children(node).map(|child| (tree.cell(child) as u16, 0.0)));
        network.priors(&mut self.views[start.to_move.index()], start, &mut self.moves);
        for (child, &(_, prior)) in tree.children(node).zip(&self.moves) {
            tree.set_prior(child, prior);
        }
    }

    /// Computes what connections and inferior cells say about a position.
    fn look(&mut self, node: NodeId, stones: &Stones<W>, to_move: Side) {
        let tree = self.ground.tree;
        match self.looker.look(stones, to_move) {
            Looked::Won => tree.settle(node, Verdict::Lost),
            Looked::Lost => tree.settle(node, Verdict::Won),
            Looked::Open(opened) => {
                let mut keep = Bits::<W>::EMPTY;
                opened.moves.iter().for_each(|&cell| keep.insert(cell as usize));
                prune(tree, node, &keep);
                tree.set_filled(node, &opened.stones);
            }
        }
    }
}

/// Leaves only some children of a node open.
pub(super) fn prune<const W: usize>(tree: &Tree<W>, node: NodeId, keep: &Bits<W>) {
    for child in tree.children(node) {
        if !keep.contains(tree.cell(child)) {
            tree.settle(child, Verdict::Pruned);
        }
    }
}

/// The last two stones of a board, as a [`Start`] wants them.
pub(super) fn last_two(board: &crate::Board, to_move: Side) -> [usize; 2] {
    let mut stones = board.stones().rev();
    let mut next =
        |side: Side| stones.next().filter(|stone| stone.0 == side).map_or(NOWHERE, |stone| stone.1);
    [next(to_move.other()), next(to_move)]
}
