//! The network in floating point: forward pass, gradients, quantization.

use super::samples::Sample;
use crate::Rule;
use crate::network::{
    Network,
    patterns::{Patterns, REACH},
    threats::threat_inputs,
};
use multiversion::multiversion;
use nn::CHANNELS;
use nn::patterns::{
    FEATURE_LIMIT, FEATURE_ONE, HIDDEN, HIDDEN_ROW_LIMIT, I16x64, INPUT_ONE, POLICY as POLICY_FEATURES,
    POOL_ONE, POOLED, ValueHead, WEIGHT_LIMIT, WEIGHT_ONE,
};
use search::rng::Rng;
use std::ops::Range;

/// How much the policy counts in the loss beside the value.
const POLICY_SHARE: f32 = 0.5;
/// Cells of wall around the board while windows are read.
const MARGIN: usize = REACH;

/// Inputs of the hidden layer: both views.
const INPUTS: usize = 2 * POOLED;
// The head's weights, one after the other.
const BIAS: Range<usize> = 0..CHANNELS;
const HIDDEN_WEIGHTS: usize = BIAS.end;
const HIDDEN_BIAS: usize = HIDDEN_WEIGHTS + HIDDEN * INPUTS;
const OUTPUT: usize = HIDDEN_BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + HIDDEN;
const POLICY: usize = OUTPUT_BIAS + 1;
const THREAT_ROWS: usize = POLICY + POLICY_FEATURES;

/// All weights.
#[derive(Clone)]
pub(super) struct Model {
    rule: Rule,
    patterns: &'static Patterns,
    pub(super) table: Vec<f32>,
    pub(super) head: Vec<f32>,
}

/// The derivative of the loss by every weight, summed over a batch.
pub(super) struct Gradients {
    pub(super) table: Vec<f32>,
    pub(super) head: Vec<f32>,
}

/// Reusable memory of a pass.
#[derive(Default)]
pub(super) struct Scratch {
    /// By cell: the rows of its four lines, as the side to move and as its opponent sees them.
    rows: Vec<[[u32; 4]; 2]>,
    values: Vec<[[f32; POOLED]; 2]>,
    policies: Vec<[f32; POLICY_FEATURES]>,
    /// By cell: the policy logit, then its probability; `NEG_INFINITY` and 0 where there is a stone.
    chances: Vec<f32>,
    frame: Vec<u8>,
}

/// Network output for a sample.
pub(super) struct Evaluation {
    pub(super) win_rate: f32,
    /// The probability of the best move, and whether it is the policy's first choice.
    pub(super) policy: Option<(f32, bool)>,
    inputs: [f32; INPUTS],
    hidden: [f32; HIDDEN],
}

impl Model {
    pub(super) fn new(rule: Rule, rng: &mut Rng) -> Model {
        let patterns = Patterns::of(rule);
        let mut head = vec![0.0; THREAT_ROWS + threat_inputs(rule) * HIDDEN];
        let mut fill = |range: Range<usize>, mean: f32, spread: f32| {
            head[range].iter_mut().for_each(|w| *w = mean + spread * (2.0 * rng.unit() as f32 - 1.0));
        };
        fill(0..POOLED, 0.1, 0.0);
        fill(POOLED..CHANNELS, 0.2, 0.0);
        fill(HIDDEN_WEIGHTS..HIDDEN_BIAS, 0.0, 0.15);
        fill(HIDDEN_BIAS..OUTPUT, 0.05, 0.0);
        fill(OUTPUT..OUTPUT_BIAS, 0.0, 0.3);
        fill(POLICY..THREAT_ROWS, 0.0, 0.5);
        Model { rule, patterns, table: vec![0.0; patterns.count * CHANNELS], head }
    }

