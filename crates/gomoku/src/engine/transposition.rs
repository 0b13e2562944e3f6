//! The transposition table, shared by all threads without locks.
//!
//! An entry is two words: the data, and the key exclusive-or the data. A reader that meets a half-written entry
//! finds that the two do not fit and takes it for empty (Hyatt and Mann, 2002). Four entries share a cache
//! line; the least deep of them, old ones first, gives way.

use super::score::MATE_BOUND;
use crate::Point;
use ::game::Bound;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is stored about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) best: Option<Point>,
    pub(super) value: i32,
    pub(super) eval: i32,
    /// Hundredths of a ply, kept in halves of a ply.
    pub(super) depth: i32,
    pub(super) bound: Bound,
    pub(super) on_pv: bool,
}

impl Entry {
    /// Was the position searched to this depth? In the steps in which depths are stored: a search must find its own
    /// result deep enough when it comes back, and so must another thread.
    #[inline]
    pub(super) fn reaches(&self, depth: i32) -> bool {
        self.depth >= depth.div_euclid(DEPTH_STEP) * DEPTH_STEP
    }

    /// May a node with this window return the stored value? Inside an open window an upper bound passes for the value
    /// itself, but not one in the winning range: "at most a win" would turn into a win that nobody proved.
    #[inline]
    pub(super) fn cuts(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha || self.value < beta.min(MATE_BOUND),
        }
    }
}

/// Depths are stored in steps of this many hundredths of a ply,
const DEPTH_STEP: i32 = 50;
/// plus so many steps, so that none is negative.
const DEPTH_BIAS: i32 = 8;
const WAYS: usize = 4;

/// A transposition table shared by all threads.
pub(super) struct TranspositionTable {
    words: Box<[AtomicU64]>,
    generation: u64,
}

impl TranspositionTable {
    /// A table of at most this many MiB.
    pub(super) fn new(memory_mb: usize) -> TranspositionTable {
        let bytes = memory_mb.clamp(1, 1 << 20) << 20;
        let lines = (bytes / 64).max(1);
        let lines = 1usize << lines.ilog2();
        // Memory that the system has zeroed already is not touched before it is used: a fast first move.
        TranspositionTable { words: bytemuck::zeroed_slice_box(lines * WAYS * 2), generation: 0 }
    }

    /// Entries of earlier searches become the first to be replaced.
    pub(super) fn next_search(&mut self) {
        self.generation = (self.generation + 1) % 64;
    }

    fn line(&self, key: u64) -> &[AtomicU64] {
        let lines = self.words.len() / (2 * WAYS);
        let at = (key >> 8) as usize & (lines - 1);
        &self.words[at * 2 * WAYS..][..2 * WAYS]
    }

    /// What is known about a position; mate values count from `ply`.
    #[inline]
    pub(super) fn get(&self, key: u64, ply: i32) -> Option<Entry> {
        self.line(key).chunks_exact(2).find_map(|pair| {
            let data = pair[1].load(Relaxed);
            (data != 0 && pair[0].load(Relaxed) ^ data == key).then(|| unpack(data, ply))
        })
    }

    /// Touches the cache line of a key that will be looked up soon, so that the miss overlaps with other work.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        std::hint::black_box(self.line(key)[0].load(Relaxed));
    }

    /// Stores what was found.
    #[inline]
    pub(super) fn put(&self, key: u64, entry: Entry, ply: i32) {
        let line = self.line(key);
        let mut victim = 0;
        let mut least = i32::MAX;
        for (way, pair) in line.chunks_exact(2).enumerate() {
            let data = pair[1].load(Relaxed);
            if data == 0 || pair[0].load(Relaxed) ^ data == key {
                victim = way;
                break;
            }
            let age = (64 + self.generation - (data >> 58)) % 64;
            let worth = (data >> 42 & 0xff) as i32 - 8 * age as i32;
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        let pair = &line[2 * victim..][..2];
        let old = pair[1].load(Relaxed);
        let mut entry = entry;
        if old != 0 && pair[0].load(Relaxed) ^ old == key {
            let kept = unpack(old, ply);
            entry.best = entry.best.or(kept.best);
            // A shallower result of the same search is worth less than what is there.
            let exact = entry.bound == Bound::Exact;
            if !exact && old >> 58 == self.generation && kept.depth > entry.depth + 200 {
                return;
            }
        }
        let data = pack(entry, ply) | self.generation << 58;
        pair[0].store(key ^ data, Relaxed);
        pair[1].store(data, Relaxed);
    }
}

