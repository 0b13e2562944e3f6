//! One thread of the search: down the tree, the network's word or a playout, and back up.

use super::features::{Outlook, Scene};
use super::net::{self, Judge, Sight};
use super::params::{LOOK, Params};
use super::playout::{NOWHERE, Playout};
use super::policy::Policy;
use super::select::{Selected, select};
use super::tree::{Guess, NodeId, ROOT, Tree, Verdict};
use super::twins::{self, Twins};
use crate::bits::Bits;
use crate::solver::knowledge::{Looked, Looker, Opened};
use crate::stones::{Shape, Stones};
use game::Side;
use search::Rng;

/// Children that a node gets at first.
const LIKELY: usize = 32;

/// What all threads of a search look at.
pub(super) struct Ground<'a, const W: usize> {
    pub(super) shape: &'a Shape<W>,
    pub(super) outlook: &'a Outlook,
    pub(super) policy: &'a Policy,
    pub(super) network: Option<&'a Judge>,
    pub(super) params: &'a Params,
    pub(super) tree: &'a Tree<W>,
    pub(super) twins: &'a Twins,
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
    sights: [Sight; 2],
    rng: Rng,
    /// Whether nodes of the same position learn from each other.
    meets_twins: bool,
    /// Of the position at the root.
    hash: u64,
    path: Vec<NodeId>,
    moves: Vec<(u16, Guess)>,
    /// Longest path so far, in plies.
    pub(super) deepest: u32,
}

