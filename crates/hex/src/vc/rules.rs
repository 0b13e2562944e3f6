//! H-search itself: the nodes and their adjacencies, then the AND and OR rules until nothing new is found.

use super::{Connections, Effort, Full, NONE, Winning, narrowed};
use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use game::Side;

/// Steps between two questions whether to stop: well below a millisecond.
const STEPS_PER_CHECK: usize = 16;

impl<const W: usize> Connections<W> {
    /// Finds the connections of a side, reusing this memory.
    pub(crate) fn rebuild(&mut self, shape: &Shape<W>, stones: &Stones<W>, side: Side, effort: Effort) {
        self.rebuild_until(shape, stones, side, effort, &|| false);
    }

    /// [`Connections::rebuild`] that ends early when `stop` is set, with fewer connections.
    pub(crate) fn rebuild_until(
        &mut self,
        shape: &Shape<W>,
        stones: &Stones<W>,
        side: Side,
        effort: Effort,
        stop: &dyn Fn() -> bool,
    ) {
        self.side = side;
        self.effort = effort;
        self.empty = shape.empty(stones);
        self.winning = Winning { semi: None, must_play: self.empty };
        self.wins.clear();
        self.full_win = None;
        self.fulls.clear();
        self.semis.clear();
        self.fulls.set_longest(effort.fulls);
        self.semis.set_longest(effort.semis);
        self.queue.iter_mut().for_each(Vec::clear);
        self.partners.fill((Bits::EMPTY, 0));
        if self.assign_nodes(shape, stones) {
            let carrier = Bits::EMPTY;
            self.winning =
                Winning { semi: self.empty.first().map(|cell| (carrier, cell)), must_play: carrier };
            return;
        }
        self.join_neighbours(shape);
        self.close(stop);
    }

    /// Assigns a node to every cell; true if stones already join the edges.
    fn assign_nodes(&mut self, shape: &Shape<W>, stones: &Stones<W>) -> bool {
        let own = stones.of(self.side);
        let edges = shape.edges(self.side);
        self.nodes.fill(NONE);
        self.empty.iter().for_each(|cell| self.nodes[cell] = cell as u16);
        let mut rest = own;
        for (which, edge) in edges.iter().enumerate() {
            let joined = shape.lattice().flood(*edge, own);
            if which == 0 && joined.meets(&edges[1]) {
                return true;
            }
            joined.iter().for_each(|cell| self.nodes[cell] = (self.cells + which) as u16);
            rest = rest & !joined;
        }
        while let Some(first) = rest.first() {
            let group = shape.lattice().flood(Bits::EMPTY.with(first), own);
            group.iter().for_each(|cell| self.nodes[cell] = first as u16);
            rest = rest & !group;
        }
        false
    }

    /// Adjacent nodes are connected with an empty carrier.
    fn join_neighbours(&mut self, shape: &Shape<W>) {
        let edges = shape.edges(self.side);
        for cell in self.empty.iter() {
            for (which, edge) in edges.iter().enumerate() {
                if edge.contains(cell) {
                    self.add_full(cell, self.cells + which, Bits::EMPTY);
                }
            }
            for near in shape.near(cell).iter() {
                let node = self.nodes[near];
                if node != NONE && (node as usize > cell || !self.empty.contains(node as usize)) {
                    self.add_full(cell, node as usize, Bits::EMPTY);
                }
            }
        }
    }

    /// Combines new fulls, those with small carriers first.
    fn close(&mut self, stop: &dyn Fn() -> bool) {
        let mut size = 0;
        let mut steps = 0;
        while size < self.queue.len() {
            let Some(full) = self.queue[size].pop() else {
                size += 1;
                continue;
            };
            let [a, b] = full.ends;
            // A smaller carrier may have replaced it meanwhile.
            if !self.fulls.has(a, b, &full.carrier) {
                continue;
            }
            let smallest = self.and(a, b, full.carrier).min(self.and(b, a, full.carrier));
            steps += 1;
            if self.winning.must_play.is_empty()
                || (self.effort.until_semi && self.winning.semi.is_some())
                || steps >= self.effort.steps
                || (steps.is_multiple_of(STEPS_PER_CHECK) && stop())
            {
                return;
            }
            size = size.min(smallest);
        }
    }

    /// The AND rule: the full from `from` to `over` goes on with every other full from there. Returns the
    /// smallest carrier size that was queued.
    fn and(&mut self, from: usize, over: usize, carrier: Bits<W>) -> usize {
        // Chains over an edge are possible but hardly ever help.
        if over >= self.cells {
            return usize::MAX;
        }
        let (mut near, edges) = self.partners[over];
        let mut smallest = usize::MAX;
        let cells_between = carrier.len() + usize::from(self.empty.contains(over));
        if self.is_cell(from) && cells_between > self.effort.between_cells {
            // Too long for another empty cell at its end.
            near = near & !self.empty;
        }
        for to in (near & !carrier).iter() {
            smallest = smallest.min(self.chain(from, over, to, carrier));
        }
        for edge in (0..2).filter(|edge| edges >> edge & 1 != 0) {
            smallest = smallest.min(self.chain(from, over, self.cells + edge, carrier));
        }
        smallest
    }

