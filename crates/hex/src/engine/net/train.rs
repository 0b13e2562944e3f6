//! Teaches a network from [`Lesson`]s: back propagation of the cross entropy of their visits, and Adam (Kingma and
//! Ba 2015).

use super::kernel::{CHANNELS, Lane, TAPS, convolve, gather};
use super::{DEPTH, Network, PLANES, View};
use crate::Size;
use crate::engine::learn::Lesson;
use game::Side;
use search::Rng;
use std::collections::HashMap;

/// Lessons between two steps.
const BATCH: usize = 64;
/// Visits are taken to this power: the best move of a long search is surer than its visits say.
const SHARPEN: f32 = 1.5;

/// A network at school.
pub struct Trainer {
    /// What it has become.
    pub network: Network,
    slopes: Network,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// Weights of the layers with input and output exchanged and taps turned round.
    back: Vec<Vec<Lane>>,
    views: HashMap<(u8, bool), View>,
    errors: [Vec<Lane>; 2],
    seen: usize,
    steps: i32,
}

/// The mean losses of some lessons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Cross entropy of the moves, in nats.
    pub policy: f32,
    /// Share of positions whose most visited move it finds.
    pub found: f32,
}

impl Trainer {
    /// Begins with a network that knows nothing.
    pub fn new(seed: u64) -> Trainer {
        let network = untaught(seed);
        let many = network.weights().count();
        Trainer {
            slopes: Network::blank(),
            means: vec![0.0; many],
            squares: vec![0.0; many],
            back: back(&network),
            network,
            views: HashMap::new(),
            errors: [Vec::new(), Vec::new()],
            seen: 0,
            steps: 0,
        }
    }

    /// Learns from a lesson, `turned` by a half turn or not. Takes a step of size `rate` now and then.
    pub fn learn(&mut self, lesson: &Lesson, turned: bool, rate: f32) -> Loss {
        let loss = self.study(lesson, turned, true);
        self.seen += 1;
        if self.seen.is_multiple_of(BATCH) {
            self.step(rate);
        }
        loss
    }

    /// The losses of a lesson without learning from it.
    pub fn test(&mut self, lesson: &Lesson) -> Loss {
        self.study(lesson, false, false)
    }

    fn study(&mut self, lesson: &Lesson, turned: bool, learn: bool) -> Loss {
        let Some(size) = Size::new(lesson.size, lesson.size) else { return Loss::default() };
        let side = if lesson.white { Side::White } else { Side::Black };
        let view = self.views.entry((lesson.size, lesson.white)).or_insert_with(|| View::new(size, side));
        let seen = |cell: u16| if turned { size.cells() - 1 - cell as usize } else { cell as usize };
        view.clear();
        for (plane, cells) in lesson.stones.iter().enumerate() {
            cells.iter().for_each(|&cell| view.mark(plane, seen(cell)));
        }
        for (plane, cell) in lesson.last.iter().enumerate() {
            cell.iter().for_each(|&cell| view.mark(2 + plane, seen(cell)));
        }
        self.network.run(view);
        // The slopes of the scores: what it thinks less what the visits say.
        let mut slopes = vec![0.0; size.cells()];
        let empty = |view: &View, cell: usize| view.input[view.places[cell] as usize][..2] == [0.0; 2];
        let largest = view.scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for cell in (0..size.cells()).filter(|&cell| empty(view, cell)) {
            slopes[cell] = (view.scores[cell] - largest).exp();
        }
        let total: f32 = slopes.iter().sum();
        slopes.iter_mut().for_each(|slope| *slope /= total);
        let sharp = |visits: u32| (visits as f32).powf(SHARPEN);
        let all: f32 = lesson.visits.iter().map(|row| sharp(row.1)).sum();
        let mut loss = Loss::default();
        let likeliest = slopes.iter().copied().fold(0.0, f32::max);
        let best = lesson.visits.iter().max_by_key(|row| row.1);
        loss.found = f32::from(u8::from(best.is_some_and(|best| slopes[seen(best.0)] == likeliest)));
        for &(cell, visits) in &lesson.visits {
            let target = sharp(visits) / all;
            loss.policy -= target * slopes[seen(cell)].max(1e-9).ln();
            slopes[seen(cell)] -= target;
        }
        if learn {
            self.propagate((lesson.size, lesson.white), &slopes);
        }
        loss
    }

