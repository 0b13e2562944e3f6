//! Depth-first proof-number search (df-pn, Nagai 2002) over the positions that an analysis leaves open.
//!
//! `phi` of a position is the least number of open positions whose decision could prove a win of the side to
//! move, `delta` the same for its loss. Each call works on one position until one of its numbers reaches a
//! threshold. Only the most promising moves that have not lost yet take part (Henderson's focused df-pn).
//! Threads share the table and avoid each other: a position that one works on looks harder to the others (virtual loss).

use super::proof_table::{Entry, Hashes, INFINITE, Numbers, ProofTable};
use crate::bits::Bits;
use crate::pruning::{Analysis, Analyzer, OwnConnections, ProvedWin, ProvedWins, Reduced, Strategy};
use crate::stones::{Shape, Stones};
use game::Side;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How many moves take part at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Focus {
    /// Always this many …
    pub(super) width: usize,
    /// … and one more per so many moves.
    pub(super) moves_for_one_more: usize,
}

impl Focus {
    fn of(self, moves: usize) -> usize {
        self.width + moves / self.moves_for_one_more
    }
}

impl Default for Focus {
    fn default() -> Focus {
        Focus { width: 2, moves_for_one_more: 3 }
    }
}

/// What all threads of a search share.
pub(super) struct Shared<'a, const W: usize> {
    pub(super) shape: &'a Shape<W>,
    pub(super) table: &'a ProofTable<W>,
    pub(super) wins: &'a ProvedWins<W>,
    pub(super) focus: Focus,
    /// Positions analyzed.
    pub(super) nodes: &'a AtomicU64,
    /// Set when the answer is known or the limits are reached.
    pub(super) stop: &'a AtomicBool,
    /// Asked at every position analyzed, with their number; true ends the search.
    pub(super) limits_reached: &'a (dyn Fn(u64) -> bool + Sync),
}

pub(super) struct Worker<'a, const W: usize> {
    shared: &'a Shared<'a, W>,
    analyzer: Analyzer<'a, W>,
    work: u64,
}

#[derive(Clone, Copy)]
struct Thresholds {
    phi: u32,
    delta: u32,
}

