//! The game in words and files: its result, saving as SGF, loading anything the game reads.

use super::session::{Ending, Session};
use crate::position;
use anyhow::Context;
use game::{EndReason, Outcome, Record, Seat, Setup};
use std::path::Path;

/// What became of a request to save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saved {
    /// It is on the disk.
    Written,
    /// Nothing was written: a file that is not this game's has that name.
    Exists,
}

impl Session {
    /// Writes the game as SGF. A file of another game is replaced only on demand.
    pub(crate) fn save(&mut self, path: &Path, replace: bool) -> anyhow::Result<Saved> {
        if path.exists() && !replace && self.file.as_deref() != Some(path) {
            return Ok(Saved::Exists);
        }
        let sgf = self.table.game.write_sgf(&self.record());
        std::fs::write(path, sgf).with_context(|| path.display().to_string())?;
        self.file = Some(path.to_path_buf());
        self.unsaved = false;
        Ok(Saved::Written)
    }

    /// Puts the game or position of a file on the table; `defaults` says what the file leaves open.
    pub(crate) fn load(&mut self, path: &Path, defaults: &Setup) -> anyhow::Result<()> {
        let text = position::read_file(path)?;
        let position = self.table.game.parse(&text, defaults).with_context(|| path.display().to_string())?;
        self.sit_down(position);
        self.file = Some(path.to_path_buf());
        Ok(())
    }

    /// Would leaving lose moves?
    pub(crate) fn has_unsaved_moves(&self) -> bool {
        self.unsaved && !self.played.is_empty()
    }

    /// The game as it goes into files.
    pub(crate) fn record(&self) -> Record {
        let name = |seat| match self.name(seat) {
            "you" => "human".to_string(),
            name => name.to_string(),
        };
        let notes = self.played.iter().map(|played| played.note.clone());
        Record {
            setup: self.table.game.setup_of(&*self.position),
            moves: self.position.history().iter().copied().zip(notes).collect(),
            first: name(Seat::First),
            second: name(Seat::Second),
            result: self.result(),
            reason: self.verdict().unwrap_or_default(),
            date: today(),
        }
    }

    /// How the game ended, in a sentence without its full stop.
    pub(crate) fn verdict(&self) -> Option<String> {
        Some(match (self.ended(), self.position.outcome()) {
            (Some(Ending::Resigned(seat)), _) => {
                let loser = self.position.colour_of(seat);
                format!("{} wins: {loser} resigned", loser.other())
            }
            (Some(Ending::OutOfTime(seat)), _) => {
                let loser = self.position.colour_of(seat);
                format!("{} wins: {loser}'s time ran out", loser.other())
            }
            (None, Some(Outcome::Win { side, reason, .. })) => match reason {
                EndReason::Five => format!("{side} wins with five in a row"),
                EndReason::Connection => format!("{side} wins by joining both edges"),
                EndReason::Forbidden => format!("{side} wins: {} played a forbidden point", side.other()),
            },
            (None, Some(Outcome::Draw)) => "draw: nobody can win any more".into(),
            (None, None) => return None,
        })
    }

    /// The result in SGF form.
    fn result(&self) -> String {
        if !self.is_over() {
            return "?".into();
        }
        let Some(winner) = self.winner() else { return "0".into() };
        let letter = ["B", "W"][winner.index()];
        let how = match self.ended() {
            Some(Ending::Resigned(_)) => "Resign",
            Some(Ending::OutOfTime(_)) => "Time",
            None => "",
        };
        format!("{letter}+{how}")
    }
}

/// Today's date (UTC) as `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = civil(now.as_secs() / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The Gregorian date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date
/// algorithms"): years begin in March, so that the leap day comes last.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_454), (2026, 1, 1));
    }
}
