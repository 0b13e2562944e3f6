//! The table of proof and disproof numbers.
//!
//! Numbers are kept as `phi` and `delta`, seen from the side to move: `phi` is how many leaves it must still
//! win to win here, `delta` how many the other side must win to stop it. A node's `phi` is the least `delta`
//! of its children and its `delta` the sum of their `phi`, for both sides alike (Nagai's df-pn).

use crate::Point;

/// Proof and disproof number from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

/// Out of reach: the other number is zero.
pub(super) const INFINITE: u32 = 1 << 30;

impl Numbers {
    /// The side to move gets what it wants.
    pub(super) const YES: Numbers = Numbers { phi: 0, delta: INFINITE };
    /// It does not.
    pub(super) const NO: Numbers = Numbers { phi: INFINITE, delta: 0 };

    /// Nothing is known.
    pub(super) const OPEN: Numbers = Numbers { phi: 1, delta: 1 };

    pub(super) const fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// What is known about a position.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) numbers: Numbers,
    /// The best move found; where `phi` is zero, one that achieves it.
    pub(super) best: Point,
    /// Nodes spent below it.
    pub(super) work: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    phi: u32,
    delta: u32,
    work: u32,
    best: u16,
    age: u16,
}

/// A fixed number of entries in buckets; what cost least to find out is forgotten first.
pub(super) struct ProofTable {
    entries: Box<[Entry]>,
    age: u16,
}

const BUCKET: usize = 4;

impl ProofTable {
    /// A table of at most this many bytes.
    pub(super) fn new(bytes: usize) -> ProofTable {
        let wanted = (bytes / size_of::<Entry>()).max(1 << 10);
        let entries = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        let nothing = Entry { key: 0, phi: 0, delta: 0, work: 0, best: 0, age: 0 };
        ProofTable { entries: vec![nothing; entries].into(), age: 1 }
    }

    /// What was found out before gives way more easily from now on.
    pub(super) fn grow_old(&mut self) {
        self.age = self.age.wrapping_add(1).max(1);
    }

    pub(super) fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.age = 0);
        self.age = 1;
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Known> {
        let bucket = &self.entries[self.bucket(key)];
        bucket.iter().find(|entry| entry.key == key && entry.age != 0).map(|entry| Known {
            numbers: Numbers { phi: entry.phi, delta: entry.delta },
            best: Point::from_index(usize::from(entry.best)),
            work: entry.work,
        })
    }

    pub(super) fn store(&mut self, key: u64, known: Known) {
        let (range, age) = (self.bucket(key), self.age);
        let bucket = &mut self.entries[range];
        let worth = |entry: &Entry| match entry.age {
            _ if entry.key == key && entry.age != 0 => (0, 0),
            0 => (1, 0),
            old if old != age => (2, entry.work),
            _ => (3, entry.work),
        };
        if let Some(entry) = bucket.iter_mut().min_by_key(|entry| worth(entry)) {
            let Known { numbers: Numbers { phi, delta }, best, work } = known;
            *entry = Entry { key, phi, delta, work, best: best.index() as u16, age };
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let start = (key as usize & (self.entries.len() - 1)) & !(BUCKET - 1);
        start..start + BUCKET
    }
}
