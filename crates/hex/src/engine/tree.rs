//! The search tree: nodes in arrays made beforehand and shared by all threads as plain atomics.
//!
//! The children of a node lie side by side. Counts are written by load and store: a lost update now and then
//! between threads costs nothing, a lock would. What a node is worth is told from the view of the player who
//! moved to it.

use crate::bits::Bits;
use crate::stones::Stones;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

/// What is known for certain about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    Open,
    /// The player who moved here wins.
    Won,
    /// The player who moved here loses.
    Lost,
    /// Another move is as good: never searched.
    Pruned,
}

/// Index of a node.
pub(super) type NodeId = u32;

/// The root.
pub(super) const ROOT: NodeId = 0;

/// Visits and what they brought, 0 to 1 each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) visits: u32,
    pub(super) wins: f32,
}

/// A visit in the word of a count; below it are the wins, in parts of [`WIN`].
const VISIT: u64 = 1 << 36;
const WIN: u64 = 1 << 8;

impl Count {
    fn unpack(word: u64) -> Count {
        Count { visits: (word / VISIT) as u32, wins: (word % VISIT) as f32 / WIN as f32 }
    }

    /// The mean result, with a guess that counts as `trust` visits.
    pub(super) fn mean(&self, guess: f32, trust: f32) -> f32 {
        let all = self.visits as f32 + trust;
        if all > 0.0 { (self.wins + trust * guess) / all } else { guess }
    }
}

/// What was known of a move before it was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Guess {
    /// The share of visits it should get.
    pub(super) prior: f32,
    /// The chance that it wins.
    pub(super) chance: f32,
}

/// The tree, for boards of up to `W` words.
pub(super) struct Tree<const W: usize> {
    /// Playouts through the node.
    counts: Box<[AtomicU64]>,
    /// Playouts in which the mover played this cell at any time after the parent.
    raves: Box<[AtomicU64]>,
    /// Prior and chance (16 bits each, bfloat16), cell (16), completeness (8), verdict (8).
    infos: Box<[AtomicU64]>,
    /// First child (32), number of children (16).
    links: Box<[AtomicU64]>,
    /// 0: not looked at, 1: somebody is looking, otherwise 2 + the slot of its filled stones.
    looks: Box<[AtomicU32]>,
    used: AtomicU32,
    /// Filled stones, `2 W` words each.
    slots: Box<[AtomicU64]>,
    slots_used: AtomicU32,
}

/// The node has children for all moves that may matter.
const COMPLETE: u64 = 1 << 8;

/// Bytes of a node, with its share of the slots.
const NODE_BYTES: usize = 36 + 4;

impl<const W: usize> Tree<W> {
    /// A tree with nothing but a root, of at most so many bytes. The memory is not touched before it is used.
    pub(super) fn new(bytes: usize) -> Tree<W> {
        let nodes = (bytes / NODE_BYTES).clamp(1 << 10, 1 << 30);
        let slots = (nodes / (4 * W)).max(64);
        Tree {
            counts: bytemuck::zeroed_slice_box(nodes),
            raves: bytemuck::zeroed_slice_box(nodes),
            infos: bytemuck::zeroed_slice_box(nodes),
            links: bytemuck::zeroed_slice_box(nodes),
            looks: bytemuck::zeroed_slice_box(nodes),
            used: AtomicU32::new(1),
            slots: bytemuck::zeroed_slice_box(slots * 2 * W),
            slots_used: AtomicU32::new(0),
        }
    }

    #[inline]
    pub(super) fn count(&self, node: NodeId) -> Count {
        Count::unpack(self.counts[node as usize].load(Relaxed))
    }

    #[inline]
    pub(super) fn rave(&self, node: NodeId) -> Count {
        Count::unpack(self.raves[node as usize].load(Relaxed))
    }

    /// Counts a visit before its result is known: until then it looks like a loss, which keeps other threads
    /// away. Returns the visits before.
    #[inline]
    pub(super) fn visit(&self, node: NodeId) -> u32 {
        (self.counts[node as usize].fetch_add(VISIT, Relaxed) / VISIT) as u32
    }

    /// Adds what a visit brought, 0 to 1.
    #[inline]
    pub(super) fn win(&self, node: NodeId, share: f32) {
        self.counts[node as usize].fetch_add((share * WIN as f32).round() as u64, Relaxed);
    }

    #[inline]
    pub(super) fn add_rave(&self, node: NodeId, won: bool) {
        let word = &self.raves[node as usize];
        word.store(word.load(Relaxed) + VISIT + WIN * u64::from(won), Relaxed);
    }

