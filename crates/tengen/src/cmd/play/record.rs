//! The game in words and files: how it ended, saving as SGF, loading anything the game reads.

use super::controller::Controller;
use crate::position;
use anyhow::Context;
use game::{Record, Seat, Setup};
use play::Termination;
use std::path::Path;

/// What became of a request to save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saved {
    /// It is on the disk.
    Written,
    /// Nothing was written: a file that is not this game's has that name.
    Exists,
}

impl Controller {
    /// Writes the game as SGF. A file of another game is replaced only on demand.
    pub(crate) fn save(&mut self, path: &Path, replace: bool) -> anyhow::Result<Saved> {
        if path.exists() && !replace && self.file.as_deref() != Some(path) {
            return Ok(Saved::Exists);
        }
        let sgf = self.settings.game.write_sgf(&self.record());
        crate::output::write_file(path, sgf.as_bytes())?;
        self.file = Some(path.to_path_buf());
        self.unsaved = false;
        Ok(Saved::Written)
    }

    /// Puts the game or position of a file on the board; `defaults` says what the file leaves open.
    pub(crate) fn load(&mut self, path: &Path, defaults: &Setup) -> anyhow::Result<()> {
        let text = position::read_file(path)?;
        let position =
            self.settings.game.parse(&text, defaults).with_context(|| path.display().to_string())?;
        self.start(position);
        self.file = Some(path.to_path_buf());
        Ok(())
    }

    /// Would leaving lose moves?
    pub(crate) fn has_unsaved_moves(&self) -> bool {
        self.unsaved && !self.session.plies().is_empty()
    }

    /// The game as it goes into files.
    pub(crate) fn record(&self) -> Record {
        let name = |seat| match self.name(seat) {
            "you" => "human".to_string(),
            name => name.to_string(),
        };
        let reason = self.verdict().unwrap_or_default();
        Record { reason, ..self.session.record([name(Seat::First), name(Seat::Second)]) }
    }

    /// How the game ended, in a sentence without its full stop.
    pub(crate) fn verdict(&self) -> Option<String> {
        let end = self.session.end()?;
        let Some((_, winner)) = end.winner else { return Some("draw: nobody can win any more".into()) };
        let loser = winner.other();
        Some(match end.termination {
            Termination::Five => format!("{winner} wins with five in a row"),
            Termination::Connection => format!("{winner} wins by joining both edges"),
            Termination::Forbidden => format!("{winner} wins: {loser} played a forbidden point"),
            Termination::Resign => format!("{winner} wins: {loser} resigned"),
            Termination::Timeout => format!("{winner} wins: {loser}'s time ran out"),
            other => format!("{winner} wins: {other}"),
        })
    }
}
