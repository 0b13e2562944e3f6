//! Trains the main engine from games it plays against itself.
//!
//! - `train games COUNT VISITS SEED [NETWORK] >> SAMPLES` plays games on boards of 9 to 14 and writes samples: their positions
//!   and other well-visited nodes, with what the searches found.
//! - `train network SAMPLES MINUTES SEED FILE [BEFORE]` trains a network on samples, then on samples and policy-only games; or
//!   continues with one trained before. The samples may grow meanwhile, by games with the file that is being written.
//! - `train measure BEFORE FILE` measures the activation ranges of a network anew, which quantization needs.
//! - `train patterns SAMPLES SEED > data/hex/policy.txt` fits the weights of all move features, for searches without the
//!   network, by softmax regression with AdaGrad.

#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a program for the terminal")]

use hex::engine::network::{Network, QuantizedNetwork};
use hex::engine::{FEATURES, Policy, Tengen};
use hex::training::{Progress, Sample, TrainConfig, Trainer, measure_activation_ranges, play, train};
use hex::{Rng, Size};
use std::error::Error;
use std::time::Instant;

/// Samples that are used: the last ones of the file.
const MAX_SAMPLES: usize = 800_000;
const SIZES: [u8; 10] = [11, 11, 13, 11, 9, 11, 12, 11, 14, 11];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["games", games, visits, seed, ref network @ ..] if network.len() < 2 => {
            let network = network.first().map(|path| read_network(path)).transpose()?;
            play_games(games.parse()?, visits.parse()?, seed.parse()?, network);
            Ok(())
        }
        ["network", samples, minutes, seed, file, ref before @ ..] if before.len() < 2 => {
            let before = before.first().map(|before| read_network(before)).transpose()?;
            train_network(samples, minutes.parse()?, seed.parse()?, file, before)
        }
        ["measure", before, file] => Ok(write(file, read_network(before)?)?),
        ["patterns", samples, seed] => {
            let weights = patterns(read_samples(samples)?, seed.parse()?);
            println!("{}", Policy::write(&format!("train {}", args.join(" ")), &weights).trim_end());
            Ok(())
        }
        _ => Err("accepted: games COUNT VISITS SEED [NETWORK], network SAMPLES MINUTES SEED FILE [BEFORE], \
                  measure BEFORE FILE, patterns SAMPLES SEED"
            .into()),
    }
}

fn play_games(games: u64, visits: u64, seed: u64, network: Option<Network>) {
    let mut engine = Tengen::new(&game::Options::default()).expect("no option is set");
    if let Some(network) = network {
        engine = engine.with_network(Box::leak(Box::new(QuantizedNetwork::of(&network))));
    }
    for game in 0..games {
        let side = SIZES[game as usize % SIZES.len()];
        let Some(size) = Size::new(side, side) else { continue };
        for sample in play(&mut engine, size, seed + game, visits) {
            println!("{}", sample.write());
        }
    }
}

fn read_samples(path: &str) -> Result<Vec<Sample>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let sample = |(at, line): (usize, &str)| {
        Sample::parse(line).ok_or_else(|| format!("{path}, line {}: not a sample", at + 1).into())
    };
    let many = text.lines().count();
    text.lines().enumerate().skip(many.saturating_sub(MAX_SAMPLES)).map(sample).collect()
}

fn read_network(path: &str) -> Result<Network, Box<dyn Error>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    Network::read(&bytes).ok_or_else(|| format!("{path}: not a network").into())
}

fn train_network(
    samples: &str,
    minutes: f64,
    seed: u64,
    file: &str,
    before: Option<Network>,
) -> Result<(), Box<dyn Error>> {
    if !minutes.is_finite() {
        return Err("MINUTES: accepted: a number".into());
    }
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64() / 60.0;
    let pretrained = before.is_some();
    let trainer = before.map_or_else(|| Trainer::new(seed), Trainer::of);
    let threads = std::thread::available_parallelism()?.get();
    let length = || std::fs::metadata(samples).map_or(0, |file| file.len());
    let mut seen = length();
    let mut report = |now: Progress, network: &Network| {
        eprintln!(
            "{:.1} minutes, {} steps, {} games, loss {:.3}",
            now.minutes, now.steps, now.games, now.loss
        );
        // The network so far is usable before the end.
        if let Err(error) = write(file, network.clone()) {
            eprintln!("{file}: {error}");
        }
        // A line that is still being written is not a sample; the next report will find it complete.
        if std::mem::replace(&mut seen, length()) == length() { None } else { read_samples(samples).ok() }
    };
    let trainer = train(
        trainer,
        read_samples(samples)?,
        TrainConfig { minutes, pretrained, threads, seed },
        &clock,
        &mut report,
    );
    Ok(write(file, trainer.into_network())?)
}

/// Games by which activation ranges are measured.
const MEASURE_GAMES: usize = 20;

fn write(file: &str, mut network: Network) -> std::io::Result<()> {
    measure_activation_ranges(&mut network, MEASURE_GAMES, 1);
    std::fs::write(file, network.write())
}

const EPOCHS: usize = 12;
const RATE: f32 = 0.15;
/// Weight decay, for rare features.
const DECAY: f32 = 2e-4;
/// Visits are raised to this power: the best move of a long search is better than its share of visits.
const SHARPEN: f32 = 2.0;

/// A sample: for each move its features, and the share of visits it got.
type Moves = Vec<(Vec<u16>, f32)>;

fn patterns(samples: Vec<Sample>, seed: u64) -> Vec<f32> {
    let mut samples: Vec<Moves> = samples.iter().map(|sample| sharpened(sample.features())).collect();
    Rng::new(seed).shuffle(&mut samples);
    let (held, used) = samples.split_at(samples.len() / 10);
    fit(used, held)
}

fn sharpened(mut moves: Moves) -> Moves {
    moves.iter_mut().for_each(|(_, share)| *share = share.powf(SHARPEN));
    let total: f32 = moves.iter().map(|(_, share)| share).sum();
    moves.iter_mut().for_each(|(_, share)| *share /= total.max(f32::MIN_POSITIVE));
    moves
}

fn fit(used: &[Moves], held: &[Moves]) -> Vec<f32> {
    let mut weights = vec![0.0f32; FEATURES];
    let mut squares = vec![1e-3f32; FEATURES];
    for epoch in 0..EPOCHS {
        let mut loss = 0.0;
        for sample in used {
            let probabilities = softmax(sample, &weights);
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
        }
        if epoch + 1 == EPOCHS {
            let held_loss: f32 = held.iter().map(|sample| loss_of(sample, &weights)).sum();
            eprintln!(
                "loss {:.3}, on {} held back {:.3}",
                loss / used.len().max(1) as f32,
                held.len(),
                held_loss / held.len().max(1) as f32
            );
        }
    }
    weights
}

fn loss_of(sample: &Moves, weights: &[f32]) -> f32 {
    let probabilities = softmax(sample, weights);
    sample
        .iter()
        .zip(probabilities)
        .map(|((_, target), probability)| -target * probability.max(1e-9).ln())
        .sum()
}

fn softmax(moves: &Moves, weights: &[f32]) -> Vec<f32> {
    let sums: Vec<f32> =
        moves.iter().map(|(features, _)| features.iter().map(|&at| weights[at as usize]).sum()).collect();
    let largest = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = sums.iter().map(|sum| (sum - largest).exp()).collect();
    let total: f32 = exps.iter().sum();
    exps.into_iter().map(|exp| exp / total).collect()
}
