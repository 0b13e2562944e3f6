//! How one may step from cell to cell, and what a step costs.
//!
//! Costs are whole numbers of a small unit, so that sums are exact and equal costs compare equal. With
//! eight neighbours a straight step is 13860 units and a diagonal one 19601: a convergent of the square
//! root of two, so good that two paths are ordered wrongly only if they differ by more than 13860
//! diagonal steps and by less than 0.0001 in cost.

use crate::grid::Cell;
use serde::{Deserialize, Serialize};

/// Which cells are neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Neighbours {
    /// Up, down, left and right.
    #[default]
    #[serde(rename = "4")]
    Four,
    /// Also diagonally, if both cells beside the diagonal are free (the benchmark's rule).
    #[serde(rename = "8")]
    Eight,
    /// Also diagonally past one blocked corner, but not between two.
    #[serde(rename = "8-cut")]
    EightCutting,
}

search::named!(Neighbours, "neighbour rule": Four = "4", Eight = "8", EightCutting = "8-cut");

impl Neighbours {
    pub(crate) fn units(self) -> Units {
        match self {
            Neighbours::Four => Units { straight: 1, diagonal: 2 },
            Neighbours::Eight | Neighbours::EightCutting => Units { straight: 13860, diagonal: 19601 },
        }
    }

    /// Moves allowed in each of the 512 possible 3x3 squares (see `Bits::square`), as a set of [`Dir`].
    pub(crate) fn table(self) -> &'static [u8; 512] {
        static FOUR: [u8; 512] = move_table(Neighbours::Four);
        static EIGHT: [u8; 512] = move_table(Neighbours::Eight);
        static CUTTING: [u8; 512] = move_table(Neighbours::EightCutting);
        match self {
            Neighbours::Four => &FOUR,
            Neighbours::Eight => &EIGHT,
            Neighbours::EightCutting => &CUTTING,
        }
    }
}

/// One of eight directions.
pub(crate) type Dir = u8;
pub(crate) const N: Dir = 0;
pub(crate) const E: Dir = 1;
pub(crate) const S: Dir = 2;
pub(crate) const W: Dir = 3;
pub(crate) const NE: Dir = 4;
pub(crate) const SE: Dir = 5;
pub(crate) const SW: Dir = 6;
pub(crate) const NW: Dir = 7;

/// The way back of each direction.
pub(crate) const OPPOSITE: [Dir; 8] = [S, W, N, E, SW, NW, NE, SE];

/// Row and column change of each direction.
pub(crate) const STEPS: [(i32, i32); 8] =
    [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)];

/// Change of `id` for each direction in a bitmap with this stride.
pub(crate) fn offsets(stride: u32) -> [u32; 8] {
    STEPS.map(|(dr, dc)| (dr * stride as i32 + dc) as u32)
}

const fn move_table(rule: Neighbours) -> [u8; 512] {
    let mut table = [0; 512];
    let mut square = 0;
    while square < 512 {
        let (nw, n, ne) = (square & 1 != 0, square & 2 != 0, square & 4 != 0);
        let (w, e) = (square & 8 != 0, square & 32 != 0);
        let (sw, s, se) = (square & 64 != 0, square & 128 != 0, square & 256 != 0);
        let mut moves = n as u8 | (e as u8) << E | (s as u8) << S | (w as u8) << W;
        moves |= (ne && diagonal_allowed(rule, n, e)) as u8 * (1 << NE);
        moves |= (se && diagonal_allowed(rule, s, e)) as u8 * (1 << SE);
        moves |= (sw && diagonal_allowed(rule, s, w)) as u8 * (1 << SW);
        moves |= (nw && diagonal_allowed(rule, n, w)) as u8 * (1 << NW);
        table[square] = moves;
        square += 1;
    }
    table
}

const fn diagonal_allowed(rule: Neighbours, side: bool, other: bool) -> bool {
    match rule {
        Neighbours::Four => false,
        Neighbours::Eight => side && other,
        Neighbours::EightCutting => side || other,
    }
}

/// Cost of a straight and of a diagonal step, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Units {
    pub(crate) straight: u64,
    pub(crate) diagonal: u64,
}

impl Units {
    /// Cost from one cell to another if nothing were in the way: never more than the true cost.
    #[inline]
    pub(crate) fn distance(self, rows: u32, cols: u32) -> u64 {
        let (rows, cols) = (u64::from(rows), u64::from(cols));
        let both = rows.min(cols);
        self.straight * (rows.max(cols) - both) + self.diagonal * both
    }

    #[inline]
    pub(crate) fn between(self, a: Cell, b: Cell) -> u64 {
        self.distance(a.row.abs_diff(b.row), a.col.abs_diff(b.col))
    }

    #[inline]
    pub(crate) fn step(self, dir: Dir) -> u64 {
        if dir < NE { self.straight } else { self.diagonal }
    }

    /// Width of a bucket of the open list, as a power of two: a whole step of four neighbours is one
    /// unit and stays exact; of eight, about a seventh of a step.
    pub(crate) fn bucket_shift(self) -> u32 {
        if self.straight == 1 { 0 } else { 11 }
    }

    /// The largest number of units that is not more than this cost.
    pub(crate) fn floor(self, cost: f64) -> u64 {
        (cost * self.straight as f64) as u64
    }

    /// As an ordinary number, for people.
    pub(crate) fn cost(self, units: u64) -> f64 {
        units as f64 / self.straight as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_respected() {
        // Free: own cell, N and NE; E is a wall.
        let square = 0b000_010_110;
        assert_eq!(Neighbours::Four.table()[square], 1 << N);
        assert_eq!(Neighbours::Eight.table()[square], 1 << N);
        assert_eq!(Neighbours::EightCutting.table()[square], 1 << N | 1 << NE);
        let squeeze = 0b000_010_100;
        assert_eq!(Neighbours::EightCutting.table()[squeeze], 0);
    }

    #[test]
    fn the_diagonal_is_a_convergent_of_root_two() {
        let units = Neighbours::Eight.units();
        let (s, d) = (units.straight as i128, units.diagonal as i128);
        assert_eq!(d * d - 2 * s * s, 1);
    }
}
