//! Backpropagation and optimizer steps. Each thread has a [`Backprop`] with gradients of its own; the [`Trainer`] sums them
//! up and takes a step with Adam.

use super::Sample;
use crate::bits::Lattice;
use crate::engine::network::layout::{Layout, PLANES};
use crate::engine::network::{Bf16Workspace, DEPTH, Network, TAPS, sigmoid};
use crate::stones::Stones;
use crate::{Size, by_width};
use game::Side;
use nn::layer::{add_masked, relu_backward};
use nn::optimizer::{Adam, Ema};
use nn::{Bf16x64, CHANNELS, F32x64, WeightGradients, Weights, convolve, from_bf16};
use search::Rng;
use std::collections::HashMap;

/// Fewer visits give no policy target.
const POLICY_VISITS: u32 = 80;
/// Loss weight of a proved move; the result of the move played weighs 1.
const PROOF_WEIGHT: f32 = 0.3;
/// Loss weight of a searched move's value, and the visits at which it has half of that. Little: search values are less
/// extreme than results, and a network trained on them would be too.
const SEARCH_WEIGHT: (f32, f32) = (0.08, 10.0);
/// Weight of the newest step in the moving average of the weights.
const EMA_RATE: f32 = 0.001;

/// What is learned from a position.
#[derive(Clone, Debug)]
pub(crate) enum TrainingTarget<'a> {
    /// Policy and values of a search, and the result of the move played.
    Sample(&'a Sample),
    /// A move and its value.
    Value(u16, f32),
}

/// A position from the view of the side to move, with its orientation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrainingPosition<'a> {
    pub(crate) size: u8,
    pub(crate) white: bool,
    pub(crate) own: &'a [u16],
    pub(crate) other: &'a [u16],
    /// Turned by 180 degrees, as data augmentation.
    pub(crate) turned: bool,
}

impl TrainingPosition<'_> {
    /// A cell in this orientation.
    fn oriented(&self, cell: u16) -> usize {
        if self.turned { usize::from(self.size).pow(2) - 1 - cell as usize } else { cell as usize }
    }
}

/// Gradients and scratch space of one thread.
pub(crate) struct Backprop {
    gradients: Network,
    workspaces: HashMap<(u8, bool), Bf16Workspace>,
    errors: Vec<F32x64>,
    rounded: Vec<Bf16x64>,
    operands: WeightGradients,
    /// Positions accumulated since the last step.
    count: usize,
}

impl Backprop {
    pub(crate) fn new() -> Backprop {
        Backprop {
            gradients: Network::zero(),
            workspaces: HashMap::new(),
            errors: Vec::new(),
            rounded: Vec::new(),
            operands: WeightGradients::default(),
            count: 0,
        }
    }

    /// Adds the gradients of a target and returns its loss in nats.
    pub(crate) fn accumulate(
        &mut self,
        trainer: &Trainer,
        position: TrainingPosition<'_>,
        target: &TrainingTarget<'_>,
    ) -> f32 {
        let Some((loss, gradients)) = self.loss_and_gradients(trainer, position, target) else { return 0.0 };
        self.count += 1;
        self.propagate(trainer, (position.size, position.white), &gradients);
        loss
    }

    /// The loss of a target.
    #[cfg(test)]
    pub(crate) fn loss(
        &mut self,
        trainer: &Trainer,
        position: TrainingPosition<'_>,
        target: &TrainingTarget<'_>,
    ) -> f32 {
        self.loss_and_gradients(trainer, position, target).map_or(0.0, |found| found.0)
    }

    /// Evaluates a position.
    pub(crate) fn forward(
        &mut self,
        network: &Network,
        position: TrainingPosition<'_>,
    ) -> Option<&Bf16Workspace> {
        let size = Size::new(position.size, position.size)?;
        let side = if position.white { Side::White } else { Side::Black };
        let workspace = self
            .workspaces
            .entry((position.size, position.white))
            .or_insert_with(|| Bf16Workspace::new(size, side));
        by_width!(size, W => {
            let mut stones = Stones::<W>::EMPTY;
            for (side, cells) in [side, side.other()].into_iter().zip([position.own, position.other]) {
                cells.iter().for_each(|&cell| stones.put(side, position.oriented(cell)));
            }
            network.logits(workspace, &Lattice::new(size), &stones, side);
        });
        Some(workspace)
    }

