//! Making a table: Dijkstra's algorithm over the subgoal graph from every subgoal, on as many threads as are given.

use super::sight::Sight;
use super::{MAX_SUBGOALS, MAX_TABLE_CELLS, SubgoalTable, UNREACHABLE, index};
use crate::grid::Grid;
use game::StopFlag;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Why no table was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// More subgoals than [`MAX_SUBGOALS`], or lists of those in sight that would fill the memory.
    #[error(
        "the map has more than {MAX_SUBGOALS} subgoals (corners of walls), or too many in sight of each cell"
    )]
    TooManySubgoals,
    /// More cells than [`MAX_TABLE_CELLS`].
    #[error("the map has {cells} cells; a subgoal table is made for at most {MAX_TABLE_CELLS}")]
    TooManyCells {
        /// Cells of the map, walls included.
        cells: u64,
    },
    /// Cells of different weight.
    #[error("the map has cells of different weight; a subgoal table needs equal ones")]
    Weighted,
    /// A distance that 32 bits do not hold.
    #[error("the map has shortest paths of more than 300,000 steps, which a subgoal table cannot hold")]
    PathTooLong,
    /// The stop flag was set.
    #[error("stopped before the table was finished")]
    Stopped,
}

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
            return Err(BuildError::TooManyCells { cells });
        }
        let sight = Sight::new(grid).ok_or(BuildError::TooManySubgoals)?;
        let count = sight.cells.len();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || -> Result<Vec<(u16, Vec<u32>)>, BuildError> {
            let mut search = Search { distances: vec![u64::MAX; count], open: BinaryHeap::new() };
            let mut made = Vec::new();
            loop {
                let from = next.fetch_add(1, Ordering::Relaxed);
                if from >= count {
                    return Ok(made);
                }
                if stop.is_stopped() {
                    return Err(BuildError::Stopped);
                }
                made.push((from as u16, search.distances_below(&sight, from as u16)?));
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        let made = thread::scope(|scope| -> Result<Vec<_>, BuildError> {
            let others: Vec<_> = (1..threads.get()).map(|_| scope.spawn(work)).collect();
            let mut made = work()?;
            for other in others {
                made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(made)
        })?;
        let mut distances = vec![UNREACHABLE; index(count as u16, 0)];
        for (from, row) in made {
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
