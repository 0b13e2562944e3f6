//! Do the engine's games keep to every opening protocol? Plays games of the main engine against itself in each of
//! them, under all rules, and checks every step against the rules and every game by writing and reading it. One step in
//! four of an opening is drawn at random, so that games differ and the engine also meets what it would not choose.
//! Exits with 1 at an illegal step, with 2 when nothing was played:
//! `cargo run --release -p tengen-gomoku --example opening_games -- GAMES [NODES [PROTOCOL…]]`.

#![allow(missing_docs, clippy::print_stdout)]

use ::game::{Engine, Game as _, Limits, Options, Position, Setup, Watch};
use gomoku::engine::Tengen;
use gomoku::{GOMOKU, Opening, Rule};
use search::rng::Rng;
use std::collections::HashSet;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (games, nodes, named) = match args.as_slice() {
        [games] => (games.parse()?, 100, &[][..]),
        [games, nodes, named @ ..] => (games.parse()?, nodes.parse()?, named),
        [] => return Err("accepted: GAMES [NODES [PROTOCOL…]]".into()),
    };
    if let Some(unknown) = named.iter().find(|name| !Opening::NAMES.contains(&name.as_str())) {
        return Err(format!("'{unknown}'; accepted: {}", Opening::NAMES.join(", ")).into());
    }
    let mut faults = 0;
    let mut engine = Tengen::new(&Options::new())?;
    for opening in
        Opening::NAMES.into_iter().filter(|name| named.is_empty() || named.iter().any(|n| n == name))
    {
        let (mut different, mut steps, mut wins) = (HashSet::new(), 0, 0);
        for number in 0..games {
            let rule = Rule::ALL[number as usize % Rule::ALL.len()];
            let setup = Setup { rule: rule.to_string(), opening: opening.into(), ..Setup::empty(15, 15) };
            let mut game = GOMOKU.position(&setup)?;
            match play(&mut engine, &mut *game, nodes, &mut Rng::stream(1, number)) {
                Ok(()) => {
                    wins += usize::from(game.outcome().is_some_and(|outcome| outcome.winner().is_some()));
                }
                Err(fault) => {
                    faults += 1;
                    println!("{opening}, {rule}, game {number}: {fault}");
                }
            }
            steps += game.history().len();
            different.insert(written(&*game));
        }
        println!("{opening}: {games} games, {} different, {steps} steps, {wins} won", different.len());
    }
    println!("{faults} faults");
    Ok(match (games, faults) {
        (0, _) => ExitCode::from(2),
        (_, 0) => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// Plays a game to its end.
fn play(engine: &mut Tengen, game: &mut dyn Position, nodes: u64, rng: &mut Rng) -> Result<(), String> {
    engine.new_game();
    while game.outcome().is_none() {
        let moves = game.legal_moves();
        let limits = Limits { memory_mb: 1, seed: rng.next_u64(), ..Limits::nodes(nodes) };
        let decision = engine.think(game, &limits, &Watch::default(), &mut |_| {});
        let mut mv = decision.map_err(|error| format!("{}: {error}", written(game)))?.mv;
        let step = format!("{} after {}", game.format_move(mv), written(game));
        if !moves.contains(&mv) {
            return Err(format!("{step} is not listed as legal"));
        }
        if (game.opening_step().is_some() || game.history().len() < 6) && rng.below(4) == 0 {
            mv = rng.pick(&moves).unwrap_or(mv);
        }
        game.play(mv).map_err(|error| format!("{step}: {error}"))?;
    }
    let read = GOMOKU.parse(&written(game), &GOMOKU.setup_of(game)).map_err(|error| error.to_string())?;
    match (read.hash(), read.turn()) == (game.hash(), game.turn()) {
        true => Ok(()),
        false => Err(format!("{} is read as another game", written(game))),
    }
}

fn written(game: &dyn Position) -> String {
    game.history().iter().map(|mv| game.format_move(*mv)).collect()
}
