//! The standing ladder: while the class works, programs keep meeting and are rated.
//!
//! Every version is a player of its own; only those that count now are paired, as [`arena::pairing`] does it.

use crate::config::ClassConfig;
use crate::entrants::{self, Participant};
use crate::{ClassError, read_json, write_json};
use arena::adjudication::Adjudication;
use arena::journal::{Finished, JOURNAL_FORMAT, Journal, Score, read_games};
use arena::openings::Openings;
use arena::pairing::next_pair;
use arena::sandbox::Sandbox;
use arena::schedule::Task;
use arena::tournament::play_one;
use game::{Game, StopFlag};
use serde_json::json;
use std::path::{Path, PathBuf};

/// A ladder that is being played.
pub struct Ladder {
    place: PathBuf,
    journal: Journal,
    players: Vec<Participant>,
    scores: Vec<Score>,
}

impl Ladder {
    /// Opens the ladder of a class.
    pub fn open(folder: &Path, config: &ClassConfig, game: &dyn Game) -> Result<Ladder, ClassError> {
        let place = ladder_folder(folder);
        std::fs::create_dir_all(&place).map_err(ClassError::io(&place))?;
        let settings = json!({
            "tengen": "ladder", "version": JOURNAL_FORMAT, "game": game.name(), "setup": config.setup(),
        });
        let journal = Journal::open(&place.join("games.jsonl"), &settings, true)?;
        let scores = journal.scores().values().copied().collect();
        Ok(Ladder { players: players(folder)?, place, journal, scores })
    }

    /// Plays one game between two programs that count now; `None` if `stop` was raised or nobody can play.
    pub fn step(
        &mut self,
        folder: &Path,
        config: &ClassConfig,
        game: &'static dyn Game,
        sandbox: &Sandbox,
        stop: &StopFlag,
    ) -> Result<Option<Finished>, ClassError> {
        let active = self.enrol(entrants::participants(folder, config)?)?;
        let number = self.scores.iter().map(|score| score.id + 1).max().unwrap_or(0);
        let pair = next_pair(self.players.len(), &active, &self.scores, config.seed, number);
        let Some((first, second)) = pair else { return Ok(None) };
        let opening_number = number as usize / 2;
        let openings = Openings::random(game, &config.setup(), config.opening_stones, config.seed, None)
            .map_err(|error| ClassError::refused(error.to_string()))?;
        let make = |player: usize| entrants::entrant(folder, config, game, sandbox, &self.players[player]);
        let (one, two) = (make(first)?, make(second)?);
        let opening = openings.get(opening_number);
        let Some(played) = play_one(game, &*opening, [&one, &two], Adjudication::default(), stop) else {
            return Ok(None);
        };
        let task = Task { id: number, round: 0, first, second, opening: opening_number };
        let finished = Finished::new(task, [one.name, two.name], &played);
        self.journal.append(&finished)?;
        self.journal.sync()?;
        self.scores.push(finished.score());
        Ok(Some(finished))
    }

    /// Gives numbers to programs that are new; the numbers of all that count now.
    fn enrol(&mut self, now: Vec<Participant>) -> Result<Vec<usize>, ClassError> {
        let known = self.players.len();
        let mut active = Vec::new();
        for participant in now {
            let at = self.players.iter().position(|player| *player == participant);
            active.push(at.unwrap_or_else(|| {
                self.players.push(participant);
                self.players.len() - 1
            }));
        }
        if self.players.len() > known {
            write_json(&self.place.join("players.json"), &self.players)?;
        }
        Ok(active)
    }
}

/// Has a ladder been played?
pub fn exists(folder: &Path) -> bool {
    ladder_folder(folder).join("players.json").exists()
}

/// The players of a ladder and its finished games.
pub fn state(folder: &Path) -> Result<(Vec<Participant>, Vec<Finished>), ClassError> {
    let path = ladder_folder(folder).join("games.jsonl");
    let games = if path.exists() { read_games(&path)?.collect() } else { Vec::new() };
    Ok((players(folder)?, games))
}

fn players(folder: &Path) -> Result<Vec<Participant>, ClassError> {
    let path = ladder_folder(folder).join("players.json");
    if path.exists() { read_json(&path) } else { Ok(Vec::new()) }
}

fn ladder_folder(folder: &Path) -> PathBuf {
    folder.join("ladder")
}
