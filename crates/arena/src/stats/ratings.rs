//! A rating list from many games: Bradley-Terry with draws and the advantage of the first seat.
//!
//! Davidson's model: with strengths in log units, a first-seat win weighs `exp(r_i + h)`, a loss `exp(r_j)`
//! and a draw `exp(d + (r_i + r_j + h) / 2)`. The log-likelihood is concave, so Newton's method finds the
//! one maximum, and the inverse of its curvature gives the error bars. A weak normal prior keeps players
//! finite who won or lost everything.

use crate::journal::Score;
use game::Seat;
use serde::Serialize;

/// One natural log unit in Elo: 400 / ln 10.
const UNIT: f64 = 173.717_792_761_248_2;
/// Standard deviation of the prior of a rating, in Elo. So wide that ten games outweigh it.
const PRIOR: f64 = 1000.0;
const Z95: f64 = 1.959_963_985;

/// A player's place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The player.
    pub player: usize,
    /// Rating; the average of all players is 0.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Points a game.
    pub score: f64,
}

/// The list, best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingList {
    /// The players.
    pub ratings: Vec<Rating>,
    /// What the first seat is worth, in Elo.
    pub first_move: f64,
    /// The share of draws between equals.
    pub draw_rate: f64,
}

/// Rates `players` players by their games.
pub fn rate<'a>(players: usize, scores: impl Iterator<Item = &'a Score> + Clone) -> RatingList {
    let model = Model { players, dim: players + 2 };
    // Results of the same kind weigh together: a long match costs no more than a short one.
    let mut counts = vec![[0.0f64; 3]; players * players];
    let (mut games, mut points) = (vec![0u64; players], vec![0.0f64; players]);
    for score in scores {
        if score.first >= players || score.second >= players || score.first == score.second {
            continue;
        }
        let kind = match score.winner {
            Some(Seat::First) => 0,
            Some(Seat::Second) => 1,
            None => 2,
        };
        counts[score.first * players + score.second][kind] += 1.0;
        for player in [score.first, score.second] {
            games[player] += 1;
            points[player] += score.points_of(player);
        }
    }
    let (theta, covariance) = model.fit(&counts);
    let mean = theta[..players].iter().sum::<f64>() / players.max(1) as f64;
    let mut ratings: Vec<Rating> = (0..players)
        .map(|i| Rating {
            player: i,
            elo: (theta[i] - mean) * UNIT,
            error: Z95 * UNIT * model.spread(&covariance, i).sqrt(),
            games: games[i],
            score: points[i] / games[i].max(1) as f64,
        })
        .collect();
    ratings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    let nu = theta[players + 1].exp();
    RatingList { ratings, first_move: theta[players] * UNIT, draw_rate: nu / (2.0 + nu) }
}

struct Model {
    players: usize,
    /// Ratings, the first seat's advantage, and the weight of draws.
    dim: usize,
}

impl Model {
    /// The maximum and the inverse of the curvature there.
    fn fit(&self, counts: &[[f64; 3]]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut theta = vec![0.0; self.dim];
        let mut inverse = vec![vec![0.0; self.dim]; self.dim];
        for _ in 0..100 {
            let (gradient, curvature) = self.derivatives(counts, &theta);
            inverse = invert(curvature);
            let step: Vec<f64> =
                inverse.iter().map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum()).collect();
            let size = step.iter().fold(0.0f64, |max, x| max.max(x.abs()));
            // Far from the maximum a full step may overshoot.
            let scale = if size > 1.0 { 1.0 / size } else { 1.0 };
            theta.iter_mut().zip(&step).for_each(|(t, s)| *t += scale * s);
            if size < 1e-10 {
                break;
            }
        }
        (theta, inverse)
    }

    fn derivatives(&self, counts: &[[f64; 3]], theta: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let (h, d) = (self.players, self.players + 1);
        let tight = (UNIT / PRIOR).powi(2);
        let mut gradient: Vec<f64> = theta.iter().map(|t| -t * tight).collect();
        let mut curvature = vec![vec![0.0; self.dim]; self.dim];
        for (i, row) in curvature.iter_mut().enumerate() {
            row[i] = tight;
        }
        for i in 0..self.players {
            for j in 0..self.players {
                let seen = &counts[i * self.players + j];
                let n: f64 = seen.iter().sum();
                if n == 0.0 {
                    continue;
                }
                // Features of (win, loss, draw) along the four parameters that matter to this meeting.
                let at = [i, j, h, d];
                const FEATURES: [[f64; 4]; 3] =
                    [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.5, 1.0]];
                let weights = FEATURES.map(|f| (0..4).map(|k| f[k] * theta[at[k]]).sum::<f64>().exp());
                let total: f64 = weights.iter().sum();
                let p = weights.map(|w| w / total);
                let mean: [f64; 4] = std::array::from_fn(|k| (0..3).map(|o| p[o] * FEATURES[o][k]).sum());
                for k in 0..4 {
                    let observed: f64 = (0..3).map(|o| seen[o] * FEATURES[o][k]).sum();
                    gradient[at[k]] += observed - n * mean[k];
                    for l in 0..4 {
                        let second: f64 = (0..3).map(|o| p[o] * FEATURES[o][k] * FEATURES[o][l]).sum();
                        curvature[at[k]][at[l]] += n * (second - mean[k] * mean[l]);
                    }
                }
            }
        }
        (gradient, curvature)
    }

    /// Variance of a rating relative to the average of all.
    fn spread(&self, covariance: &[Vec<f64>], i: usize) -> f64 {
        let n = self.players as f64;
        let weight = |k: usize| f64::from(k == i) - 1.0 / n;
        let mut sum = 0.0;
        for (k, row) in covariance[..self.players].iter().enumerate() {
            for (l, value) in row[..self.players].iter().enumerate() {
                sum += weight(k) * weight(l) * value;
            }
        }
        sum.max(0.0)
    }
}