    /// The weights of a network, perhaps of another rule: what that one does not tell apart starts equal.
    pub(super) fn from_network(rule: Rule, network: &Network) -> Model {
        let patterns = Patterns::of(rule);
        let mut head = Vec::with_capacity(THREAT_ROWS + threat_inputs(rule) * HIDDEN);
        let feature = |short: &i16| f32::from(*short) / f32::from(FEATURE_ONE);
        let weight = |short: &i16| f32::from(*short) / WEIGHT_ONE as f32;
        let bias = |word: &i32| *word as f32 / (INPUT_ONE * WEIGHT_ONE) as f32;
        head.extend(network.bias.0.iter().map(feature));
        head.extend(network.value.hidden.as_flattened().iter().map(weight));
        head.extend(network.value.hidden_bias.iter().map(bias));
        head.extend(network.value.output.iter().map(weight));
        head.push(bias(&network.value.output_bias));
        head.extend(network.policy.iter().map(weight));
        let threats = network.threats.iter().cycle().take(threat_inputs(rule));
        head.extend(threats.flatten().map(bias));
        let rows = network.table.iter().cycle().take(patterns.count);
        Model { rule, patterns, table: rows.flat_map(|row| row.0.iter().map(feature)).collect(), head }
    }

    pub(super) fn weights(&self) -> impl Iterator<Item = f32> {
        self.table.iter().chain(&self.head).copied()
    }

