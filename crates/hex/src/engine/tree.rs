//! The search tree: nodes in preallocated arrays of atomics, shared by all threads without locks.
//!
//! The children of a node are adjacent. AMAF counts are updated by load and store: an update lost now and then between
//! threads does no harm. A node's results are those of the player who moved to it.

use crate::bits::Bits;
use crate::stones::Stones;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

/// What is proved about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeState {
    /// Nothing yet.
    Open,
    /// The player who moved here wins.
    Won,
    /// The player who moved here loses.
    Lost,
    /// Another move is at least as good: never searched.
    Pruned,
}

/// Index of a node.
pub(crate) type NodeId = u32;

/// The root.
pub(crate) const ROOT: NodeId = 0;

/// Visits and the sum of their results, 0 to 1 each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VisitStats {
    pub(crate) visits: u32,
    pub(crate) wins: f32,
}

/// One visit in a packed counter; the bits below hold the results in units of 1 / [`WIN`].
const VISIT: u64 = 1 << 36;
const WIN: u64 = 1 << 8;

impl VisitStats {
    fn unpack(word: u64) -> VisitStats {
        VisitStats { visits: (word / VISIT) as u32, wins: (word % VISIT) as f32 / WIN as f32 }
    }

    /// The mean result, with an estimate that counts as `prior_visits` visits.
    pub(crate) fn mean(&self, estimate: f32, prior_visits: f32) -> f32 {
        let all = self.visits as f32 + prior_visits;
        if all > 0.0 { (self.wins + prior_visits * estimate) / all } else { estimate }
    }
}

/// The prior and value of a move before it is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Estimate {
    /// Policy: the share of visits it should get.
    pub(crate) prior: f32,
    /// Value: the probability that it wins.
    pub(crate) value: f32,
}

/// The tree, for boards of up to `W` words.
pub(crate) struct Tree<const W: usize> {
    /// Visits to the node and their results.
    counts: Box<[AtomicU64]>,
    /// AMAF: playouts in which the mover owned this cell at the end.
    raves: Box<[AtomicU64]>,
    /// Prior and value (16 bits each, bf16), cell (16), fully expanded (8), state (8).
    infos: Box<[AtomicU64]>,
    /// First child (32), number of children (16).
    links: Box<[AtomicU64]>,
    /// 0: not analyzed, 1: being analyzed, otherwise 2 + the slot of its filled stones.
    analyses: Box<[AtomicU32]>,
    used: AtomicU32,
    /// Filled stones, `2 W` words each.
    slots: Box<[AtomicU64]>,
    slots_used: AtomicU32,
}

/// The node has children for all moves that may matter.
const FULLY_EXPANDED: u64 = 1 << 8;

/// Bytes per node, with its share of the slots.
const NODE_BYTES: usize = 36 + 4;

impl<const W: usize> Tree<W> {
    /// A tree of at most so many bytes with only a root. Untouched memory costs nothing.
    pub(crate) fn new(bytes: usize) -> Tree<W> {
        let nodes = (bytes / NODE_BYTES).clamp(1 << 10, 1 << 30);
        let slots = (nodes / (4 * W)).max(64);
        Tree {
            counts: bytemuck::zeroed_slice_box(nodes),
            raves: bytemuck::zeroed_slice_box(nodes),
            infos: bytemuck::zeroed_slice_box(nodes),
            links: bytemuck::zeroed_slice_box(nodes),
            analyses: bytemuck::zeroed_slice_box(nodes),
            used: AtomicU32::new(1),
            slots: bytemuck::zeroed_slice_box(slots * 2 * W),
            slots_used: AtomicU32::new(0),
        }
    }

    #[inline]
    pub(crate) fn count(&self, node: NodeId) -> VisitStats {
        VisitStats::unpack(self.counts[node as usize].load(Relaxed))
    }

    #[inline]
    pub(crate) fn rave(&self, node: NodeId) -> VisitStats {
        VisitStats::unpack(self.raves[node as usize].load(Relaxed))
    }

