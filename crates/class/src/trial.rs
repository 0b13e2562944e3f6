//! Trial games: a student's last accepted version against the reference opponents, before it counts.
//!
//! The last games of each student are kept with their logs; they count for nothing.

use crate::config::ClassConfig;
use crate::entrants::{self, Participant};
use crate::submission;
use crate::{ClassError, read_json, write_json};
use arena::adjudication::Adjudication;
use arena::journal::Finished;
use arena::sandbox::Sandbox;
use arena::schedule::Task;
use arena::tournament::play_one;
use game::{Game, StopFlag};
use std::path::{Path, PathBuf};

/// Trial games of one student that are kept.
const KEPT: usize = 40;

/// Trial games that can be played now.
pub struct Trial<'a> {
    folder: &'a Path,
    config: &'a ClassConfig,
    student: Participant,
    references: Vec<String>,
}

impl<'a> Trial<'a> {
    /// The last accepted version of a student, against one reference opponent or all of them.
    pub fn new(
        folder: &'a Path,
        config: &'a ClassConfig,
        student: &str,
        against: Option<&str>,
    ) -> Result<Trial<'a>, ClassError> {
        let versions = submission::versions(folder, student)?;
        let Some(last) = versions.iter().rev().find(|version| version.verdict.accepted) else {
            return Err(ClassError::NothingToTry(student.into()));
        };
        let wanted = |name: &&String| against.is_none_or(|against| against == *name);
        let references: Vec<String> = config.references.iter().filter(wanted).cloned().collect();
        if references.is_empty() {
            let known = config.references.join(", ");
            return Err(ClassError::refused(format!("no such reference opponent; there are: {known}")));
        }
        let student = Participant { name: student.into(), version: Some(last.version) };
        Ok(Trial { folder, config, student, references })
    }

    /// The version that plays.
    pub fn version(&self) -> Option<u32> {
        self.student.version
    }

    /// Plays two games against each opponent, until `stop` is raised. A game is kept before `watch` hears of it.
    pub fn play(
        &self,
        game: &'static dyn Game,
        sandbox: &Sandbox,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&Finished),
    ) -> Result<(), ClassError> {
        let make = |who: &Participant| entrants::entrant(self.folder, self.config, game, sandbox, who);
        let own = make(&self.student)?;
        let opening =
            game.position(&self.config.setup()).map_err(|error| ClassError::refused(error.to_string()))?;
        for name in &self.references {
            let other = make(&Participant { name: name.clone(), version: None })?;
            for (pair, first) in [([&own, &other], 0), ([&other, &own], 1)] {
                let Some(played) = play_one(game, &*opening, pair, Adjudication::default(), stop) else {
                    return Ok(());
                };
                let mut kept = games(self.folder, &self.student.name)?;
                let id = kept.last().map_or(0, |last| last.task.id) + 1;
                let task = Task { id, round: 0, first, second: 1 - first, opening: 0 };
                let finished = Finished::new(task, pair.map(|entrant| entrant.name.clone()), &played);
                kept.push(finished.clone());
                kept.drain(..kept.len().saturating_sub(KEPT));
                let path = path(self.folder, &self.student.name);
                if let Some(place) = path.parent() {
                    std::fs::create_dir_all(place).map_err(ClassError::io(place))?;
                }
                write_json(&path, &kept)?;
                watch(&finished);
            }
        }
        Ok(())
    }
}

/// The trial games of a student that are kept, oldest first.
pub fn games(folder: &Path, student: &str) -> Result<Vec<Finished>, ClassError> {
    let path = path(folder, student);
    if path.exists() { read_json(&path) } else { Ok(Vec::new()) }
}

fn path(folder: &Path, student: &str) -> PathBuf {
    folder.join("trials").join(format!("{student}.json"))
}