    #[inline]
    pub(super) fn guess(&self, node: NodeId) -> Guess {
        let info = self.infos[node as usize].load(Relaxed);
        Guess { prior: nn::from_bf16((info >> 48) as u16), chance: nn::from_bf16((info >> 32) as u16) }
    }

    pub(super) fn set_prior(&self, node: NodeId, prior: f32) {
        let word = &self.infos[node as usize];
        let rest = word.load(Relaxed) & !(0xffff << 48);
        word.store(rest | u64::from(nn::to_bf16(prior)) << 48, Relaxed);
    }

    #[inline]
    pub(super) fn cell(&self, node: NodeId) -> usize {
        (self.infos[node as usize].load(Relaxed) >> 16) as u16 as usize
    }

    #[inline]
    pub(super) fn verdict(&self, node: NodeId) -> Verdict {
        match self.infos[node as usize].load(Relaxed) as u8 {
            0 => Verdict::Open,
            1 => Verdict::Won,
            2 => Verdict::Lost,
            _ => Verdict::Pruned,
        }
    }

    /// Settles an open node; what was proved stays.
    pub(super) fn settle(&self, node: NodeId, verdict: Verdict) {
        if self.verdict(node) == Verdict::Open {
            self.infos[node as usize].fetch_or(verdict as u64, Relaxed);
        }
    }

    /// The children's ids; none if it has none yet.
    #[inline]
    pub(super) fn children(&self, node: NodeId) -> std::ops::Range<NodeId> {
        span(self.links[node as usize].load(Acquire))
    }

    /// Gives a node children, unless the memory is full or another thread has done so.
    pub(super) fn expand(&self, node: NodeId, moves: &[(u16, Guess)]) {
        let Some(first) = self.store(moves) else { return };
        let link = u64::from(first) << 32 | moves.len() as u64;
        let _ = self.links[node as usize].compare_exchange(0, link, Release, Relaxed);
    }

    /// Stores nodes for moves, unless the memory is full. Returns the first one.
    fn store(&self, moves: &[(u16, Guess)]) -> Option<NodeId> {
        let many = moves.len() as u32;
        let room = self.infos.len() as u32;
        let end = |used: u32| used.checked_add(many).filter(|end| *end <= room);
        let first = self.used.fetch_update(Relaxed, Relaxed, end).ok()?;
        for (child, &(cell, guess)) in (first..).zip(moves) {
            let [prior, chance] = [guess.prior, guess.chance].map(|x| u64::from(nn::to_bf16(x)));
            let info = prior << 48 | chance << 32 | u64::from(cell) << 16;
            self.infos[child as usize].store(info, Relaxed);
        }
        Some(first)
    }

    /// Gives a node more children beside those it has, which keep what they know. What other threads tell the old ones
    /// meanwhile is lost. Returns whether there was room.
    pub(super) fn widen(&self, node: NodeId, more: &[(u16, Guess)]) -> bool {
        let before = self.links[node as usize].load(Acquire);
        let old = span(before);
        let none = vec![(0, Guess::default()); old.len()];
        let Some(first) = self.store(&[&none[..], more].concat()) else { return false };
        for (to, from) in (first..).zip(old.clone()) {
            self.copy_words(to, self, from);
            self.links[to as usize].store(self.links[from as usize].load(Acquire), Release);
            self.looks[to as usize].store(self.looks[from as usize].load(Acquire), Release);
        }
        let link = u64::from(first) << 32 | (old.len() + more.len()) as u64;
        let _ = self.links[node as usize].compare_exchange(before, link, Release, Relaxed);
        true
    }

    /// Has the node children for all moves that may matter?
    #[inline]
    pub(super) fn is_complete(&self, node: NodeId) -> bool {
        self.infos[node as usize].load(Relaxed) & COMPLETE != 0
    }

    pub(super) fn set_complete(&self, node: NodeId) {
        self.infos[node as usize].fetch_or(COMPLETE, Relaxed);
    }

    /// Claims the right to look at a position; only one thread gets it.
    #[inline]
    pub(super) fn claim_look(&self, node: NodeId) -> bool {
        let look = &self.looks[node as usize];
        look.load(Relaxed) == 0 && look.compare_exchange(0, 1, Relaxed, Relaxed).is_ok()
    }

    /// Stores the filled stones of a position that was looked at.
    pub(super) fn set_filled(&self, node: NodeId, stones: &Stones<W>) {
        let slot = self.slots_used.fetch_add(1, Relaxed);
        let Some(words) = self.slots.get(slot as usize * 2 * W..(slot as usize + 1) * 2 * W) else { return };
        let sides = game::Side::BOTH.map(|side| stones.of(side));
        for (word, value) in words.iter().zip(sides.iter().flat_map(|set| set.words())) {
            word.store(*value, Relaxed);
        }
        self.looks[node as usize].store(slot + 2, Release);
    }

