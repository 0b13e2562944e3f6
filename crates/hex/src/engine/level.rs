//! Weaker levels: no network, fewer visits, and a choice among moves that are nearly as good as the best.

use super::endgame::stones_needed;
use super::search::Row;
use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use game::{Level, Side};
use search::Rng;

/// What a level takes away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weakness {
    /// Whether the network helps: with it even a few visits are more than a beginner can beat.
    pub(super) network: bool,
    /// Visits at most.
    pub(super) visits: u64,
    /// Moves this much below the best in win rate are as good as the best.
    slack: f64,
}

impl Weakness {
    pub(super) fn of(level: Level) -> Weakness {
        let (network, visits, slack) = match level {
            Level::Easy => (false, 150, 0.10),
            Level::Medium => (false, 1_000, 0.04),
            Level::Hard => (true, 300, 0.01),
            Level::Max => (true, u64::MAX, 0.0),
        };
        Weakness { network, visits, slack }
    }

    /// One of the ranked rows that are nearly as good as the first, never a proved loss beside others.
    pub(super) fn choose(&self, rows: &[Row], seed: u64) -> Option<usize> {
        let best = rows.first()?;
        if self.slack == 0.0 {
            return Some(best.cell);
        }
        let nearly = |row: &&Row| {
            row.verdict == best.verdict
                && row.rate() >= best.rate() - self.slack
                && row.count.visits * 10 >= best.count.visits
        };
        let good: Vec<usize> = rows.iter().filter(nearly).map(|row| row.cell).collect();
        Rng::stream(seed, u64::MAX).pick(&good).or(Some(best.cell))
    }
}

/// A cell that wins at once (with true), or else the only one where the opponent would.
pub(super) fn urgent<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    side: Side,
    allowed: &Bits<W>,
) -> Option<(usize, bool)> {
    let empty = shape.empty(stones);
    let wins = |side: Side| {
        let near = stones_needed(shape, stones, side) == Some(1);
        let cells = empty.iter().filter(move |&cell| shape.winner(&stones.with(side, cell)) == Some(side));
        if near { cells.collect::<Vec<_>>() } else { Vec::new() }
    };
    if let Some(&cell) = wins(side).iter().find(|cell| allowed.contains(**cell)) {
        return Some((cell, true));
    }
    match wins(side.other())[..] {
        [only] if allowed.contains(only) => Some((only, false)),
        _ => None,
    }
}
