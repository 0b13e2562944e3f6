//! Subgoal graphs with a table of all distances, for eight neighbours without corner cutting (Uras, Koenig and
//! Hernández 2013).
//!
//! A shortest path turns only at corners of walls. The free cells diagonally beside such corners are the *subgoals*. Every
//! shortest path consists of pieces between subgoals that lie in each other's sight, so the table of the distances between
//! all subgoals answers every query: the best pair of a subgoal after the start and one before the goal. A map has
//! far fewer subgoals than cells (some hundreds to some thousands in game maps), so the table is small and quickly made.
//! Of the subgoals after the start only the jump points of `jps` matter, because one shortest path is canonical,
//! diagonally first; seen from the goal that path is not canonical, so there all subgoals in sight count.
//!
//! | module | contents |
//! |---|---|
//! | `sight` | which subgoals are in sight of a cell |
//! | `build` | making the table, on all cores |
//! | `file` | the file beside a map |

mod build;
mod file;
mod sight;

use crate::grid::Grid;
use sight::Sight;

/// The most subgoals that a table is made for: 98 MB.
pub const MAX_SUBGOALS: usize = 7000;
/// The most cells of a map that a table is made for, walls included: 4096 x 4096.
pub const MAX_TABLE_CELLS: u64 = 1 << 24;
/// The distance between subgoals that no path joins.
const UNREACHABLE: u32 = u32::MAX;

/// The subgoals of a map and the distances between them.
#[derive(Clone, Debug, PartialEq)]
pub struct SubgoalTable {
    sight: Sight,
    /// Distances in units, of each subgoal to those numbered below it.
    distances: Vec<u32>,
}

impl SubgoalTable {
    /// Distance between two subgoals, in units.
    #[inline]
    pub(crate) fn distance(&self, a: u16, b: u16) -> Option<u64> {
        if a == b {
            return Some(0);
        }
        let distance = self.distances[index(a.max(b), a.min(b))];
        (distance != UNREACHABLE).then_some(u64::from(distance))
    }

    /// The first subgoals of canonical paths from a cell, those that go diagonally first: its jump points.
    #[inline]
    pub(crate) fn after(&self, id: u32) -> &[u16] {
        self.sight.jump_points.get(id)
    }

    /// The last subgoals of paths to a cell: itself, or those in its sight.
    #[inline]
    pub(crate) fn before(&self, id: u32) -> &[u16] {
        self.sight.near.get(id)
    }

    /// The cell of a subgoal, packed.
    #[inline]
    pub(crate) fn cell(&self, subgoal: u16) -> u32 {
        self.sight.cells[usize::from(subgoal)]
    }

    /// The subgoal after `from` on a shortest path to `to`, given that there is one.
    pub(crate) fn next(&self, from: u16, to: u16) -> Option<u16> {
        let all = self.distance(from, to)?;
        let rest = |next: &u16| Some(self.sight.length(from, *next) + self.distance(*next, to)?);
        self.sight.edges.get(u32::from(from)).iter().copied().find(|next| rest(next) == Some(all))
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.sight.bytes() + self.distances.len() * 4
    }

    /// Number of subgoals.
    pub fn subgoals(&self) -> usize {
        self.sight.cells.len()
    }

    /// How many subgoals a map has: a quick way to know what a table would take.
    pub fn count(grid: &Grid) -> usize {
        sight::subgoals(grid).count()
    }
}

/// Where the distance of two subgoals is kept, the higher one first.
#[inline]
fn index(high: u16, low: u16) -> usize {
    let high = usize::from(high);
    high * high.saturating_sub(1) / 2 + usize::from(low)
}