/// Bounds by their two bits in an entry.
const BOUNDS: [Bound; 4] = [Bound::Upper, Bound::Lower, Bound::Exact, Bound::Exact];

/// Layout, from bit 0: best 10, value 16, eval 16, depth 8, bound 2, pv 1, used 1, generation 6 (from bit 58).
fn pack(entry: Entry, ply: i32) -> u64 {
    let value = match entry.value {
        win if win >= MATE_BOUND => win + ply,
        loss if loss <= -MATE_BOUND => loss - ply,
        value => value,
    };
    let half_plies = (entry.depth.div_euclid(DEPTH_STEP) + DEPTH_BIAS).clamp(0, 255);
    entry.best.map_or(0, |best| best.index() as u64)
        | u64::from(value as i16 as u16) << 10
        | u64::from(entry.eval as i16 as u16) << 26
        | (half_plies as u64) << 42
        | (BOUNDS.iter().position(|bound| *bound == entry.bound).unwrap_or(0) as u64) << 50
        | u64::from(entry.on_pv) << 52
        | 1 << 53
}

fn unpack(data: u64, ply: i32) -> Entry {
    let best = (data & 1023) as usize;
    let value = i32::from((data >> 10) as u16 as i16);
    let value = match value {
        win if win >= MATE_BOUND => win - ply,
        loss if loss <= -MATE_BOUND => loss + ply,
        value => value,
    };
    Entry {
        best: (best != 0).then(|| Point::from_index(best)),
        value,
        eval: i32::from((data >> 26) as u16 as i16),
        depth: ((data >> 42 & 0xff) as i32 - DEPTH_BIAS) * DEPTH_STEP,
        bound: BOUNDS[(data >> 50 & 3) as usize],
        on_pv: data >> 52 & 1 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let table = TranspositionTable::new(1);
        for n in 0..1000u64 {
            let entry = Entry {
                best: Some(Point::new((n % 22) as u8, (n / 22 % 22) as u8)),
                value: n as i32 * 7 - 3000,
                eval: 100 - n as i32,
                depth: (n as i32 % 60) * 50,
                bound: Bound::Lower,
                on_pv: n % 2 == 0,
            };
            let key = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            table.put(key, entry, 3);
            assert_eq!(table.get(key, 3), Some(entry));
        }
        assert_eq!(table.get(12345, 0), None);
    }

    #[test]
    fn a_search_finds_its_own_result_deep_enough() {
        let table = TranspositionTable::new(1);
        for depth in [10, 100, 149, 730, 999] {
            let entry = Entry { best: None, value: 1, eval: 0, depth, bound: Bound::Exact, on_pv: false };
            table.put(7, entry, 0);
            let found = table.get(7, 0).unwrap();
            assert!(found.reaches(depth) && !found.reaches(depth + 50), "{depth}");
        }
    }

    #[test]
    fn mates_count_from_the_node_that_asks() {
        let table = TranspositionTable::new(1);
        let win = super::super::score::MATE - 9;
        let entry = Entry { best: None, value: win, eval: 0, depth: 100, bound: Bound::Exact, on_pv: false };
        table.put(7, entry, 4);
        assert_eq!(table.get(7, 6).map(|e| e.value), Some(win - 2));
    }

    #[test]
    fn an_upper_bound_in_the_winning_range_proves_no_win() {
        let win = super::super::score::MATE - 15;
        let entry = |bound| Entry { best: None, value: win, eval: 0, depth: 100, bound, on_pv: true };
        assert!(!entry(Bound::Upper).cuts(-100, win + 5));
        assert!(entry(Bound::Upper).cuts(win, win + 1));
        assert!(entry(Bound::Exact).cuts(-100, win + 5));
        assert!(entry(Bound::Lower).cuts(-100, win));
    }
}
