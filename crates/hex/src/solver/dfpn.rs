//! Depth-first proof-number search (Nagai 2002) over the positions that knowledge leaves open.
//!
//! `phi` of a position is the least number of open positions whose decision could prove a win of the side to
//! move, `delta` the same for its loss. Each call works on one position until one of its numbers reaches a
//! threshold. Only the most promising moves that have not lost yet take part (Henderson's focused df-pn).
//! Threads share the table and keep out of each other's way: a position where one is at work looks harder to
//! the others.

use super::knowledge::{Connected, Decided, Looked, Looker, Opened};
use super::table::{Entry, Hashes, INFINITE, Numbers, Table, turned_if};
use super::wins::{Win, Wins};
use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use game::Side;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How many of the moves take part at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Focus {
    /// Always this many …
    pub(super) width: usize,
    /// … and one more for so many moves.
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
    pub(super) table: &'a Table<W>,
    pub(super) wins: &'a Wins<W>,
    pub(super) focus: Focus,
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
        if self.shared.table.get(hashes.key()).is_none() {
            let entry = self.open(stones, hashes, to_move, Connected::Unknown);
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
                let entry = self.open(stones, hashes, to_move, Connected::BeforeTheMove);
                table.insert(key, entry.clone());
                entry
            }
        };
        if entry.is_solved() {
            return;
        }
        let Some(opened) = entry.opened.clone() else { return };
        // From here on all is seen as it was when it was opened, perhaps from the other side of the board.
        let turn = entry.turned != hashes.is_turned();
        let [black, white] = Side::BOTH.map(|side| turned_if(turn, size, stones.of(side)));
        let stones = Stones::from_sides([black, white]);
        let grown = |side: Side| stones.of(side).is_subset(&opened.stones.of(side));
        debug_assert!(Side::BOTH.into_iter().all(grown), "filling in takes no stone away");
        table.update(key, |entry| entry.busy += 1);
        let started = self.work;
        let inner = Hashes::of(size, &opened.stones, to_move);
        let mut children: Vec<Child> = opened
            .moves
            .iter()
            .map(|&cell| Child { cell: cell as usize, hashes: inner.after(size, cell as usize) })
            .collect();
        let mut lost = Vec::new();
        while !self.shared.stop.load(Ordering::Relaxed) {
            let view = self.view(&opened, &mut children, &mut lost, to_move);
            table.update(key, |entry| {
                if !entry.is_solved() {
                    (entry.phi, entry.delta, entry.decided) = (view.phi, view.delta, view.decided);
                }
            });
            if view.phi == 0 || view.delta == 0 {
                let winner = if view.phi == 0 { to_move } else { to_move.other() };
                let Decided { carrier, reply } = view.decided;
                let win = Win { stones: stones.of(winner), carrier, reply };
                self.shared.wins.add(self.shared.shape, winner, win);
                break;
            }
            if view.phi >= thresholds.phi || view.delta >= thresholds.delta {
                break;
            }
            let Some(best) = view.best else { break };
            let inner_thresholds = Thresholds {
                phi: (thresholds.delta - view.delta).saturating_add(view.best_phi).min(INFINITE),
                // An eighth more than the second best, so as not to jump between equals.
                delta: thresholds.phi.min(view.second_delta.saturating_add(view.second_delta / 8 + 1)),
            };
            let after = opened.stones.with(to_move, best.cell);
            self.work_on(&after, best.hashes, to_move.other(), inner_thresholds);
        }
        let spent = self.work - started;
        table.update(key, |entry| {
            entry.busy = entry.busy.saturating_sub(1);
            entry.work += spent;
        });
    }

    /// Looks at a position for the first time.
    fn open(&mut self, stones: &Stones<W>, hashes: Hashes, to_move: Side, own: Connected) -> Entry<W> {
        self.work += 1;
        let nodes = self.shared.nodes.fetch_add(1, Ordering::Relaxed) + 1;
        if (self.shared.out_of_budget)(nodes) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        let (looked, decided) = self.looker.look_with_wins(stones, to_move, own, Some(self.shared.wins));
        let (phi, delta, opened) = match looked {
            Looked::Won => (0, INFINITE, None),
            Looked::Lost => (INFINITE, 0, None),
            Looked::Open(opened) => (1, opened.moves.len() as u32, Some(opened.into())),
        };
        Entry { phi, delta, work: 1, busy: 0, turned: hashes.is_turned(), decided, opened }
    }

    /// The numbers of a position from those of its children. A child that turns out lost takes with it all
    /// that are outside of its carrier: the opponent wins against them in the same way.
    fn view(
        &self,
        opened: &Opened<W>,
        children: &mut Vec<Child>,
        lost: &mut Vec<Bits<W>>,
        to_move: Side,
    ) -> View<W> {
        let size = self.shared.shape.size();
        let mut at = 0;
        let mut view = View::EMPTY;
        let mut width = self.shared.focus.of(children.len());
        let mut least = u32::MAX;
        while at < children.len().min(width) {
            let child = children[at];
            let Numbers { phi, delta, busy, carrier } = self.shared.table.numbers(size, child.hashes);
            if delta == 0 {
                let carrier = opened.carrier_of_win(to_move, child.cell, carrier);
                let decided = Decided { carrier, reply: Some(child.cell as u16) };
                return View { phi: 0, delta: INFINITE, decided, ..View::EMPTY };
            }
            if phi == 0 {
                children.retain(|child| carrier.contains(child.cell));
                lost.push(carrier);
                (view, at, least) = (View::EMPTY, 0, u32::MAX);
                width = self.shared.focus.of(children.len());
                continue;
            }
            view.phi = view.phi.min(delta);
            view.delta = view.delta.saturating_add(phi).min(INFINITE - 1);
            let looks = delta.saturating_add(u32::from(busy) * (delta / 2 + 1));
            if looks < least {
                view.second_delta = least.min(INFINITE);
                (least, view.best, view.best_phi) = (looks, Some(child), phi);
            } else {
                view.second_delta = view.second_delta.min(looks);
            }
            at += 1;
        }
        if children.is_empty()
            && let Some(carrier) = opened.carrier_of_loss(to_move.other(), lost)
        {
            view.decided = Decided { carrier, reply: None };
        }
        view
    }
}

/// A move that is still open.
#[derive(Clone, Copy)]
struct Child {
    cell: usize,
    hashes: Hashes,
}

struct View<const W: usize> {
    phi: u32,
    delta: u32,
    best: Option<Child>,
    best_phi: u32,
    second_delta: u32,
    /// Of a decided position.
    decided: Decided<W>,
}

impl<const W: usize> View<W> {
    /// No move is left.
    const EMPTY: View<W> = View {
        phi: INFINITE,
        delta: 0,
        best: None,
        best_phi: 1,
        second_delta: INFINITE,
        decided: Decided::NOT_YET,
    };
}
