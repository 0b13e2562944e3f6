//! The solver's commands, by Benzene's names: who wins, and with which moves.

use super::{HtpFrontend, colour, over, words_of};
use game::{Limits, Proof, ProofResult, Side, Watch};
use std::time::Duration;

/// For a client that sets no time; the protocol has no way to interrupt.
const TIME: Duration = Duration::from_secs(10);

impl HtpFrontend {
    /// `dfpn-solve-state [colour]`: the colour that wins if this one (or the side to move) moves next, or
    /// `unknown` if the time does not suffice.
    pub(super) fn solve_state(&self, args: &[&str]) -> Result<String, String> {
        if let Some(winner) = self.board.position().outcome().and_then(|outcome| outcome.winner()) {
            return Ok(winner.to_string());
        }
        let (side, proof) = self.prove(args, "winner")?;
        Ok(match proof.result {
            ProofResult::Win => side.to_string(),
            ProofResult::Loss => side.other().to_string(),
            ProofResult::None | ProofResult::Unknown => "unknown".into(),
        })
    }

    /// `dfpn-solver-find-winning [colour]`: all moves that win. Where the time does not suffice for all, that
    /// is an error which names those found.
    pub(super) fn find_winning(&self, args: &[&str]) -> Result<String, String> {
        let (_, proof) = self.prove(args, "winning-moves")?;
        let moves = words_of(self.board.position(), proof.winning_moves.as_deref().unwrap_or_default());
        if proof.undecided.is_empty() && proof.result != ProofResult::Unknown {
            return Ok(moves);
        }
        let open = words_of(self.board.position(), &proof.undecided);
        Err(format!("the time ended; winning: {moves}; undecided: {open}"))
    }

    fn prove(&self, args: &[&str], question: &str) -> Result<(Side, Proof), String> {
        let side = match args {
            [] => self.board.position().to_move(),
            [word] => colour(word)?,
            _ => return Err("one colour at most, such as: dfpn-solve-state black".into()),
        };
        let position = self.board.as_seen_by(side).map_err(|error| error.to_string())?;
        if let Some(over) = over(&*position) {
            return Err(over);
        }
        let time = self.clocks[side.index()].turn.unwrap_or(TIME);
        let limits = Limits { move_time: Some(time), ..self.limits.clone() };
        match self.game.prove(&*position, question, &limits, &Watch::default()) {
            Some(proof) => Ok((side, proof)),
            None => Err(format!("there is no solver for {}", self.game.name())),
        }
    }
}
