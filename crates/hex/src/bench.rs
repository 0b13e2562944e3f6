//! The fixed work of `tengen bench hex`.

use crate::light_playout::LightPlayouts;
use crate::{HEX, notation};
use game::bench::{self, BenchResult};
use game::{Position as _, Setup, Side};
use search::Rng;

/// Positions as (size, moves): an opening, a middle game, and tension on small boards.
const POSITIONS: [(u8, &str); 4] =
    [(11, "a2f6"), (11, "c2f6e7g4d9h8i3c8"), (7, "d4c5b6e2"), (9, "e5d6f4c7g3")];

/// Runs every built-in engine on fixed positions with one thread and a node limit, and some bare playouts.
pub fn bench_signature() -> BenchResult {
    let mut result = bench::engines(&HEX, &POSITIONS, 1_500);
    for (n, moves) in POSITIONS {
        let Ok(position) = notation::parse(moves, &Setup::empty(n, n)) else { continue };
        let wins = crate::by_width!(position.size(), W => {
            let board = LightPlayouts::<W>::new(position.board(), position.to_move());
            let mut rng = Rng::new(1);
            (0..20_000).filter(|_| board.playout(&mut rng) == Side::Black).count()
        });
        result.add(20_000, wins as u64);
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
        assert!(once.nodes > 80_000);
    }
}