impl<'a, const W: usize> Worker<'a, W> {
    pub(super) fn new(shared: &'a Shared<'a, W>, analyzer: Analyzer<'a, W>) -> Worker<'a, W> {
        Worker { shared, analyzer, work: 0 }
    }

    /// Does the side to move win? `None` if stopped before that was known.
    pub(super) fn solve(&mut self, stones: &Stones<W>, to_move: Side) -> Option<bool> {
        let hashes = Hashes::of(self.shared.shape.size(), stones, to_move);
        if self.shared.table.get(hashes.key()).is_none() {
            let entry = self.open(stones, hashes, to_move, OwnConnections::Unknown);
            self.shared.table.insert(hashes.key(), entry);
        }
        while !self.shared.stop.load(Ordering::Relaxed) {
            self.work_on(stones, hashes, to_move, Thresholds { phi: INFINITE, delta: INFINITE });
            if let Some(entry) = self.shared.table.get(hashes.key())
                && entry.is_solved()
            {
                return Some(entry.is_won());
            }
        }
        self.shared.table.get(hashes.key()).filter(Entry::is_solved).map(|entry| entry.is_won())
    }

    fn work_on(&mut self, stones: &Stones<W>, hashes: Hashes, to_move: Side, thresholds: Thresholds) {
        let table = self.shared.table;
        let size = self.shared.shape.size();
        let key = hashes.key();
        let entry = match table.get(key) {
            Some(entry) => entry,
            None => {
                let entry = self.open(stones, hashes, to_move, OwnConnections::CutByLastMove);
                table.insert(key, entry.clone());
                entry
            }
        };
        if entry.is_solved() {
            return;
        }
        let Some(reduced) = entry.reduced.clone() else { return };
        // From here on in the orientation in which the position was analyzed, possibly rotated by a half turn.
        let turn = entry.turned != hashes.is_turned();
        let [black, white] =
            Side::BOTH.map(|side| if turn { stones.of(side).turned(size) } else { stones.of(side) });
        let stones = Stones::from_sides([black, white]);
        let grown = |side: Side| stones.of(side).is_subset(&reduced.stones.of(side));
        debug_assert!(Side::BOTH.into_iter().all(grown), "fill-in removes no stone");
        table.update(key, |entry| entry.busy += 1);
        let started = self.work;
        let inner = Hashes::of(size, &reduced.stones, to_move);
        let mut children: Vec<Child> = reduced
            .moves
            .iter()
            .map(|&cell| Child { cell: cell as usize, hashes: inner.after(size, cell as usize) })
            .collect();
        let mut lost = Vec::new();
        while !self.shared.stop.load(Ordering::Relaxed) {
            let summary = self.summarize(&reduced, &mut children, &mut lost, to_move);
            table.update(key, |entry| {
                if !entry.is_solved() {
                    (entry.phi, entry.delta, entry.strategy) = (summary.phi, summary.delta, summary.strategy);
                }
            });
            if summary.phi == 0 || summary.delta == 0 {
                let winner = if summary.phi == 0 { to_move } else { to_move.other() };
                let Strategy { carrier, reply } = summary.strategy;
                let win = ProvedWin { stones: stones.of(winner), carrier, reply };
                self.shared.wins.add(self.shared.shape, winner, win);
                break;
            }
            if summary.phi >= thresholds.phi || summary.delta >= thresholds.delta {
                break;
            }
            let Some(best) = summary.best else { break };
            let inner_thresholds = Thresholds {
                phi: (thresholds.delta - summary.delta).saturating_add(summary.best_phi).min(INFINITE),
                // An eighth above the second best (the 1 + epsilon trick, Pawlewicz and Lew 2007), to switch less often.
                delta: thresholds.phi.min(summary.second_delta.saturating_add(summary.second_delta / 8 + 1)),
            };
            let after = reduced.stones.with(to_move, best.cell);
            self.work_on(&after, best.hashes, to_move.other(), inner_thresholds);
        }
        let spent = self.work - started;
        table.update(key, |entry| {
            entry.busy = entry.busy.saturating_sub(1);
            entry.work += spent;
        });
    }

    /// Analyzes a position for the first time.
    fn open(&mut self, stones: &Stones<W>, hashes: Hashes, to_move: Side, own: OwnConnections) -> Entry<W> {
        self.work += 1;
        let nodes = self.shared.nodes.fetch_add(1, Ordering::Relaxed) + 1;
        if (self.shared.limits_reached)(nodes) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        let stop = || self.shared.stop.load(Ordering::Relaxed) || (self.shared.limits_reached)(nodes);
        let (analysis, strategy) =
            self.analyzer.analyze_with_wins(stones, to_move, own, Some(self.shared.wins), &stop);
        let (phi, delta, reduced) = match analysis {
            Analysis::Won => (0, INFINITE, None),
            Analysis::Lost => (INFINITE, 0, None),
            Analysis::Open(reduced) => (1, reduced.moves.len() as u32, Some(reduced.into())),
        };
        Entry { phi, delta, work: 1, busy: 0, turned: hashes.is_turned(), strategy, reduced }
    }

    /// The numbers of a position from those of its children. A losing child removes all moves outside its carrier: the
    /// opponent wins against them in the same way.
    fn summarize(
        &self,
        reduced: &Reduced<W>,
        children: &mut Vec<Child>,
        lost: &mut Vec<Bits<W>>,
        to_move: Side,
    ) -> Summary<W> {
        let size = self.shared.shape.size();
        let mut at = 0;
        let mut summary = Summary::EMPTY;
        let mut width = self.shared.focus.of(children.len());
        let mut least = u32::MAX;
        while at < children.len().min(width) {
            let child = children[at];
            let Numbers { phi, delta, busy, carrier } = self.shared.table.numbers(size, child.hashes);
            if delta == 0 {
                let carrier = reduced.carrier_of_win(to_move, child.cell, carrier);
                let strategy = Strategy { carrier, reply: Some(child.cell as u16) };
                return Summary { phi: 0, delta: INFINITE, strategy, ..Summary::EMPTY };
            }
            if phi == 0 {
                children.retain(|child| carrier.contains(child.cell));
                lost.push(carrier);
                (summary, at, least) = (Summary::EMPTY, 0, u32::MAX);
                width = self.shared.focus.of(children.len());
                continue;
            }
            summary.phi = summary.phi.min(delta);
            summary.delta = summary.delta.saturating_add(phi).min(INFINITE - 1);
            let virtual_delta = delta.saturating_add(u32::from(busy) * (delta / 2 + 1));
            if virtual_delta < least {
                summary.second_delta = least.min(INFINITE);
                (least, summary.best, summary.best_phi) = (virtual_delta, Some(child), phi);
            } else {
                summary.second_delta = summary.second_delta.min(virtual_delta);
            }
            at += 1;
        }
        if children.is_empty()
            && let Some(carrier) = reduced.carrier_of_loss(to_move.other(), lost)
        {
            summary.strategy = Strategy { carrier, reply: None };
        }
        summary
    }
}

/// A move that is still open.
#[derive(Clone, Copy)]
struct Child {
    cell: usize,
    hashes: Hashes,
}

/// The numbers of a position.
struct Summary<const W: usize> {
    phi: u32,
    delta: u32,
    best: Option<Child>,
    best_phi: u32,
    second_delta: u32,
    /// How a decided position is won.
    strategy: Strategy<W>,
}

impl<const W: usize> Summary<W> {
    /// No move is left.
    const EMPTY: Summary<W> = Summary {
        phi: INFINITE,
        delta: 0,
        best: None,
        best_phi: 1,
        second_delta: INFINITE,
        strategy: Strategy::NOT_YET,
    };
}