    /// The loss and its gradients with respect to the logits.
    fn loss_and_gradients(
        &mut self,
        trainer: &Trainer,
        position: TrainingPosition<'_>,
        target: &TrainingTarget<'_>,
    ) -> Option<(f32, [Vec<f32>; 2])> {
        let workspace = self.forward(&trainer.network, position)?;
        let size = Size::new(position.size, position.size)?;
        let oriented = |cell: u16| position.oriented(cell);
        let [mut values, mut policy] = [(); 2].map(|()| vec![0.0; size.cells()]);
        let mut loss = 0.0;
        let logits = &workspace.logits;
        let mut learn_value = |cell: usize, target: f32, weight: f32| {
            let value = sigmoid(logits[0][cell]);
            loss -= weight * (target * value.max(1e-6).ln() + (1.0 - target) * (1.0 - value).max(1e-6).ln());
            values[cell] += weight * (value - target);
        };
        match *target {
            TrainingTarget::Value(cell, target) => learn_value(oriented(cell), target, 1.0),
            TrainingTarget::Sample(Sample { searched, played, .. }) => {
                if let Some((cell, won)) = *played {
                    learn_value(oriented(cell), won, 1.0);
                }
                for row in searched {
                    let Some(value) = row.value else { continue };
                    let proved = value == 0.0 || value == 1.0;
                    let visits = row.visits as f32;
                    let weight = if proved {
                        PROOF_WEIGHT
                    } else {
                        SEARCH_WEIGHT.0 * visits / (visits + SEARCH_WEIGHT.1)
                    };
                    learn_value(oriented(row.cell), value, weight);
                }
                let empty =
                    |cell: usize| workspace.input[workspace.layout.places[cell] as usize].0[..2] == [0; 2];
                // No policy target where every move loses or the search was short.
                let visits: u32 = searched.iter().map(|row| row.visits).sum();
                if visits >= POLICY_VISITS {
                    let largest = logits[1].iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    for cell in (0..size.cells()).filter(|&cell| empty(cell)) {
                        policy[cell] = (logits[1][cell] - largest).exp();
                    }
                    let total: f32 = policy.iter().sum();
                    policy.iter_mut().for_each(|gradient| *gradient /= total.max(f32::MIN_POSITIVE));
                    for row in searched {
                        let target = row.visits as f32 / visits as f32;
                        loss -= target * policy[oriented(row.cell)].max(1e-9).ln();
                        policy[oriented(row.cell)] -= target;
                    }
                }
            }
        }
        let gradients = [values, policy];
        Some((loss, gradients))
    }

    fn propagate(&mut self, trainer: &Trainer, workspace: (u8, bool), gradients: &[Vec<f32>; 2]) {
        let Backprop { gradients: out, workspaces, errors, rounded, operands, .. } = self;
        let Some(workspace) = workspaces.get_mut(&workspace) else { return };
        let Bf16Workspace { layout, input, activations, sums, .. } = workspace;
        let Layout { first, ref taps, ref on_board, ref places, .. } = *layout;
        errors.clear();
        errors.resize(input.len(), F32x64::ZERO);
        rounded.clear();
        rounded.resize(input.len(), Bf16x64::ZERO);
        let last = &activations[DEPTH];
        for (head, gradients) in gradients.iter().enumerate() {
            for (&gradient, &at) in gradients.iter().zip(places).filter(|row| *row.0 != 0.0) {
                let (activation, error) = (&last[at as usize].0, &mut errors[at as usize].0);
                out.head_biases[head] += gradient;
                for k in 0..CHANNELS {
                    out.heads[head].0[k] += gradient * from_bf16(activation[k]);
                    error[k] += gradient * trainer.network.heads[head].0[k];
                }
            }
        }
        for depth in (0..=DEPTH).rev() {
            relu_backward(&activations[depth], errors, rounded, &mut out.biases[depth]);
            let before = if depth == 0 { &*input } else { &activations[depth - 1] };
            operands.set(before, rounded);
            operands.accumulate(taps, &mut out.layers[depth], (first, sums.len()));
            if depth > 0 {
                convolve(rounded, taps, &trainer.transposed[depth], first, sums);
                add_masked(sums, &on_board[first..], &mut errors[first..]);
            }
        }
    }
}

/// A network in training.
pub struct Trainer {
    pub(crate) network: Network,
    /// Exponential moving average of the weights: a step follows few games, and their luck.
    pub(crate) average: Network,
    adam: Adam,
    ema: Ema,
    /// The layers transposed for the backward pass: input and output exchanged, taps reversed.
    transposed: Vec<Weights<TAPS>>,
}

impl Trainer {
    /// Starts with random weights.
    pub fn new(seed: u64) -> Trainer {
        Trainer::of(initial_network(seed))
    }

    /// Continues with a network.
    pub fn of(mut network: Network) -> Trainer {
        let adam = Adam::new(network.weights_mut().count());
        let transposed = network.layers.iter().map(|rows| Weights::new(&transpose(rows))).collect();
        Trainer { average: network.clone(), adam, ema: Ema::new(EMA_RATE), transposed, network }
    }

    /// The averaged network.
    pub fn into_network(mut self) -> Network {
        self.average.pack();
        self.average
    }

    /// Takes a step with the gradients of all threads, and clears them.
    pub(crate) fn step(&mut self, workers: &mut [&mut Backprop], rate: f32) {
        let count: usize = workers.iter().map(|worker| worker.count).sum();
        let share = 1.0 / count.max(1) as f32;
        let [one, rest @ ..] = workers else { return };
        for other in &mut *rest {
            let gradients = other.gradients.weights_mut();
            one.gradients.weights_mut().zip(gradients).for_each(|(sum, part)| *sum += std::mem::take(part));
            other.count = 0;
        }
        one.count = 0;
        let gradients = one.gradients.weights_mut().map(|gradient| std::mem::take(gradient) * share);
        self.adam.step(rate, self.network.weights_mut(), gradients);
        self.ema.update(self.average.weights_mut(), self.network.weights_mut().map(|weight| *weight));
        self.network.pack();
        let layers = self.transposed.iter_mut().zip(&self.network.layers);
        layers.for_each(|(packed, rows)| packed.set(&transpose(rows)));
    }
}