    fn chain(&mut self, from: usize, over: usize, to: usize, carrier: Bits<W>) -> usize {
        let mut smallest = usize::MAX;
        if to == from {
            return smallest;
        }
        let over_cell = self.empty.contains(over);
        let between_cells = self.is_cell(from) && self.is_cell(to);
        let mut at = self.fulls.start(over, to);
        while let Some(onward) = self.fulls.next(&mut at) {
            if onward.meets(&carrier) || (from < self.cells && onward.contains(from)) {
                continue;
            }
            let both = carrier | onward;
            if between_cells && both.len() + usize::from(over_cell) > self.effort.between_cells {
                // The carriers of a list only get larger.
                break;
            }
            smallest = smallest.min(if over_cell {
                self.add_semi(from, to, both.with(over), over)
            } else {
                self.add_full(from, to, both)
            });
        }
        smallest
    }

    #[inline]
    fn is_cell(&self, node: usize) -> bool {
        node < self.cells && self.empty.contains(node)
    }

    /// Adds a full and queues it; returns its size, or the largest number if it is not new.
    fn add_full(&mut self, a: usize, b: usize, carrier: Bits<W>) -> usize {
        if a >= self.cells && b >= self.cells {
            // Edge to edge without any cell to play is a full win.
            self.note_winning(carrier, None);
            return usize::MAX;
        }
        if !self.fulls.insert(a, b, carrier) {
            return usize::MAX;
        }
        for (from, to) in [(a, b), (b, a)] {
            match to.checked_sub(self.cells) {
                Some(edge) => self.partners[from].1 |= 1 << edge,
                None => self.partners[from].0.insert(to),
            }
        }
        let size = carrier.len();
        self.queue[size].push(Full { ends: [a, b], carrier });
        size
    }

    /// Adds a semi and applies the OR rule with it; returns the smallest full that was queued.
    fn add_semi(&mut self, a: usize, b: usize, carrier: Bits<W>, key: usize) -> usize {
        if a >= self.cells && b >= self.cells {
            self.note_winning(carrier, Some(key));
            return usize::MAX;
        }
        if self.fulls.covers(a, b, &carrier) || !self.semis.insert(a, b, carrier) {
            return usize::MAX;
        }
        let common = self.semis.of(a, b).fold(carrier, |common, semi| common & semi);
        if !common.is_empty() {
            return usize::MAX;
        }
        let smallest = self.or(a, b, carrier, carrier, self.effort.or_depth - 1);
        if self.effort.or_of_many { smallest.min(self.or_of_many(a, b, carrier)) } else { smallest }
    }

    /// The OR rule with any number of semis, greedily: small carriers first, each that reduces the common cells. Long edge
    /// templates are often of this kind, with six semis and more.
    fn or_of_many(&mut self, a: usize, b: usize, new: Bits<W>) -> usize {
        let (common, union) = narrowed((new, new), self.semis.of(a, b));
        match common.is_empty() && !self.fulls.covers(a, b, &union) {
            true => self.add_full(a, b, union),
            false => usize::MAX,
        }
    }

    /// The OR rule: semis that together have no cell in common. `common` and `union` are of those chosen so
    /// far; the next has to avoid the first common cell.
    fn or(&mut self, a: usize, b: usize, common: Bits<W>, union: Bits<W>, depth: usize) -> usize {
        let Some(pivot) = common.first() else {
            return self.add_full(a, b, union);
        };
        let mut smallest = usize::MAX;
        if depth == 0 {
            return smallest;
        }
        let mut at = self.semis.start(a, b);
        while let Some(semi) = self.semis.next(&mut at) {
            if semi.contains(pivot) {
                continue;
            }
            let both = union | semi;
            if !self.fulls.covers(a, b, &both) {
                smallest = smallest.min(self.or(a, b, common & semi, both, depth - 1));
            }
        }
        smallest
    }

    fn note_winning(&mut self, carrier: Bits<W>, key: Option<usize>) {
        let winning = &mut self.winning;
        match key {
            None => {
                // Wins against any move: no other carrier is needed.
                winning.must_play = Bits::EMPTY;
                self.full_win = Some(carrier);
            }
            Some(key) => {
                winning.must_play = winning.must_play & carrier;
                if winning.semi.is_none_or(|(known, _)| carrier.len() < known.len()) {
                    winning.semi = Some((carrier, key));
                }
                if !self.wins.iter().any(|known| known.is_subset(&carrier)) {
                    self.wins.retain(|known| !carrier.is_subset(known));
                    let at = self.wins.partition_point(|known| known.len() <= carrier.len());
                    self.wins.insert(at, carrier);
                }
            }
        }
    }
}
