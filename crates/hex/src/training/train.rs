//! The training loop: batches on several threads, first of samples alone, then of samples and policy-only games.

use super::Sample;
use super::policy_games::{PlayedMove, PolicyPlayer, Targets};
use super::trainer::{Backprop, Trainer, TrainingTarget};
use crate::engine::network::Network;
use search::Rng;

/// How a network is trained.
#[derive(Clone, Copy, Debug)]
pub struct TrainConfig {
    /// Minutes of training with games, after the passes over the samples.
    pub minutes: f64,
    /// Whether the network was trained before: then games begin at once.
    pub pretrained: bool,
    /// Worker threads.
    pub threads: usize,
    /// Seed of everything random.
    pub seed: u64,
}

/// The state of a training run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Minutes since games began.
    pub minutes: f64,
    /// Policy-only games played.
    pub games: usize,
    /// Optimizer steps taken.
    pub steps: usize,
    /// Mean loss of samples since the last report, in nats.
    pub sample_loss: f32,
    /// Mean loss of moves of policy-only games since the last report, in nats; 0 before games begin.
    pub game_loss: f32,
}

/// The losses of a step or of several.
#[derive(Clone, Copy, Debug, Default)]
struct Losses {
    samples: LossSum,
    games: LossSum,
}

#[derive(Clone, Copy, Debug, Default)]
struct LossSum {
    sum: f32,
    count: usize,
}

impl LossSum {
    fn add(&mut self, other: LossSum) {
        self.sum += other.sum;
        self.count += other.count;
    }

    fn mean(self) -> f32 {
        self.sum / self.count.max(1) as f32
    }
}

/// Positions per optimizer step.
const BATCH: usize = 256;
/// Passes over the samples before games begin.
const PASSES: usize = 3;
/// The share of samples in a batch; the rest are moves of policy-only games.
const SAMPLE_SHARE: f32 = 0.85;
/// Batches of game moves before the first step on them, so that it is not all of one game.
const BATCHES_AHEAD: usize = 20;
/// Game moves in a thread's replay buffer.
const REPLAY: usize = 50_000;
/// Learning rate at the beginning and at the end, with a cosine between them.
const RATES: (f32, f32) = (4e-4, 1e-5);
/// Steps of linear warm-up.
const WARM_UP: f32 = 200.0;
/// The share of the time in which only results of games count.
const RESULTS_ONLY: f32 = 0.05;
/// Steps between reports.
const REPORT_EVERY: usize = 200;

/// Trains a network; `clock` returns minutes. `report` may return newer samples.
pub fn train(
    mut trainer: Trainer,
    mut samples: Vec<Sample>,
    config: TrainConfig,
    clock: &dyn Fn() -> f64,
    report: &mut dyn FnMut(Progress, &Network) -> Option<Vec<Sample>>,
) -> Trainer {
    let threads = config.threads.max(1);
    let mut workers: Vec<Worker> =
        (0..threads as u64).map(|at| Worker::new(Rng::stream(config.seed, at))).collect();
    let sample_steps = if config.pretrained { 0 } else { PASSES * samples.len() / BATCH };
    let mut now = Progress::default();
    let mut losses = Losses::default();
    let mut began = clock();
    for step in 0.. {
        if step == sample_steps {
            began = clock();
        }
        let only_samples = step < sample_steps;
        now.minutes = if only_samples { 0.0 } else { clock() - began };
        let done = if only_samples { 0.0 } else { (now.minutes / config.minutes) as f32 };
        if done >= 1.0 {
            break;
        }
        let many = (BATCH / threads).max(1);
        let targets = if done < RESULTS_ONLY && !config.pretrained { Targets::RESULTS } else { Targets::TD };
        let work = |worker: &mut Worker| match only_samples {
            true => Losses { samples: worker.learn_samples(&trainer, &samples, many), ..Losses::default() },
            false => worker.play_and_learn(&trainer, &samples, many, targets),
        };
        std::thread::scope(|scope| {
            let running: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(|| work(worker))).collect();
            for part in running.into_iter().filter_map(|worker| worker.join().ok()) {
                losses.samples.add(part.samples);
                losses.games.add(part.games);
            }
        });
        // Warm-up at the beginning of both phases.
        let since = if only_samples { step } else { step - sample_steps };
        let warm_up = ((since + 1) as f32 / WARM_UP).min(1.0);
        let cosine = 0.5 + 0.5 * (std::f32::consts::PI * done).cos();
        let rate = RATES.1 + (RATES.0 - RATES.1) * cosine;
        let mut parts: Vec<&mut Backprop> = workers.iter_mut().map(|worker| &mut worker.backprop).collect();
        trainer.step(&mut parts, warm_up * rate);
        if step % REPORT_EVERY == REPORT_EVERY - 1 {
            now.steps = step + 1;
            now.games = workers.iter().map(|worker| worker.games).sum();
            (now.sample_loss, now.game_loss) = (losses.samples.mean(), losses.games.mean());
            losses = Losses::default();
            samples = report(now, &trainer.average).unwrap_or(samples);
        }
    }
    trainer
}

