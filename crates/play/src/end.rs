//! How a game ends: why, who won, and the same as SGF writes it.

use game::{EndReason, Outcome, Position, Seat, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

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

impl Termination {
    /// The word used in files, tables and the API.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Five => "five",
            Termination::Connection => "connection",
            Termination::Forbidden => "forbidden",
            Termination::Draw => "draw",
            Termination::Resign => "resign",
            Termination::Timeout => "timeout",
            Termination::Silence => "silence",
            Termination::Crash => "crash",
            Termination::ClosedPipe => "closed-pipe",
            Termination::Flood => "flood",
            Termination::Syntax => "syntax",
            Termination::Occupied => "occupied",
            Termination::Illegal => "illegal",
            Termination::Refused => "refused",
            Termination::NoStart => "no-start",
            Termination::AdjudicatedWin => "adjudicated-win",
            Termination::AdjudicatedDraw => "adjudicated-draw",
            Termination::MoveLimit => "move-limit",
            Termination::Agreement => "agreement",
            Termination::Aborted => "aborted",
            Termination::EngineFailed => "engine-failed",
        }
    }

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

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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

impl GameResult {
    /// The word used on disk and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::First => "first",
            GameResult::Second => "second",
            GameResult::Draw => "draw",
            GameResult::None => "none",
        }
    }
}

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

    const ALL: [Termination; 21] = [
        Five,
        Connection,
        Forbidden,
        Draw,
        Resign,
        Timeout,
        Silence,
        Crash,
        ClosedPipe,
        Flood,
        Syntax,
        Occupied,
        Illegal,
        Refused,
        NoStart,
        AdjudicatedWin,
        AdjudicatedDraw,
        MoveLimit,
        Agreement,
        Aborted,
        EngineFailed,
    ];

    #[test]
    fn every_word_is_written_and_read() {
        for termination in ALL {
            let word = format!("\"{}\"", termination.name());
            assert_eq!(serde_json::to_string(&termination).unwrap(), word);
            assert_eq!(serde_json::from_str::<Termination>(&word).unwrap(), termination);
        }
        for result in [GameResult::First, GameResult::Second, GameResult::Draw, GameResult::None] {
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
