//! Zobrist hashing, and the hash that all eight symmetric images of a position share.

use super::Board;
use crate::Point;
use crate::point::FRAME;
use ::game::Side;
use search::rng::mix;

impl Board {
    /// A hash of stones and side to move.
    #[inline]
    pub fn hash(&self, to_move: Side) -> u64 {
        self.hash ^ side_key(to_move)
    }

    /// The [`Board::hash`] after `side` puts a stone on an empty point and the other side is to move.
    #[inline]
    pub(crate) fn hash_after(&self, point: Point, side: Side) -> u64 {
        self.hash ^ stone_key(point, side) ^ side_key(side.other())
    }

    /// The least of the hashes of the position's eight mirror images and rotations.
    pub fn canonical_hash(&self, to_move: Side) -> u64 {
        let mut hashes = [side_key(to_move); 8];
        for side in Side::BOTH {
            for point in self.occupied[side.index()].iter() {
                for (symmetry, hash) in hashes.iter_mut().enumerate() {
                    *hash ^= stone_key(self.mapped(point, symmetry), side);
                }
            }
        }
        hashes.into_iter().min().unwrap_or_default()
    }

    /// The symmetries that leave every stone in place; always includes 0.
    pub(crate) fn symmetries(&self) -> Vec<usize> {
        let keeps = |symmetry: &usize| {
            self.all_points().all(|point| self.at(point) == self.at(self.mapped(point, *symmetry)))
        };
        (0..8).filter(keeps).collect()
    }

    /// The image of a point under one of the eight symmetries (0 leaves everything in place).
    pub fn mapped(&self, point: Point, symmetry: usize) -> Point {
        let last = self.size - 1;
        let (mut row, mut col) = (point.row(), point.col());
        if symmetry & 1 != 0 {
            row = last.saturating_sub(row);
        }
        if symmetry & 2 != 0 {
            col = last.saturating_sub(col);
        }
        if symmetry & 4 != 0 { Point::new(col, row) } else { Point::new(row, col) }
    }
}

/// The Zobrist key of a stone.
#[inline]
pub(super) fn stone_key(point: Point, side: Side) -> u64 {
    STONE_KEYS[side.index()][point.index()]
}

#[inline]
fn side_key(to_move: Side) -> u64 {
    match to_move {
        Side::Black => 0,
        Side::White => 0x9d39_247e_3377_6d41,
    }
}

/// A fixed SplitMix64 sequence, so that hashes are the same in every run.
static STONE_KEYS: [[u64; FRAME]; 2] = {
    let mut keys = [[0; FRAME]; 2];
    let mut n = 0;
    while n < 2 * FRAME {
        keys[n / FRAME][n % FRAME] = mix((n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        n += 1;
    }
    keys
};
