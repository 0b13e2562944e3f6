//! Prints random games, one per line, to compare the rules with another program's: size, moves, winner.
//!
//! `cargo run -p tengen-hex --example random_games -- 10000 > games.txt`

use game::Position as _;
use hex::{Position, Rng, Size};
use std::io::{BufWriter, Write};

fn main() -> std::io::Result<()> {
    let count = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut rng = Rng::new(2);
    for number in 0..count {
        let n = 2 + (number % 12) as u8;
        let Some(size) = Size::new(n, n) else { continue };
        let mut game = Position::empty(size);
        while let Some(mv) = rng.pick(&game.legal_moves()) {
            if game.play(mv).is_err() {
                break;
            }
        }
        let moves: Vec<String> = game.history().iter().map(|mv| game.format_move(*mv)).collect();
        let winner = game.outcome().and_then(|outcome| outcome.winner());
        let winner = winner.map_or("nobody".into(), |side| side.to_string());
        writeln!(out, "{n} {} {winner}", moves.join(" "))?;
    }
    out.flush()
}
