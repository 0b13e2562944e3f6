//! `tengen completions SHELL`
//!
//! Engines, rules and games are checked by the program and not by clap, because they depend on one another; here clap
//! learns their names, so that a shell can offer them. A position is a file more often than a string of moves.

use crate::games;
use clap::builder::{PossibleValuesParser, Resettable};
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;
use std::collections::BTreeSet;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell to complete for
    shell: Shell,
}

pub(crate) fn run(args: &Args, command: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut with_names(command), "tengen", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Ok(())
}

/// The command with the names that its arguments accept.
fn with_names(command: Command) -> Command {
    let alone = command.get_name().to_string();
    command.mut_args(|arg| named(&alone, arg)).mut_subcommands(with_names)
}

fn named(command: &str, arg: Arg) -> Arg {
    if !arg.get_possible_values().is_empty() {
        return arg;
    }
    // An empty default, which stands for the game's own, is not one of the names.
    let offer = |arg: Arg, names: BTreeSet<&'static str>| {
        arg.default_value(Resettable::Reset).value_parser(PossibleValuesParser::new(names))
    };
    let all = games::all();
    match arg.get_id().as_str() {
        "game" if command == "explain" => offer(arg, ["gomoku", "hex", "maze", "tictactoe"].into()),
        "game" => offer(arg, all.iter().map(|game| game.name()).collect()),
        "engine" | "players" | "judge" => {
            offer(arg, all.iter().flat_map(|game| game.engines()).map(|engine| engine.name).collect())
        }
        "rule" => offer(arg, all.iter().flat_map(|game| game.rules()).copied().collect()),
        "opening" => offer(arg, all.iter().flat_map(|game| game.openings()).copied().collect()),
        "algorithm" if command == "explain" => {
            let trees = ["minimax", "alphabeta", "alphabeta-tt", "uct", "flat"];
            offer(arg, trees.into_iter().chain(path_algorithms()).collect())
        }
        "algorithm" => offer(arg, path_algorithms().collect()),
        "position" => arg.value_hint(ValueHint::AnyPath),
        _ => arg,
    }
}

fn path_algorithms() -> impl Iterator<Item = &'static str> {
    maze::Algorithm::ALL.into_iter().map(|algorithm| algorithm.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn candidates(words: &[&str]) -> Vec<String> {
        let (last, path) = words.split_last().unwrap();
        let mut command = &with_names(crate::Cli::command());
        for word in path {
            command = command.find_subcommand(word).unwrap();
        }
        let arg = command.get_arguments().find(|arg| arg.get_id() == last).unwrap();
        arg.get_possible_values().iter().map(|value| value.get_name().to_string()).collect()
    }

    #[test]
    fn engines_rules_games_and_algorithms_are_offered() {
        for engine in ["tengen", "classic-ac", "classic-uct"] {
            assert!(candidates(&["match", "engine"]).contains(&engine.into()), "{engine}");
            assert!(candidates(&["analyze", "engine"]).contains(&engine.into()), "{engine}");
        }
        assert!(candidates(&["match", "rule"]).contains(&"renju".into()));
        assert_eq!(candidates(&["play", "game"]), ["gomoku", "hex"]);
        assert!(candidates(&["maze", "solve", "algorithm"]).contains(&"astar".into()));
    }

    #[test]
    fn files_stay_files() {
        let command = with_names(crate::Cli::command());
        let hint = |path: [&str; 2]| {
            let found = command.find_subcommand(path[0]).unwrap();
            found.get_arguments().find(|arg| arg.get_id() == path[1]).unwrap().get_value_hint()
        };
        assert_eq!(hint(["serve", "engines"]), ValueHint::AnyPath);
        assert_eq!(hint(["analyze", "position"]), ValueHint::AnyPath);
    }
}
