//! The solver's transposition table, shared by its threads, with a key that a half turn of the board does not change.
//!
//! Analyzing a position costs a hundred times as much as looking it up, so entries are large and few. At the memory limit
//! the entries that took least work are dropped.

use crate::Size;
use crate::bits::Bits;
use crate::pruning::{Reduced, Strategy};
use crate::stones::{Stones, stone_hashes};
use game::Side;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 64;

/// The proof or disproof number of a position that cannot be proved or disproved.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// Identifies a position up to a half turn: both hashes, smaller first, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64, u64);

/// The hashes from which keys of a position and its children are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hashes {
    stones: [u64; 2],
    to_move: Side,
}

impl Hashes {
    pub(super) fn of<const W: usize>(size: Size, stones: &Stones<W>, to_move: Side) -> Hashes {
        Hashes { stones: stones.hashes(size), to_move }
    }

    pub(super) fn after(self, size: Size, index: usize) -> Hashes {
        let [plain, turned] = stone_hashes(size, self.to_move, index);
        Hashes { stones: [self.stones[0] ^ plain, self.stones[1] ^ turned], to_move: self.to_move.other() }
    }

    pub(super) fn key(self) -> Key {
        let [a, b] = self.stones;
        Key(a.min(b) ^ self.to_move.index() as u64, a.max(b))
    }

    /// Is this the orientation whose hash comes second?
    pub(super) fn is_turned(self) -> bool {
        self.stones[0] > self.stones[1]
    }
}

/// What is known about a position.
#[derive(Clone, Debug)]
pub(super) struct Entry<const W: usize> {
    /// Proof number of a win of the side to move.
    pub(super) phi: u32,
    /// Proof number of its loss.
    pub(super) delta: u32,
    /// Positions analyzed in its subtree.
    pub(super) work: u64,
    /// Threads at work in its subtree.
    pub(super) busy: u16,
    /// The orientation in which it was analyzed.
    pub(super) turned: bool,
    /// How it is won, once it is solved.
    pub(super) strategy: Strategy<W>,
    /// Its stones and moves; `None` if the analysis decided it.
    pub(super) reduced: Option<Arc<Reduced<W>>>,
}

impl<const W: usize> Entry<W> {
    pub(super) fn is_won(&self) -> bool {
        self.phi == 0
    }

    pub(super) fn is_lost(&self) -> bool {
        self.delta == 0
    }

    pub(super) fn is_solved(&self) -> bool {
        self.is_won() || self.is_lost()
    }

    /// The carrier as seen in the orientation of `hashes`.
    pub(super) fn carrier(&self, size: Size, hashes: Hashes) -> Bits<W> {
        let carrier = self.strategy.carrier;
        if self.turned == hashes.is_turned() { carrier } else { carrier.turned(size) }
    }

    /// A cell as seen in the orientation of `hashes`.
    pub(super) fn cell(&self, size: Size, hashes: Hashes, cell: usize) -> usize {
        if self.turned == hashes.is_turned() { cell } else { size.turned(cell) }
    }
}

/// What a parent needs to know of a child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<const W: usize> {
    pub(super) phi: u32,
    pub(super) delta: u32,
    pub(super) busy: u16,
    /// The carrier, in the orientation asked for.
    pub(super) carrier: Bits<W>,
}

pub(super) struct ProofTable<const W: usize> {
    shards: Vec<Mutex<HashMap<Key, Entry<W>>>>,
    most_in_shard: usize,
}

impl<const W: usize> ProofTable<W> {
    /// A table of at most so many bytes.
    pub(super) fn new(bytes: usize) -> ProofTable<W> {
        let most_in_shard = (bytes / ProofTable::<W>::ENTRY_BYTES / SHARDS).max(2);
        ProofTable { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), most_in_shard }
    }

    /// Bytes per entry: a map has up to twice the slots it uses, and the moves are on the heap, about 20 of two bytes.
    const ENTRY_BYTES: usize = size_of::<(Key, Entry<W>)>() * 2 + size_of::<Reduced<W>>() + 80;

    /// The most memory that the table can take.
    #[cfg(test)]
    pub(super) fn max_bytes(&self) -> usize {
        self.most_in_shard * SHARDS * ProofTable::<W>::ENTRY_BYTES
    }

    fn shard(&self, key: Key) -> MutexGuard<'_, HashMap<Key, Entry<W>>> {
        self.shards[key.1 as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, key: Key) -> Option<Entry<W>> {
        self.shard(key).get(&key).cloned()
    }

    /// The numbers of a position; initial ones if it is not in the table.
    pub(super) fn numbers(&self, size: Size, hashes: Hashes) -> Numbers<W> {
        let key = hashes.key();
        match self.shard(key).get(&key) {
            Some(entry) => {
                let carrier = if entry.is_solved() { entry.carrier(size, hashes) } else { Bits::EMPTY };
                Numbers { phi: entry.phi, delta: entry.delta, busy: entry.busy, carrier }
            }
            None => Numbers { phi: 1, delta: 1, busy: 0, carrier: Bits::EMPTY },
        }
    }

    pub(super) fn insert(&self, key: Key, entry: Entry<W>) {
        let mut shard = self.shard(key);
        if shard.len() >= self.most_in_shard {
            forget_cheapest(&mut shard);
        }
        // Another thread may have been faster and got further.
        shard.entry(key).or_insert(entry);
    }

    pub(super) fn update(&self, key: Key, change: impl FnOnce(&mut Entry<W>)) {
        if let Some(entry) = self.shard(key).get_mut(&key) {
            change(entry);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).len()).sum()
    }
}

fn forget_cheapest<const W: usize>(shard: &mut HashMap<Key, Entry<W>>) {
    let mut work: Vec<u64> = shard.values().filter(|entry| entry.busy == 0).map(|entry| entry.work).collect();
    let middle = work.len() / 2;
    if middle > 0 {
        let (_, &mut median, _) = work.select_nth_unstable(middle);
        shard.retain(|_, entry| entry.busy > 0 || entry.work > median);
    }
}
