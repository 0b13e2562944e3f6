//! Stochastic gradient descent on the samples, and the fitted weights as Rust source.

use super::features::{MoveChoice, SHAPES, Samples, TABLE, THREATS, VALUES, ValueSample, current_weights};
use crate::Class;
use crate::engine::WIN_SCALE;
use search::rng::Rng;
use std::fmt::Write;

/// Score units of one logit.
const SCALE: f32 = WIN_SCALE as f32;

/// Fitted weights.
pub struct Weights {
    values: Vec<f32>,
    ordering: Vec<f32>,
}

/// Fits all weights, starting from today's. `log` is called with the held-out loss.
pub fn fit(samples: &Samples, log: &mut dyn FnMut(&str)) -> Weights {
    Weights { values: fit_values(&samples.values, log), ordering: fit_ordering(&samples.choices, log) }
}

impl Weights {
    /// The source of `weights/tuned.rs` with these weights.
    pub fn source(&self) -> String {
        let mut out = String::from(
            "//! The numbers: weights of the evaluation and of move ordering.\n//!\n//! Made by `cargo run --release -p tengen-gomoku --example tune -- fit FILE...` from games of `tune play`.\n\nuse super::ShapeWeights;\nuse crate::Class;\n\n",
        );
        let (attack, defence) = self.ordering.split_at(TABLE);
        write_table(&mut out, "VALUE", "Evaluation weight of a point.", &self.values[..TABLE]);
        let about =
            "Move-ordering score of a point for the side that would make the shapes: hundredths of a logit.";
        write_table(&mut out, "ATTACK", about, attack);
        write_table(&mut out, "DEFENCE", "Move-ordering score of the point for the opponent.", defence);
        out += "/// Added to the evaluation for points of a class: to the side to move and to its opponent, by class and by\n/// how many there are (none, one, two, three or more).\npub(crate) const THREATS: [[[i16; 4]; Class::COUNT]; 2] = [\n";
        for side in self.values[TABLE..TABLE + THREATS].chunks(Class::COUNT * 4) {
            out += "    [\n";
            side.chunks(4).for_each(|counts| out += &format!("        {},\n", row(counts)));
            out += "    ],\n";
        }
        let tempo = self.values[VALUES - 1].round() as i32;
        let _ = write!(out, "];\n\n/// Bonus of the side to move.\npub(crate) const TEMPO: i32 = {tempo};\n");
        out
    }
}

fn row(weights: &[f32]) -> String {
    let numbers: Vec<String> = weights.iter().map(|w| format!("{}", w.round() as i32)).collect();
    format!("[{}]", numbers.join(", "))
}

fn write_table(out: &mut String, name: &str, about: &str, weights: &[f32]) {
    *out += &format!("/// {about}\npub(crate) const {name}: ShapeWeights = ShapeWeights {{\n    pairs: [\n");
    for shape in 0..SHAPES {
        *out += &format!("        {},\n", row(&weights[shape * SHAPES..][..SHAPES]));
    }
    *out += &format!("    ],\n    rest: {},\n}};\n\n", row(&weights[SHAPES * SHAPES..][..SHAPES]));
}

/// Weights under stochastic gradient descent with per-weight rates (Adagrad), regularised towards their start.
struct Model {
    start: Vec<f32>,
    now: Vec<f32>,
    seen: Vec<f32>,
    /// The sum of the weights after each of the last epochs; their mean is less noisy than the last of them.
    sum: Vec<f32>,
    summed: f32,
    rate: f32,
    pull: f32,
}

impl Model {
    fn new(start: Vec<f32>, rate: f32, pull: f32) -> Model {
        let (seen, sum) = (vec![1.0; start.len()], vec![0.0; start.len()]);
        Model { now: start.clone(), seen, sum, summed: 0.0, start, rate, pull }
    }

    fn end_epoch(&mut self) {
        self.sum.iter_mut().zip(&self.now).for_each(|(sum, now)| *sum += now);
        self.summed += 1.0;
    }

