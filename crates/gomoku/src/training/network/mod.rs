//! Trains the line-pattern network ([`crate::network`]) on self-play games.
//!
//! [`TrainingSet`] holds the positions of games, [`model`] is the network in floating point with its gradients,
//! [`factors`] ties rare patterns to their shape class and their inner cells, and [`train`] runs Adam over
//! shuffled batches and quantizes the moving average of the weights. One thread and a seed give the same bits
//! every time on one machine.

mod factors;
mod model;
mod samples;
#[cfg(test)]
mod tests;

pub use samples::TrainingSet;

use super::TrainingError;
use crate::network::{Network, patterns::Patterns};
use factors::FactoredTable;
use model::{Gradients, Model, Scratch};
use nn::optimizer::{Adam, Ema};
use samples::Sample;
use search::rng::Rng;

/// How to train.
#[derive(Clone, Debug)]
pub struct TrainConfig {
    /// Passes over all positions.
    pub epochs: usize,
    /// Positions per step.
    pub batch: usize,
    /// Adam's rate at the start; it falls to a fiftieth along a cosine.
    pub rate: f32,
    /// Orders the positions and draws the initial weights.
    pub seed: u64,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig { epochs: 6, batch: 1024, rate: 0.0015, seed: 1 }
    }
}

/// Losses on the games that are held out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Cross-entropy of the value, in nats.
    pub value: f64,
    /// Mean squared error of the expected result.
    pub squared_error: f64,
    /// Cross-entropy of the policy, in nats.
    pub policy: f64,
    /// How often the policy's first choice is the search's.
    pub first_choice: f64,
}

/// What is known after an epoch.
pub struct Epoch<'a> {
    /// From 0.
    pub number: usize,
    /// On all positions that are held out.
    pub losses: Losses,
    /// By phase of the game: fewer than 20 stones, fewer than 50, the rest.
    pub by_phase: [Losses; 3],
    /// The network so far, as a file.
    pub network: &'a [u8],
}

/// The moving average is taken every so many steps, its newest value counts this much.
const EMA_STEPS: usize = 8;
const EMA_RATE: f32 = 0.03;

/// Trains a network and returns it as a file. It starts from the network file `start`, which may be one for another rule
/// unless its sides have rows of their own and this rule's have not, or from random weights. `epoch_done` may end the
/// training by `false`.
pub fn train(
    set: &TrainingSet,
    start: Option<&[u8]>,
    config: &TrainConfig,
    epoch_done: &mut dyn FnMut(Epoch) -> bool,
) -> Result<Vec<u8>, TrainingError> {
    let (training, held_out) = set.split();
    let mut rng = Rng::new(config.seed);
    let (mut table, mut model) = match start {
        None => (FactoredTable::new(set.rule, &mut rng), Model::new(set.rule, &mut rng)),
        Some(file) => {
            let network = Network::read(file)?;
            if network.patterns.count > Patterns::of(set.rule).count {
                return Err(TrainingError::Start { found: network.rule, rule: set.rule });
            }
            let model = Model::from_network(set.rule, &network);
            (FactoredTable::from_table(set.rule, &model.table), model)
        }
    };
    table.write(&mut model.table);
    let mut average = model.clone();
    let (mut gradients, mut scratch) = (Gradients::new(&model), Scratch::default());
    let (mut head, mut ema) = (Adam::new(model.head.len()), Ema::new(EMA_RATE));
    let steps = (config.epochs * training.len() / config.batch.max(1)).max(1);
    let mut step = 0;
    for epoch in 0..config.epochs {
        let mut order: Vec<usize> = (0..training.len()).collect();
        rng.shuffle(&mut order);
        for batch in order.chunks_exact(config.batch.clamp(1, training.len().max(1))) {
            let samples: Vec<&Sample> = batch.iter().map(|index| training[*index]).collect();
            model::learn(&model, &samples, &mut scratch, &mut gradients);
            gradients.scale(1.0 / batch.len() as f32);
            let progress = (step as f32 / steps as f32 * std::f32::consts::PI).cos();
            let rate = config.rate * (0.02 + 0.98 * 0.5 * (1.0 + progress));
            table.step(rate, &gradients.table);
            table.write(&mut model.table);
            head.step(rate, model.head.iter_mut(), gradients.head.iter().copied());
            gradients.clear();
            step += 1;
            if step % EMA_STEPS == 0 {
                ema.update(average.weights_mut(), model.weights());
            }
        }
        let mut by_phase = |from: usize, to: usize| {
            let phase = held_out.iter().copied().filter(|sample| (from..to).contains(&sample.stones()));
            average.losses(phase, &mut scratch)
        };
        let by_phase = [by_phase(0, 20), by_phase(20, 50), by_phase(50, usize::MAX)];
        let losses = average.losses(held_out.iter().copied(), &mut scratch);
        let network = &average.quantized().write();
        if !epoch_done(Epoch { number: epoch, losses, by_phase, network }) {
            break;
        }
    }
    Ok(average.quantized().write())
}

impl Model {
    fn losses<'a>(&self, samples: impl Iterator<Item = &'a Sample>, scratch: &mut Scratch) -> Losses {
        let (mut sum, mut count, mut policies) = (Losses::default(), 0.0, 0.0);
        for sample in samples {
            let found = self.evaluate(sample, scratch);
            let (chance, target) = (f64::from(found.win_rate), f64::from(sample.target));
            sum.value -= target * chance.max(1e-6).ln() + (1.0 - target) * (1.0 - chance).max(1e-6).ln();
            sum.squared_error += (chance - target).powi(2);
            count += 1.0;
            if let Some((likelihood, first)) = found.policy {
                sum.policy -= f64::from(likelihood.max(1e-9)).ln();
                sum.first_choice += f64::from(u8::from(first));
                policies += 1.0;
            }
        }
        let (count, policies) = (f64::max(count, 1.0), f64::max(policies, 1.0));
        Losses {
            value: sum.value / count,
            squared_error: sum.squared_error / count,
            policy: sum.policy / policies,
            first_choice: sum.first_choice / policies,
        }
    }
}