    /// The filled stones of a position that was looked at.
    #[inline]
    pub(super) fn filled(&self, node: NodeId) -> Option<Stones<W>> {
        let slot = self.looks[node as usize].load(Acquire).checked_sub(2)? as usize;
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
    pub(super) fn child(&self, node: NodeId, cell: usize) -> Option<NodeId> {
        self.children(node).find(|&child| self.cell(child) == cell)
    }

    /// How many nodes there may be.
    pub(super) fn room(&self) -> usize {
        self.infos.len()
    }

    /// How full it is, 0 to 1.
    pub(super) fn fullness(&self) -> f64 {
        f64::from(self.used.load(Relaxed)) / self.infos.len() as f64
    }

    /// Forgets everything; takes as long as there is to forget.
    pub(super) fn clear(&mut self) {
        let used = self.used.get_mut();
        let many = std::mem::replace(used, 1) as usize;
        let Tree { counts, raves, infos, links, looks, slots_used, .. } = self;
        for words in [counts, raves, infos, links] {
            words[..many].iter_mut().for_each(|word| *word.get_mut() = 0);
        }
        looks[..many].iter_mut().for_each(|look| *look.get_mut() = 0);
        *slots_used.get_mut() = 0;
    }

    /// Copies a node of this tree with all below it into an empty tree, as its root.
    pub(super) fn copy_below(&self, node: NodeId, tree: &Tree<W>) {
        tree.copy(ROOT, self, node);
        let mut open = vec![(ROOT, node)];
        while let Some((to, from)) = open.pop() {
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

/// The nodes that a link names.
#[inline]
fn span(link: u64) -> std::ops::Range<NodeId> {
    let first = (link >> 32) as u32;
    first..first + u32::from(link as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Side;

    #[test]
    fn a_subtree_keeps_everything_when_it_becomes_the_tree() {
        let tree = Tree::<1>::new(1 << 16);
        let guess = |prior: f32| Guess { prior, chance: 0.5 };
        tree.expand(ROOT, &[(3, guess(0.25)), (4, guess(0.75))]);
        let child = tree.child(ROOT, 4).unwrap();
        tree.expand(child, &[(5, guess(1.0))]);
        tree.visit(child);
        tree.win(child, 0.75);
        let grandchild = tree.child(child, 5).unwrap();
        tree.settle(grandchild, Verdict::Won);
        tree.settle(grandchild, Verdict::Lost);
        assert!(tree.claim_look(child) && !tree.claim_look(child));
        let stones = Stones::EMPTY.with(Side::White, 4).with(Side::Black, 60);
        tree.set_filled(child, &stones);
        let mut moved = Tree::new(1 << 16);
        moved.expand(ROOT, &[(7, guess(0.5)); 9]);
        moved.visit(ROOT);
        moved.clear();
        tree.copy_below(child, &moved);
        assert_eq!((moved.count(ROOT).visits, moved.count(ROOT).wins), (1, 0.75));
        assert_eq!(moved.filled(ROOT), Some(stones));
        let only = moved.child(ROOT, 5).unwrap();
        assert_eq!((moved.verdict(only), moved.guess(only)), (Verdict::Won, guess(1.0)));
    }

    #[test]
    fn a_wider_node_keeps_its_children() {
        let tree = Tree::<1>::new(1 << 16);
        tree.expand(ROOT, &[(3, Guess::default())]);
        let child = tree.child(ROOT, 3).unwrap();
        tree.expand(child, &[(4, Guess::default())]);
        tree.visit(child);
        tree.settle(child, Verdict::Lost);
        assert!(!tree.is_complete(ROOT));
        tree.widen(ROOT, &[(5, Guess { prior: 0.5, chance: 0.25 })]);
        let [old, new] = [3, 5].map(|cell| tree.child(ROOT, cell).unwrap());
        assert_eq!((tree.verdict(old), tree.count(old).visits), (Verdict::Lost, 1));
        assert!(tree.child(old, 4).is_some() && tree.children(ROOT).len() == 2);
        assert_eq!((tree.verdict(new), tree.guess(new).chance), (Verdict::Open, 0.25));
    }

    #[test]
    fn a_full_tree_takes_no_more() {
        let tree = Tree::<1>::new(0);
        let moves = vec![(1, Guess::default()); 1000];
        tree.expand(ROOT, &moves);
        let first = tree.children(ROOT).start;
        tree.expand(first, &moves);
        assert!(tree.children(first).is_empty() && tree.fullness() > 0.9);
    }
}
