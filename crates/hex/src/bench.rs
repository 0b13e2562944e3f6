//! A fixed piece of work whose result changes only when the engines or the playouts do.

use crate::playout::Playouts;
use crate::{HEX, notation};
use game::{Game, Limits, Options, Position, Setup, Side, Watch};
use search::Rng;
use search::rng::mix;

/// What the fixed work gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes and playouts in all.
    pub nodes: u64,
    /// A hash of every move chosen and every node count.
    pub signature: u64,
}

/// Positions as (size, moves): an opening, a middle game, a rectangle's worth of tension on small boards.
const POSITIONS: [(u8, &str); 4] =
    [(11, "a2f6"), (11, "c2f6e7g4d9h8i3c8"), (7, "d4c5b6e2"), (9, "e5d6f4c7g3")];

/// Runs every built-in engine on fixed positions with one thread and a node limit, and some bare playouts.
pub fn bench_signature() -> BenchResult {
    let mut result = BenchResult { nodes: 0, signature: 0 };
    let mut add = |nodes: u64, word: u64| {
        result.nodes += nodes;
        result.signature = mix(result.signature ^ mix(word.wrapping_add(nodes << 20) + 1));
    };
    for (n, moves) in POSITIONS {
        let Ok(position) = notation::parse(moves, &Setup::empty(n, n)) else { continue };
        for info in HEX.engines() {
            let Ok(mut engine) = (info.make)(&Options::new()) else { continue };
            let limits = Limits::nodes(20_000);
            if let Ok(decision) = engine.think(&position, &limits, &Watch::default(), &mut |_| {}) {
                let cell = decision.mv.cell().map_or(u64::MAX >> 32, |c| position.size().index(c) as u64);
                add(decision.report.nodes, cell);
            }
        }
        let wins = crate::by_width!(position.size(), W => {
            let board = Playouts::<W>::new(position.board(), position.to_move());
            let mut rng = Rng::new(1);
            (0..20_000).filter(|_| board.playout(&mut rng) == Side::Black).count()
        });
        add(20_000, wins as u64);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_every_time() {
        let once = bench_signature();
        assert_eq!(once, bench_signature());
        assert!(once.nodes > 100_000);
    }
}
