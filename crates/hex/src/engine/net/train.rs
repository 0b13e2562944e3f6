//! Teaches a network: back propagation and Adam (Kingma and Ba 2015). Each thread is a [`Pupil`] with slopes of its own;
//! the [`Trainer`] sums them up and takes a step.

use super::field::Field;
use super::{CHANNELS, DEPTH, Network, PLANES, TAPS, View, chance};
use crate::bits::Lattice;
use crate::engine::learn::Lesson;
use crate::stones::Stones;
use crate::{Size, by_width};
use game::Side;
use nn::layer::{add_masked, relu_backward};
use nn::{Bf16x64, F32x64, WeightGradients, Weights, convolve};
use search::Rng;
use std::collections::HashMap;

/// Visits that tell which moves to play.
const ENOUGH: u32 = 80;
/// How much a proof counts, beside a result's 1.
const PROVED: f32 = 0.3;
/// How much the chance that a search found for a move counts, and the visits at which it counts half of that. Little: a
/// search is less sure than it should be, and would teach the next one to be so too.
const FOUND: (f32, f32) = (0.08, 10.0);

/// How much a step counts in the mean of the last ones.
const LATELY: f32 = 0.001;

/// What a position teaches.
#[derive(Clone, Debug)]
pub(super) enum Task<'a> {
    /// What became of moves in a search, and of the one that was played.
    Lesson(&'a Lesson),
    /// A move and the chance to win with it.
    Chance(u16, f32),
}

/// A position seen by the side to move, and which way round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) size: u8,
    pub(super) white: bool,
    pub(super) own: &'a [u16],
    pub(super) other: &'a [u16],
    /// By a half turn.
    pub(super) turned: bool,
}

impl Scene<'_> {
    /// Where a cell is seen.
    fn seen(&self, cell: u16) -> usize {
        if self.turned { usize::from(self.size).pow(2) - 1 - cell as usize } else { cell as usize }
    }
}

/// One thread's part of a network at school.
pub(super) struct Pupil {
    slopes: Network,
    views: HashMap<(u8, bool), View>,
    errors: Vec<F32x64>,
    halves: Vec<Bf16x64>,
    strips: WeightGradients,
    many: usize,
}

impl Pupil {
    pub(super) fn new() -> Pupil {
        Pupil {
            slopes: Network::blank(),
            views: HashMap::new(),
            errors: Vec::new(),
            halves: Vec::new(),
            strips: WeightGradients::default(),
            many: 0,
        }
    }

    /// Adds the slopes of a task, and returns its loss in nats.
    pub(super) fn study(&mut self, trainer: &Trainer, scene: Scene<'_>, task: &Task<'_>) -> f32 {
        let Some((loss, slopes)) = self.slopes_of(trainer, scene, task) else { return 0.0 };
        self.many += 1;
        self.propagate(trainer, (scene.size, scene.white), &slopes);
        loss
    }

    /// The loss of a task.
    #[cfg(test)]
    pub(super) fn test(&mut self, trainer: &Trainer, scene: Scene<'_>, task: &Task<'_>) -> f32 {
        self.slopes_of(trainer, scene, task).map_or(0.0, |found| found.0)
    }

    /// What a network makes of a scene.
    pub(super) fn look(&mut self, network: &Network, scene: Scene<'_>) -> Option<&View> {
        let size = Size::new(scene.size, scene.size)?;
        let side = if scene.white { Side::White } else { Side::Black };
        let view = self.views.entry((scene.size, scene.white)).or_insert_with(|| View::new(size, side));
        by_width!(size, W => {
            let mut stones = Stones::<W>::EMPTY;
            for (side, cells) in [side, side.other()].into_iter().zip([scene.own, scene.other]) {
                cells.iter().for_each(|&cell| stones.put(side, scene.seen(cell)));
            }
            network.scores(view, &Lattice::new(size), &stones, side);
        });
        Some(view)
    }

