//! Levels below the strongest: shallower searches, and errors in the scores that the move is chosen by.

use super::params::LEVELS;
use super::root::RootMove;
use super::score::{MATE_BOUND, is_decided};
use ::game::{Level, Limits};
use search::rng::Rng;

/// The limits of a level, and the error of its values.
pub(super) fn weaken(limits: &Limits) -> (Limits, Option<f64>) {
    let mut limits = limits.clone();
    limits.lines = limits.lines.max(1);
    if limits.level == Level::Max {
        return (limits, None);
    }
    let (depth, nodes, error) = LEVELS[limits.level as usize];
    limits.depth = Some(limits.depth.map_or(depth, |d| d.min(depth)));
    limits.nodes = Some(limits.nodes.map_or(nodes, |n| n.min(nodes)));
    limits.lines = limits.lines.max(8);
    (limits, Some(error))
}

/// A move whose value, give or take an error, is the best; wins and losses that were seen are never mistaken.
pub(super) fn erring_choice(roots: &[RootMove], error: f64, lines: usize, seed: u64) -> Option<&RootMove> {
    let roots = &roots[..lines.min(roots.len())];
    let mut rng = Rng::new(seed);
    let noisy = |root: &RootMove, noise: f64| {
        let value = f64::from(root.value);
        if is_decided(root.value) { value } else { value + error * noise }
    };
    let first = roots.first()?;
    if first.value >= MATE_BOUND {
        return Some(first);
    }
    let noisy_values: Vec<(f64, &RootMove)> =
        roots.iter().map(|root| (noisy(root, 2.0 * rng.unit()), root)).collect();
    noisy_values.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, root)| root)
}
