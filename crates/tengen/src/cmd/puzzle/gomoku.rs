//! Gomoku's puzzles.

use super::play::{Guide, Ruling};
use super::{MakeArgs, Progress, PuzzleCommands};
use crate::fleet::{PieceRun, Piecework, in_order};
use crate::usage::{Usage, usage};
use anyhow::ensure;
use fleet::executor::Work;
use game::{Move, Position, Puzzle, StopFlag};
use gomoku::puzzle::{Collection, Found};
use gomoku::{Rule, puzzle};
use serde::{Deserialize, Serialize};

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
    let mut tell = |puzzle: &Puzzle, found: usize, games: u64| {
        let Puzzle { goal, plies, grade, .. } = puzzle;
        progress(&format!(
            "{found} of {} after {games} games: {goal}, {plies} plies, grade {grade}",
            args.count
        ));
    };
    let Some(url) = &args.fleet.url else {
        let mut found = 0;
        return Ok(puzzle::make(&recipe, stop, &mut |puzzle, games| {
            found += 1;
            tell(puzzle, found, games);
        }));
    };
    let rules = recipe.rules.iter().map(|rule| rule.name().to_string()).collect();
    let job = GomokuPuzzles { rules, size, seed: args.seed };
    let run = PieceRun::open(url, format!("puzzle make gomoku, seed {}", args.seed), &job)?;
    let begin = || Collection::new(recipe.count);
    let collection = in_order(run, recipe.games, stop, begin, |collection, game, found: &Option<Found>| {
        let taken = found.as_ref().and_then(|found| collection.offer(found)).cloned();
        if let Some(puzzle) = taken {
            tell(&puzzle, collection.len(), game + 1);
        }
        !collection.is_full()
    })?;
    Ok(collection.into_puzzles())
}

/// The games that puzzles are looked for in, as work for a fleet.
#[derive(Serialize, Deserialize)]
pub(crate) struct GomokuPuzzles {
    rules: Vec<String>,
    size: u8,
    seed: u64,
}

impl Piecework for GomokuPuzzles {
    const KIND: &'static str = "gomoku-puzzles";
    const MOST_PIECES: usize = 64;
    /// The number of a game.
    type Piece = u64;
    type Found = Option<Found>;
    type Tools = (puzzle::Recipe, puzzle::Finder);

    fn tools(&self, _: &Work) -> anyhow::Result<Self::Tools> {
        let rules: Result<Vec<Rule>, String> = self.rules.iter().map(|rule| rule.parse()).collect();
        let rules = rules.map_err(anyhow::Error::msg)?;
        let (size, seed) = (self.size, self.seed);
        ensure!((Rule::MIN_SIZE..=Rule::MAX_SIZE).contains(&size), "size {size}");
        let recipe = puzzle::Recipe { count: 0, rules, size, seed, games: 0, threads: 1 };
        Ok((recipe, puzzle::Finder::new()))
    }

    fn compute(
        &self,
        (recipe, finder): &mut Self::Tools,
        game: &u64,
        stop: &StopFlag,
    ) -> anyhow::Result<Option<Found>> {
        Ok(finder.find(recipe, *game, &|_| true, stop))
    }
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
