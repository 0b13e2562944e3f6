//! Rounds and ladders that the server plays, one at a time in each class, each on a thread of its own.
//!
//! A file `playing` in the class folder names what is being played. It is there from the start to the end, a failure or
//! a pause, so a server that was killed goes on with it.

use super::OpenClass;
use class::ClassError;
use class::ladder::Ladder;
use class::round::{LADDER, Round};
use game::StopFlag;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a ladder looks whether a second program has come.
const LADDER_PAUSE: Duration = Duration::from_secs(2);

/// What is being played in each class.
#[derive(Default)]
pub(crate) struct Rounds {
    playing: Arc<Mutex<HashMap<String, Entry>>>,
}

struct Entry {
    round: String,
    stop: StopFlag,
    /// It was told to stop for good, not only until the next start of a server.
    paused: bool,
    thread: Option<JoinHandle<()>>,
    ended: bool,
    failure: Option<String>,
}

/// What is, or was last, played in a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Playing {
    pub(crate) round: String,
    pub(crate) running: bool,
    /// Why it ended early.
    pub(crate) failure: Option<String>,
}

/// Something else is being played.
#[derive(Debug)]
pub(crate) struct Busy(pub(crate) String);

impl Rounds {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is, or was last, played in a class since this server started.
    pub(crate) fn of(&self, class: &str) -> Option<Playing> {
        self.lock().get(class).map(|entry| Playing {
            round: entry.round.clone(),
            running: !entry.ended,
            failure: entry.failure.clone(),
        })
    }

    /// Plays a round that exists, or the ladder, until it is over or paused.
    pub(crate) fn start(&self, class: OpenClass, round: &str) -> Result<(), Busy> {
        let mut playing = self.lock();
        if let Some(entry) = playing.get(&class.id).filter(|entry| !entry.ended) {
            return Err(Busy(entry.round.clone()));
        }
        if let Err(error) = std::fs::write(marker(&class.folder), round) {
            tracing::warn!(class = %class.id, %error, "a round would not be gone on with after a restart");
        }
        let (id, stop) = (class.id.clone(), StopFlag::new());
        let (all, own_stop, name) = (self.playing.clone(), stop.clone(), round.to_string());
        let spawned = std::thread::Builder::new().name(format!("class {id}")).spawn(move || {
            let played = catch_unwind(AssertUnwindSafe(|| play(&class, &name, &own_stop)));
            let failure = match played {
                Ok(played) => played.err().map(|error| error.to_string()),
                Err(_) => Some("the server made a mistake; start the round again".into()),
            };
            if let Some(error) = &failure {
                tracing::error!(class = %class.id, round = %name, %error, "a round ended early");
            }
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(entry) = all.get_mut(&class.id) {
                if entry.paused || failure.is_some() || !own_stop.is_stopped() {
                    let _ = std::fs::remove_file(marker(&class.folder));
                }
                (entry.ended, entry.failure) = (true, failure);
            }
        });
        let failure = spawned.as_ref().err().map(|error| error.to_string());
        let entry = Entry {
            round: round.into(),
            stop,
            paused: false,
            ended: failure.is_some(),
            thread: spawned.ok(),
            failure,
        };
        playing.insert(id, entry);
        Ok(())
    }

    /// Stops what is being played in a class; false if it is not this. Games under way are played again later.
    pub(crate) fn pause(&self, class: &str, round: &str) -> bool {
        let mut playing = self.lock();
        let entry = playing.get_mut(class).filter(|entry| !entry.ended && entry.round == round);
        if let Some(entry) = entry {
            entry.paused = true;
            entry.stop.stop();
            return true;
        }
        false
    }

    pub(super) fn resume(&self, class: OpenClass) {
        let Ok(round) = std::fs::read_to_string(marker(&class.folder)) else { return };
        tracing::info!(class = %class.id, %round, "going on with a round");
        // Nothing else can be under way yet.
        let _ = self.start(class, &round);
    }

    pub(super) fn close(&self, patience: Duration) {
        let mut threads = Vec::new();
        for entry in self.lock().values_mut() {
            entry.stop.stop();
            threads.extend(entry.thread.take());
        }
        let began = Instant::now();
        while threads.iter().any(|thread| !thread.is_finished()) && began.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn marker(folder: &Path) -> PathBuf {
    folder.join("playing")
}

fn play(class: &OpenClass, round: &str, stop: &StopFlag) -> Result<(), ClassError> {
    let OpenClass { folder, config, game, sandbox, .. } = class;
    if round != LADDER {
        let round = Round::read(folder, round)?;
        return round.play(folder, config, *game, sandbox, stop, &mut |_, _| {}).map(drop);
    }
    let mut ladder = Ladder::open(folder, config, *game)?;
    while !stop.is_stopped() {
        let finished = ladder.step(folder, config, *game, sandbox, stop)?;
        let began = Instant::now();
        // Nobody to play with yet: programs may be handed in at any time.
        while finished.is_none() && !stop.is_stopped() && began.elapsed() < LADDER_PAUSE {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    Ok(())
}
