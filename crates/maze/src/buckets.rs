//! The open list: buckets of nearly equal priority, last in first out, reused between queries.
//!
//! A bucket spans a fraction of a step, so cells leave it nearly but not quite in order; searches
//! make up for it by opening a cell again when it is reached more cheaply, and by going on until no bucket
//! left can hold anything cheaper than the path found. In return pushing and popping take a few
//! nanoseconds, and among equals the cell reached last, which is the farthest along, comes first.

const NONE: u32 = u32::MAX;

/// How many buckets suit a map of this size: priorities of a search mostly stay within a few crossings of the map, and
/// the fewer buckets, the more of them fit a cache.
pub(crate) fn span(width: u32, height: u32) -> usize {
    ((width + height) as usize * 8).next_power_of_two().clamp(64, 1 << 16)
}

/// Cells to expand, (nearly) cheapest first.
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    /// First entry of every bucket. What lies beyond the last bucket waits in `later`.
    heads: Vec<u32>,
    /// One bit a bucket: is anything in it?
    occupied: Vec<u64>,
    /// Cells, each with the next entry of its bucket. Entries of cells taken are linked too, and used again.
    entries: Vec<(u32, u32)>,
    unused: u32,
    later: Vec<(u64, u32)>,
    current: usize,
    /// The highest bucket used since `begin`: nothing above it needs emptying.
    highest: usize,
    base: u64,
    shift: u32,
}

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets {
            heads: Vec::new(),
            occupied: Vec::new(),
            entries: Vec::new(),
            unused: NONE,
            later: Vec::new(),
            current: 0,
            highest: 0,
            base: 0,
            shift: 0,
        }
    }
}

impl Buckets {
    /// Empties the list and gives it `span` buckets, a power of two from 64. Priorities will not be below `base`; a
    /// bucket spans `1 << shift`.
    pub(crate) fn begin(&mut self, base: u64, shift: u32, span: usize) {
        if self.heads.len() != span {
            self.heads = vec![NONE; span];
            self.occupied = vec![0; span / 64];
            (self.current, self.highest) = (0, 0);
        }
        for word in self.current / 64..=self.highest / 64 {
            let bits = &mut self.occupied[word];
            while *bits != 0 {
                self.heads[word * 64 + bits.trailing_zeros() as usize] = NONE;
                *bits &= *bits - 1;
            }
        }
        self.forget_entries();
        self.later.clear();
        (self.current, self.highest, self.base, self.shift) = (0, 0, base, shift);
    }

    /// Adds a cell; a priority below the current bucket joins the current bucket.
    #[inline]
    pub(crate) fn push(&mut self, f: u64, item: u32) {
        if !self.place(f, item) {
            self.later.push((f, item));
        }
    }

    /// Puts a cell into its bucket; `false` if that lies beyond the last one.
    #[inline]
    fn place(&mut self, f: u64, item: u32) -> bool {
        let bucket = (f.saturating_sub(self.base) >> self.shift) as usize;
        if bucket >= self.heads.len() {
            return false;
        }
        let bucket = bucket.max(self.current);
        self.highest = self.highest.max(bucket);
        let head = &mut self.heads[bucket];
        let entry = (item, *head);
        if self.unused == NONE {
            *head = self.entries.len() as u32;
            self.entries.push(entry);
        } else {
            *head = self.unused;
            self.unused = std::mem::replace(&mut self.entries[self.unused as usize], entry).1;
        }
        self.occupied[bucket / 64] |= 1 << (bucket % 64);
        true
    }

    /// Takes a cell from the lowest bucket, unless all buckets left are at or above `limit`.
    #[inline]
    pub(crate) fn pop(&mut self, limit: u64) -> Option<u32> {
        let mut head = self.heads[self.current];
        if head == NONE {
            self.advance(limit)?;
            head = self.heads[self.current];
        }
        let (item, next) = std::mem::replace(&mut self.entries[head as usize], (0, self.unused));
        self.unused = head;
        self.heads[self.current] = next;
        if next == NONE {
            self.occupied[self.current / 64] &= !(1 << (self.current % 64));
        }
        Some(item)
    }

    /// No priority still listed is below this.
    pub(crate) fn floor(&self) -> u64 {
        self.base + ((self.current as u64) << self.shift)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.heads.len() * 4
            + self.occupied.len() * 8
            + self.entries.capacity() * 8
            + self.later.capacity() * 16
    }

    fn forget_entries(&mut self) {
        self.entries.clear();
        self.unused = NONE;
    }

    fn advance(&mut self, limit: u64) -> Option<()> {
        let mut word = self.current / 64;
        let mut bits = self.occupied[word] >> (self.current % 64) << (self.current % 64);
        loop {
            if bits != 0 {
                self.current = word * 64 + bits.trailing_zeros() as usize;
                return (self.floor() < limit).then_some(());
            }
            word += 1;
            if word == self.occupied.len() {
                break;
            }
            bits = self.occupied[word];
        }
        // Every bucket is empty: start again at the cheapest of what was put off.
        self.base = self.later.iter().map(|entry| entry.0).min()?;
        (self.current, self.highest) = (0, 0);
        self.forget_entries();
        // In the same memory: a query that was asked before allocates nothing.
        let mut later = std::mem::take(&mut self.later);
        later.retain(|&(f, item)| !self.place(f, item));
        self.later = later;
        (self.floor() < limit).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn buckets_come_in_order(
            keys in prop::collection::vec(prop_oneof![0u64..500, 0u64..1 << 30], 0..200),
            shift in 0u32..12,
            spans in prop::sample::select(vec![64usize, 1 << 10, 1 << 16]),
        ) {
            let mut buckets = Buckets::default();
            for base in [0, 5] {
                buckets.begin(base, shift, spans);
                keys.iter().for_each(|&key| buckets.push(key + base, key as u32));
                let mut popped = Vec::new();
                while let Some(item) = buckets.pop(u64::MAX) {
                    popped.push(u64::from(item));
                    prop_assert!(buckets.floor() <= u64::from(item) + base);
                }
                let in_order = popped.windows(2).all(|pair| pair[1] + (1 << shift) > pair[0]);
                prop_assert!(in_order);
                let mut sorted = keys.clone();
                sorted.sort_unstable();
                popped.sort_unstable();
                prop_assert_eq!(popped, sorted);
            }
        }
    }

    #[test]
    fn nothing_at_the_limit_comes_out() {
        let mut buckets = Buckets::default();
        buckets.begin(10, 2, 64);
        buckets.push(10, 1);
        buckets.push(30, 2);
        assert_eq!(buckets.pop(30), Some(1));
        assert_eq!(buckets.pop(30), None);
    }
}