    /// Counts a visit whose result is not known yet (virtual loss). Returns the visits before.
    #[inline]
    pub(crate) fn visit(&self, node: NodeId) -> u32 {
        (self.counts[node as usize].fetch_add(VISIT, Relaxed) / VISIT) as u32
    }

    /// Adds the result of a visit, 0 to 1.
    #[inline]
    pub(crate) fn win(&self, node: NodeId, share: f32) {
        self.counts[node as usize].fetch_add((share * WIN as f32).round() as u64, Relaxed);
    }

    #[inline]
    pub(crate) fn add_rave(&self, node: NodeId, won: bool) {
        let word = &self.raves[node as usize];
        word.store(word.load(Relaxed) + VISIT + WIN * u64::from(won), Relaxed);
    }

    #[inline]
    pub(crate) fn estimate(&self, node: NodeId) -> Estimate {
        let info = self.infos[node as usize].load(Relaxed);
        Estimate { prior: nn::from_bf16((info >> 48) as u16), value: nn::from_bf16((info >> 32) as u16) }
    }

    pub(crate) fn set_prior(&self, node: NodeId, prior: f32) {
        let word = &self.infos[node as usize];
        let rest = word.load(Relaxed) & !(0xffff << 48);
        word.store(rest | u64::from(nn::to_bf16(prior)) << 48, Relaxed);
    }

    #[inline]
    pub(crate) fn cell(&self, node: NodeId) -> usize {
        (self.infos[node as usize].load(Relaxed) >> 16) as u16 as usize
    }

    #[inline]
    pub(crate) fn state(&self, node: NodeId) -> NodeState {
        match self.infos[node as usize].load(Relaxed) as u8 {
            0 => NodeState::Open,
            1 => NodeState::Won,
            2 => NodeState::Lost,
            _ => NodeState::Pruned,
        }
    }

    /// Sets the state of an open node; a state once set stays.
    pub(crate) fn set_state(&self, node: NodeId, state: NodeState) {
        if self.state(node) == NodeState::Open {
            self.infos[node as usize].fetch_or(state as u64, Relaxed);
        }
    }

    /// The children; empty before expansion.
    #[inline]
    pub(crate) fn children(&self, node: NodeId) -> std::ops::Range<NodeId> {
        range_of(self.links[node as usize].load(Acquire))
    }

    /// Gives a node children, unless memory is full or another thread was faster.
    pub(crate) fn expand(&self, node: NodeId, moves: &[(u16, Estimate)]) {
        let Some(first) = self.store(moves) else { return };
        let link = u64::from(first) << 32 | moves.len() as u64;
        let _ = self.links[node as usize].compare_exchange(0, link, Release, Relaxed);
    }

    /// Stores nodes for moves, unless memory is full. Returns the first.
    fn store(&self, moves: &[(u16, Estimate)]) -> Option<NodeId> {
        let many = moves.len() as u32;
        let capacity = self.infos.len() as u32;
        let end = |used: u32| used.checked_add(many).filter(|end| *end <= capacity);
        let first = self.used.fetch_update(Relaxed, Relaxed, end).ok()?;
        for (child, &(cell, estimate)) in (first..).zip(moves) {
            let [prior, chance] = [estimate.prior, estimate.value].map(|x| u64::from(nn::to_bf16(x)));
            let info = prior << 48 | chance << 32 | u64::from(cell) << 16;
            self.infos[child as usize].store(info, Relaxed);
        }
        Some(first)
    }

    /// Gives a node more children; the old ones are copied with their statistics. Updates by other threads during the copy
    /// are lost. Returns whether there was memory.
    pub(crate) fn widen(&self, node: NodeId, more: &[(u16, Estimate)]) -> bool {
        let before = self.links[node as usize].load(Acquire);
        let old = range_of(before);
        let none = vec![(0, Estimate::default()); old.len()];
        let Some(first) = self.store(&[&none[..], more].concat()) else { return false };
        for (to, from) in (first..).zip(old.clone()) {
            self.copy_words(to, self, from);
            self.links[to as usize].store(self.links[from as usize].load(Acquire), Release);
            self.analyses[to as usize].store(self.analyses[from as usize].load(Acquire), Release);
        }
        let link = u64::from(first) << 32 | (old.len() + more.len()) as u64;
        let _ = self.links[node as usize].compare_exchange(before, link, Release, Relaxed);
        true
    }

