//! Derives the connections that H-search found as steps of a proof. H-search keeps no record of its derivations; they are
//! found again from the parts in its lists, unless a limit dropped those.

use super::certify::Written;
use super::proof::{self, touching};
use crate::bits::Bits;
use crate::stones::Shape;
use crate::vc::Connections;
use std::collections::HashMap;

impl<const W: usize> Connections<W> {
    /// Steps for semis from edge to edge, small carriers first: enough of them to leave the opponent only the must-play
    /// region.
    pub(crate) fn derive_wins(&self, shape: &Shape<W>, own: Bits<W>, written: &mut Written<W>) -> Vec<usize> {
        let edges = [self.cells, self.cells + 1];
        let mut deriver = Deriver { of: self, shape, own, written, known: HashMap::new() };
        let mut steps = Vec::new();
        let mut open = self.empty;
        for win in &self.wins {
            if !open.is_subset(win)
                && let Some(step) = deriver.semi(edges, *win)
            {
                open = open & deriver.written.carrier(step);
                steps.push(step);
            }
        }
        steps
    }

    /// A step for a full from edge to edge.
    pub(crate) fn derive_full_win(
        &self,
        shape: &Shape<W>,
        own: Bits<W>,
        written: &mut Written<W>,
    ) -> Option<usize> {
        if !self.winning.must_play.is_empty() {
            return None;
        }
        let mut deriver = Deriver { of: self, shape, own, written, known: HashMap::new() };
        deriver.over_stone([self.cells, self.cells + 1], self.empty)
    }
}

struct Deriver<'a, const W: usize> {
    of: &'a Connections<W>,
    shape: &'a Shape<W>,
    own: Bits<W>,
    written: &'a mut Written<W>,
    /// Fulls that were tried, by ends and carrier; without a step while or if they have no derivation.
    known: HashMap<([usize; 2], Bits<W>), Option<usize>>,
}

impl<const W: usize> Deriver<'_, W> {
    fn full(&mut self, ends: [usize; 2], carrier: Bits<W>) -> Option<usize> {
        if let Some(&known) = self.known.get(&(ends, carrier)) {
            return known;
        }
        self.known.insert((ends, carrier), None);
        let step = match carrier.is_empty() {
            true => self.touch(ends),
            false => self.over_stone(ends, carrier).or_else(|| self.meet(ends, carrier)),
        };
        self.known.insert((ends, carrier), step);
        step
    }

    fn touch(&mut self, ends: [usize; 2]) -> Option<usize> {
        let cells = self.of.cells;
        // An empty cell at an end counts as a stone.
        let imagined = ends.iter().filter(|&&end| end < cells).fold(self.own, |own, &end| own.with(end));
        let ends = ends.map(|end| match end.checked_sub(cells) {
            Some(edge) => proof::End::Edge(edge),
            None => proof::End::Stone(end),
        });
        Some(self.written.touch(touching(self.shape, self.of.side, imagined, ends)?))
    }

    fn over_stone(&mut self, [from, to]: [usize; 2], carrier: Bits<W>) -> Option<usize> {
        let groups = (0..self.of.cells).filter(|&cell| self.of.nodes[cell] as usize == cell);
        groups
            .filter(|&over| !self.of.empty.contains(over) && over != from && over != to)
            .find_map(|over| self.chain([from, to], over, carrier))
    }

    /// Two fulls over a cell, within the carrier and without a cell in common.
    fn chain(&mut self, [from, to]: [usize; 2], over: usize, carrier: Bits<W>) -> Option<usize> {
        let of = self.of;
        let without = |cell: usize, set: Bits<W>| if cell < of.cells { set.without(cell) } else { set };
        let inner = without(from, without(to, carrier));
        for first in of.fulls.of(from, over).filter(|full| full.is_subset(&inner)) {
            let onward = of.fulls.of(over, to).filter(|full| full.is_subset(&inner) && !full.meets(&first));
            for second in onward {
                if let Some(one) = self.full([from, over], first)
                    && let Some(other) = self.full([over, to], second)
                {
                    return Some(self.written.both(over, [one, other]));
                }
            }
        }
        None
    }

    fn meet(&mut self, ends: [usize; 2], carrier: Bits<W>) -> Option<usize> {
        let mut open = self.of.empty;
        let mut answers = Vec::new();
        for semi in self.of.semis.of(ends[0], ends[1]).filter(|semi| semi.is_subset(&carrier)) {
            if !open.is_subset(&semi)
                && let Some(step) = self.semi(ends, semi)
            {
                open = open & self.written.carrier(step);
                answers.push((None, step));
            }
        }
        open.is_empty().then(|| self.written.meet(answers))
    }

    fn semi(&mut self, ends: [usize; 2], carrier: Bits<W>) -> Option<usize> {
        let (key, both) =
            carrier.iter().find_map(|key| Some((key, self.chain(ends, key, carrier.without(key))?)))?;
        Some(self.written.play(key, both))
    }
}