    fn propagate(&mut self, view: (u8, bool), slopes: &[f32]) {
        let Trainer { network, slopes: out, back, views, errors: [error, next], .. } = self;
        let Some(view) = views.get(&view) else { return };
        let last = &view.lanes[DEPTH];
        for lanes in [&mut *error, &mut *next] {
            lanes.clear();
            lanes.resize(last.len(), [0.0; CHANNELS]);
        }
        for (&slope, &at) in slopes.iter().zip(&view.places) {
            let lane = &last[at as usize];
            for k in 0..CHANNELS {
                out.policy[k] += slope * lane[k];
                error[at as usize][k] = slope * network.policy[k];
            }
        }
        for depth in (0..=DEPTH).rev() {
            for (error, lane) in error.iter_mut().zip(&view.lanes[depth]) {
                for (error, x) in error.iter_mut().zip(lane) {
                    *error = if *x > 0.0 { *error } else { 0.0 };
                }
            }
            for lane in error.iter() {
                out.biases[depth].iter_mut().zip(lane).for_each(|(slope, error)| *slope += error);
            }
            let width = if depth == 0 { PLANES } else { CHANNELS };
            let rows = if depth == 0 { &mut out.entry } else { &mut out.layers[depth - 1] };
            for (rows, &tap) in rows.chunks_exact_mut(width).zip(&view.taps) {
                match depth {
                    0 => gather::<PLANES>(&view.input, tap, error, rows, view.span),
                    _ => gather::<CHANNELS>(&view.lanes[depth - 1], tap, error, rows, view.span),
                }
            }
            if depth > 0 {
                convolve::<CHANNELS>(
                    error,
                    &view.taps,
                    (&back[depth - 1], &[0.0; CHANNELS]),
                    next,
                    view.span,
                );
                std::mem::swap(error, next);
            }
        }
    }

    fn step(&mut self, rate: f32) {
        self.steps += 1;
        let (fade, fade_square) = (0.9f32, 0.999f32);
        let rate = rate * (1.0 - fade_square.powi(self.steps)).sqrt() / (1.0 - fade.powi(self.steps));
        let memory = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, slope), (mean, square)) in
            self.network.weights_mut().zip(self.slopes.weights_mut()).zip(memory)
        {
            let s = *slope / BATCH as f32;
            *slope = 0.0;
            *mean = fade * *mean + (1.0 - fade) * s;
            *square = fade_square * *square + (1.0 - fade_square) * s * s;
            *weight -= rate * *mean / (square.sqrt() + 1e-8);
        }
        self.back = back(&self.network);
    }
}

/// A network with random weights near "pass on what you see".
fn untaught(seed: u64) -> Network {
    let mut network = Network::blank();
    let mut rng = Rng::new(seed);
    // The sum of twelve even numbers is nearly normal.
    let mut normal = |spread: f32| {
        let sum: f32 = (0..12).map(|_| (rng.next_u64() >> 40) as f32 / (1u64 << 24) as f32).sum();
        (sum - 6.0) * spread
    };
    network.entry.iter_mut().flatten().for_each(|weight| *weight = normal(0.3));
    for layer in &mut network.layers {
        layer.iter_mut().flatten().for_each(|weight| *weight = normal(0.06));
        for (at, row) in layer.iter_mut().take(CHANNELS).enumerate() {
            row[at] += 0.6;
        }
    }
    network.policy.iter_mut().for_each(|weight| *weight = normal(0.1));
    network
}

fn back(network: &Network) -> Vec<Vec<Lane>> {
    let turned = |layer: &Vec<Lane>| {
        let mut out = vec![[0.0; CHANNELS]; layer.len()];
        for tap in 0..TAPS {
            let opposite = if tap == 0 { 0 } else { 1 + (tap + 2) % 6 };
            for (k, row) in layer[tap * CHANNELS..][..CHANNELS].iter().enumerate() {
                for (o, &weight) in row.iter().enumerate() {
                    out[opposite * CHANNELS + o][k] = weight;
                }
            }
        }
        out
    };
    network.layers.iter().map(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson() -> Lesson {
        Lesson::parse("5 1 7 2|2 9 20|7 11|12:40 13:10 3:2").unwrap()
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut trainer = Trainer::new(7);
        trainer.study(&lesson(), true, true);
        let slopes: Vec<f32> = trainer.slopes.weights().copied().collect();
        let mut checked = 0;
        for at in (0..slopes.len()).step_by(997).chain(slopes.len() - 70..slopes.len()) {
            let mut loss_at = |change: f32| {
                *trainer.network.weights_mut().nth(at).unwrap() += change;
                let loss = trainer.study(&lesson(), true, false).policy;
                *trainer.network.weights_mut().nth(at).unwrap() -= change;
                loss
            };
            let measured = (loss_at(5e-3) - loss_at(-5e-3)) / 1e-2;
            assert!(
                (measured - slopes[at]).abs() < 0.02 + 0.05 * measured.abs(),
                "{at}: {measured} {}",
                slopes[at]
            );
            checked += usize::from(slopes[at].abs() > 0.01);
        }
        assert!(checked > 10, "{checked}");
    }

    #[test]
    fn a_lesson_is_learned() {
        let mut trainer = Trainer::new(1);
        let before = trainer.test(&lesson());
        (0..40 * BATCH).for_each(|at| {
            trainer.learn(&lesson(), at % 2 == 0, 3e-3);
        });
        let after = trainer.test(&lesson());
        assert!(after.policy < before.policy - 1.0 && after.found == 1.0, "{before:?} {after:?}");
        let again = Network::read(&trainer.network.write()).unwrap();
        let far =
            again.weights().zip(trainer.network.weights()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(far <= super::super::STEP, "{far}");
    }
}
