//! The bench signature: a number that changes when, and only when, some search behaves differently.

use crate::generate::{Recipe, Style};
use crate::{Algorithm, Cell, Neighbours, Query, Solver};

/// What a fixed set of searches did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Cells expanded by all searches together.
    pub expanded: u64,
    /// A hash of every search's expansions and cost, in order.
    pub hash: u64,
}

/// Runs every search algorithm with every neighbour rule it allows on fixed generated maps.
pub fn bench_signature() -> Signature {
    let mut signature = Signature { expanded: 0, hash: 0xcbf2_9ce4_8422_2325 };
    for style in Style::ALL {
        let Ok(grid) = Recipe::new(style, 65, 97, 20).make() else { continue };
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let mut solver = Solver::new(&grid);
        // Tables are looked up, not searched; costs of any-angle paths are sums of rounded roots.
        let exact = |algorithm: &Algorithm| !algorithm.needs_table() && !algorithm.is_any_angle();
        for algorithm in Algorithm::ALL.into_iter().filter(exact) {
            for neighbours in Neighbours::ALL.into_iter().filter(|&rule| algorithm.allows(rule)) {
                for i in 1..4 {
                    let (from, to) =
                        (free[free.len() / (5 * i)], free[free.len() - 1 - free.len() / (7 * i)]);
                    let mut query = Query::new(from, to).by(algorithm).with_neighbours(neighbours);
                    query.weight = 1.5;
                    query.budget.expansions = Some(50_000);
                    let Ok(answer) = solver.solve(&query) else { continue };
                    signature.expanded += answer.expanded;
                    let cost = answer.path().map_or(u64::MAX, |path| (path.cost * 1e6).round() as u64);
                    for value in [answer.expanded, cost] {
                        signature.hash =
                            (signature.hash ^ value).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
                    }
                }
            }
        }
    }
    signature
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_repeats() {
        let signature = super::bench_signature();
        assert_eq!(signature, super::bench_signature());
        assert!(signature.expanded > 10_000);
    }
}
