//! Make and undo a second, shapes and classes included, on one core.
//!
//! The moves are those of random games played close to the stones already there, so the windows are as
//! varied as in a search; each game is played out and taken back.

#![allow(missing_docs, clippy::print_stdout)]

use ::game::Side;
use gomoku::{Board, Point, Rule};
use search::Rng;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    println!("{:<10} {:>4} {:>16} {:>16}", "rule", "size", "make+undo/s", "walk nodes/s");
    for rule in Rule::ALL {
        for size in [15, 20] {
            let games: Vec<Vec<Point>> = (1..=64).map(|seed| random_game(rule, size, 40, seed)).collect();
            println!(
                "{:<10} {size:>4} {:>16.0} {:>16.0}",
                rule.name(),
                pairs(rule, size, &games),
                walk(rule, size, &games)
            );
        }
    }
}

/// Whole games played and taken back.
fn pairs(rule: Rule, size: u8, games: &[Vec<Point>]) -> f64 {
    let mut board = Board::new(rule, size);
    measure(|| {
        for game in games {
            for (ply, point) in game.iter().enumerate() {
                board.make(*point, Side::BOTH[ply % 2]);
            }
            while board.undo().is_some() {}
        }
        black_box(&board);
        games.iter().map(Vec::len).sum()
    })
}

/// As a search walks: from the middle of a game, every move close by and back.
fn walk(rule: Rule, size: u8, games: &[Vec<Point>]) -> f64 {
    let mut boards: Vec<Board> = games
        .iter()
        .map(|game| {
            let mut board = Board::new(rule, size);
            game.iter().take(20).enumerate().for_each(|(ply, point)| board.make(*point, Side::BOTH[ply % 2]));
            board
        })
        .collect();
    measure(|| {
        let mut count = 0;
        for board in &mut boards {
            for point in board.candidates(2).iter() {
                board.make(point, Side::Black);
                black_box(&board);
                board.undo();
                count += 1;
            }
        }
        count
    })
}

/// Times a second that the counted thing happened; the best of five tries, as other work disturbs only
/// downwards.
fn measure(mut round: impl FnMut() -> usize) -> f64 {
    let mut best = 0f64;
    for _ in 0..5 {
        let (start, busy, mut count) = (Instant::now(), cpu_seconds(), 0);
        while start.elapsed() < Duration::from_millis(150) {
            count += round();
        }
        let seconds = match (busy, cpu_seconds()) {
            (Some(before), Some(after)) => after - before,
            _ => start.elapsed().as_secs_f64(),
        };
        best = best.max(count as f64 / seconds);
    }
    best
}

/// Seconds this thread has spent on a core, where the system tells (Linux): a busy machine then does not
/// look like slow code.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

fn random_game(rule: Rule, size: u8, length: usize, seed: u64) -> Vec<Point> {
    let mut board = Board::new(rule, size);
    let mut rng = Rng::new(seed);
    let mut moves = vec![Point::new(size / 2, size / 2)];
    board.make(moves[0], Side::Black);
    while moves.len() < length {
        let near: Vec<Point> = board.candidates(2).iter().collect();
        let point = near[rng.below(near.len())];
        board.make(point, Side::BOTH[moves.len() % 2]);
        moves.push(point);
    }
    moves
}
