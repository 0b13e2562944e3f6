//! How a game ends: why, who won, and the same as SGF writes it.

use game::{EndReason, Outcome, Position, Seat, Side};
use serde::{Deserialize, Serialize};

/// Why a game ended. The words are on disk, in journals and in the API, and stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// A row of five.
    Five,
    /// A chain from edge to edge.
    Connection,
    /// The loser played a forbidden point.
    Forbidden,
    /// The rules call it a draw.
    Draw,
    /// The loser resigned.
    Resign,
    /// The loser overstepped its time.
    Timeout,
    /// The loser did not answer where no clock ran.
    Silence,
    /// The loser's process ended or its engine panicked.
    Crash,
    /// The loser closed its pipe.
    ClosedPipe,
    /// The loser printed without end.
    Flood,
    /// The loser's answer was no move.
    Syntax,
    /// The loser played on a stone.
    Occupied,
    /// The loser's move is against the rules.
    Illegal,
    /// The loser said that it cannot go on.
    Refused,
    /// The loser could not be started.
    NoStart,
    /// The scores decided.
    AdjudicatedWin,
    /// The scores were even for long.
    AdjudicatedDraw,
    /// The limit on the number of moves was reached.
    MoveLimit,
    /// The players agreed on a draw.
    Agreement,
    /// Stopped without a result.
    Aborted,
    /// The loser is an engine that gave no legal move.
    EngineFailed,
}

search::named!(
    Termination, "end of a game":
    Five = "five", Connection = "connection", Forbidden = "forbidden", Draw = "draw", Resign = "resign",
    Timeout = "timeout", Silence = "silence", Crash = "crash", ClosedPipe = "closed-pipe",
    Flood = "flood", Syntax = "syntax", Occupied = "occupied", Illegal = "illegal", Refused = "refused",
    NoStart = "no-start", AdjudicatedWin = "adjudicated-win", AdjudicatedDraw = "adjudicated-draw",
    MoveLimit = "move-limit", Agreement = "agreement", Aborted = "aborted",
    EngineFailed = "engine-failed",
);

impl Termination {
    /// Did the loser misbehave, so that its process is not to be trusted with another game?
    pub const fn is_fault(self) -> bool {
        use Termination::*;
        matches!(
            self,
            Timeout
                | Silence
                | Crash
                | ClosedPipe
                | Flood
                | Syntax
                | Occupied
                | Illegal
                | Refused
                | NoStart
                | EngineFailed
        )
    }

    /// The result as SGF's `RE` has it: `B+`, `W+Time`, `0` for a draw, `Void` without a result.
    pub fn sgf_result(self, winner: Option<Side>) -> String {
        let Some(side) = winner else {
            return if self == Termination::Aborted { "Void" } else { "0" }.into();
        };
        let how = match self {
            Termination::Timeout | Termination::Silence => "Time",
            Termination::Resign | Termination::AdjudicatedWin => "Resign",
            fault if fault.is_fault() => "Forfeit",
            _ => "",
        };
        format!("{}+{how}", ["B", "W"][side.index()])
    }
}

impl From<&Outcome> for Termination {
    fn from(outcome: &Outcome) -> Termination {
        match outcome {
            Outcome::Draw => Termination::Draw,
            Outcome::Win { reason: EndReason::Five, .. } => Termination::Five,
            Outcome::Win { reason: EndReason::Forbidden, .. } => Termination::Forbidden,
            Outcome::Win { reason: EndReason::Connection, .. } => Termination::Connection,
        }
    }
}

/// The result that the rules give a finished position, as SGF's `RE` has it.
pub fn sgf_result(outcome: &Outcome) -> String {
    Termination::from(outcome).sgf_result(outcome.winner())
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The player of the first seat.
    First,
    /// The player of the second seat.
    Second,
    /// Nobody.
    Draw,
    /// The game was stopped and does not count.
    None,
}

search::named!(GameResult, "result": First = "first", Second = "second", Draw = "draw", None = "none");

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The winner and the colour they held; `None` without one.
    pub winner: Option<(Seat, Side)>,
    /// Why it ended.
    pub termination: Termination,
}

impl End {
    /// The end that the rules give a position; `None` while it goes on.
    pub(crate) fn by_rules(position: &dyn Position) -> Option<End> {
        let outcome = position.outcome()?;
        let seat_of = |side| match position.colour_of(Seat::First) == side {
            true => Seat::First,
            false => Seat::Second,
        };
        let winner = outcome.winner().map(|side| (seat_of(side), side));
        Some(End { winner, termination: Termination::from(&outcome) })
    }

    /// A player lost.
    pub(crate) fn lost_by(position: &dyn Position, loser: Seat, termination: Termination) -> End {
        let winner = loser.other();
        End { winner: Some((winner, position.colour_of(winner))), termination }
    }

    /// Nobody won.
    pub(crate) fn without_winner(termination: Termination) -> End {
        End { winner: None, termination }
    }

    /// Who won.
    pub fn result(&self) -> GameResult {
        match self.winner {
            Some((Seat::First, _)) => GameResult::First,
            Some((Seat::Second, _)) => GameResult::Second,
            None if self.termination == Termination::Aborted => GameResult::None,
            None => GameResult::Draw,
        }
    }

    /// The result as SGF's `RE` has it.
    pub fn sgf_result(&self) -> String {
        self.termination.sgf_result(self.winner.map(|(_, side)| side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Termination::*;

    #[test]
    fn every_word_is_written_and_read() {
        for termination in Termination::ALL {
            let word = format!("\"{}\"", termination.name());
            assert_eq!(serde_json::to_string(&termination).unwrap(), word);
            assert_eq!(serde_json::from_str::<Termination>(&word).unwrap(), termination);
        }
        for result in GameResult::ALL {
            assert_eq!(serde_json::to_string(&result).unwrap(), format!("\"{}\"", result.name()));
        }
    }

    #[test]
    fn sgf_results() {
        for (termination, winner, text) in [
            (Five, Some(Side::Black), "B+"),
            (Connection, Some(Side::White), "W+"),
            (Resign, Some(Side::White), "W+Resign"),
            (AdjudicatedWin, Some(Side::Black), "B+Resign"),
            (Timeout, Some(Side::Black), "B+Time"),
            (Silence, Some(Side::White), "W+Time"),
            (EngineFailed, Some(Side::White), "W+Forfeit"),
            (Illegal, Some(Side::Black), "B+Forfeit"),
            (Agreement, None, "0"),
            (MoveLimit, None, "0"),
            (Aborted, None, "Void"),
        ] {
            assert_eq!(termination.sgf_result(winner), text, "{termination}");
        }
    }

    #[test]
    fn sgf_results_of_the_rules() {
        let won = |side, reason| Outcome::Win { side, reason, cells: Vec::new() };
        for (outcome, text) in [
            (won(Side::Black, EndReason::Five), "B+"),
            (won(Side::White, EndReason::Connection), "W+"),
            (won(Side::White, EndReason::Forbidden), "W+"),
            (Outcome::Draw, "0"),
        ] {
            assert_eq!(super::sgf_result(&outcome), text, "{outcome:?}");
        }
    }
}
