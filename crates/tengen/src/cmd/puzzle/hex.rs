//! Hex's puzzles.

use super::play::{Guide, Ruling};
use super::{MakeArgs, Progress, PuzzleCommands};
use crate::fleet::{PieceRun, Piecework, in_order};
use crate::usage::usage;
use anyhow::Context;
use fleet::executor::Work;
use game::{Game, Limits, Move, Position, ProofResult, Puzzle, Side, StopFlag, Watch};
use hex::puzzle::{Collection, Judged};
use hex::{HEX, puzzle};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(super) const COMMANDS: PuzzleCommands = PuzzleCommands {
    game: "hex",
    make,
    check: |puzzle| puzzle::check(puzzle).map_err(anyhow::Error::msg),
    guide: |puzzle| Box::new(Prover { side: puzzle.side, patience: PATIENCE }),
};

fn make(args: &MakeArgs, stop: &StopFlag, progress: &mut Progress) -> anyhow::Result<Vec<Puzzle>> {
    if !args.rule.is_empty() || args.size.is_some() {
        usage!("hex takes no --rule and chooses sizes itself; accepted: --count, --seed, --out");
    }
    let count = args.count as usize;
    let mut tell = |found: usize| progress(&format!("{found} of {count}"));
    let Some(url) = &args.fleet.url else { return Ok(puzzle::make(count, args.seed, stop, &mut tell)) };
    let job = HexPuzzles { seed: args.seed };
    let run = PieceRun::open(url, format!("puzzle make hex, seed {}", args.seed), &job)?;
    let begin = || Collection::new(count);
    let collection =
        in_order(run, puzzle::most_games(count), stop, begin, |collection, game, judged: &Vec<Judged>| {
            if collection.take(args.seed, game, judged, stop) {
                tell(collection.len());
            }
            !collection.is_full()
        })?;
    Ok(collection.into_puzzles())
}

/// The games that puzzles are looked for in, as work for a fleet.
#[derive(Serialize, Deserialize)]
pub(crate) struct HexPuzzles {
    seed: u64,
}

impl Piecework for HexPuzzles {
    const KIND: &'static str = "hex-puzzles";
    const MOST_PIECES: usize = 64;
    /// The number of a game.
    type Piece = u64;
    type Found = Vec<Judged>;
    type Tools = ();

    fn tools(&self, _: &Work) -> anyhow::Result<()> {
        Ok(())
    }

    fn compute(&self, (): &mut (), game: &u64, stop: &StopFlag) -> anyhow::Result<Vec<Judged>> {
        puzzle::judge_game(self.seed, *game, stop).context("stopped")
    }
}

/// Asks the solver at every move.
struct Prover {
    side: Side,
    patience: Duration,
}

/// The question whose answer is who wins.
const WINNER: &str = "winner";
/// Time for an answer: a person waits for it.
const PATIENCE: Duration = Duration::from_secs(5);

impl Guide for Prover {
    fn rule(&mut self, position: &dyn Position) -> Ruling {
        if let Some(outcome) = position.outcome() {
            return if outcome.winner() == Some(self.side) { Ruling::Solved } else { Ruling::Lost };
        }
        let defence = HEX.defend(position, WINNER, &Limits::time(self.patience), &Watch::default());
        match defence.map(|defence| (defence.holds, defence.replies)) {
            Some((Some(false), replies)) => {
                let reply = replies.first().copied();
                Ruling::GoOn(reply.or_else(|| position.legal_moves().first().copied()))
            }
            Some((Some(true), _)) => Ruling::Lost,
            Some((None, _)) | None => Ruling::Unclear,
        }
    }

    fn line(&mut self, position: &dyn Position) -> Option<Vec<Move>> {
        let proof = HEX.prove(position, WINNER, &Limits::time(self.patience), &Watch::default())?;
        (proof.result == ProofResult::Win).then_some(proof.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Setup;

    fn ruling(moves: &str, size: u8, patience: Duration) -> Ruling {
        let position = HEX.parse(moves, &Setup::empty(size, size)).unwrap();
        Prover { side: Side::Black, patience }.rule(&*position)
    }

    #[test]
    fn only_a_proved_win_is_good() {
        let enough = Duration::from_secs(60);
        assert!(matches!(ruling("b2", 3, enough), Ruling::GoOn(Some(_))));
        assert!(matches!(ruling("a1", 4, enough), Ruling::Lost));
        // Nothing is proved about an empty 11x11 board in no time.
        assert!(matches!(ruling("f6", 11, Duration::ZERO), Ruling::Unclear));
    }
}
