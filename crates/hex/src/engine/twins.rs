//! Nodes of the same position: orders of moves meet again, and what was found on one way is known on the other.

use super::tree::NodeId;
use crate::stones::Stones;
use game::Side;
use search::rng::mix;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// For each position that the tree has been to, the node with most visits; a small table in which newer ones win.
pub(super) struct Twins {
    /// The upper half of the hash (32 bits), the node (32).
    slots: Box<[AtomicU64]>,
}

/// Nodes of a tree for each slot: a node that is expanded has some thirty children.
const NODES: usize = 32;

impl Twins {
    /// For a tree of so many nodes.
    pub(super) fn new(nodes: usize) -> Twins {
        Twins { slots: bytemuck::zeroed_slice_box((nodes / NODES).max(1).next_power_of_two()) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
    }

    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.slots[hash as usize & (self.slots.len() - 1)]
    }

    /// The node of a position. Never the root, which nothing leads to.
    #[inline]
    pub(super) fn find(&self, hash: u64) -> Option<NodeId> {
        let word = self.slot(hash).load(Relaxed);
        (word as NodeId != 0 && word >> 32 == hash >> 32).then_some(word as NodeId)
    }

    /// Notes the node of a position.
    #[inline]
    pub(super) fn note(&self, hash: u64, node: NodeId) {
        self.slot(hash).store(hash >> 32 << 32 | u64::from(node), Relaxed);
    }
}

/// A stone's part of a hash.
#[inline]
pub(super) fn stone(side: Side, cell: usize) -> u64 {
    // From 1: the number 0 stays 0.
    mix((2 * cell + side.index() + 1) as u64)
}

/// The hash of all stones.
pub(super) fn hash<const W: usize>(stones: &Stones<W>) -> u64 {
    let of = |side: Side| stones.of(side).iter().fold(0, |hash, cell| hash ^ stone(side, cell));
    of(Side::Black) ^ of(Side::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_found_by_any_order_of_moves() {
        let [a, b] = [(Side::Black, 3), (Side::White, 40)];
        let stones = Stones::<1>::EMPTY.with(a.0, a.1).with(b.0, b.1);
        assert_eq!(hash(&stones), stone(b.0, b.1) ^ stone(a.0, a.1));
        assert_ne!(hash(&stones), stone(a.0, b.1) ^ stone(b.0, a.1));
        let mut twins = Twins::new(1000);
        twins.note(hash(&stones), 7);
        assert_eq!((twins.find(hash(&stones)), twins.find(0)), (Some(7), None));
        twins.clear();
        assert_eq!(twins.find(hash(&stones)), None);
    }
}
