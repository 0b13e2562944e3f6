//! The sequential probability ratio test on pairs of games (a generalised SPRT).
//!
//! The log-likelihood ratio compares the best-fitting distributions of pair scores whose means are the
//! expected scores of the two hypotheses (M. Van den Bergh, "A practical introduction to the GSPRT").

use super::elo::{Pairs, Tally, expected};
use serde::{Deserialize, Serialize};

/// A test of `elo1` against `elo0` (logistic Elo).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the alternative.
    pub elo1: f64,
    /// Chance to accept `elo1` though `elo0` holds.
    pub alpha: f64,
    /// Chance to accept `elo0` though `elo1` holds.
    pub beta: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtState {
    /// Not decided yet.
    Running,
    /// `elo0` accepted.
    H0,
    /// `elo1` accepted.
    H1,
}

impl Sprt {
    /// A test with 5 % of either error.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The log-likelihood ratios at which it ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of pairs of games.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        llr_pentanomial(pairs, self.elo0, self.elo1)
    }

    /// Where it stands after these pairs.
    pub fn state(&self, pairs: &Pairs) -> SprtState {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr >= high => SprtState::H1,
            llr if llr <= low => SprtState::H0,
            _ => SprtState::Running,
        }
    }
}

/// The exact ratio for pair results.
pub(crate) fn llr_pentanomial(pairs: &Pairs, elo0: f64, elo1: f64) -> f64 {
    let total: u64 = pairs.iter().sum();
    if total == 0 {
        return 0.0;
    }
    // A result not seen yet is rare, not impossible.
    let counts = pairs.map(|count| if count == 0 { 1e-3 } else { count as f64 });
    let n: f64 = counts.iter().sum();
    let points: Vec<(f64, f64)> = counts.iter().enumerate().map(|(i, c)| (i as f64 / 4.0, c / n)).collect();
    let (s0, s1) = (expected(elo0), expected(elo1));
    let (x0, x1) = (tilt(&points, s0), tilt(&points, s1));
    n * points.iter().map(|(a, p)| p * ((1.0 + x0 * (a - s0)).ln() - (1.0 + x1 * (a - s1)).ln())).sum::<f64>()
}

/// The tilt `x` for which `p / (1 + x (a - s))` has mean `s`: the distribution nearest to the observed one.
fn tilt(points: &[(f64, f64)], s: f64) -> f64 {
    // All factors must stay positive for a in 0..=1.
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..100 {
        let x = (low + high) / 2.0;
        let slope: f64 = points.iter().map(|(a, p)| p * (a - s) / (1.0 + x * (a - s))).sum();
        if slope > 0.0 { low = x } else { high = x }
    }
    (low + high) / 2.0
}

/// The customary approximation for single games, as printed by c-chess-cli and similar programs.
pub fn llr_trinomial(tally: &Tally, elo0: f64, elo1: f64) -> f64 {
    let kinds = [tally.wins, tally.losses, tally.draws].iter().filter(|n| **n > 0).count();
    if kinds < 2 {
        return 0.0;
    }
    let (n, s) = (tally.games() as f64, tally.score());
    let var = (tally.wins as f64 + tally.draws as f64 / 4.0) / n - s * s;
    let (s0, s1) = (expected(elo0), expected(elo1));
    (s1 - s0) * (2.0 * s - s0 - s1) / (2.0 * var / n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Rng;

    /// Plays pairs with this strength, a quarter of the games drawn and some bias of the opening.
    fn simulate(test: &Sprt, elo: f64, rng: &mut Rng) -> SprtState {
        let mut pairs = Pairs::default();
        for _ in 0..100_000 {
            let bias = if rng.unit() < 0.5 { 0.1 } else { -0.1 };
            let mut game = |shift: f64| {
                let (draw, s) = (0.25, expected(elo) + shift);
                let roll = rng.unit();
                if roll < draw {
                    1
                } else if roll < draw + (s - draw / 2.0) {
                    2
                } else {
                    0
                }
            };
            let index = game(bias) + game(-bias);
            pairs[index] += 1;
            match test.state(&pairs) {
                SprtState::Running => {}
                state => return state,
            }
        }
        SprtState::Running
    }

    #[test]
    fn error_rates_stay_within_their_bounds() {
        let test = Sprt::new(0.0, 30.0);
        let mut rng = Rng::new(7);
        let runs = 2000;
        let wrong1 = (0..runs).filter(|_| simulate(&test, 0.0, &mut rng) == SprtState::H1).count();
        let wrong0 = (0..runs).filter(|_| simulate(&test, 30.0, &mut rng) == SprtState::H0).count();
        // Three standard deviations of a count with p = 0.05 above the bound would be 0.0646.
        assert!(wrong1 as f64 / (runs as f64) < 0.0646, "false positives {wrong1} of {runs}");
        assert!(wrong0 as f64 / (runs as f64) < 0.0646, "false negatives {wrong0} of {runs}");
        assert!(wrong1 > 0 && wrong0 > 0, "a test that never errs plays too long");
    }

    #[test]
    fn the_exact_ratio_maximises_the_likelihood() {
        // Against a slow search over all distributions with the asked mean, on three of the five results.
        let pairs = [20, 0, 50, 0, 30];
        let best = |mean: f64| {
            let mut best = f64::NEG_INFINITY;
            for step in 1..100_000 {
                let high = f64::from(step) / 100_000.0;
                let middle = 2.0 * (mean - high);
                let low = 1.0 - high - middle;
                if middle > 0.0 && low > 0.0 {
                    best = f64::max(best, 20.0 * low.ln() + 50.0 * middle.ln() + 30.0 * high.ln());
                }
            }
            best
        };
        let slow = best(expected(10.0)) - best(expected(0.0));
        assert!((llr_pentanomial(&pairs, 0.0, 10.0) - slow).abs() < 2e-3);
    }

    #[test]
    fn for_many_games_the_approximation_agrees() {
        let tally = Tally { wins: 5200, losses: 4800, draws: 0 };
        // Independent games: pairs fall as a binomial distribution of two.
        let w = 0.52f64;
        let pair = |p: f64| (p * 5000.0).round() as u64;
        let pairs = [pair((1.0 - w) * (1.0 - w)), 0, pair(2.0 * w * (1.0 - w)), 0, pair(w * w)];
        let (exact, rough) = (llr_pentanomial(&pairs, 0.0, 10.0), llr_trinomial(&tally, 0.0, 10.0));
        assert!((exact - rough).abs() < 0.05 * rough.abs(), "{exact} {rough}");
    }
}
