//! Hex's puzzles.

use super::play::{Guide, Ruling};
use super::{Kit, MakeArgs, News};
use game::{Game, Limits, Move, Position, ProofResult, Puzzle, Side, StopFlag};
use hex::{HEX, puzzle};
use std::time::Duration;

pub(super) const KIT: Kit = Kit {
    game: "hex",
    make,
    check: |puzzle| puzzle::check(puzzle).map_err(anyhow::Error::msg),
    guide: |puzzle| Box::new(Prover { side: puzzle.side }),
};

fn make(args: &MakeArgs, _stop: &StopFlag, news: &mut News) -> anyhow::Result<Vec<Puzzle>> {
    if !args.rule.is_empty() || args.size.is_some() {
        anyhow::bail!("hex takes no --rule and chooses sizes itself; accepted: --count, --seed, --out");
    }
    let count = args.count as usize;
    Ok(puzzle::make(count, args.seed, &mut |found| news(&format!("{found} of {count}"))))
}

/// Asks the solver at every move.
struct Prover {
    side: Side,
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
        match HEX.defend(position, WINNER, &Limits::time(PATIENCE), &StopFlag::new()) {
            Some(defence) if defence.holds != Some(true) => {
                let reply = defence.replies.first().copied();
                Ruling::GoOn(reply.or_else(|| position.legal_moves().first().copied()))
            }
            Some(_) | None => Ruling::Lost,
        }
    }

    fn line(&mut self, position: &dyn Position) -> Option<Vec<Move>> {
        let proof = HEX.prove(position, WINNER, &Limits::time(PATIENCE), &StopFlag::new())?;
        (proof.result == ProofResult::Win).then_some(proof.line)
    }
}
