//! A fixed piece of work whose result changes only when an engine does: the signature of `tengen bench`.

use crate::{Game, Limits, Options, Setup, Watch};

/// What the fixed work gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes and playouts in all.
    pub nodes: u64,
    /// A hash of every node count and every move chosen.
    pub signature: u64,
}

impl BenchResult {
    /// Counts a piece of work and mixes what came out of it into the signature.
    pub fn add(&mut self, nodes: u64, word: u64) {
        self.nodes += nodes;
        for byte in nodes.to_le_bytes().into_iter().chain(word.to_le_bytes()) {
            // FNV-1a: order matters, and nothing else needs to.
            self.signature = (self.signature ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

/// Lets every built-in engine search positions given as (size, moves) with one thread and a node limit.
pub fn engines(game: &dyn Game, positions: &[(u8, &str)], nodes: u64) -> BenchResult {
    let mut result = BenchResult::default();
    for (size, moves) in positions {
        let Ok(position) = game.parse(moves, &Setup::empty(*size, *size)) else { continue };
        for info in game.engines() {
            let Ok(mut engine) = (info.make)(&Options::new()) else { continue };
            let (limits, watch) = (Limits::nodes(nodes), Watch::untimed());
            if let Ok(decision) = engine.think(&*position, &limits, &watch, &mut |_| {}) {
                let cell = decision.mv.cell().map_or(u64::MAX, |c| u64::from(c.row) << 8 | u64::from(c.col));
                result.add(decision.report.nodes, cell);
            }
        }
    }
    result
}
