//! Child selection: PUCT (Rosin 2011; as in AlphaZero) over win rates that mix a move's own results with RAVE's AMAF
//! results (Gelly and Silver 2007).

use super::params::Params;
use super::tree::{NodeId, NodeState, Tree};

/// The outcome of a selection.
pub(crate) enum Selected {
    /// The child to descend to.
    Child(NodeId),
    /// A child is proved to win for the side to move.
    Won,
    /// All children are proved to lose, or pruned.
    Lost,
}

/// Chooses among the children of a node with so many visits.
#[inline]
pub(crate) fn select<const W: usize>(
    tree: &Tree<W>,
    children: std::ops::Range<NodeId>,
    visits: u32,
    params: &Params,
) -> Selected {
    let (mut best, mut best_value) = (None, f32::NEG_INFINITY);
    for child in children {
        match tree.state(child) {
            NodeState::Open => {}
            NodeState::Won => return Selected::Won,
            NodeState::Lost | NodeState::Pruned => continue,
        }
        let (mean, bonus) = terms(tree, child, visits, params);
        let value = mean + bonus;
        if value > best_value {
            (best, best_value) = (Some(child), value);
        }
    }
    best.map_or(Selected::Lost, Selected::Child)
}

/// The two terms of PUCT: the mean result of a child, and the bonus for trying it, under a node with so many visits.
#[inline(always)]
pub(super) fn terms<const W: usize>(
    tree: &Tree<W>,
    child: NodeId,
    visits: u32,
    params: &Params,
) -> (f32, f32) {
    // PUCT: c * prior * sqrt(parent visits) / (1 + visits). c is tuned by self-play (`docs/hex-log.md`).
    let exploration = params.cpuct * (visits as f32).sqrt();
    let (count, rave, estimate) = (tree.count(child), tree.rave(child), tree.estimate(child));
    let n = count.visits as f32;
    // First-play urgency: an unvisited move has the value the network gives it, counted as `prior_visits` visits.
    let own = (n + params.prior_visits, count.wins + params.prior_visits * estimate.value);
    let mean = rave_mean(own, (rave.visits as f32, rave.wins), params.rave);
    (mean, exploration * estimate.prior / (1.0 + n))
}

/// RAVE: the mean of own and AMAF results, weighted towards AMAF while own visits are few. With the network there are no
/// playouts, hence no AMAF results, and this is the mean of the own ones.
#[inline]
fn rave_mean((n, wins): (f32, f32), (rave_n, rave_wins): (f32, f32), bias: f32) -> f32 {
    let weight = rave_n / (rave_n + n + bias * n * rave_n + f32::MIN_POSITIVE);
    let amaf = if rave_n > 0.0 { rave_wins / rave_n } else { 0.5 };
    weight * amaf + (1.0 - weight) * if n > 0.0 { wins / n } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Estimate, ROOT};
    use super::*;

    #[test]
    fn proofs_decide_and_results_outweigh_priors() {
        let tree = Tree::<1>::new(1 << 16);
        let estimate = |prior: f32| Estimate { prior, value: 0.5 };
        tree.expand(ROOT, &[(0, estimate(0.8)), (1, estimate(0.2))]);
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
        tree.set_state(weak, NodeState::Lost);
        assert_eq!(at(50), Some(strong));
        tree.set_state(strong, NodeState::Pruned);
        assert!(matches!(select(&tree, tree.children(ROOT), 50, &Params::default()), Selected::Lost));
    }
}