/// Measures the activation ranges of a network anew, in so many games against itself.
pub fn measure_activation_ranges(network: &mut Network, games: usize, seed: u64) {
    let (mut backprop, mut player, mut rng) = (Backprop::new(), PolicyPlayer::default(), Rng::new(seed));
    network.reset_activation_ranges();
    for _ in 0..games {
        for mv in player.play(network, Targets::VALUES, &mut rng) {
            let workspace = backprop.forward(network, mv.position(false)).cloned();
            workspace.iter().for_each(|workspace| network.widen_activation_ranges(workspace));
        }
    }
}

/// One thread of the training loop.
struct Worker {
    backprop: Backprop,
    rng: Rng,
    player: PolicyPlayer,
    replay: Vec<PlayedMove>,
    oldest: usize,
    /// Moves to play before the next step.
    due: isize,
    games: usize,
}

impl Worker {
    fn new(rng: Rng) -> Worker {
        let (backprop, player) = (Backprop::new(), PolicyPlayer::default());
        Worker { backprop, rng, player, replay: Vec::new(), oldest: 0, due: 0, games: 0 }
    }

    /// Accumulates the gradients of random samples.
    fn learn_samples(&mut self, trainer: &Trainer, samples: &[Sample], many: usize) -> LossSum {
        let Worker { backprop, rng, .. } = self;
        let mut one = || {
            let sample = &samples[rng.below(samples.len())];
            backprop.accumulate(
                trainer,
                sample.training_position(rng.below(2) == 0),
                &TrainingTarget::Sample(sample),
            )
        };
        let count = if samples.is_empty() { 0 } else { many };
        LossSum { sum: (0..count).map(|_| one()).sum(), count }
    }

    /// Plays some games and accumulates the gradients of samples and of moves in the replay buffer.
    fn play_and_learn(
        &mut self,
        trainer: &Trainer,
        samples: &[Sample],
        many: usize,
        targets: Targets,
    ) -> Losses {
        let of_samples = (many as f32 * SAMPLE_SHARE) as usize;
        let many = many - of_samples;
        self.due += many as isize;
        while self.due > 0 || self.replay.len() < BATCHES_AHEAD * many {
            let game = self.player.play(&trainer.network, targets, &mut self.rng);
            self.games += 1;
            self.due -= game.len() as isize;
            for mv in game {
                if self.replay.len() < REPLAY {
                    self.replay.push(mv);
                } else {
                    self.replay[self.oldest] = mv;
                    self.oldest = (self.oldest + 1) % REPLAY;
                }
            }
        }
        let samples = self.learn_samples(trainer, samples, of_samples);
        let Worker { backprop, rng, replay, .. } = self;
        let mut one = || {
            let mv = &replay[rng.below(replay.len())];
            let position = mv.position(rng.below(2) == 0);
            backprop.accumulate(trainer, position, &TrainingTarget::Value(mv.cell, mv.target))
        };
        let games = LossSum { sum: (0..many).map(|_| one()).sum(), count: many };
        Losses { samples, games }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_lowers_the_loss() {
        let samples = vec![Sample::parse("5 1 7 2|2 9 20|7 11|12:140 13:10 3:2").unwrap_or_default(); BATCH];
        let config = TrainConfig { minutes: 1.0, pretrained: false, threads: 2, seed: 1 };
        let minutes = std::cell::Cell::new(0.0);
        let clock = || minutes.replace(minutes.get() + 1.0);
        let trained = train(Trainer::new(1), samples.clone(), config, &clock, &mut |_, _| None);
        let target = TrainingTarget::Sample(&samples[0]);
        let [before, after] = [&Trainer::new(1), &trained]
            .map(|trainer| Backprop::new().loss(trainer, samples[0].training_position(false), &target));
        assert!(after < before, "{before} {after}");
    }

    #[test]
    fn a_step_reports_the_mean_loss_of_samples_and_of_games_apart() {
        let samples = vec![Sample::parse("5 1 7 2|2 9 20|7 11|12:140 13:10 3:2").unwrap_or_default()];
        let trainer = Trainer::new(1);
        let mut worker = Worker::new(Rng::new(1));
        let many = 8;
        let losses = worker.play_and_learn(&trainer, &samples, many, Targets::RESULTS);
        assert_eq!(losses.samples.count + losses.games.count, many);
        // Both views of the only sample: its mean loss lies between theirs.
        let target = TrainingTarget::Sample(&samples[0]);
        let [one, other] = [false, true]
            .map(|turned| Backprop::new().loss(&trainer, samples[0].training_position(turned), &target));
        let (low, high) = (one.min(other) - 1e-3, one.max(other) + 1e-3);
        assert!((low..=high).contains(&losses.samples.mean()), "{losses:?} {one} {other}");
        assert!(losses.games.mean() > 0.0);
    }
}
