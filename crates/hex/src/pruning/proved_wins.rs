//! Wins proved by a search, stored by what they need rather than by position: the winner's stones, and the carrier,
//! cells that must not be the opponent's. Such a win applies to every position with these stones and this carrier: if the
//! winner is to move it wins, otherwise the opponent has to move into the carrier. In effect they are virtual connections
//! from edge to edge that H-search does not find.

use super::is_dead;
use crate::Size;
use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use game::Side;
use std::sync::{PoisonError, RwLock};

/// A win of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProvedWin<const W: usize> {
    /// The stones that it needs.
    pub(crate) stones: Bits<W>,
    /// The cells it plays in; some may be its stones already.
    pub(crate) carrier: Bits<W>,
    /// The first move; `None` if it needs none.
    pub(crate) reply: Option<u16>,
}

impl<const W: usize> ProvedWin<W> {
    /// Removes what cannot matter: cells that cannot be on a chain from edge to edge if all others are the loser's.
    fn reduced(mut self, shape: &Shape<W>, winner: Side) -> ProvedWin<W> {
        let edges = shape.edges(winner);
        loop {
            let before = self;
            let region = self.stones | self.carrier;
            let chains = shape.lattice().flood(edges[0], region) & shape.lattice().flood(edges[1], region);
            (self.stones, self.carrier) = (self.stones & chains, self.carrier & chains);
            let mut stones = Stones::from_sides([Bits::EMPTY; 2]).with_all(winner, self.stones);
            stones = stones.with_all(winner.other(), shape.lattice().all() & !chains);
            for cell in chains.iter() {
                // One at a time: giving a cell to the loser may bring another dead cell back to life.
                if is_dead(shape, &stones, cell) {
                    self.stones.remove(cell);
                    self.carrier.remove(cell);
                    let sides = [stones.of(Side::Black).without(cell), stones.of(Side::White).without(cell)];
                    stones = Stones::from_sides(sides).with(winner.other(), cell);
                }
            }
            if self == before {
                // A first move on a removed cell is not needed.
                self.reply = self.reply.filter(|&cell| self.carrier.contains(cell as usize));
                return self;
            }
        }
    }

    fn turned(self, size: Size) -> ProvedWin<W> {
        let turned = |cells: Bits<W>| cells.turned(size);
        let reply = self.reply.map(|cell| size.turned(cell as usize) as u16);
        ProvedWin { stones: turned(self.stones), carrier: turned(self.carrier), reply }
    }

    #[inline]
    fn applies(&self, own: &Bits<W>, theirs: &Bits<W>) -> bool {
        self.stones.is_subset(own) & !self.carrier.meets(theirs)
    }

    /// Does this one need no more than the other?
    #[inline]
    fn is_part_of(&self, other: &ProvedWin<W>) -> bool {
        self.stones.is_subset(&other.stones) && self.carrier.is_subset(&(other.carrier | other.stones))
    }
}

/// Lists: two winners, moving first or second.
const LISTS: usize = 4;

/// All proved wins, by winner and by whether the winner moves first.
pub(crate) struct ProvedWins<const W: usize> {
    lists: [[RwLock<Vec<ProvedWin<W>>>; 2]; 2],
    most: usize,
}

impl<const W: usize> ProvedWins<W> {
    /// Lists that take at most so many bytes in all.
    pub(crate) fn new(bytes: usize) -> ProvedWins<W> {
        // A vector that grows may hold twice what it needs.
        let most = (bytes / (2 * LISTS * size_of::<ProvedWin<W>>())).clamp(2, LONGEST);
        ProvedWins { lists: Default::default(), most }
    }

    /// The most memory that the lists can take.
    pub(crate) fn max_bytes(&self) -> usize {
        2 * LISTS * self.most * size_of::<ProvedWin<W>>()
    }

    /// Adds a win of `winner`, reduced, with its half turn.
    pub(crate) fn add(&self, shape: &Shape<W>, winner: Side, win: ProvedWin<W>) {
        let win = win.reduced(shape, winner);
        let turned = win.turned(shape.size());
        let list = &self.lists[winner.index()][usize::from(win.reply.is_some())];
        let mut list = list.write().unwrap_or_else(PoisonError::into_inner);
        if list.iter().any(|old| old.is_part_of(&win)) {
            return;
        }
        list.retain(|old| !win.is_part_of(old) && !turned.is_part_of(old));
        if list.len() + 2 > self.most {
            let half = list.len() / 2;
            list.drain(..half);
        }
        list.push(win);
        if !win.is_part_of(&turned) {
            list.push(turned);
        }
    }

    /// A win of `side` in this position.
    pub(crate) fn find(&self, stones: &Stones<W>, side: Side, moves_first: bool) -> Option<ProvedWin<W>> {
        let (own, theirs) = (stones.of(side), stones.of(side.other()));
        let kinds = if moves_first { 0..2 } else { 0..1 };
        kinds.rev().find_map(|kind| {
            let list = self.lists[side.index()][kind].read().unwrap_or_else(PoisonError::into_inner);
            list.iter().rev().find(|win| win.applies(&own, &theirs)).copied()
        })
    }

    /// The carriers of all wins of `side` if it moved first in this position, except those that contain all of `open`.
    pub(crate) fn threats(&self, stones: &Stones<W>, side: Side, open: &Bits<W>) -> Vec<Bits<W>> {
        let (own, theirs) = (stones.of(side), stones.of(side.other()));
        let list = self.lists[side.index()][1].read().unwrap_or_else(PoisonError::into_inner);
        let applicable =
            list.iter().filter(|win| win.applies(&own, &theirs) && !open.is_subset(&win.carrier));
        applicable.map(|win| win.carrier).collect()
    }

    /// All wins of a side, moving first or second.
    #[cfg(test)]
    pub(crate) fn all(&self, winner: Side, moves_first: bool) -> Vec<ProvedWin<W>> {
        self.lists[winner.index()][usize::from(moves_first)].read().unwrap().clone()
    }
}

/// Scanning a longer list costs more than H-search.
const LONGEST: usize = 200_000;