impl Sample {
    /// The sample as [`Backprop`] takes it.
    pub(crate) fn training_position(&self, turned: bool) -> TrainingPosition<'_> {
        let [own, other] = &self.stones;
        TrainingPosition { size: self.size, white: self.white, own, other, turned }
    }
}

/// Random weights, small after the first layer: residual layers begin near the identity.
fn initial_network(seed: u64) -> Network {
    let mut network = Network::zero();
    let mut rng = Rng::new(seed);
    // The sum of twelve uniform samples is nearly normal with variance 1.
    let mut normal = |deviation: f32| {
        let sum: f64 = (0..12).map(|_| rng.unit()).sum();
        (sum - 6.0) as f32 * deviation
    };
    for (depth, layer) in network.layers.iter_mut().enumerate() {
        for (at, row) in layer.iter_mut().enumerate() {
            if depth > 0 || at % CHANNELS < PLANES {
                row.0.iter_mut().for_each(|weight| *weight = normal(if depth == 0 { 0.3 } else { 0.02 }));
            }
        }
    }
    network.heads.iter_mut().flat_map(|head| &mut head.0).for_each(|weight| *weight = normal(0.03));
    network.pack();
    network
}

/// The weights of the backward pass.
fn transpose(rows: &[F32x64]) -> Vec<F32x64> {
    let mut out = vec![F32x64::ZERO; rows.len()];
    for tap in 0..TAPS {
        let opposite = if tap == 0 { 0 } else { 1 + (tap + 2) % 6 };
        for (k, row) in rows[tap * CHANNELS..][..CHANNELS].iter().enumerate() {
            for (o, &weight) in row.0.iter().enumerate() {
                out[opposite * CHANNELS + o].0[k] = weight;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Sample {
        Sample::parse("5 1 7 2|2 9 20|7 11|12:140:0.7 13:10:0.4 3:2").unwrap()
    }

    /// Each kind of weight, moved a little along its gradient, changes the loss as predicted.
    #[test]
    fn gradients_agree_with_finite_differences() {
        let sample = sample();
        let target = TrainingTarget::Sample(&sample);
        let mut trainer = Trainer::new(7);
        let mut backprop = Backprop::new();
        let before = backprop.accumulate(&trainer, sample.training_position(true), &target);
        let gradients = backprop.gradients.clone();
        let parts: [fn(&mut Network) -> Vec<&mut f32>; 5] = [
            |network| network.layers[0].iter_mut().flat_map(|row| &mut row.0).collect(),
            |network| network.layers[5].iter_mut().flat_map(|row| &mut row.0).collect(),
            |network| network.layers[DEPTH].iter_mut().flat_map(|row| &mut row.0).collect(),
            |network| network.biases.iter_mut().flat_map(|row| &mut row.0).collect(),
            |network| network.heads[1].0.iter_mut().collect(),
        ];
        for (at, part) in parts.iter().enumerate() {
            let kept = trainer.network.clone();
            let gradients: Vec<f32> =
                part(&mut gradients.clone()).into_iter().map(|gradient| *gradient).collect();
            let square: f32 = gradients.iter().map(|gradient| gradient * gradient).sum();
            // bf16 rounding hides short steps and curvature spoils long ones: one of several step sizes has to agree.
            let ratios = [0.1, 0.05, 0.02, 0.01].map(|part_of_loss| {
                let rate = part_of_loss * before / square;
                let [down, up] = [-rate, rate].map(|rate| {
                    for (weight, gradient) in part(&mut trainer.network).into_iter().zip(&gradients) {
                        *weight += rate * gradient;
                    }
                    trainer.network.pack();
                    let loss = backprop.loss(&trainer, sample.training_position(true), &target);
                    trainer.network = kept.clone();
                    loss
                });
                (up - down) / (2.0 * rate * square)
            });
            assert!(ratios.iter().any(|ratio| (ratio - 1.0).abs() < 0.2), "part {at}: {ratios:?}");
        }
    }

    #[test]
    fn a_sample_is_learned() {
        let sample = sample();
        let (mut trainer, mut backprop) = (Trainer::new(1), Backprop::new());
        let losses: Vec<f32> = (0..60)
            .map(|at| {
                let loss = backprop.accumulate(
                    &trainer,
                    sample.training_position(at % 2 == 0),
                    &TrainingTarget::Sample(&sample),
                );
                trainer.step(&mut [&mut backprop], 2e-3);
                loss
            })
            .collect();
        assert!(losses[59] < losses[0] - 1.0, "{losses:?}");
    }
}
