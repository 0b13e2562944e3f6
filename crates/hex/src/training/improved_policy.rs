//! The policy that a search improves towards, as a training target.

/// A move's prior and the value that the search found.
pub(super) type PriorAndValue = (f32, f32);

/// Steps of the bisection; more than an `f32` has bits.
const STEPS: usize = 30;

/// The distribution that PUCT visits converge to (Grill et al. 2020, "MCTS as regularized policy optimization"):
/// `lambda p / (a - q)` with the `a` that makes the sum 1. Unlike visit counts it does not remember early misjudgements, and
/// visits forced by root noise count only by their results.
pub(super) fn improved_policy(moves: &[PriorAndValue], lambda: f32) -> Vec<f32> {
    let shares = |a: f32| moves.iter().map(move |&(p, q)| lambda * p / (a - q).max(f32::MIN_POSITIVE));
    let largest =
        |of: fn(&PriorAndValue, f32) -> f32| moves.iter().map(|row| of(row, lambda)).fold(0.0, f32::max);
    let (mut low, mut high) =
        (largest(|row, lambda| row.1 + lambda * row.0), largest(|row, lambda| row.1 + lambda));
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        *if shares(middle).sum::<f32>() > 1.0 { &mut low } else { &mut high } = middle;
    }
    shares(high).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_keep_the_prior_and_better_moves_gain() {
        let shares = improved_policy(&[(0.7, 0.5), (0.2, 0.5), (0.1, 0.5)], 0.05);
        for (share, prior) in shares.iter().zip([0.7, 0.2, 0.1]) {
            assert!((share - prior).abs() < 1e-4, "{shares:?}");
        }
        let shares = improved_policy(&[(0.7, 0.5), (0.2, 0.5), (0.1, 0.7)], 0.05);
        assert!(shares[2] > 0.6 && shares[0] > 2.0 * shares[1], "{shares:?}");
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        assert!(improved_policy(&[], 0.05).is_empty());
    }
}
