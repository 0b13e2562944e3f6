//! Transposition table: a position reached by another order of moves takes over what was found there.

use super::tree::NodeId;
use crate::stones::Stones;
use game::Side;
use search::rng::mix;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// For each position of the tree its most visited node; a small table in which newer entries replace older ones.
pub(crate) struct Transpositions {
    /// The upper half of the hash (32 bits), the node (32).
    slots: Box<[AtomicU64]>,
}

/// Tree nodes per slot: an expanded node has about thirty children.
const NODES_PER_SLOT: usize = 32;

impl Transpositions {
    /// For a tree of so many nodes.
    pub(crate) fn new(nodes: usize) -> Transpositions {
        Transpositions {
            slots: bytemuck::zeroed_slice_box((nodes / NODES_PER_SLOT).max(1).next_power_of_two()),
        }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
    }

    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.slots[hash as usize & (self.slots.len() - 1)]
    }

    /// The node of a position. Never the root, which no move leads to.
    #[inline]
    pub(crate) fn find(&self, hash: u64) -> Option<NodeId> {
        let word = self.slot(hash).load(Relaxed);
        (word as NodeId != 0 && word >> 32 == hash >> 32).then_some(word as NodeId)
    }

    /// Sets the node of a position.
    #[inline]
    pub(crate) fn insert(&self, hash: u64, node: NodeId) {
        self.slot(hash).store(hash >> 32 << 32 | u64::from(node), Relaxed);
    }
}

/// The Zobrist key of a stone.
#[inline]
pub(crate) fn stone(side: Side, cell: usize) -> u64 {
    // From 1, because `mix` maps 0 to 0.
    mix((2 * cell + side.index() + 1) as u64)
}

/// The Zobrist hash of all stones.
pub(crate) fn hash<const W: usize>(stones: &Stones<W>) -> u64 {
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
        let mut transpositions = Transpositions::new(1000);
        transpositions.insert(hash(&stones), 7);
        assert_eq!((transpositions.find(hash(&stones)), transpositions.find(0)), (Some(7), None));
        transpositions.clear();
        assert_eq!(transpositions.find(hash(&stones)), None);
    }
}