    /// Does the node have children for all moves that may matter?
    #[inline]
    pub(crate) fn is_fully_expanded(&self, node: NodeId) -> bool {
        self.infos[node as usize].load(Relaxed) & FULLY_EXPANDED != 0
    }

    pub(crate) fn set_fully_expanded(&self, node: NodeId) {
        self.infos[node as usize].fetch_or(FULLY_EXPANDED, Relaxed);
    }

    /// Claims the right to analyze a node; only one thread gets it.
    #[inline]
    pub(crate) fn claim_analysis(&self, node: NodeId) -> bool {
        let analysis = &self.analyses[node as usize];
        analysis.load(Relaxed) == 0 && analysis.compare_exchange(0, 1, Relaxed, Relaxed).is_ok()
    }

    /// Stores the filled stones of an analyzed node.
    pub(crate) fn set_filled(&self, node: NodeId, stones: &Stones<W>) {
        let slot = self.slots_used.fetch_add(1, Relaxed);
        let Some(words) = self.slots.get(slot as usize * 2 * W..(slot as usize + 1) * 2 * W) else { return };
        let sides = game::Side::BOTH.map(|side| stones.of(side));
        for (word, value) in words.iter().zip(sides.iter().flat_map(|set| set.words())) {
            word.store(*value, Relaxed);
        }
        self.analyses[node as usize].store(slot + 2, Release);
    }

    /// The filled stones of an analyzed node.
    #[inline]
    pub(crate) fn filled(&self, node: NodeId) -> Option<Stones<W>> {
        let slot = self.analyses[node as usize].load(Acquire).checked_sub(2)? as usize;
        let words = &self.slots[slot * 2 * W..(slot + 1) * 2 * W];
        let set = |side: usize| {
            let mut out = [0; W];
            for (word, stored) in out.iter_mut().zip(&words[side * W..]) {
                *word = stored.load(Relaxed);
            }
            Bits::from_words(out)
        };
        Some(Stones::from_sides([set(0), set(1)]))
    }

    /// The child that plays a cell.
    pub(crate) fn child(&self, node: NodeId, cell: usize) -> Option<NodeId> {
        self.children(node).find(|&child| self.cell(child) == cell)
    }

    /// How many nodes fit.
    pub(crate) fn capacity(&self) -> usize {
        self.infos.len()
    }

    /// How full it is, 0 to 1.
    pub(crate) fn fullness(&self) -> f64 {
        f64::from(self.used.load(Relaxed)) / self.infos.len() as f64
    }

    /// Clears the used part.
    pub(crate) fn clear(&mut self) {
        let used = self.used.get_mut();
        let many = std::mem::replace(used, 1) as usize;
        let Tree { counts, raves, infos, links, analyses, slots_used, .. } = self;
        for words in [counts, raves, infos, links] {
            words[..many].iter_mut().for_each(|word| *word.get_mut() = 0);
        }
        analyses[..many].iter_mut().for_each(|analysis| *analysis.get_mut() = 0);
        *slots_used.get_mut() = 0;
    }

    /// Copies the subtree of a node into an empty tree. Ends early when `stop` is set; the nodes reached by then are leaves.
    pub(crate) fn copy_below(&self, node: NodeId, tree: &Tree<W>, stop: &dyn Fn() -> bool) {
        tree.copy(ROOT, self, node);
        let mut open = vec![(ROOT, node)];
        while let Some((to, from)) = open.pop() {
            if stop() {
                return;
            }
            let children = self.children(from);
            let many = children.len() as u32;
            let first = tree.used.load(Relaxed);
            if many == 0 || first as usize + many as usize > tree.infos.len() {
                continue;
            }
            tree.used.store(first + many, Relaxed);
            tree.links[to as usize].store(u64::from(first) << 32 | u64::from(many), Relaxed);
            for (to, from) in (first..).zip(children) {
                tree.copy(to, self, from);
                open.push((to, from));
            }
        }
    }

