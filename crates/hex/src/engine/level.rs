//! Weaker levels: no network, fewer visits, and a random choice among nearly best moves.

use super::endgame::stones_needed;
use super::search::RootChild;
use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use game::{Level, Side};
use search::Rng;

/// How a level weakens the engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weakness {
    /// Whether the network is used: with it even a few visits are too strong for a beginner.
    pub(crate) network: bool,
    /// Visits at most.
    pub(crate) visits: u64,
    /// Moves whose win rate is at most this far below the best count as equally good.
    slack: f64,
}

impl Weakness {
    pub(crate) fn of(level: Level) -> Weakness {
        let (network, visits, slack) = match level {
            Level::Easy => (false, 150, 0.10),
            Level::Medium => (false, 1_000, 0.04),
            Level::Hard => (true, 300, 0.01),
            Level::Max => (true, u64::MAX, 0.0),
        };
        Weakness { network, visits, slack }
    }

    /// One of the ranked moves that are nearly as good as the first.
    pub(crate) fn choose(&self, rows: &[RootChild], seed: u64) -> Option<usize> {
        let best = rows.first()?;
        if self.slack == 0.0 {
            return Some(best.cell);
        }
        let nearly = |row: &&RootChild| {
            row.state == best.state
                && row.rate() >= best.rate() - self.slack
                && row.count.visits * 10 >= best.count.visits
        };
        let good: Vec<usize> = rows.iter().filter(nearly).map(|row| row.cell).collect();
        Rng::stream(seed, u64::MAX).pick(&good).or(Some(best.cell))
    }
}

/// A cell that wins at once (with true), or else the only cell where the opponent would.
pub(crate) fn win_or_block<const W: usize>(
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
