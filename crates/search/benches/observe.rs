//! What watching costs: the same search with nobody watching, with a recorder that keeps everything, and the bare
//! textbook algorithm written without any observer. Prints ratios of medians taken in one run.
#![allow(clippy::print_stdout, reason = "a bench prints")]

use search::adversarial::{Game, UctOptions, alpha_beta, uct};
use search::stop::never;
use search::theatre::{PlayoutRecorder, TreeRecorder};
use search::tictactoe::TicTacToe;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 41;

/// The least disturbed of some runs, in seconds: other work on the machine can only make a run longer.
fn time(rounds: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 8]
}

/// Alpha-beta as it would be written if nobody could ever watch: the measure of "costs nothing when off".
fn bare(
    game: &mut TicTacToe,
    depth: u32,
    mut alpha: f64,
    mut beta: f64,
    lists: &mut Vec<Vec<u8>>,
    nodes: &mut u64,
) -> f64 {
    let mut moves = lists.pop().unwrap_or_default();
    moves.clear();
    if depth > 0 && !game.is_over() {
        game.moves(&mut moves);
    }
    if moves.is_empty() {
        lists.push(moves);
        return game.evaluate();
    }
    let max = game.max_to_move();
    for &mv in &moves {
        *nodes += 1;
        game.play(mv);
        let value = bare(game, depth - 1, alpha, beta, lists, nodes);
        game.undo(mv);
        if max {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        if beta <= alpha {
            break;
        }
    }
    lists.push(moves);
    if max { alpha } else { beta }
}

fn main() {
    let start = TicTacToe::new();
    let off = time(ROUNDS, || {
        black_box(alpha_beta(&mut black_box(start), 9, never(), &mut ()));
    });
    let on = time(ROUNDS, || {
        let mut recorder = TreeRecorder::new(u32::from, 1_000_000);
        black_box(alpha_beta(&mut black_box(start), 9, never(), &mut recorder));
        black_box(recorder.into_columns(0.0));
    });
    let plain = time(ROUNDS, || {
        let (mut lists, mut nodes) = (Vec::new(), 0);
        let value = bare(&mut black_box(start), 9, f64::NEG_INFINITY, f64::INFINITY, &mut lists, &mut nodes);
        black_box((value, nodes));
    });
    println!(
        "alpha-beta, tic-tac-toe, depth 9 ({} nodes)",
        alpha_beta(&mut start.clone(), 9, never(), &mut ()).stats.nodes
    );
    println!("  written without an observer      {:>8.3} ms", plain * 1e3);
    println!("  nobody watches                   {:>8.3} ms", off * 1e3);
    println!(
        "  recorded whole                   {:>8.3} ms   {:.2} x of nobody watching",
        on * 1e3,
        on / off
    );

    let options = UctOptions { playouts: 20_000, ..UctOptions::default() };
    let off = time(ROUNDS / 2, || {
        black_box(uct(&mut black_box(start), &options, never(), &mut ()));
    });
    let on = time(ROUNDS / 2, || {
        let mut recorder = PlayoutRecorder::new(u32::from, 1_000_000);
        black_box(uct(&mut black_box(start), &options, never(), &mut recorder));
        black_box(recorder.into_columns());
    });
    println!("UCT, tic-tac-toe, 20000 playouts");
    println!("  nobody watches                   {:>8.3} ms", off * 1e3);
    println!(
        "  recorded whole                   {:>8.3} ms   {:.2} x of nobody watching",
        on * 1e3,
        on / off
    );
}
