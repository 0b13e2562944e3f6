//! The fixed work behind `tengen bench gomoku`.

use crate::GOMOKU;
use ::game::bench::{self, BenchResult};

/// Positions as (size, moves): an opening, a quiet middle game, an attack, and one near the edge.
const POSITIONS: [(u8, &str); 4] = [
    (15, "h8i9"),
    (15, "h8i8h9h7i9g9g8j9i7g10"),
    (15, "h8h9i9g7i8g8i10i7j8k8g6f5"),
    (15, "a1b2a2c3a4d4b4c5"),
];

/// Runs every built-in engine on fixed positions with one thread and a node limit.
pub fn bench_signature() -> BenchResult {
    bench::engines(&GOMOKU, &POSITIONS, 20_000)
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
