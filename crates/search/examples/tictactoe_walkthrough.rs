//! Walks through alpha-beta on a tic-tac-toe endgame and prints every edge with its window and every cut with its
//! reason.
//!
//! Run with `cargo run -p tengen-search --example tictactoe_walkthrough [XOX.O..X.]`.
#![allow(clippy::print_stdout, reason = "an example's output is its purpose")]

use std::error::Error;

use search::adversarial::{Bound, Cutoff, GameObserver, UctOptions, Window, alpha_beta, minimax, uct};
use search::stop::never;
use search::tictactoe::TicTacToe;

/// Prints the tree as it is searched, indented by ply.
struct Narrator;

impl GameObserver<u8> for Narrator {
    fn enter(&mut self, ply: u32, mv: u8, window: &Window) {
        let side = if ply.is_multiple_of(2) { "mover" } else { "reply" };
        println!("{}{side} {}   alpha {}, beta {}", indent(ply), name(mv), window.alpha, window.beta);
    }

    fn leave(&mut self, ply: u32, mv: u8, value: f64) {
        println!("{}{} is worth {value}", indent(ply), name(mv));
    }

    fn cutoff(&mut self, cut: &Cutoff<u8>) {
        let (bound, sign) = if cut.bound == Bound::Alpha { ("alpha", "<=") } else { ("beta", ">=") };
        let from = cut.bound_from.map_or("nowhere".into(), |ply| format!("ply {ply}"));
        let Cutoff { ply, value, limit, skipped, .. } = cut;
        println!(
            "{}cut: {value} {sign} {bound} {limit} from {from}, {skipped} move(s) not searched",
            indent(*ply)
        );
    }
}

fn indent(ply: u32) -> String {
    "|  ".repeat(ply as usize)
}

/// Column letter and row from the top: `a1` is the top left corner.
fn name(mv: u8) -> String {
    format!("{}{}", char::from(b'a' + mv % 3), 1 + mv / 3)
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "XOX.O..X.".into());
    let mut position: TicTacToe = text.parse()?;
    println!("{position}\n\nX is MAX. Values: 1 X wins, 0 draw, -1 O wins.\n");

    let pruned = alpha_beta(&mut position, 9, never(), &mut Narrator);
    let whole = minimax(&mut position, 9, never(), &mut ());
    let best = pruned.best.map_or("none, the game is over".into(), name);
    println!(
        "\nbest move {best}, value {}, line {:?}",
        pruned.value,
        pruned.line.iter().map(|&mv| name(mv)).collect::<Vec<_>>()
    );
    println!(
        "{} of {} nodes, {} cutoffs: {:.1} % pruned",
        pruned.stats.nodes,
        whole.stats.nodes,
        pruned.stats.cutoffs,
        100.0 * pruned.stats.prune_ratio(whole.stats.nodes as f64)
    );

    let sampled = uct(&mut position, &UctOptions::default(), never(), &mut ());
    println!("\nUCT after {} playouts:", sampled.playouts);
    for row in &sampled.root {
        println!("  {}  {:5} visits, wins {:.3}", name(row.mv), row.visits, row.rate(sampled.max_to_move));
    }
    Ok(())
}
