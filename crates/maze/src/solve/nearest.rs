//! One start and many goals: Dijkstra's algorithm until enough goals are reached.
//!
//! With as many as there are, it gives the distances to all of them; with fewer, the nearest ones. One search replaces
//! one per goal, and stops as soon as the last goal wanted is closed.

use super::{Budget, Meter, PACKED_STEPS, QueryError, Solver, pack, unpack};
use crate::bits::Bits;
use crate::grid::Cell;
use crate::labels::ROOT;
use crate::moves::{Neighbours, offsets};

/// The goals reached, nearest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// At most as many as were asked for.
    pub reached: Vec<Reached>,
    /// `false` if the budget ran out before; then goals that are missing may still be reachable.
    pub complete: bool,
    /// Cells whose successors were made.
    pub expanded: u64,
}

/// A goal that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Which of the goals given, from 0.
    pub index: usize,
    /// The goal.
    pub goal: Cell,
    /// Cost of a cheapest path to it.
    pub cost: f64,
}

impl Solver<'_> {
    /// Finds the `count` goals that cost least to reach from `from`, with their costs. A goal given twice counts twice.
    pub fn nearest(
        &mut self,
        from: Cell,
        goals: &[Cell],
        count: usize,
        neighbours: Neighbours,
        budget: &Budget,
    ) -> Result<Nearest, QueryError> {
        self.check_end("start", from)?;
        goals.iter().try_for_each(|goal| self.check_end("goal", *goal))?;
        let (grid, bits) = (self.grid, self.grid.bits());
        let (units, table, offsets) = (neighbours.units(), neighbours.table(), offsets(bits.stride()));
        let mut is_goal = Bits::new(grid.width(), grid.height());
        let mut by_cell: Vec<(u32, usize)> = Vec::with_capacity(goals.len());
        for (index, goal) in goals.iter().enumerate() {
            is_goal.set(bits.id(goal.row, goal.col), true);
            by_cell.push((pack(*goal), index));
        }
        by_cell.sort_unstable();
        let wanted = count.min(goals.len());
        let (labels, heap) = (&mut self.memory.labels, &mut self.memory.heap);
        labels.begin(bits.len());
        labels.open(bits.id(from.row, from.col), 0, ROOT);
        heap.clear();
        heap.push(0, pack(from));
        let mut meter = Meter::new(budget);
        let (mut reached, mut complete) = (Vec::new(), true);
        while reached.len() < wanted {
            let Some((g, packed)) = heap.pop() else { break };
            let cell = unpack(packed);
            let id = bits.id(cell.row, cell.col);
            if labels.get(id).is_closed() {
                continue;
            }
            if meter.spent() {
                complete = false;
                break;
            }
            labels.close(id);
            if is_goal.get(id) {
                let first = by_cell.partition_point(|(goal, _)| *goal < packed);
                let same = by_cell[first..].iter().take_while(|(goal, _)| *goal == packed);
                reached.extend(same.map(|&(_, index)| Reached { index, goal: cell, cost: units.cost(g) }));
            }
            let mut moves = table[bits.square(id)];
            while moves != 0 {
                let way = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let next = packed.wrapping_add(PACKED_STEPS[way]);
                let weight = if self.weighted { grid.weight(unpack(next)) } else { 1 };
                let next_g = g + units.step(way as u8) * u64::from(weight);
                if labels.improve(id.wrapping_add(offsets[way]), next_g, way as u8, true) {
                    heap.push(next_g, next);
                }
            }
        }
        reached.truncate(wanted);
        Ok(Nearest { reached, complete, expanded: meter.expanded() })
    }
}
