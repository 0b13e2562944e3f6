//! Carriers of connections, one list per pair of ends: no carrier of a list contains another, small ones come first, and
//! lengths are limited. All lists share one arena.

use crate::bits::Bits;

const END: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Lists<const W: usize> {
    nodes: usize,
    heads: Vec<u32>,
    entries: Vec<Entry<W>>,
    longest: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry<const W: usize> {
    carrier: Bits<W>,
    size: u32,
    next: u32,
}

impl<const W: usize> Lists<W> {
    pub(crate) fn new(nodes: usize, longest: usize) -> Lists<W> {
        Lists { nodes, heads: vec![END; nodes * nodes], entries: Vec::new(), longest }
    }

    pub(crate) fn set_longest(&mut self, longest: usize) {
        self.longest = longest;
    }

    pub(crate) fn clear(&mut self) {
        self.heads.fill(END);
        self.entries.clear();
    }

    #[inline]
    fn pair(&self, a: usize, b: usize) -> usize {
        a.min(b) * self.nodes + a.max(b)
    }

    /// Adds a carrier unless the list has a subset of it (or is full of smaller ones); true if it was added.
    pub(crate) fn insert(&mut self, a: usize, b: usize, carrier: Bits<W>) -> bool {
        let size = carrier.len() as u32;
        let pair = self.pair(a, b);
        let (mut before, mut at, mut length) = (END, self.heads[pair], 0);
        while at != END && self.entries[at as usize].size <= size {
            let entry = &self.entries[at as usize];
            if entry.carrier.is_subset(&carrier) {
                return false;
            }
            length += 1;
            (before, at) = (at, entry.next);
        }
        if length >= self.longest {
            return false;
        }
        let new = self.entries.len() as u32;
        self.entries.push(Entry { carrier, size, next: at });
        self.link(pair, before, new);
        before = new;
        length += 1;
        // What follows is larger: drop supersets of the new carrier, and what exceeds the limit.
        while at != END {
            let entry = self.entries[at as usize];
            if length >= self.longest || carrier.is_subset(&entry.carrier) {
                self.link(pair, before, entry.next);
            } else {
                length += 1;
                before = at;
            }
            at = entry.next;
        }
        true
    }

    /// Does the list have a subset of this carrier?
    #[inline]
    pub(crate) fn covers(&self, a: usize, b: usize, carrier: &Bits<W>) -> bool {
        self.of(a, b).any(|known| known.is_subset(carrier))
    }

    /// Does the list have exactly this carrier?
    #[inline]
    pub(crate) fn has(&self, a: usize, b: usize, carrier: &Bits<W>) -> bool {
        self.of(a, b).any(|known| known == *carrier)
    }

    /// The carriers of a pair, smaller ones first.
    #[inline]
    pub(crate) fn of(&self, a: usize, b: usize) -> impl Iterator<Item = Bits<W>> + '_ {
        let mut at = self.heads[self.pair(a, b)];
        std::iter::from_fn(move || {
            let entry = self.entries.get(at as usize)?;
            at = entry.next;
            Some(entry.carrier)
        })
    }

    /// A cursor into a list for [`Lists::next`]; other lists may change meanwhile.
    #[inline]
    pub(crate) fn start(&self, a: usize, b: usize) -> u32 {
        self.heads[self.pair(a, b)]
    }

    #[inline]
    pub(crate) fn next(&self, at: &mut u32) -> Option<Bits<W>> {
        let entry = self.entries.get(*at as usize)?;
        *at = entry.next;
        Some(entry.carrier)
    }

    fn link(&mut self, pair: usize, before: u32, to: u32) {
        if before == END {
            self.heads[pair] = to;
        } else {
            self.entries[before as usize].next = to;
        }
    }
}
