//! Gomoku's puzzles.

use super::play::{Guide, Ruling};
use super::{MakeArgs, Progress, PuzzleCommands};
use crate::usage::{Usage, usage};
use game::{Move, Position, Puzzle, StopFlag};
use gomoku::{Rule, puzzle};

pub(super) const COMMANDS: PuzzleCommands = PuzzleCommands {
    game: "gomoku",
    make,
    check: |puzzle| Ok(puzzle::check(puzzle)?),
    guide: |puzzle| Box::new(puzzle::Guide::new(puzzle)),
};

fn make(args: &MakeArgs, stop: &StopFlag, progress: &mut Progress) -> anyhow::Result<Vec<Puzzle>> {
    let rules: Result<Vec<Rule>, String> = args.rule.iter().map(|rule| rule.parse()).collect();
    let size = args.size.unwrap_or(15);
    if !(Rule::MIN_SIZE..=Rule::MAX_SIZE).contains(&size) {
        usage!("size {size}; accepted: {} to {}", Rule::MIN_SIZE, Rule::MAX_SIZE);
    }
    let recipe = puzzle::Recipe {
        count: args.count as usize,
        rules: rules.map_err(Usage)?,
        size,
        seed: args.seed,
        games: args.games,
        threads: usize::from(args.threads),
    };
    let mut found = 0;
    Ok(puzzle::make(&recipe, stop, &mut |puzzle, games| {
        found += 1;
        let Puzzle { goal, plies, grade, .. } = puzzle;
        progress(&format!(
            "{found} of {} after {games} games: {goal}, {plies} plies, grade {grade}",
            args.count
        ));
    }))
}

impl Guide for puzzle::Guide {
    fn rule(&mut self, position: &dyn Position) -> Ruling {
        match position.downcast().map(|position| puzzle::Guide::rule(self, position)) {
            Some(puzzle::Ruling::Solved) => Ruling::Solved,
            Some(puzzle::Ruling::Winning(reply)) => Ruling::GoOn(reply),
            Some(puzzle::Ruling::Unclear) => Ruling::Unclear,
            Some(puzzle::Ruling::Lost) | None => Ruling::Lost,
        }
    }

    fn line(&mut self, position: &dyn Position) -> Option<Vec<Move>> {
        position.downcast().and_then(|position| puzzle::Guide::line(self, position))
    }
}
