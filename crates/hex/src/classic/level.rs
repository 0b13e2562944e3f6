//! Levels below the highest: fewer playouts or plies, and random errors of the evaluation.

use crate::Board;
use game::{Level, Side};
use search::Rng;

/// How a level weakens an engine. The numbers are chosen by hand; no match has measured them yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weakness {
    /// Playouts at most.
    pub(super) playouts: u64,
    /// Plies at most.
    pub(super) depth: u32,
    /// Moves whose win rate is at most this far below the best count as equally good.
    pub(super) slack: f64,
    /// Largest random error of an evaluation, in its points.
    pub(super) error: f64,
}

const LEVELS: [(u64, u32, f64, f64); 9] = [
    (300, 1, 0.20, 1_000.0),
    (1_000, 1, 0.10, 600.0),
    (3_000, 1, 0.05, 300.0),
    (8_000, 1, 0.03, 150.0),
    (20_000, 2, 0.02, 80.0),
    (60_000, 2, 0.01, 30.0),
    (120_000, 2, 0.005, 15.0),
    (250_000, 3, 0.0, 5.0),
    (u64::MAX, u32::MAX, 0.0, 0.0),
];

impl Weakness {
    pub(super) fn of(level: Level) -> Weakness {
        let (playouts, depth, slack, error) = *level.row(&LEVELS);
        Weakness { playouts, depth, slack, error }
    }

    /// Chooses among moves nearly as good as the best; rows are (win rate, visits).
    pub(super) fn choose(&self, best: usize, rows: &[(f64, u64)], rng: &mut Rng) -> usize {
        if self.slack == 0.0 {
            return best;
        }
        let Some(&(rate, visits)) = rows.get(best) else { return best };
        // A rarely visited move's rate says little: it must have a tenth of the best one's visits.
        let good: Vec<usize> = (0..rows.len())
            .filter(|&at| rows[at].0 >= rate - self.slack && rows[at].1 * 10 >= visits)
            .collect();
        rng.pick(&good).unwrap_or(best)
    }
}

/// The empty cells that would win at once for a side.
pub(super) fn winning_cells(board: &Board, side: Side) -> Vec<usize> {
    board.empty_cells().filter(|&index| board.wins_at(side, index)).collect()
}
