//! Elo difference of two players from their games.

use super::normal_cdf;
use crate::journal::Score;
use serde::Serialize;
use std::collections::BTreeMap;

/// Two-sided 95 % of a normal distribution, in standard deviations.
const Z95: f64 = 1.959_963_985;

/// Wins, draws and losses of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

/// Results of pairs of games with the seats exchanged: how often the pair gave 0, ½, 1, 1½ and 2 points.
pub type Pairs = [u64; 5];

/// The difference of two players in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The estimate; infinite where one player took every point.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Likelihood that the first player is the better one.
    pub los: f64,
}

/// The expected score of a player this much stronger.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference that explains a score between 0 and 1.
pub(crate) fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

impl Tally {
    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Points a game, 0 to 1; a half before the first game.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    /// Counts one game by its points.
    pub fn add(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// The difference from single games, each taken as independent.
    pub fn elo(&self) -> Elo {
        let (n, s) = (self.games() as f64, self.score());
        let second = (self.wins as f64 + self.draws as f64 / 4.0) / n.max(1.0);
        elo_from(s, ((second - s * s).max(0.0) / n.max(1.0)).sqrt())
    }

    /// Tally and pairs of `a` against `b`. Games whose partner is not finished count in the tally only.
    pub fn of(scores: &BTreeMap<u32, Score>, a: usize, b: usize) -> (Tally, Pairs) {
        let mut tally = Tally::default();
        let mut pairs = Pairs::default();
        let mut half: Option<&Score> = None;
        let between = |s: &&Score| (s.first == a && s.second == b) || (s.first == b && s.second == a);
        for score in scores.values().filter(between) {
            tally.add(score.points_of(a));
            // Partners have neighbouring numbers, the even one first.
            half = match half {
                Some(other) if other.id % 2 == 0 && other.id + 1 == score.id => {
                    pairs[(2.0 * (other.points_of(a) + score.points_of(a))).round() as usize] += 1;
                    None
                }
                _ => Some(score),
            };
        }
        (tally, pairs)
    }
}

impl Elo {
    /// The difference from a tally and its pairs. The spread comes from the pairs, where the opening's
    /// bias cancels; the mean from all games.
    pub fn from_pairs(tally: &Tally, pairs: &Pairs) -> Elo {
        let n = pairs.iter().sum::<u64>() as f64;
        if n < 2.0 {
            return tally.elo();
        }
        let mean = pairs.iter().enumerate().map(|(i, c)| *c as f64 * i as f64 / 4.0).sum::<f64>() / n;
        let var =
            pairs.iter().enumerate().map(|(i, c)| *c as f64 * (i as f64 / 4.0 - mean).powi(2)).sum::<f64>()
                / n;
        elo_from(tally.score(), (var / n).sqrt())
    }
}

fn elo_from(score: f64, deviation: f64) -> Elo {
    let (low, high) = (elo_of(score - Z95 * deviation), elo_of(score + Z95 * deviation));
    let los = match deviation {
        d if d > 0.0 => normal_cdf((score - 0.5) / d),
        _ if score > 0.5 => 1.0,
        _ if score < 0.5 => 0.0,
        _ => 0.5,
    };
    let elo = elo_of(score);
    // Near 0 or 1 one end is infinite and the other one tells more; with every point taken nothing does.
    let error = match (low.is_finite(), high.is_finite()) {
        (true, true) => (high - low) / 2.0,
        (true, false) if elo.is_finite() => elo - low,
        (false, true) if elo.is_finite() => high - elo,
        _ => f64::INFINITY,
    };
    Elo { elo, error, los }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // 64 % is 100 Elo by definition of the scale.
        assert!((expected(100.0) - 0.640_065).abs() < 1e-6);
        assert!((elo_of(0.75) - 190.848_502).abs() < 1e-6);
        // W 40 L 20 D 40: score 0.6, variance 0.14, deviation 0.03742; worked out by hand.
        let elo = Tally { wins: 40, losses: 20, draws: 40 }.elo();
        assert!((elo.elo - 70.436_504).abs() < 1e-5, "{elo:?}");
        assert!((elo.error - 53.63).abs() < 0.3, "{elo:?}");
        assert!((elo.los - 0.996_2).abs() < 1e-3, "{elo:?}");
    }

    #[test]
    fn pairs_that_always_split_are_certain() {
        let tally = Tally { wins: 50, losses: 50, draws: 0 };
        assert_eq!(Elo::from_pairs(&tally, &[0, 0, 50, 0, 0]).error, 0.0);
        assert!(tally.elo().error > 60.0);
    }

    #[test]
    fn nothing_is_not_a_number() {
        for tally in [Tally::default(), Tally { wins: 3, ..Tally::default() }] {
            let elo = tally.elo();
            assert!(!elo.elo.is_nan() && !elo.error.is_nan() && !elo.los.is_nan(), "{elo:?}");
        }
    }
}