    fn copy(&self, to: NodeId, other: &Tree<W>, from: NodeId) {
        self.copy_words(to, other, from);
        if let Some(stones) = other.filled(from) {
            self.set_filled(to, &stones);
        }
    }

    fn copy_words(&self, to: NodeId, other: &Tree<W>, from: NodeId) {
        let words = [(&self.counts, &other.counts), (&self.raves, &other.raves), (&self.infos, &other.infos)];
        for (new, old) in words {
            new[to as usize].store(old[from as usize].load(Relaxed), Relaxed);
        }
    }
}

/// The nodes of a packed link.
#[inline]
fn range_of(link: u64) -> std::ops::Range<NodeId> {
    let first = (link >> 32) as u32;
    first..first + u32::from(link as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Side;

    #[test]
    fn a_copied_subtree_keeps_everything() {
        let tree = Tree::<1>::new(1 << 16);
        let estimate = |prior: f32| Estimate { prior, value: 0.5 };
        tree.expand(ROOT, &[(3, estimate(0.25)), (4, estimate(0.75))]);
        let child = tree.child(ROOT, 4).unwrap();
        tree.expand(child, &[(5, estimate(1.0))]);
        tree.visit(child);
        tree.win(child, 0.75);
        let grandchild = tree.child(child, 5).unwrap();
        tree.set_state(grandchild, NodeState::Won);
        tree.set_state(grandchild, NodeState::Lost);
        assert!(tree.claim_analysis(child) && !tree.claim_analysis(child));
        let stones = Stones::EMPTY.with(Side::White, 4).with(Side::Black, 60);
        tree.set_filled(child, &stones);
        let mut moved = Tree::new(1 << 16);
        moved.expand(ROOT, &[(7, estimate(0.5)); 9]);
        moved.visit(ROOT);
        moved.clear();
        tree.copy_below(child, &moved, &|| false);
        assert_eq!((moved.count(ROOT).visits, moved.count(ROOT).wins), (1, 0.75));
        assert_eq!(moved.filled(ROOT), Some(stones));
        let only = moved.child(ROOT, 5).unwrap();
        assert_eq!((moved.state(only), moved.estimate(only)), (NodeState::Won, estimate(1.0)));
    }

    #[test]
    fn widening_keeps_the_children() {
        let tree = Tree::<1>::new(1 << 16);
        tree.expand(ROOT, &[(3, Estimate::default())]);
        let child = tree.child(ROOT, 3).unwrap();
        tree.expand(child, &[(4, Estimate::default())]);
        tree.visit(child);
        tree.set_state(child, NodeState::Lost);
        assert!(!tree.is_fully_expanded(ROOT));
        tree.widen(ROOT, &[(5, Estimate { prior: 0.5, value: 0.25 })]);
        let [old, new] = [3, 5].map(|cell| tree.child(ROOT, cell).unwrap());
        assert_eq!((tree.state(old), tree.count(old).visits), (NodeState::Lost, 1));
        assert!(tree.child(old, 4).is_some() && tree.children(ROOT).len() == 2);
        assert_eq!((tree.state(new), tree.estimate(new).value), (NodeState::Open, 0.25));
    }

    #[test]
    fn a_full_tree_takes_no_more() {
        let tree = Tree::<1>::new(0);
        let moves = vec![(1, Estimate::default()); 1000];
        tree.expand(ROOT, &moves);
        let first = tree.children(ROOT).start;
        tree.expand(first, &moves);
        assert!(tree.children(first).is_empty() && tree.fullness() > 0.9);
    }
}
