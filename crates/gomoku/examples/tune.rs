//! Fits the weights of the main engine's evaluation and move ordering to games it plays with itself.
//!
//! `tune play GAMES NODES SEED FILE` appends games to a file; `tune fit FILE...` reads games and prints the new
//! `weights/tuned.rs`. See `gomoku::training`.

#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a program for the terminal")]

use game::{Options, Watch};
use gomoku::{Rule, engine::Tengen, training};
use search::rng::Rng;
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["play", games, nodes, seed, file] => play(games.parse()?, nodes.parse()?, seed.parse()?, file),
        ["fit", ..] if args.len() > 1 => fit(&args[1..]),
        _ => Err("accepted: play GAMES NODES SEED FILE, fit FILE...".into()),
    }
}

fn play(games: u64, nodes: u64, seed: u64, file: &str) -> Result<(), Box<dyn Error>> {
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    let mut engine = Tengen::new(&Options::new())?;
    let config = training::SelfPlay { rule: Rule::Freestyle, sizes: vec![15], nodes };
    for number in 0..games {
        if let Some(game) = config.play(&mut engine, &mut Rng::stream(seed, number), &Watch::untimed())? {
            writeln!(out, "{game}")?;
        }
    }
    Ok(())
}

fn fit(files: &[String]) -> Result<(), Box<dyn Error>> {
    let texts: Result<Vec<String>, _> = files.iter().map(std::fs::read_to_string).collect();
    let samples = training::read_games(&texts?.concat())?;
    let (positions, choices) = samples.len();
    eprintln!("{positions} positions, {choices} choices");
    print!("{}", training::fit(&samples, &mut |line| eprintln!("{line}")).source());
    Ok(())
}
