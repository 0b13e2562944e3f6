//! Learns what the main engine knows of moves from games it plays with itself.
//!
//! - `learn games COUNT VISITS SEED [NETWORK] >> lessons.txt` plays games on boards of 8 to 13, and writes their
//!   positions, and those that a long search visited often, with what became of the moves.
//! - `learn network LESSONS MINUTES SEED FILE [BEFORE]` teaches a network by lessons, then by games with itself; or goes on
//!   with one taught before. The lessons may grow meanwhile, by games with the file that is being written.
//! - `learn measure BEFORE FILE` measures the spans of a network anew, which searches need.
//! - `learn patterns LESSONS SEED > data/hex/policy.txt` fits the weights of all features, for searches without
//!   the network, by softmax regression with AdaGrad.

#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a program for the terminal")]

use hex::engine::learn::{Lesson, play};
use hex::engine::net::games::{Plan, Progress, measure, teach};
use hex::engine::net::train::Trainer;
use hex::engine::net::{Judge, Network};
use hex::engine::{FEATURES, Policy, Tengen};
use hex::{Rng, Size};
use std::error::Error;
use std::time::Instant;

/// Lessons that are kept in mind, the last ones of the file.
const KEPT: usize = 800_000;
const SIZES: [u8; 10] = [11, 9, 11, 11, 8, 11, 10, 11, 11, 13];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["games", games, visits, seed, ref network @ ..] if network.len() < 2 => {
            let network = network.first().map(|path| network_of(path)).transpose()?;
            games_of(games.parse()?, visits.parse()?, seed.parse()?, network);
            Ok(())
        }
        ["network", lessons, minutes, seed, file, ref before @ ..] if before.len() < 2 => {
            let before = before.first().map(|before| network_of(before)).transpose()?;
            network(lessons, minutes.parse()?, seed.parse()?, file, before)
        }
        ["measure", before, file] => Ok(write(file, network_of(before)?)?),
        ["patterns", lessons, seed] => {
            let weights = patterns(lessons_of(lessons)?, seed.parse()?);
            println!("{}", Policy::write(&format!("learn {}", args.join(" ")), &weights).trim_end());
            Ok(())
        }
        _ => Err("accepted: games COUNT VISITS SEED [NETWORK], network LESSONS MINUTES SEED FILE [BEFORE], \
                  measure BEFORE FILE, patterns LESSONS SEED"
            .into()),
    }
}

fn games_of(games: u64, visits: u64, seed: u64, network: Option<Network>) {
    let mut engine = Tengen::new(&game::Options::default()).expect("no option is set");
    if let Some(network) = network {
        engine = engine.with_network(Box::leak(Box::new(Judge::of(&network))));
    }
    for game in 0..games {
        let side = SIZES[game as usize % SIZES.len()];
        let Some(size) = Size::new(side, side) else { continue };
        for lesson in play(&mut engine, size, seed + game, visits) {
            println!("{}", lesson.write());
        }
    }
}

fn lessons_of(path: &str) -> Result<Vec<Lesson>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let lesson = |(at, line): (usize, &str)| {
        Lesson::parse(line).ok_or_else(|| format!("{path}, line {}: not a lesson", at + 1).into())
    };
    let many = text.lines().count();
    text.lines().enumerate().skip(many.saturating_sub(KEPT)).map(lesson).collect()
}

fn network_of(path: &str) -> Result<Network, Box<dyn Error>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    Network::read(&bytes).ok_or_else(|| format!("{path}: not a network").into())
}

fn network(
    lessons: &str,
    minutes: f64,
    seed: u64,
    file: &str,
    before: Option<Network>,
) -> Result<(), Box<dyn Error>> {
    if !minutes.is_finite() {
        return Err("MINUTES: accepted is a number".into());
    }
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64() / 60.0;
    let taught = before.is_some();
    let trainer = before.map_or_else(|| Trainer::new(seed), Trainer::of);
    let threads = std::thread::available_parallelism()?.get();
    let length = || std::fs::metadata(lessons).map_or(0, |file| file.len());
    let mut seen = length();
    let mut tell = |now: Progress, network: &Network| {
        eprintln!(
            "{:.1} minutes, {} steps, {} games, loss {:.3}",
            now.minutes, now.steps, now.games, now.loss
        );
        // What is there may be had before the end.
        if let Err(error) = write(file, network.clone()) {
            eprintln!("{file}: {error}");
        }
        // A line that is being written is not a lesson; the next look will find it whole.
        if std::mem::replace(&mut seen, length()) == length() { None } else { lessons_of(lessons).ok() }
    };
    let trainer =
        teach(trainer, lessons_of(lessons)?, Plan { minutes, taught, threads, seed }, &clock, &mut tell);
    Ok(write(file, trainer.taught())?)
}

/// Games by which spans are measured.
const MEASURED: usize = 20;

fn write(file: &str, mut network: Network) -> std::io::Result<()> {
    measure(&mut network, MEASURED, 1);
    std::fs::write(file, network.write())
}

const EPOCHS: usize = 12;
const RATE: f32 = 0.15;
/// Pull of weights to zero, for features seen rarely.
const DECAY: f32 = 2e-4;
/// Visits are taken to this power: the best move of a long search is surer than its visits say.
const SHARPEN: f32 = 2.0;

/// A lesson as the patterns see it: for each move its features, and the share of visits it got.
type Moves = Vec<(Vec<u16>, f32)>;

fn patterns(lessons: Vec<Lesson>, seed: u64) -> Vec<f32> {
    let mut lessons: Vec<Moves> = lessons.iter().map(|lesson| sharpened(lesson.features())).collect();
    Rng::new(seed).shuffle(&mut lessons);
    let (held, used) = lessons.split_at(lessons.len() / 10);
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
        for lesson in used {
            let chances = softmax(lesson, &weights);
            for ((features, target), chance) in lesson.iter().zip(&chances) {
                let slope = chance - target;
                loss -= target * chance.max(1e-9).ln();
                for &feature in features {
                    let at = feature as usize;
                    let slope = slope + DECAY * weights[at] / features.len() as f32;
                    squares[at] += slope * slope;
                    weights[at] -= RATE * slope / squares[at].sqrt();
                }
            }
        }
        if epoch + 1 == EPOCHS {
            let held_loss: f32 = held.iter().map(|lesson| loss_of(lesson, &weights)).sum();
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

fn loss_of(lesson: &Moves, weights: &[f32]) -> f32 {
    let chances = softmax(lesson, weights);
    lesson.iter().zip(chances).map(|((_, target), chance)| -target * chance.max(1e-9).ln()).sum()
}

fn softmax(moves: &Moves, weights: &[f32]) -> Vec<f32> {
    let sums: Vec<f32> =
        moves.iter().map(|(features, _)| features.iter().map(|&at| weights[at as usize]).sum()).collect();
    let largest = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = sums.iter().map(|sum| (sum - largest).exp()).collect();
    let total: f32 = exps.iter().sum();
    exps.into_iter().map(|exp| exp / total).collect()
}
