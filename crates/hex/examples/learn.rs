//! Learns the main engine's policy from games it plays with itself, and prints the file that ships:
//!
//! `learn GAMES PLAYOUTS SEED [none|shipped] > data/hex/policy.txt`
//!
//! Games are on boards of 9, 11 and 13 in turn. Every position that a tree visited often is a lesson: the more a
//! move was visited, the likelier the policy should find it. The weights of all features (for the tree) and of
//! the rings alone (for playouts) are fitted by softmax regression with AdaGrad.

#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a program for the terminal")]

use hex::engine::learn::{Lesson, play};
use hex::engine::{FEATURES, Policy, RING_FEATURES};
use hex::{Rng, Size};

/// Visits that make a position a lesson, as a share of the playouts of a move.
const VISITS_SHARE: u64 = 6;
const EPOCHS: usize = 12;
const RATE: f32 = 0.15;
/// Pull of weights to zero, for features seen rarely.
const DECAY: f32 = 2e-4;
/// Visits are taken to this power: the best move of a long search is surer than its visits say.
const SHARPEN: f32 = 2.0;
/// In playouts a weight this much above the mean is taken whenever it is drawn.
const ALWAYS: f32 = 0.7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let (numbers, policy) = match words[..] {
        [games, playouts, seed] => ([games, playouts, seed], Policy::shipped().clone()),
        [games, playouts, seed, "shipped"] => ([games, playouts, seed], Policy::shipped().clone()),
        [games, playouts, seed, "none"] => ([games, playouts, seed], Policy::default()),
        _ => return Err("accepted: GAMES PLAYOUTS SEED [none|shipped]".into()),
    };
    let [games, playouts, seed]: [u64; 3] = [numbers[0].parse()?, numbers[1].parse()?, numbers[2].parse()?];
    let mut lessons: Vec<Lesson> = Vec::new();
    for game in 0..games {
        let side = [11, 9, 11, 13][game as usize % 4];
        let Some(size) = Size::new(side, side) else { continue };
        let visits = (playouts / VISITS_SHARE) as u32;
        play(&policy, size, seed + game, (playouts, visits), &mut |lesson| {
            lessons.push(sharpened(lesson));
        });
        eprint!("\rgame {} of {games}, {} lessons", game + 1, lessons.len());
    }
    eprintln!();
    let mut rng = Rng::new(seed);
    rng.shuffle(&mut lessons);
    let (held, used) = lessons.split_at(lessons.len() / 10);
    let all = |features: &[u16]| features.to_vec();
    let ring = |features: &[u16]| Lesson::ring(features).into_iter().collect();
    let weights = fit(used, held, FEATURES, &all);
    let mut rings = fit(used, held, RING_FEATURES, &ring);
    rings.iter_mut().for_each(|weight| *weight = (*weight - ALWAYS).clamp(-4.0, 0.0));
    println!("{}", Policy::write(&format!("learn {}", args.join(" ")), &weights, &rings).trim_end());
    Ok(())
}

fn sharpened(mut lesson: Lesson) -> Lesson {
    lesson.moves.iter_mut().for_each(|(_, share)| *share = share.powf(SHARPEN));
    let total: f32 = lesson.moves.iter().map(|(_, share)| share).sum();
    lesson.moves.iter_mut().for_each(|(_, share)| *share /= total.max(f32::MIN_POSITIVE));
    lesson
}

fn fit(used: &[Lesson], held: &[Lesson], many: usize, view: &dyn Fn(&[u16]) -> Vec<u16>) -> Vec<f32> {
    let mut weights = vec![0.0f32; many];
    let mut squares = vec![1e-3f32; many];
    for epoch in 0..EPOCHS {
        let mut loss = 0.0;
        for lesson in used {
            let features: Vec<Vec<u16>> = lesson.moves.iter().map(|(features, _)| view(features)).collect();
            let chances = softmax(&features, &weights);
            for ((features, (_, target)), chance) in features.iter().zip(&lesson.moves).zip(&chances) {
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
            let held_loss: f32 = held.iter().map(|lesson| loss_of(lesson, &weights, view)).sum();
            eprintln!(
                "{many} features: loss {:.3}, on {} held back {:.3}",
                loss / used.len().max(1) as f32,
                held.len(),
                held_loss / held.len().max(1) as f32
            );
        }
    }
    weights
}

fn loss_of(lesson: &Lesson, weights: &[f32], view: &dyn Fn(&[u16]) -> Vec<u16>) -> f32 {
    let features: Vec<Vec<u16>> = lesson.moves.iter().map(|(features, _)| view(features)).collect();
    let chances = softmax(&features, weights);
    lesson.moves.iter().zip(chances).map(|((_, target), chance)| -target * chance.max(1e-9).ln()).sum()
}

fn softmax(moves: &[Vec<u16>], weights: &[f32]) -> Vec<f32> {
    let sums: Vec<f32> =
        moves.iter().map(|features| features.iter().map(|&at| weights[at as usize]).sum()).collect();
    let largest = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = sums.iter().map(|sum| (sum - largest).exp()).collect();
    let total: f32 = exps.iter().sum();
    exps.into_iter().map(|exp| exp / total).collect()
}