impl<'a, const W: usize> Worker<'a, W> {
    pub(super) fn new(ground: &'a Ground<'a, W>, rng: Rng) -> Worker<'a, W> {
        let cells = ground.shape.size().cells();
        Worker {
            ground,
            looker: Looker::new(ground.shape, LOOK),
            playout: Playout::new(ground.shape).saving(ground.params.bridges),
            sights: Side::BOTH.map(|side| Sight::new(ground.shape.size(), side)),
            rng,
            meets_twins: ground.params.twins && ground.network.is_some(),
            hash: twins::hash(&ground.start.stones),
            path: Vec::with_capacity(cells + 1),
            moves: Vec::with_capacity(cells),
            deepest: 0,
        }
    }

    /// Gives the root its children.
    pub(super) fn open_root(&mut self) {
        let Ground { tree, start, .. } = *self.ground;
        let open = tree.filled(ROOT).unwrap_or(start.stones);
        if tree.children(ROOT).is_empty() {
            self.expand(ROOT, &start, &open, None);
        }
        self.complete(ROOT, &start, &self.ground.shape.empty(&open));
    }

    /// One visit to a leaf, or to a proved position.
    pub(super) fn iterate(&mut self) {
        let Ground { tree, twins, start, params, .. } = *self.ground;
        let mut now = start;
        // The stones with what is filled in: playouts and connections see these, the network the real ones.
        let mut filled = start.stones;
        let mut hash = self.hash;
        self.path.clear();
        let mut node = ROOT;
        // What the side to move at the end of the path gets.
        let share = loop {
            let visits = tree.visit(node);
            self.path.push(node);
            let mut verdict = tree.verdict(node);
            if verdict == Verdict::Open && visits >= params.know && tree.claim_look(node) {
                self.look(node, &now, &filled);
                verdict = tree.verdict(node);
            }
            if let Some(stones) = tree.filled(node) {
                filled = stones;
            }
            let mut word = None;
            if verdict == Verdict::Open && tree.children(node).is_empty() {
                let due = self.ground.network.is_some() || visits >= params.expand || node == ROOT;
                let twin = if self.meets_twins { twins.find(hash) } else { None };
                word = if due { self.expand(node, &now, &filled, twin) } else { None };
                verdict = tree.verdict(node);
            }
            let children = tree.children(node);
            if self.meets_twins && !children.is_empty() {
                match twins.find(hash) {
                    Some(twin) if twin == node || tree.count(twin).visits >= visits => {}
                    _ => twins.note(hash, node),
                }
            }
            if verdict == Verdict::Open && !children.is_empty() && word.is_none() {
                match select(tree, children, visits, params) {
                    Selected::Child(child) => {
                        let cell = tree.cell(child);
                        now.stones.put(now.to_move, cell);
                        filled.put(now.to_move, cell);
                        hash ^= twins::stone(now.to_move, cell);
                        (now.to_move, now.last) = (now.to_move.other(), [cell, now.last[0]]);
                        node = child;
                        continue;
                    }
                    Selected::Won => tree.settle(node, Verdict::Lost),
                    Selected::Lost if tree.is_complete(node) => tree.settle(node, Verdict::Won),
                    Selected::Lost => self.complete(node, &now, &self.ground.shape.empty(&filled)),
                }
                verdict = tree.verdict(node);
            }
            match verdict {
                Verdict::Won => break 0.0,
                Verdict::Lost => break 1.0,
                Verdict::Open | Verdict::Pruned => {}
            }
            break match word {
                Some(word) => word,
                None => self.play_out(&filled, &now),
            };
        };
        self.deepest = self.deepest.max(self.path.len() as u32 - 1);
        // A node counts what its mover gets: the opponent of the side to move there.
        let mut mover = start.to_move.other();
        for &node in &self.path {
            tree.win(node, if mover == now.to_move { share } else { 1.0 - share });
            mover = mover.other();
        }
    }

    /// Plays to the end; 1 if the side to move wins.
    fn play_out(&mut self, stones: &Stones<W>, now: &Start<W>) -> f32 {
        let shape = self.ground.shape;
        let black = self.playout.run(stones, shape.empty(stones), now.to_move, now.last[0], &mut self.rng);
        let winner = if shape.lattice().joins(Side::Black, &black) { Side::Black } else { Side::White };
        self.learn_amaf(black, winner);
        f32::from(u8::from(winner == now.to_move))
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

    /// Gives a node children for the empty cells of `open`. Returns what the network thinks of the position, or what was found
    /// at a node of the same position; if neither knows of it, nothing.
    fn expand(
        &mut self,
        node: NodeId,
        now: &Start<W>,
        open: &Stones<W>,
        twin: Option<NodeId>,
    ) -> Option<f32> {
        let Ground { tree, shape, .. } = *self.ground;
        if let Some(winner) = shape.winner(open) {
            tree.settle(node, if winner == now.to_move { Verdict::Lost } else { Verdict::Won });
            return None;
        }
        let known = twin.and_then(|twin| self.recall(twin, open));
        let word = known.or_else(|| self.guess(now, open));
        // The unlikely ones have to wait: a tree of all moves is full in seconds.
        let many = if word.is_some() { LIKELY.min(self.moves.len()) } else { self.moves.len() };
        self.moves.sort_by(|a, b| b.1.prior.total_cmp(&a.1.prior).then(a.0.cmp(&b.0)));
        tree.expand(node, &self.moves[..many]);
        if many == self.moves.len() && known.is_none() {
            tree.set_complete(node);
        }
        word
    }

    /// Lists what a node of the same position knows of its moves, and returns what it is worth to the side to move.
    fn recall(&mut self, twin: NodeId, open: &Stones<W>) -> Option<f32> {
        let Ground { tree, shape, params, .. } = *self.ground;
        let (empty, count) = (shape.empty(open), tree.count(twin));
        self.moves.clear();
        for child in tree.children(twin).filter(|&child| empty.contains(tree.cell(child))) {
            let guess = tree.guess(child);
            let chance = match tree.verdict(child) {
                Verdict::Won => 1.0,
                Verdict::Lost => 0.0,
                Verdict::Open | Verdict::Pruned => tree.count(child).mean(guess.chance, params.trust),
            };
            self.moves.push((tree.cell(child) as u16, Guess { chance, ..guess }));
        }
        (!self.moves.is_empty() && count.visits > 0).then(|| 1.0 - count.wins / count.visits as f32)
    }

    /// Lists the empty cells of `open` with what is guessed of them. Returns the network's word on the position, if it has one.
    fn guess(&mut self, now: &Start<W>, open: &Stones<W>) -> Option<f32> {
        let Ground { shape, outlook, policy, network, .. } = *self.ground;
        self.moves.clear();
        self.moves.extend(shape.empty(open).iter().map(|cell| (cell as u16, Guess::default())));
        match network {
            Some(network) => {
                let sight = &mut self.sights[now.to_move.index()];
                let scores = network.scores(sight, shape.lattice(), (&now.stones, now.to_move));
                Some(net::read(scores, &mut self.moves, self.ground.params.flat))
            }
            None => {
                self.playout.set(open);
                let scene = Scene::new(outlook, &self.playout, open, now.to_move, now.last);
                policy.priors(&scene, &mut self.moves);
                None
            }
        }
    }

    /// Gives a node the children that it was not given at first: those of all `cells` that may matter.
    fn complete(&mut self, node: NodeId, now: &Start<W>, cells: &Bits<W>) {
        let tree = self.ground.tree;
        let mut rest = *cells;
        tree.children(node).for_each(|child| rest.remove(tree.cell(child)));
        if !rest.is_empty() {
            self.guess(now, &now.stones);
            self.moves.retain(|row| rest.contains(row.0 as usize));
            if !tree.widen(node, &self.moves) {
                return;
            }
        }
        tree.set_complete(node);
    }

    /// Computes what connections and inferior cells say about a position.
    fn look(&mut self, node: NodeId, now: &Start<W>, filled: &Stones<W>) {
        let tree = self.ground.tree;
        match self.looker.look(filled, now.to_move) {
            Looked::Won => tree.settle(node, Verdict::Lost),
            Looked::Lost => tree.settle(node, Verdict::Won),
            Looked::Open(opened) => {
                let (keep, stones) = self.ground.params.left(self.ground.shape, filled, &opened);
                if !tree.children(node).is_empty() {
                    self.complete(node, now, &keep);
                }
                prune(tree, node, &keep);
                tree.set_filled(node, &stones);
            }
        }
    }
}

impl Params {
    /// What a look at some stones leaves: the moves worth trying, and the stones with what is filled in.
    pub(super) fn left<const W: usize>(
        &self,
        shape: &Shape<W>,
        stones: &Stones<W>,
        opened: &Opened<W>,
    ) -> (Bits<W>, Stones<W>) {
        let stones = if self.fill { opened.stones } else { *stones };
        let mut moves = Bits::EMPTY;
        opened.moves.iter().for_each(|&cell| moves.insert(cell as usize));
        (if self.must { moves } else { shape.empty(&stones) }, stones)
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