/// Inverts a positive definite matrix by elimination with pivots.
fn invert(mut m: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = m.len();
    let mut inverse: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    for col in 0..n {
        let pivot = (col..n).max_by(|a, b| m[*a][col].abs().total_cmp(&m[*b][col].abs())).unwrap_or(col);
        m.swap(col, pivot);
        inverse.swap(col, pivot);
        let scale = 1.0 / m[col][col];
        m[col].iter_mut().chain(inverse[col].iter_mut()).for_each(|x| *x *= scale);
        let (base, base_inverse) = (m[col].clone(), inverse[col].clone());
        for row in (0..n).filter(|row| *row != col) {
            let factor = m[row][col];
            m[row].iter_mut().zip(&base).for_each(|(x, b)| *x -= factor * b);
            inverse[row].iter_mut().zip(&base_inverse).for_each(|(x, b)| *x -= factor * b);
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Termination;
    use crate::stats::Tally;

    fn games(list: &[(usize, usize, Option<Seat>, usize)]) -> Vec<Score> {
        list.iter()
            .flat_map(|&(first, second, winner, times)| {
                let score = Score {
                    id: 0,
                    first,
                    second,
                    winner,
                    reason: Termination::Draw,
                    seconds: [0.0; 2],
                    line: 0,
                };
                std::iter::repeat_n(score, times)
            })
            .collect()
    }

    #[test]
    fn two_players_agree_with_the_elo_formula() {
        let scores = games(&[
            (0, 1, Some(Seat::First), 600),
            (0, 1, Some(Seat::Second), 400),
            (1, 0, Some(Seat::First), 400),
            (1, 0, Some(Seat::Second), 600),
        ]);
        let list = rate(2, scores.iter());
        let elo = Tally { wins: 1200, losses: 800, draws: 0 }.elo();
        assert_eq!(list.ratings[0].player, 0);
        let difference = list.ratings[0].elo - list.ratings[1].elo;
        assert!((difference - elo.elo).abs() < 0.2, "{list:?}");
        assert!((2.0 * list.ratings[0].error - elo.error).abs() < 0.3, "{list:?} {elo:?}");
        assert!(list.first_move.abs() < 0.1);
    }

    #[test]
    fn the_first_seat_and_draws_are_found_again() {
        // Counts as the model itself gives them for ratings 100, 0, -100, first move 50, draw weight 1.
        let truth = [100.0 / UNIT, 0.0, -100.0 / UNIT];
        let (h, nu) = (50.0 / UNIT, 1.0);
        let mut list = Vec::new();
        for i in 0..3usize {
            for j in (0..3usize).filter(|j| *j != i) {
                let (win, loss) = (f64::exp(truth[i] + h), f64::exp(truth[j]));
                let draw = nu * (win * loss).sqrt();
                let total = win + loss + draw;
                let times = |w: f64| (100_000.0 * w / total).round() as usize;
                list.push((i, j, Some(Seat::First), times(win)));
                list.push((i, j, Some(Seat::Second), times(loss)));
                list.push((i, j, None, times(draw)));
            }
        }
        let list = rate(3, games(&list).iter());
        assert!((list.first_move - 50.0).abs() < 0.1, "{list:?}");
        assert!((list.draw_rate - 1.0 / 3.0).abs() < 1e-3);
        for (rating, expected) in list.ratings.iter().zip([100.0, 0.0, -100.0]) {
            assert!((rating.elo - expected).abs() < 0.1, "{list:?}");
        }
    }

    #[test]
    fn perfect_scores_stay_finite() {
        let list = rate(3, games(&[(0, 1, Some(Seat::First), 10), (1, 2, Some(Seat::First), 10)]).iter());
        assert!(list.ratings.iter().all(|r| r.elo.is_finite() && r.error.is_finite()));
        assert_eq!(list.ratings.iter().map(|r| r.player).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(rate(0, [].iter()).ratings.is_empty());
    }
}
