//! Wins that were proved, kept as what they need rather than as positions: the winner's stones, and the carrier,
//! cells that must not be the opponent's. A win serves in every position that has these stones and leaves these
//! cells, however different the rest is: if the winner is to move it wins, and if not, the opponent has to move
//! into the carrier. They are virtual connections from edge to edge that the search has found and H-search has not.

use super::table::turned_if;
use crate::Size;
use crate::bits::Bits;
use crate::inferior;
use crate::stones::{Shape, Stones};
use game::Side;
use std::sync::{PoisonError, RwLock};

/// A win of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Win<const W: usize> {
    /// The stones that it needs.
    pub(crate) stones: Bits<W>,
    /// The cells it plays in; those that are its stones already do no harm.
    pub(crate) carrier: Bits<W>,
    /// The first move; none if it needs none.
    pub(crate) reply: Option<u16>,
}

impl<const W: usize> Win<W> {
    /// Takes out what cannot matter: cells that cannot be on a chain from edge to edge, all others being the
    /// loser's.
    fn reduced(mut self, shape: &Shape<W>, winner: Side) -> Win<W> {
        let edges = shape.edges(winner);
        loop {
            let before = self;
            let region = self.stones | self.carrier;
            let chains = shape.lattice().flood(edges[0], region) & shape.lattice().flood(edges[1], region);
            (self.stones, self.carrier) = (self.stones & chains, self.carrier & chains);
            let mut stones = Stones::from_sides([Bits::EMPTY; 2]).with_all(winner, self.stones);
            stones = stones.with_all(winner.other(), shape.lattice().all() & !chains);
            for cell in chains.iter() {
                // One after the other: a stone that went to the loser may give another its meaning back.
                if inferior::is_dead(shape, &stones, cell) {
                    self.stones.remove(cell);
                    self.carrier.remove(cell);
                    let sides = [stones.of(Side::Black).without(cell), stones.of(Side::White).without(cell)];
                    stones = Stones::from_sides(sides).with(winner.other(), cell);
                }
            }
            if self == before {
                // A first move that cannot matter was none.
                self.reply = self.reply.filter(|&cell| self.carrier.contains(cell as usize));
                return self;
            }
        }
    }

    fn turned(self, size: Size) -> Win<W> {
        let turned = |cells: Bits<W>| turned_if(true, size, cells);
        let reply = self.reply.map(|cell| size.turned(cell as usize) as u16);
        Win { stones: turned(self.stones), carrier: turned(self.carrier), reply }
    }

    #[inline]
    fn serves(&self, own: &Bits<W>, theirs: &Bits<W>) -> bool {
        self.stones.is_subset(own) & !self.carrier.meets(theirs)
    }

    /// Does this one need no more than the other?
    #[inline]
    fn is_part_of(&self, other: &Win<W>) -> bool {
        self.stones.is_subset(&other.stones) && self.carrier.is_subset(&(other.carrier | other.stones))
    }
}

/// All wins, by winner and by whether the winner moves first.
pub(crate) struct Wins<const W: usize> {
    lists: [[RwLock<Vec<Win<W>>>; 2]; 2],
    most: usize,
}

impl<const W: usize> Wins<W> {
    pub(crate) fn new(memory_mb: usize) -> Wins<W> {
        let most = ((memory_mb << 20) / size_of::<Win<W>>() / 4).clamp(64, MOST);
        Wins { lists: Default::default(), most }
    }

    /// Remembers how `winner` wins a position.
    pub(crate) fn add(&self, shape: &Shape<W>, winner: Side, win: Win<W>) {
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
    pub(crate) fn find(&self, stones: &Stones<W>, side: Side, moves_first: bool) -> Option<Win<W>> {
        let (own, theirs) = (stones.of(side), stones.of(side.other()));
        let kinds = if moves_first { 0..2 } else { 0..1 };
        kinds.rev().find_map(|kind| {
            let list = self.lists[side.index()][kind].read().unwrap_or_else(PoisonError::into_inner);
            list.iter().rev().find(|win| win.serves(&own, &theirs)).copied()
        })
    }

    /// The carriers of all wins of `side` if it moved first in this position, that not all of `open` is within.
    pub(crate) fn threats(&self, stones: &Stones<W>, side: Side, open: &Bits<W>) -> Vec<Bits<W>> {
        let (own, theirs) = (stones.of(side), stones.of(side.other()));
        let list = self.lists[side.index()][1].read().unwrap_or_else(PoisonError::into_inner);
        let serving = list.iter().filter(|win| win.serves(&own, &theirs) && !open.is_subset(&win.carrier));
        serving.map(|win| win.carrier).collect()
    }

    /// All wins of a side, moving first or second.
    #[cfg(test)]
    pub(super) fn all(&self, winner: Side, moves_first: bool) -> Vec<Win<W>> {
        self.lists[winner.index()][usize::from(moves_first)].read().unwrap().clone()
    }
}

/// More than these in a list, and looking through it costs more than H-search.
const MOST: usize = 200_000;
