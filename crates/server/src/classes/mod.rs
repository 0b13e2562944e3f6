//! Classes that students and teachers reach over the network: what they hand in, their rounds and their ladder.
//!
//! A class is a folder and everything about it is done by the `class` crate. This module finds the folders, makes new ones
//! for whoever has the key for it, lets only
//! so many programs be checked at a time, plays rounds on threads of their own ([`rounds`]) and remembers games that were
//! read lately ([`journals`]).

mod journals;
mod rounds;

pub(crate) use journals::Games;
pub(crate) use rounds::Busy;

use arena::process;
use arena::sandbox::{Sandbox, SandboxError, SandboxPolicy};
use class::config::ClassConfig;
use class::foundation::{self, is_class};
use class::settings::{ClassSettings, Opponents};
use class::{ClassError, creator};
use game::{Game, StopFlag};
use journals::Journals;
use rounds::Rounds;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Programs that may wait to be compiled and checked, or for their trial games.
const WAITING: usize = 24;

/// All classes of a server.
pub(crate) struct Classes {
    folder: PathBuf,
    games: Vec<&'static dyn Game>,
    /// Tried once; each class has its own limits.
    sandbox: Sandbox,
    /// One permit for each program that is being checked or tried.
    running: Arc<Semaphore>,
    /// One permit for each of those and for each that waits.
    admitted: Arc<Semaphore>,
    /// Students (class, number) whose trial games are under way.
    trials: Arc<Mutex<HashSet<(String, String)>>>,
    rounds: Rounds,
    journals: Journals,
    /// Ends trial games with the server.
    stop: StopFlag,
}

/// A class with its settings.
pub(crate) struct OpenClass {
    pub(crate) id: String,
    pub(crate) folder: PathBuf,
    pub(crate) config: ClassConfig,
    pub(crate) game: &'static dyn Game,
    pub(crate) sandbox: Sandbox,
}

/// Too many programs wait already.
#[derive(Debug)]
pub(crate) struct Full;

/// A place in line.
pub(crate) struct Admitted {
    _place: OwnedSemaphorePermit,
    running: Arc<Semaphore>,
}

impl Admitted {
    /// Waits for one's turn; it lasts until the answer is dropped.
    pub(crate) async fn turn(self) -> (Admitted, Option<OwnedSemaphorePermit>) {
        // The semaphore is never closed.
        let permit = self.running.clone().acquire_owned().await.ok();
        (self, permit)
    }
}

impl Classes {
    /// Tries a sandbox, and finds the classes in `folder` (which may be a class itself).
    pub(crate) fn open(folder: &Path, games: &[&'static dyn Game]) -> Result<Classes, ClassError> {
        if !folder.is_dir() {
            let text =
                format!("{} is not a folder; make a class in it with: tengen class new", folder.display());
            return Err(ClassError::Refused(text));
        }
        let sandbox = Sandbox::new(SandboxPolicy::default())?;
        process::adopt_orphans().map_err(SandboxError::Io)?;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let at_a_time = (cores / 2).max(1);
        Ok(Classes {
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.into()),
            games: games.to_vec(),
            sandbox,
            running: Arc::new(Semaphore::new(at_a_time)),
            admitted: Arc::new(Semaphore::new(at_a_time + WAITING)),
            trials: Arc::default(),
            rounds: Rounds::default(),
            journals: Journals::default(),
            stop: StopFlag::new(),
        })
    }

    /// Names of the classes, sorted.
    pub(crate) fn ids(&self) -> Vec<String> {
        if is_class(&self.folder) {
            return self
                .folder
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .into_iter()
                .collect();
        }
        foundation::classes(&self.folder)
    }

    /// Is this the key with which classes are made here? `None` if there is no such key, or only one class.
    pub(crate) fn is_creator(&self, key: &str) -> Result<Option<bool>, ClassError> {
        if is_class(&self.folder) || !creator::has_key(&self.folder) {
            return Ok(None);
        }
        creator::is_creator(&self.folder, key).map(Some)
    }

    /// Makes a class of this name; returns the key of its teacher.
    pub(crate) fn create(
        &self,
        id: &str,
        game: &str,
        settings: &ClassSettings,
    ) -> Result<String, ClassError> {
        let config = settings.config(id, self.game(game)?, Opponents::BuiltIn)?;
        foundation::found_among(&self.folder, id, &config)
    }

    fn game(&self, name: &str) -> Result<&'static dyn Game, ClassError> {
        let found = self.games.iter().find(|game| game.name() == name).copied();
        found.ok_or_else(|| {
            let known: Vec<&str> = self.games.iter().map(|game| game.name()).collect();
            let shown: String = name.chars().take(40).flat_map(char::escape_debug).collect();
            ClassError::Setting(format!("there is no game '{shown}'; accepted: {}", known.join(", ")))
        })
    }

    /// A class by name; `None` if there is none.
    pub(crate) fn find(&self, id: &str) -> Result<Option<OpenClass>, ClassError> {
        // By comparison with what is there: a name from outside never becomes a path.
        if !self.ids().iter().any(|known| known == id) {
            return Ok(None);
        }
        let folder = if is_class(&self.folder) { self.folder.clone() } else { self.folder.join(id) };
        let config = ClassConfig::read(&folder)?;
        let game = self.game(&config.game)?;
        let sandbox = self.sandbox.with_policy(config.limits.clone());
        Ok(Some(OpenClass { id: id.into(), folder, config, game, sandbox }))
    }

    /// A place in the line of programs to be checked.
    pub(crate) fn admit(&self) -> Result<Admitted, Full> {
        let place = self.admitted.clone().try_acquire_owned().map_err(|_| Full)?;
        Ok(Admitted { _place: place, running: self.running.clone() })
    }

    /// Marks a student's trial games as under way until the answer is dropped; `None` if they are already.
    pub(crate) fn begin_trial(&self, class: &str, student: &str) -> Option<TrialMark> {
        let key = (class.to_string(), student.to_string());
        let new = self.trials.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        new.then(|| TrialMark { trials: self.trials.clone(), key })
    }

    /// Are a student's trial games under way?
    pub(crate) fn is_trying(&self, class: &str, student: &str) -> bool {
        let key = (class.to_string(), student.to_string());
        self.trials.lock().unwrap_or_else(PoisonError::into_inner).contains(&key)
    }

    /// Raised when the server ends.
    pub(crate) fn stop(&self) -> &StopFlag {
        &self.stop
    }

    /// Rounds and ladders under way.
    pub(crate) fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// Their games.
    pub(crate) fn journals(&self) -> &Journals {
        &self.journals
    }

    /// Goes on with what an earlier server was playing when it ended.
    pub(crate) fn resume(&self) {
        for id in self.ids() {
            match self.find(&id) {
                Ok(Some(class)) => self.rounds.resume(class),
                Ok(None) => {}
                Err(error) => tracing::error!(class = %id, %error, "a class cannot be read"),
            }
        }
    }

    /// Ends all games; what was being played goes on when the next server starts.
    pub(crate) fn close(&self, patience: Duration) {
        self.stop.stop();
        self.rounds.close(patience);
    }
}

/// Trial games under way.
pub(crate) struct TrialMark {
    trials: Arc<Mutex<HashSet<(String, String)>>>,
    key: (String, String),
}

impl Drop for TrialMark {
    fn drop(&mut self) {
        self.trials.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}
