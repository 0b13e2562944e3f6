//! A round: a tournament of everybody's programs, kept in a journal so that it can be stopped and gone on with.
//!
//! Who takes part with which version is written down when the round is made. What is handed in later plays in the
//! next one, and the same round again has the same games.

use crate::config::ClassConfig;
use crate::entrants::{self, Participant};
use crate::{ClassError, is_plain_name, read_json, write_json};
use arena::adjudication::Adjudication;
use arena::journal::{Finished, JOURNAL_FORMAT, Journal, read_games};
use arena::openings::Openings;
use arena::process;
use arena::sandbox::Sandbox;
use arena::schedule::{Format, Schedule};
use arena::tournament::{self, Results, Tournament};
use game::{Game, StopFlag};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The name by which the standing ladder is asked for; no round can have it.
pub const LADDER: &str = "ladder";

/// Who plays whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Its name, used as a folder's.
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// Games of each pairing.
    pub games: u32,
    /// The players, in the order of the journal's numbers.
    pub participants: Vec<Participant>,
    /// Seed of openings and searches.
    pub seed: u64,
}

impl Round {
    /// Finds a round, or makes it of everybody who can play now.
    pub fn open(
        folder: &Path,
        config: &ClassConfig,
        name: &str,
        format: Option<Format>,
        games: Option<u32>,
    ) -> Result<Round, ClassError> {
        if !is_plain_name(name, 40) || name == LADDER {
            return Err(ClassError::refused(format!(
                "'{}' is not a name for a round; accepted: 1 to 40 letters, digits, - and _, except {LADDER}",
                name.chars().take(60).collect::<String>().escape_debug()
            )));
        }
        let path = round_folder(folder, name).join("round.json");
        if path.exists() {
            let round: Round = read_json(&path)?;
            if format.is_some_and(|format| format != round.format)
                || games.is_some_and(|games| games != round.games)
            {
                return Err(ClassError::OtherRound(name.into()));
            }
            return Ok(round);
        }
        let participants = entrants::participants(folder, config)?;
        if participants.len() < 2 {
            return Err(ClassError::TooFew);
        }
        let round = Round {
            name: name.into(),
            format: format.unwrap_or(Format::RoundRobin),
            games: games.unwrap_or(2),
            participants,
            seed: config.seed,
        };
        std::fs::create_dir_all(round_folder(folder, name)).map_err(ClassError::io(&path))?;
        write_json(&path, &round)?;
        Ok(round)
    }

    /// Reads a round that exists.
    pub fn read(folder: &Path, name: &str) -> Result<Round, ClassError> {
        let path = round_folder(folder, name).join("round.json");
        // Only what a folder can be called: a name never leads elsewhere.
        if names(folder).iter().any(|known| known == name) {
            read_json(&path)
        } else {
            Err(ClassError::refused(format!(
                "there is no round '{name}'; there are: {}",
                names(folder).join(", ")
            )))
        }
    }

    /// All games of a format without surprises; a knockout and a Swiss tournament have more as they go on.
    pub fn games_planned(&self) -> usize {
        self.schedule(1).tasks(&Results::new()).len()
    }

    /// Are these all games of the round?
    pub fn is_over(&self, games: &[Finished]) -> bool {
        let results: Results = games.iter().map(|game| (game.task.id, game.score())).collect();
        !games.is_empty()
            && self.schedule(1).tasks(&results).iter().all(|task| results.contains_key(&task.id))
    }

    fn schedule(&self, openings: usize) -> Schedule {
        Schedule { format: self.format, players: self.participants.len(), games: self.games, openings }
    }

    /// Plays what is left of the round until it is over, `stop` is raised or [`pause`] is called, which raises it. Every finished game is on disk before
    /// `watch` hears of it.
    pub fn play(
        &self,
        folder: &Path,
        config: &ClassConfig,
        game: &'static dyn Game,
        sandbox: &Sandbox,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&Finished, &Results),
    ) -> Result<Results, ClassError> {
        let setup = config.setup();
        let openings = Openings::random(game, &setup, config.opening_stones, self.seed, None)
            .map_err(|error| ClassError::refused(error.to_string()))?;
        let entrants = self
            .participants
            .iter()
            .map(|participant| entrants::entrant(folder, config, game, sandbox, participant))
            .collect::<Result<Vec<_>, _>>()?;
        let settings = json!({
            "tengen": "class", "version": JOURNAL_FORMAT, "game": game.name(), "setup": setup, "format": self.format,
            "games": self.games, "participants": self.participants, "seed": self.seed,
            "openings": openings.describe(), "seconds_per_move": config.seconds_per_move,
            "reference_nodes": config.reference_nodes, "limits": config.limits,
        });
        let place = round_folder(folder, &self.name);
        let mut journal = Journal::open(&place.join("games.jsonl"), &settings, true)?;
        if let Err(error) = process::adopt_orphans() {
            return Err(ClassError::Io { path: place, error });
        }
        let pause = pause_file(folder);
        match std::fs::remove_file(&pause) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ClassError::Io { path: pause, error });
            }
            _ => {}
        }
        let mut watch = |game: &Finished, results: &Results| {
            if pause.exists() {
                stop.stop();
            }
            watch(game, results);
        };
        let tournament = Tournament {
            game,
            entrants,
            schedule: self.schedule(openings.count()),
            openings,
            adjudication: Adjudication::default(),
            concurrency: config.concurrency,
            pin: config.concurrency > 1,
            seed: self.seed,
            sprt: None,
            allow_repeats: true,
        };
        Ok(tournament::run(&tournament, Some(&mut journal), stop, &mut watch)?)
    }

    /// The finished games.
    pub fn finished(&self, folder: &Path) -> Result<Vec<Finished>, ClassError> {
        let path = round_folder(folder, &self.name).join("games.jsonl");
        if path.exists() { Ok(read_games(&path)?.collect()) } else { Ok(Vec::new()) }
    }
}

/// Stops the round that is being played, whichever process plays it, when its next game ends.
pub fn pause(folder: &Path) -> Result<(), ClassError> {
    crate::write_whole(&pause_file(folder), b"")
}

fn pause_file(folder: &Path) -> PathBuf {
    folder.join("pause")
}

/// Names of the rounds of a class, the oldest first.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("rounds")).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        .filter(|entry| entry.path().join("round.json").exists())
        .map(|entry| {
            let made = entry.path().join("round.json").metadata().and_then(|meta| meta.modified()).ok();
            (made, entry.file_name().to_string_lossy().into_owned())
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

/// Where a round is kept.
pub fn round_folder(folder: &Path, name: &str) -> PathBuf {
    folder.join("rounds").join(name)
}
