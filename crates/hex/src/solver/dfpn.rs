//! Depth-first proof-number search (Nagai 2002) over the positions that knowledge leaves open.
//!
//! `phi` of a position is the least number of open positions whose decision could prove a win of the side to
//! move, `delta` the same for its loss. Each call works on one position until one of its numbers reaches a
//! threshold. Only the most promising moves that have not lost yet take part (Henderson's focused df-pn).
//! Threads share the table and keep out of each other's way: a position where one is at work looks harder to
//! the others.

use super::knowledge::{Looked, Looker};
use super::table::{Entry, Hashes, INFINITE, Table};
use crate::stones::{Shape, Stones};
use game::Side;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Always this many moves take part …
const WIDTH: usize = 2;
/// … and one more for so many moves.
const MOVES_FOR_ONE_MORE: usize = 4;

/// What all threads of a search share.
pub(super) struct Shared<'a, const W: usize> {
    pub(super) shape: &'a Shape<W>,
    pub(super) table: &'a Table<W>,
    /// Positions looked at.
    pub(super) nodes: &'a AtomicU64,
    /// Set when the answer is known or the budget spent.
    pub(super) stop: &'a AtomicBool,
    /// Asked at every position looked at; true ends the search.
    pub(super) out_of_budget: &'a (dyn Fn(u64) -> bool + Sync),
}

pub(super) struct Worker<'a, const W: usize> {
    shared: &'a Shared<'a, W>,
    looker: Looker<'a, W>,
    work: u64,
}

#[derive(Clone, Copy)]
struct Thresholds {
    phi: u32,
    delta: u32,
}

impl<'a, const W: usize> Worker<'a, W> {
    pub(super) fn new(shared: &'a Shared<'a, W>, looker: Looker<'a, W>) -> Worker<'a, W> {
        Worker { shared, looker, work: 0 }
    }

    /// Does the side to move win? `None` if stopped before that was known.
    pub(super) fn solve(&mut self, stones: &Stones<W>, to_move: Side) -> Option<bool> {
        let hashes = Hashes::of(self.shared.shape.size(), stones, to_move);
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
        let key = hashes.key();
        let entry = match table.get(key) {
            Some(entry) => entry,
            None => {
                let entry = self.open(stones, hashes, to_move);
                table.insert(key, entry.clone());
                entry
            }
        };
        let Some(opened) = entry.opened.filter(|_| entry.phi > 0 && entry.delta > 0) else { return };
        table.update(key, |entry| entry.busy += 1);
        let started = self.work;
        let inner = Hashes::of(self.shared.shape.size(), &opened.stones, to_move);
        let children: Vec<Hashes> =
            opened.moves.iter().map(|&cell| inner.after(self.shared.shape.size(), cell as usize)).collect();
        while !self.shared.stop.load(Ordering::Relaxed) {
            let view = self.view(&children);
            table.update(key, |entry| {
                if !entry.is_solved() {
                    (entry.phi, entry.delta) = (view.phi, view.delta);
                }
            });
            if view.phi >= thresholds.phi
                || view.delta >= thresholds.delta
                || view.phi == 0
                || view.delta == 0
            {
                break;
            }
            let Some(best) = view.best else { break };
            let inner_thresholds = Thresholds {
                phi: (thresholds.delta - view.delta).saturating_add(view.best_phi).min(INFINITE),
                // A quarter more than the second best, so as not to jump between equals.
                delta: thresholds.phi.min(view.second_delta.saturating_add(view.second_delta / 4 + 1)),
            };
            let cell = opened.moves[best] as usize;
            let after = opened.stones.with(to_move, cell);
            self.work_on(&after, children[best], to_move.other(), inner_thresholds);
        }
        let spent = self.work - started;
        table.update(key, |entry| {
            entry.busy = entry.busy.saturating_sub(1);
            entry.work += spent;
        });
    }

    /// Looks at a position for the first time.
    fn open(&mut self, stones: &Stones<W>, hashes: Hashes, to_move: Side) -> Entry<W> {
        self.work += 1;
        let nodes = self.shared.nodes.fetch_add(1, Ordering::Relaxed) + 1;
        if (self.shared.out_of_budget)(nodes) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        let (phi, delta, opened) = match self.looker.look(stones, to_move) {
            Looked::Won => (0, INFINITE, None),
            Looked::Lost => (INFINITE, 0, None),
            Looked::Open(opened) => (1, opened.moves.len() as u32, Some(opened.into())),
        };
        Entry { phi, delta, work: 1, busy: 0, turned: hashes.is_turned(), opened }
    }

    /// The numbers of a position from those of its children.
    fn view(&self, children: &[Hashes]) -> View {
        let mut view = View { phi: INFINITE, delta: 0, best: None, best_phi: 1, second_delta: INFINITE };
        let width = WIDTH + children.len() / MOVES_FOR_ONE_MORE;
        let mut least = u32::MAX;
        let mut seen = 0;
        for (at, child) in children.iter().enumerate() {
            let (phi, delta, busy) = self.shared.table.numbers(child.key()).unwrap_or((1, 1, 0));
            if delta == 0 {
                return View { phi: 0, delta: INFINITE, best: Some(at), best_phi: 0, second_delta: 0 };
            }
            if phi == 0 {
                continue;
            }
            view.phi = view.phi.min(delta);
            view.delta = view.delta.saturating_add(phi).min(INFINITE - 1);
            let looks = delta.saturating_add(u32::from(busy) * (delta / 2 + 1));
            if looks < least {
                view.second_delta = least.min(INFINITE);
                (least, view.best, view.best_phi) = (looks, Some(at), phi);
            } else {
                view.second_delta = view.second_delta.min(looks);
            }
            seen += 1;
            if seen == width {
                break;
            }
        }
        view
    }
}

struct View {
    phi: u32,
    delta: u32,
    best: Option<usize>,
    best_phi: u32,
    second_delta: u32,
}
