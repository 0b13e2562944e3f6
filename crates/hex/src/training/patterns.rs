//! Weights of the move features, for searches without the network: softmax regression on the visits of searches, with
//! AdaGrad.

use super::Sample;
use crate::engine::FEATURES;
use search::Rng;

/// Passes over the samples.
const EPOCHS: usize = 12;
/// Learning rate of AdaGrad.
const RATE: f32 = 0.15;
/// Weight decay, for rare features.
const DECAY: f32 = 2e-4;
/// Visits are raised to this power: the best move of a long search is better than its share of visits.
const SHARPEN: f32 = 2.0;

/// A sample: for each move its features, and the share of visits it got.
type MoveSample = Vec<(Vec<u16>, f32)>;

/// Mean losses in nats after the last pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternLosses {
    /// On the samples that were used.
    pub trained: f32,
    /// On the tenth that was held back.
    pub held_out: f32,
}

/// Fits the weight of every feature; a tenth of the samples is held back.
pub fn fit_patterns(samples: Vec<Sample>, seed: u64) -> (Vec<f32>, PatternLosses) {
    let mut samples: Vec<MoveSample> = samples.iter().map(|sample| sharpened(sample.features())).collect();
    Rng::new(seed).shuffle(&mut samples);
    let (held, used) = samples.split_at(samples.len() / 10);
    let mut weights = vec![0.0f32; FEATURES];
    let mut squares = vec![1e-3f32; FEATURES];
    let mut trained = 0.0;
    for _ in 0..EPOCHS {
        trained = used.iter().map(|sample| descend(sample, &mut weights, &mut squares)).sum();
    }
    let held_out: f32 = held.iter().map(|sample| loss_of(sample, &weights)).sum();
    let losses = PatternLosses {
        trained: trained / used.len().max(1) as f32,
        held_out: held_out / held.len().max(1) as f32,
    };
    (weights, losses)
}

fn sharpened(mut moves: MoveSample) -> MoveSample {
    moves.iter_mut().for_each(|(_, share)| *share = share.powf(SHARPEN));
    let total: f32 = moves.iter().map(|(_, share)| share).sum();
    moves.iter_mut().for_each(|(_, share)| *share /= total.max(f32::MIN_POSITIVE));
    moves
}

/// Takes a step for one sample; returns its loss before the step.
fn descend(sample: &MoveSample, weights: &mut [f32], squares: &mut [f32]) -> f32 {
    let mut loss = 0.0;
    let probabilities = softmax(sample, weights);
    for ((features, target), probability) in sample.iter().zip(&probabilities) {
        let gradient = probability - target;
        loss -= target * probability.max(1e-9).ln();
        for &feature in features {
            let at = feature as usize;
            let gradient = gradient + DECAY * weights[at] / features.len() as f32;
            squares[at] += gradient * gradient;
            weights[at] -= RATE * gradient / squares[at].sqrt();
        }
    }
    loss
}

fn loss_of(sample: &MoveSample, weights: &[f32]) -> f32 {
    let probabilities = softmax(sample, weights);
    sample
        .iter()
        .zip(probabilities)
        .map(|((_, target), probability)| -target * probability.max(1e-9).ln())
        .sum()
}

fn softmax(moves: &MoveSample, weights: &[f32]) -> Vec<f32> {
    let sums: Vec<f32> =
        moves.iter().map(|(features, _)| features.iter().map(|&at| weights[at as usize]).sum()).collect();
    let largest = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = sums.iter().map(|sum| (sum - largest).exp()).collect();
    let total: f32 = exps.iter().sum();
    exps.into_iter().map(|exp| exp / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_that_searches_prefer_gets_the_larger_share() {
        let sample = Sample::parse("5 1 7 2|2 9 20|7 11|12:140 13:10 3:2").unwrap();
        let (weights, losses) = fit_patterns(vec![sample.clone(); 40], 1);
        let shares = softmax(&sample.features(), &weights);
        assert!(shares[0] > shares[1] && shares[0] > shares[2], "{shares:?}");
        let before = loss_of(&sharpened(sample.features()), &vec![0.0; FEATURES]);
        assert!(losses.held_out < before, "{losses:?} {before}");
    }
}