    pub(super) fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.table.iter_mut().chain(&mut self.head)
    }

    /// The forward pass.
    #[inline(always)]
    pub(super) fn evaluate(&self, sample: &Sample, scratch: &mut Scratch) -> Evaluation {
        scratch.read_rows(self.patterns, sample);
        let cells = scratch.rows.len();
        scratch.values.resize(cells, [[0.0; POOLED]; 2]);
        scratch.policies.resize(cells, [0.0; POLICY_FEATURES]);
        let mut pool = [[0.0; POOLED]; 2];
        for (cell, views) in scratch.rows.iter().enumerate() {
            for (view, rows) in views.iter().enumerate() {
                let sums = self.sum::<POOLED>(rows, 0).map(|sum| sum.clamp(0.0, 1.0));
                pool[view].iter_mut().zip(sums).for_each(|(pool, sum)| *pool += sum);
                scratch.values[cell][view] = sums;
            }
            scratch.policies[cell] = self.sum(&views[0], POOLED).map(|sum| sum.max(0.0));
        }
        let mut inputs = [0.0; INPUTS];
        inputs.iter_mut().zip(pool.as_flattened()).for_each(|(input, sum)| *input = sum / POOL_ONE as f32);
        let hidden: [f32; HIDDEN] = std::array::from_fn(|unit| {
            let weights = &self.head[HIDDEN_WEIGHTS + unit * INPUTS..][..INPUTS];
            let threats = sample.threats.iter().map(|input| self.head[threat_row(*input) + unit]);
            self.head[HIDDEN_BIAS + unit] + dot(weights, &inputs) + threats.sum::<f32>()
        });
        let rectified = hidden.map(|unit| unit.max(0.0));
        let logit = self.head[OUTPUT_BIAS] + dot(&self.head[OUTPUT..OUTPUT_BIAS], &rectified);
        let win_rate = 1.0 / (1.0 + (-logit).exp());
        let policy = sample.best.map(|best| self.policy(sample, best, scratch));
        Evaluation { win_rate, policy, inputs, hidden }
    }

    /// Adds the gradients of a sample.
    #[inline(always)]
    fn learn(&self, sample: &Sample, scratch: &mut Scratch, gradients: &mut Gradients) {
        let found = self.evaluate(sample, scratch);
        let by_logit = found.win_rate - sample.target;
        let head = &mut gradients.head;
        head[OUTPUT_BIAS] += by_logit;
        let mut by_input = [0.0; INPUTS];
        for (unit, value) in found.hidden.into_iter().enumerate().filter(|(_, value)| *value > 0.0) {
            head[OUTPUT + unit] += by_logit * value;
            let by_unit = by_logit * self.head[OUTPUT + unit];
            head[HIDDEN_BIAS + unit] += by_unit;
            sample.threats.iter().for_each(|input| head[threat_row(*input) + unit] += by_unit);
            let at = HIDDEN_WEIGHTS + unit * INPUTS;
            add_scaled(&mut by_input, &self.head[at..][..INPUTS], by_unit);
            add_scaled(&mut head[at..][..INPUTS], &found.inputs, by_unit);
        }
        let by_activation = by_input.map(|by_input| by_input / POOL_ONE as f32);
        let (by_view, _) = by_activation.as_chunks::<POOLED>();
        for (cell, views) in scratch.rows.iter().enumerate() {
            for (view, rows) in views.iter().enumerate() {
                let activations = &scratch.values[cell][view];
                let by_feature: [f32; POOLED] = std::array::from_fn(|i| {
                    let inside = activations[i] > 0.0 && activations[i] < 1.0;
                    if inside { by_view[view][i] } else { 0.0 }
                });
                gradients.add(rows, 0, &by_feature);
            }
            let Some(best) = sample.best else { continue };
            let chance = scratch.chances[cell];
            let by_logit = POLICY_SHARE * (chance - f32::from(u8::from(cell == usize::from(best))));
            // Most cells have next to no chance, and so next to no gradient.
            if by_logit.abs() < 1e-5 {
                continue;
            }
            let features = &scratch.policies[cell];
            let weights = &self.head[POLICY..THREAT_ROWS];
            add_scaled(&mut gradients.head[POLICY..THREAT_ROWS], features, by_logit);
            let by_feature: [f32; POLICY_FEATURES] =
                std::array::from_fn(|i| if features[i] > 0.0 { by_logit * weights[i] } else { 0.0 });
            gradients.add(&views[0], POOLED, &by_feature);
        }
    }

    /// The network in integers.
    pub(super) fn quantized(&self) -> Network {
        let short = |weight: f32, one: f32, limit: i16| {
            (weight * one).round().clamp(-f32::from(limit), f32::from(limit)) as i16
        };
        let row = |weights: &[f32]| {
            I16x64(std::array::from_fn(|i| short(weights[i], f32::from(FEATURE_ONE), FEATURE_LIMIT)))
        };
        let weight = |index: usize| short(self.head[index], WEIGHT_ONE as f32, WEIGHT_LIMIT);
        let bias = |index: usize| (self.head[index] * (INPUT_ONE * WEIGHT_ONE) as f32).round() as i32;
        let row_entry = |index: usize| bias(index).clamp(-HIDDEN_ROW_LIMIT, HIDDEN_ROW_LIMIT);
        Network {
            rule: self.rule,
            patterns: self.patterns,
            table: self.table.chunks_exact(CHANNELS).map(row).collect(),
            bias: row(&self.head[BIAS]),
            value: ValueHead {
                hidden: Box::new(std::array::from_fn(|unit| {
                    std::array::from_fn(|i| weight(HIDDEN_WEIGHTS + unit * INPUTS + i))
                })),
                hidden_bias: std::array::from_fn(|unit| bias(HIDDEN_BIAS + unit)),
                output: std::array::from_fn(|unit| weight(OUTPUT + unit)),
                output_bias: bias(OUTPUT_BIAS),
            },
            threats: (0..threat_inputs(self.rule) as u8)
                .map(|input| std::array::from_fn(|unit| row_entry(threat_row(input) + unit)))
                .collect(),
            policy: std::array::from_fn(|i| weight(POLICY + i)),
        }
    }

    /// Bias and four rows, from a feature on.
    #[inline(always)]
    fn sum<const COUNT: usize>(&self, rows: &[u32; 4], from: usize) -> [f32; COUNT] {
        let mut sums: [f32; COUNT] = std::array::from_fn(|i| self.head[BIAS.start + from + i]);
        for row in rows {
            let row = &self.table[*row as usize * CHANNELS + from..][..COUNT];
            for i in 0..COUNT {
                sums[i] += row[i];
            }
        }
        sums
    }

    /// Softmax over the empty cells.
    #[inline(always)]
    fn policy(&self, sample: &Sample, best: u16, scratch: &mut Scratch) -> (f32, bool) {
        scratch.chances.clear();
        let logit = |features: &[f32; POLICY_FEATURES]| dot(&self.head[POLICY..THREAT_ROWS], features);
        scratch.chances.extend(scratch.policies.iter().map(logit));
        for cell in sample.stones.iter().flat_map(|stones| stones.iter()) {
            scratch.chances[usize::from(*cell)] = f32::NEG_INFINITY;
        }
        let most = scratch.chances.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let first = scratch.chances[usize::from(best)] == most;
        scratch.chances.iter_mut().for_each(|chance| *chance = (*chance - most).exp());
        let total: f32 = scratch.chances.iter().sum();
        scratch.chances.iter_mut().for_each(|chance| *chance /= total);
        (scratch.chances[usize::from(best)], first)
    }
}

