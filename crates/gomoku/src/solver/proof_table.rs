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

/// Key; `phi` and `delta`; work, best move and age, 32, 16 and 16 bits. Plain numbers, so that a new table is memory the
/// system has already cleared and hands out page by page as it is used: making 100 MB ready would take longer than
/// most problems.
type Entry = [u64; 3];

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
        ProofTable { entries: vec![[0; 3]; entries].into(), age: 1 }
    }

    /// What was found out before gives way more easily from now on.
    pub(super) fn grow_old(&mut self) {
        self.age = self.age.wrapping_add(1).max(1);
    }

    pub(super) fn clear(&mut self) {
        *self = ProofTable { entries: vec![[0; 3]; self.entries.len()].into(), age: 1 };
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Known> {
        let bucket = &self.entries[self.bucket(key)];
        bucket.iter().find(|entry| entry[0] == key && age(entry) != 0).map(|[_, numbers, rest]| Known {
            numbers: Numbers { phi: *numbers as u32, delta: (numbers >> 32) as u32 },
            best: Point::from_index(usize::from((rest >> 32) as u16)),
            work: *rest as u32,
        })
    }

    pub(super) fn store(&mut self, key: u64, known: Known) {
        let (range, now) = (self.bucket(key), self.age);
        let bucket = &mut self.entries[range];
        let worth = |entry: &Entry| match (age(entry), entry[2] as u32) {
            (0, _) => (1, 0),
            _ if entry[0] == key => (0, 0),
            (old, work) if old != now => (2, work),
            (_, work) => (3, work),
        };
        if let Some(entry) = bucket.iter_mut().min_by_key(|entry| worth(entry)) {
            let Known { numbers: Numbers { phi, delta }, best, work } = known;
            let rest = u64::from(work) | (best.index() as u64) << 32 | u64::from(now) << 48;
            *entry = [key, u64::from(phi) | u64::from(delta) << 32, rest];
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let start = (key as usize & (self.entries.len() - 1)) & !(BUCKET - 1);
        start..start + BUCKET
    }
}

/// 0 where the entry is empty.
#[inline]
fn age(entry: &Entry) -> u16 {
    (entry[2] >> 48) as u16
}