    fn settle(&mut self) {
        self.now = self.sum.iter().map(|sum| sum / self.summed.max(1.0)).collect();
    }

    fn step(&mut self, index: usize, gradient: f32) {
        let gradient = gradient + self.pull * (self.now[index] - self.start[index]);
        self.seen[index] += gradient * gradient;
        self.now[index] -= self.rate * gradient / self.seen[index].sqrt();
    }
}

fn shuffled(len: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    Rng::new(seed).shuffle(&mut order);
    order
}

/// The last tenth of the data is held out.
fn fit_values(samples: &[ValueSample], log: &mut dyn FnMut(&str)) -> Vec<f32> {
    let start = current_weights();
    let mut model = Model::new(start[..VALUES].iter().map(|w| w / SCALE).collect(), 0.02, 1e-5);
    let split = samples.len() * 9 / 10;
    let predict = |model: &Model, sample: &ValueSample| {
        let logit: f32 = sample.features.iter().map(|(i, v)| v * model.now[usize::from(*i)]).sum();
        1.0 / (1.0 + (-logit).exp())
    };
    let loss = |model: &Model| {
        let squares = samples[split..].iter().map(|s| (predict(model, s) - s.target).powi(2));
        squares.sum::<f32>() / (samples.len() - split).max(1) as f32
    };
    log(&format!("evaluation: held-out squared error {:.5}", loss(&model)));
    for epoch in 0..25 {
        for index in shuffled(split, epoch) {
            let sample = &samples[index];
            let error = predict(&model, sample) - sample.target;
            for (i, v) in &sample.features {
                // A dead combination keeps weight zero: occupied points have the same code.
                if usize::from(*i) != 0 && usize::from(*i) != SHAPES * SHAPES {
                    model.step(usize::from(*i), error * v);
                }
            }
        }
        if epoch >= 5 {
            model.end_epoch();
        }
        if epoch % 6 == 0 || epoch == 24 {
            log(&format!("evaluation: epoch {epoch}, held-out squared error {:.5}", loss(&model)));
        }
    }
    model.settle();
    log(&format!("evaluation: mean of the epochs, held-out squared error {:.5}", loss(&model)));
    model.now.iter().map(|w| w * SCALE).collect()
}

fn fit_ordering(choices: &[MoveChoice], log: &mut dyn FnMut(&str)) -> Vec<f32> {
    let start = current_weights();
    let mut model = Model::new(start[VALUES..].iter().map(|w| w / 100.0).collect(), 0.05, 1e-5);
    let split = choices.len() * 9 / 10;
    let logits = |model: &Model, choice: &MoveChoice| -> Vec<f32> {
        let sum = |indices: &[u16; 6]| indices.iter().map(|i| model.now[usize::from(*i)]).sum::<f32>();
        let logits: Vec<f32> = choice.candidates.iter().map(sum).collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let odds: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let total: f32 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / total).collect()
    };
    let judge = |model: &Model| {
        let (mut loss, mut right) = (0.0, 0);
        for choice in &choices[split..] {
            let chances = logits(model, choice);
            loss -= chances[0].max(1e-9).ln();
            right += usize::from(chances.iter().all(|chance| *chance <= chances[0]));
        }
        let count = (choices.len() - split).max(1) as f32;
        (loss / count, right as f32 / count)
    };
    log(&format!("move ordering: held-out (loss, first right) {:?}", judge(&model)));
    for epoch in 0..12 {
        for index in shuffled(split, epoch) {
            let choice = &choices[index];
            let chances = logits(&model, choice);
            for (n, (indices, chance)) in choice.candidates.iter().zip(chances).enumerate() {
                let error = chance - if n == 0 { 1.0 } else { 0.0 };
                if error.abs() > 1e-3 {
                    indices.iter().for_each(|i| model.step(usize::from(*i), error));
                }
            }
        }
        if epoch % 4 == 3 {
            log(&format!("move ordering: epoch {epoch}, held-out (loss, first right) {:?}", judge(&model)));
        }
    }
    model.now.iter().map(|w| w * 100.0).collect()
}