    /// The loss and its slopes by the scores of each cell.
    fn slopes_of(
        &mut self,
        trainer: &Trainer,
        scene: Scene<'_>,
        task: &Task<'_>,
    ) -> Option<(f32, [Vec<f32>; 2])> {
        let view = self.look(&trainer.network, scene)?;
        let size = Size::new(scene.size, scene.size)?;
        let seen = |cell: u16| scene.seen(cell);
        let [mut chances, mut likely] = [(); 2].map(|()| vec![0.0; size.cells()]);
        let mut loss = 0.0;
        let scores = &view.scores;
        let mut teach = |cell: usize, target: f32, weight: f32| {
            let guess = chance(scores[0][cell]);
            loss -= weight * (target * guess.max(1e-6).ln() + (1.0 - target) * (1.0 - guess).max(1e-6).ln());
            chances[cell] += weight * (guess - target);
        };
        match *task {
            Task::Chance(cell, target) => teach(seen(cell), target, 1.0),
            Task::Lesson(Lesson { tried, played, .. }) => {
                if let Some((cell, won)) = *played {
                    teach(seen(cell), won, 1.0);
                }
                for row in tried {
                    let Some(found) = row.chance else { continue };
                    let proved = found == 0.0 || found == 1.0;
                    let visits = row.visits as f32;
                    let weight = if proved { PROVED } else { FOUND.0 * visits / (visits + FOUND.1) };
                    teach(seen(row.cell), found, weight);
                }
                let empty = |cell: usize| view.input[view.field.places[cell] as usize].0[..2] == [0; 2];
                // Where every move loses there is nothing to choose, and after a short search little is known of it.
                let visits: u32 = tried.iter().map(|row| row.visits).sum();
                if visits >= ENOUGH {
                    let largest = scores[1].iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    for cell in (0..size.cells()).filter(|&cell| empty(cell)) {
                        likely[cell] = (scores[1][cell] - largest).exp();
                    }
                    let total: f32 = likely.iter().sum();
                    likely.iter_mut().for_each(|slope| *slope /= total.max(f32::MIN_POSITIVE));
                    for row in tried {
                        let target = row.visits as f32 / visits as f32;
                        loss -= target * likely[seen(row.cell)].max(1e-9).ln();
                        likely[seen(row.cell)] -= target;
                    }
                }
            }
        }
        let slopes = [chances, likely];
        Some((loss, slopes))
    }

    fn propagate(&mut self, trainer: &Trainer, view: (u8, bool), slopes: &[Vec<f32>; 2]) {
        let Pupil { slopes: out, views, errors, halves, strips, .. } = self;
        let Some(view) = views.get_mut(&view) else { return };
        let View { field, input, lanes, sums, .. } = view;
        let Field { first, ref taps, ref on_board, ref places, .. } = *field;
        errors.clear();
        errors.resize(input.len(), F32x64::ZERO);
        halves.clear();
        halves.resize(input.len(), Bf16x64::ZERO);
        let last = &lanes[DEPTH];
        for (head, slopes) in slopes.iter().enumerate() {
            for (&slope, &at) in slopes.iter().zip(places).filter(|row| *row.0 != 0.0) {
                let (lane, error) = (&last[at as usize].0, &mut errors[at as usize].0);
                out.bases[head] += slope;
                for k in 0..CHANNELS {
                    out.heads[head].0[k] += slope * nn::from_bf16(lane[k]);
                    error[k] += slope * trainer.network.heads[head].0[k];
                }
            }
        }
        for depth in (0..=DEPTH).rev() {
            relu_backward(&lanes[depth], errors, halves, &mut out.biases[depth]);
            let before = if depth == 0 { &*input } else { &lanes[depth - 1] };
            strips.set(before, halves);
            strips.accumulate(taps, &mut out.layers[depth], (first, sums.len()));
            if depth > 0 {
                convolve(halves, taps, &trainer.back[depth], first, sums);
                add_masked(sums, &on_board[first..], &mut errors[first..]);
            }
        }
    }
}

/// A network at school.
pub struct Trainer {
    /// What it has become.
    pub(super) network: Network,
    /// The mean of what it was lately: a step follows a few games only, and their luck.
    pub(super) calm: Network,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The layers with input and output exchanged and taps turned round.
    back: Vec<Weights<TAPS>>,
    steps: i32,
}

impl Trainer {
    /// Begins with a network that knows nothing.
    pub fn new(seed: u64) -> Trainer {
        Trainer::of(untaught(seed))
    }

    /// Goes on with a network.
    pub fn of(mut network: Network) -> Trainer {
        let many = network.weights_mut().count();
        let back = network.layers.iter().map(|rows| Weights::new(&back(rows))).collect();
        Trainer {
            calm: network.clone(),
            means: vec![0.0; many],
            squares: vec![0.0; many],
            back,
            network,
            steps: 0,
        }
    }

    /// What it has become, without the luck of the last steps.
    pub fn taught(mut self) -> Network {
        self.calm.pack();
        self.calm
    }

