//! What a search says about which moves to play, beyond how often it went there.

/// A move: the share of visits it was thought to deserve, and the chance to win with it that was found.
pub(super) type Weighed = (f32, f32);

/// Steps of the bisection; more than an `f32` has bits.
const STEPS: usize = 30;

/// The shares that visits are on the way to when moves are drawn by `pull` times their prior (Grill et al. 2020): `pull
/// p / (a - q)` with the `a` that makes their sum 1. Unlike visits they have no memory of what looked good at first, and
/// of a move visited for variety only what came out.
pub(super) fn improved(moves: &[Weighed], pull: f32) -> Vec<f32> {
    let shares = |a: f32| moves.iter().map(move |&(p, q)| pull * p / (a - q).max(f32::MIN_POSITIVE));
    let most = |of: fn(&Weighed, f32) -> f32| moves.iter().map(|row| of(row, pull)).fold(0.0, f32::max);
    let (mut low, mut high) = (most(|row, pull| row.1 + pull * row.0), most(|row, pull| row.1 + pull));
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
    fn better_moves_gain_on_likelier_ones() {
        let shares = improved(&[(0.7, 0.5), (0.2, 0.5), (0.1, 0.5)], 0.05);
        for (share, prior) in shares.iter().zip([0.7, 0.2, 0.1]) {
            assert!((share - prior).abs() < 1e-4, "{shares:?}");
        }
        let shares = improved(&[(0.7, 0.5), (0.2, 0.5), (0.1, 0.7)], 0.05);
        assert!(shares[2] > 0.6 && shares[0] > 2.0 * shares[1], "{shares:?}");
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        assert!(improved(&[], 0.05).is_empty());
    }
}