/// Adds the gradients of a batch.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub(super) fn learn(model: &Model, batch: &[&Sample], scratch: &mut Scratch, gradients: &mut Gradients) {
    for sample in batch {
        model.learn(sample, scratch, gradients);
    }
}

impl Gradients {
    pub(super) fn new(model: &Model) -> Gradients {
        Gradients { table: vec![0.0; model.table.len()], head: vec![0.0; model.head.len()] }
    }

    pub(super) fn scale(&mut self, factor: f32) {
        self.table.iter_mut().chain(&mut self.head).for_each(|gradient| *gradient *= factor);
    }

    pub(super) fn clear(&mut self) {
        self.table.fill(0.0);
        self.head.fill(0.0);
    }

    /// Adds the gradient of a cell's features, from a feature on, to the bias and to its four rows.
    #[inline(always)]
    fn add<const COUNT: usize>(&mut self, rows: &[u32; 4], from: usize, by_feature: &[f32; COUNT]) {
        add_scaled(&mut self.head[from..][..COUNT], by_feature, 1.0);
        for row in rows {
            add_scaled(&mut self.table[*row as usize * CHANNELS + from..][..COUNT], by_feature, 1.0);
        }
    }
}

impl Scratch {
    /// Finds the rows of all cells.
    #[inline(always)]
    fn read_rows(&mut self, patterns: &Patterns, sample: &Sample) {
        let size = usize::from(sample.size);
        let width = size + 2 * MARGIN;
        let place = |cell: usize| (cell / size + MARGIN) * width + cell % size + MARGIN;
        self.frame.clear();
        self.frame.resize(width * width, 3);
        (0..size * size).for_each(|cell| self.frame[place(cell)] = 0);
        for (stones, side) in sample.stones.iter().zip([sample.to_move, sample.to_move.other()]) {
            stones.iter().for_each(|cell| self.frame[place(usize::from(*cell))] = side.index() as u8 + 1);
        }
        self.rows.clear();
        for cell in 0..size * size {
            let mut rows = [[0; 4]; 2];
            for (direction, stride) in [1, width, width + 1, width - 1].into_iter().enumerate() {
                let first = place(cell) - REACH * stride;
                let window = (0..=2 * REACH)
                    .fold(0, |bits, step| bits | u64::from(self.frame[first + step * stride]) << (2 * step));
                let by_side = patterns.rows_of(window);
                rows[0][direction] = by_side[sample.to_move.index()];
                rows[1][direction] = by_side[sample.to_move.other().index()];
            }
            self.rows.push(rows);
        }
    }
}

/// Where a threat's weights of the hidden layer begin.
#[inline(always)]
fn threat_row(input: u8) -> usize {
    THREAT_ROWS + usize::from(input) * HIDDEN
}

#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Sixteen sums side by side: the compiler may not reorder the terms of one.
    let mut sums = [0.0; 16];
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        for i in 0..16 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.into_iter().sum()
}

#[inline(always)]
fn add_scaled(to: &mut [f32], from: &[f32], factor: f32) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}
