//! Making a table: Dijkstra's algorithm over the subgoal graph from every subgoal, on as many threads as are given.

use super::sight::Sight;
use super::{MAX_TABLE_CELLS, SubgoalTable, UNREACHABLE, index};
use crate::grid::Grid;
use crate::prepared::{BuildError, build_rows};
use game::StopFlag;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZero;

impl SubgoalTable {
    /// Makes the table of a map. `progress` is told from time to time how many subgoals are done.
    pub fn build(
        grid: &Grid,
        threads: NonZero<usize>,
        stop: &StopFlag,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<SubgoalTable, BuildError> {
        if grid.is_weighted() {
            return Err(BuildError::Weighted);
        }
        let cells = u64::from(grid.width()) * u64::from(grid.height());
        if cells > MAX_TABLE_CELLS {
            return Err(BuildError::TooManyCells { what: "cells", cells, most: MAX_TABLE_CELLS });
        }
        let sight = Sight::new(grid).ok_or(BuildError::TooManySubgoals)?;
        let count = sight.cells.len();
        let worker = || {
            let mut search = Search { distances: vec![u64::MAX; count], open: BinaryHeap::new() };
            let sight = &sight;
            move |from| search.distances_below(sight, from as u16)
        };
        let rows = build_rows(count, threads, stop, progress, worker)?;
        let mut distances = vec![UNREACHABLE; index(count as u16, 0)];
        for (from, row) in (0..).zip(rows) {
            distances[index(from, 0)..][..row.len()].copy_from_slice(&row);
        }
        Ok(SubgoalTable { sight, distances })
    }
}

/// Reusable memory of one thread.
struct Search {
    distances: Vec<u64>,
    open: BinaryHeap<Reverse<(u64, u16)>>,
}

impl Search {
    /// Distances to the subgoals numbered below this one.
    fn distances_below(&mut self, sight: &Sight, from: u16) -> Result<Vec<u32>, BuildError> {
        self.distances.fill(u64::MAX);
        self.distances[usize::from(from)] = 0;
        self.open.push(Reverse((0, from)));
        while let Some(Reverse((distance, at))) = self.open.pop() {
            if distance > self.distances[usize::from(at)] {
                continue;
            }
            for next in sight.edges.get(u32::from(at)) {
                let longer = distance + sight.length(at, *next);
                let known = &mut self.distances[usize::from(*next)];
                if longer < *known {
                    *known = longer;
                    self.open.push(Reverse((longer, *next)));
                }
            }
        }
        let narrow = |distance: &u64| match *distance {
            u64::MAX => Ok(UNREACHABLE),
            distance if distance >= u64::from(UNREACHABLE) => Err(BuildError::PathTooLong),
            distance => Ok(distance as u32),
        };
        self.distances[..usize::from(from)].iter().map(narrow).collect()
    }
}
