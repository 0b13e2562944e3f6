//! Weaker levels: no network, fewer visits, and a random choice among nearly best moves.

use super::search::RootChild;
use crate::bits::Bits;
use crate::endgame::stones_needed;
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
    /// The share of moves that are any move the search has looked at, good or bad.
    blunders: f64,
}

/// Network, visits, slack and blunders of every level. `guide/en/engines.md` has what they scored against their
/// neighbours.
const LEVELS: [(bool, u64, f64, f64); 9] = [
    (false, 60, 0.20, 0.40),
    (false, 100, 0.15, 0.20),
    (false, 300, 0.08, 0.08),
    (false, 1_500, 0.04, 0.02),
    (false, 6_000, 0.01, 0.0),
    (true, 8, 0.02, 0.0),
    (true, 30, 0.0, 0.0),
    (true, 120, 0.0, 0.0),
    (true, u64::MAX, 0.0, 0.0),
];

impl Weakness {
    pub(crate) fn of(level: Level) -> Weakness {
        let (network, visits, slack, blunders) = *level.row(&LEVELS);
        Weakness { network, visits, slack, blunders }
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
        let mut rng = Rng::stream(seed, u64::MAX);
        let blunder = rng.unit() < self.blunders;
        let looked_at = |row: &&RootChild| row.count.visits > 0 && row.state == best.state;
        let choice: Vec<usize> = rows
            .iter()
            .filter(|row| if blunder { looked_at(row) } else { nearly(row) })
            .map(|row| row.cell)
            .collect();
        rng.pick(&choice).or(Some(best.cell))
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
