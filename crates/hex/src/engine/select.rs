//! Which child to visit: own results and AMAF results mixed as RAVE does (Gelly and Silver 2007), drawn towards
//! moves with a high prior that were rarely visited (PUCT, Rosin 2011).

use super::params::Params;
use super::tree::{NodeId, Tree, Verdict};

/// What selection found.
pub(super) enum Selected {
    /// The child to go to.
    Child(NodeId),
    /// A child that is proved to win for the side to move.
    Won,
    /// All children are proved to lose, or need not be tried.
    Lost,
}

/// Chooses among the children of a node that was visited so often.
#[inline]
pub(super) fn select<const W: usize>(
    tree: &Tree<W>,
    children: std::ops::Range<NodeId>,
    visits: u32,
    params: &Params,
) -> Selected {
    let pull = params.prior * (visits as f32).sqrt();
    let (mut best, mut best_value) = (None, f32::NEG_INFINITY);
    for child in children {
        match tree.verdict(child) {
            Verdict::Open => {}
            Verdict::Won => return Selected::Won,
            Verdict::Lost | Verdict::Pruned => continue,
        }
        let (count, rave, guess) = (tree.count(child), tree.rave(child), tree.guess(child));
        let n = count.visits as f32;
        let own = (n + params.trust, count.wins + params.trust * guess.chance);
        let value = mixed(own, (rave.visits as f32, rave.wins), params.rave);
        let value = value + pull * guess.prior / (1.0 + n);
        if value > best_value {
            (best, best_value) = (Some(child), value);
        }
    }
    best.map_or(Selected::Lost, Selected::Child)
}

/// The mean of own and AMAF results.
#[inline]
fn mixed((n, wins): (f32, f32), (rave_n, rave_wins): (f32, f32), bias: f32) -> f32 {
    let weight = rave_n / (rave_n + n + bias * n * rave_n + f32::MIN_POSITIVE);
    let amaf = if rave_n > 0.0 { rave_wins / rave_n } else { 0.5 };
    weight * amaf + (1.0 - weight) * if n > 0.0 { wins / n } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Guess, ROOT};
    use super::*;

    #[test]
    fn proofs_decide_and_results_outweigh_priors() {
        let tree = Tree::<1>::new(1 << 16);
        let guess = |prior: f32| Guess { prior, chance: 0.5 };
        tree.expand(ROOT, &[(0, guess(0.8)), (1, guess(0.2))]);
        let [strong, weak] = [0, 1].map(|cell| tree.child(ROOT, cell).unwrap());
        let at = |visits| match select(&tree, tree.children(ROOT), visits, &Params::default()) {
            Selected::Child(child) => Some(child),
            _ => None,
        };
        assert_eq!(at(1), Some(strong));
        (0..50).for_each(|_| {
            tree.visit(strong);
        });
        assert_eq!(at(50), Some(weak));
        tree.settle(weak, Verdict::Lost);
        assert_eq!(at(50), Some(strong));
        tree.settle(strong, Verdict::Pruned);
        assert!(matches!(select(&tree, tree.children(ROOT), 50, &Params::default()), Selected::Lost));
    }
}