    /// Takes a step of size `rate` by what pupils have found, and lets them forget it.
    pub(super) fn step(&mut self, pupils: &mut [&mut Pupil], rate: f32) {
        self.steps += 1;
        let many: usize = pupils.iter().map(|pupil| pupil.many).sum();
        let share = 1.0 / many.max(1) as f32;
        let (fade, fade_square) = (0.9f32, 0.999f32);
        let rate = rate * (1.0 - fade_square.powi(self.steps)).sqrt() / (1.0 - fade.powi(self.steps));
        let [one, rest @ ..] = pupils else { return };
        for other in &mut *rest {
            let slopes = other.slopes.weights_mut();
            one.slopes.weights_mut().zip(slopes).for_each(|(sum, slope)| *sum += std::mem::take(slope));
            other.many = 0;
        }
        one.many = 0;
        let memory = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, slope), (mean, square)) in
            self.network.weights_mut().zip(one.slopes.weights_mut()).zip(memory)
        {
            let s = std::mem::take(slope) * share;
            *mean = fade * *mean + (1.0 - fade) * s;
            *square = fade_square * *square + (1.0 - fade_square) * s * s;
            *weight -= rate * *mean / (square.sqrt() + 1e-8);
        }
        let share = (1.0 / self.steps as f32).max(LATELY);
        let weights = self.network.weights_mut();
        self.calm.weights_mut().zip(weights).for_each(|(calm, weight)| *calm += share * (*weight - *calm));
        self.network.pack();
        self.back.iter_mut().zip(&self.network.layers).for_each(|(packed, rows)| packed.set(&back(rows)));
    }
}

impl Lesson {
    /// The lesson as a pupil sees it.
    pub(super) fn scene(&self, turned: bool) -> Scene<'_> {
        Scene { size: self.size, white: self.white, own: &self.stones[0], other: &self.stones[1], turned }
    }
}

/// A network with random weights; layers begin as "pass on what you see".
fn untaught(seed: u64) -> Network {
    let mut network = Network::blank();
    let mut rng = Rng::new(seed);
    // The sum of twelve even numbers is nearly normal.
    let mut normal = |spread: f32| {
        let sum: f64 = (0..12).map(|_| rng.unit()).sum();
        (sum - 6.0) as f32 * spread
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

fn back(rows: &[F32x64]) -> Vec<F32x64> {
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

    fn lesson() -> Lesson {
        Lesson::parse("5 1 7 2|2 9 20|7 11|12:140:0.7 13:10:0.4 3:2").unwrap()
    }

    /// Every kind of weight by itself, moved a little along its slope, changes the loss by as much as the slope says.
    #[test]
    fn slopes_are_those_of_the_loss() {
        let lesson = lesson();
        let task = Task::Lesson(&lesson);
        let mut trainer = Trainer::new(7);
        let mut pupil = Pupil::new();
        let before = pupil.study(&trainer, lesson.scene(true), &task);
        let slopes = pupil.slopes.clone();
        let parts: [fn(&mut Network) -> Vec<&mut f32>; 5] = [
            |network| network.layers[0].iter_mut().flat_map(|row| &mut row.0).collect(),
            |network| network.layers[5].iter_mut().flat_map(|row| &mut row.0).collect(),
            |network| network.layers[DEPTH].iter_mut().flat_map(|row| &mut row.0).collect(),
            |network| network.biases.iter_mut().flat_map(|row| &mut row.0).collect(),
            |network| network.heads[1].0.iter_mut().collect(),
        ];
        for (at, part) in parts.iter().enumerate() {
            let kept = trainer.network.clone();
            let slopes: Vec<f32> = part(&mut slopes.clone()).into_iter().map(|slope| *slope).collect();
            let square: f32 = slopes.iter().map(|slope| slope * slope).sum();
            // Bf16x64 blur a short step and the loss bends on a long one: at one of some distances the slope has to show.
            let ratios = [0.1, 0.05, 0.02, 0.01].map(|part_of_loss| {
                let rate = part_of_loss * before / square;
                let [down, up] = [-rate, rate].map(|rate| {
                    for (weight, slope) in part(&mut trainer.network).into_iter().zip(&slopes) {
                        *weight += rate * slope;
                    }
                    trainer.network.pack();
                    let loss = pupil.test(&trainer, lesson.scene(true), &task);
                    trainer.network = kept.clone();
                    loss
                });
                (up - down) / (2.0 * rate * square)
            });
            assert!(ratios.iter().any(|ratio| (ratio - 1.0).abs() < 0.2), "part {at}: {ratios:?}");
        }
    }

    #[test]
    fn a_lesson_is_learned() {
        let lesson = lesson();
        let (mut trainer, mut pupil) = (Trainer::new(1), Pupil::new());
        let losses: Vec<f32> = (0..60)
            .map(|at| {
                let loss = pupil.study(&trainer, lesson.scene(at % 2 == 0), &Task::Lesson(&lesson));
                trainer.step(&mut [&mut pupil], 2e-3);
                loss
            })
            .collect();
        assert!(losses[59] < losses[0] - 1.0, "{losses:?}");
    }
}
