//! Completes the first moves of puzzles that name only one, and prints all puzzles again:
//! `cargo run --release -p tengen-gomoku --example puzzle_first_moves -- FILE.jsonl > NEW.jsonl`.

#![allow(missing_docs, clippy::print_stdout)]

use gomoku::puzzle::complete_first_moves;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("accepted: FILE.jsonl")?;
    for line in std::fs::read_to_string(file)?.lines() {
        let mut puzzle = serde_json::from_str(line)?;
        complete_first_moves(&mut puzzle)?;
        println!("{}", serde_json::to_string(&puzzle)?);
    }
    Ok(())
}
