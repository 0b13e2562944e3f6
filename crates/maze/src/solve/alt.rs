//! Jump point search with landmarks (ALT: Goldberg and Harrelson 2005).
//!
//! For a few far-away cells, the landmarks, a table made once per map holds how far every cell is from each. By
//! the triangle inequality no path from a cell to the goal is shorter than the difference of their distances
//! from a landmark. Where walls force long ways round, that estimate is far better than the straight one, and
//! most of what a plain search would expand is never looked at.

use super::jps;
use super::jumper::Estimate;
use super::{End, Run};
use crate::bits::Bits;
use crate::buckets::Buckets;
use crate::grid::{Cell, Grid};
use crate::moves::{Neighbours, Units, offsets};
use crate::observe::Observer;

/// Landmarks per map: sixteen bytes per cell.
const LANDMARKS: usize = 4;
/// The distance of a cell that the landmark does not reach, or that is too far to be told.
const UNKNOWN: u32 = u32::MAX;

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let tables = memory.landmarks.take().unwrap_or_else(|| Landmarks::new(context.grid));
    let estimate = ByLandmarks {
        units: context.units,
        goal: context.to,
        at_goal: tables.distances[context.id(context.to) as usize],
        distances: &tables.distances,
    };
    let end = jps::search_with(Run { context, memory, meter, seen }, estimate);
    memory.landmarks = Some(tables);
    end
}

/// The better of the straight estimate and those by landmarks.
struct ByLandmarks<'a> {
    units: Units,
    goal: Cell,
    at_goal: [u32; LANDMARKS],
    distances: &'a [[u32; LANDMARKS]],
}

impl Estimate for ByLandmarks<'_> {
    #[inline]
    fn to_goal(&self, cell: Cell, id: u32) -> u64 {
        let here = &self.distances[id as usize];
        let by_landmark = (0..LANDMARKS).map(|i| {
            let known = here[i] != UNKNOWN && self.at_goal[i] != UNKNOWN;
            if known { here[i].abs_diff(self.at_goal[i]) } else { 0 }
        });
        u64::from(by_landmark.max().unwrap_or(0)).max(self.units.between(cell, self.goal))
    }
}

/// How far every cell is from each landmark, in units, by the cell's id.
#[derive(Debug)]
pub(super) struct Landmarks {
    distances: Vec<[u32; LANDMARKS]>,
}

impl Landmarks {
    /// Each landmark is the cell farthest from those before it.
    pub(super) fn new(grid: &Grid) -> Landmarks {
        let bits = grid.bits();
        let mut distances = vec![[UNKNOWN; LANDMARKS]; bits.len()];
        let reached = |from: &Vec<u32>| from.iter().filter(|distance| **distance != UNKNOWN).count();
        let free: Vec<u32> =
            grid.cells().filter(|cell| grid.is_free(*cell)).map(|cell| bits.id(cell.row, cell.col)).collect();
        // Islands would make poor landmarks: begin where most can be reached from.
        let tries = free.iter().step_by((free.len() / 4).max(1)).take(4);
        let Some(mut nearest) = tries.map(|from| distances_from(bits, *from)).max_by_key(reached) else {
            return Landmarks { distances };
        };
        for i in 0..LANDMARKS {
            let farthest = free.iter().filter(|id| nearest[**id as usize] != UNKNOWN);
            let Some(landmark) = farthest.max_by_key(|id| nearest[**id as usize]) else { break };
            let found = distances_from(bits, *landmark);
            for ((row, nearest), distance) in distances.iter_mut().zip(&mut nearest).zip(found) {
                row[i] = distance;
                // The first one replaces the arbitrary beginning.
                *nearest = if i == 0 { distance } else { distance.min(*nearest) };
            }
        }
        Landmarks { distances }
    }

    pub(super) fn bytes(&self) -> usize {
        self.distances.len() * size_of::<[u32; LANDMARKS]>()
    }
}

/// Dijkstra's algorithm over the whole map.
fn distances_from(bits: &Bits, from: u32) -> Vec<u32> {
    let (units, table, offsets) =
        (Neighbours::Eight.units(), Neighbours::Eight.table(), offsets(bits.stride()));
    let mut distances = vec![UNKNOWN; bits.len()];
    let mut expanded_at = vec![UNKNOWN; bits.len()];
    let mut open = Buckets::default();
    open.begin(0, units.bucket_shift(), 1 << 16);
    distances[from as usize] = 0;
    open.push(0, from);
    while let Some(id) = open.pop(u64::MAX) {
        let distance = distances[id as usize];
        if std::mem::replace(&mut expanded_at[id as usize], distance) == distance {
            continue;
        }
        let moves = table[bits.square(id)];
        for dir in (0..8u8).filter(|dir| moves >> dir & 1 != 0) {
            let next = id.wrapping_add(offsets[usize::from(dir)]);
            let longer = u64::from(distance) + units.step(dir);
            if longer < u64::from(distances[next as usize]) {
                distances[next as usize] = longer as u32;
                open.push(longer, next);
            }
        }
    }
    distances
}
