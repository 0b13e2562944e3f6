//! Games of rounds and ladders as they are read again and again: a journal of thousands of games is parsed at most
//! once every two seconds, however many people look.

use super::OpenClass;
use arena::journal::Finished;
use class::entrants::Participant;
use class::round::{LADDER, Round, names};
use class::{ClassError, ladder};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a journal that was read counts as new.
const FRESH: Duration = Duration::from_secs(2);
/// Journals that are kept.
const KEPT: usize = 8;

/// A round or the ladder with its games so far.
pub(crate) struct Games {
    /// The round's name, or `ladder`.
    pub(crate) name: String,
    /// `None` for the ladder, which has no end.
    pub(crate) round: Option<Round>,
    pub(crate) players: Vec<Participant>,
    pub(crate) games: Vec<Finished>,
}

type Dated = (Instant, Arc<Games>);

/// Journals read lately.
#[derive(Default)]
pub(crate) struct Journals {
    /// By class folder and name, with the time of reading.
    read: Mutex<HashMap<(PathBuf, String), Dated>>,
}

impl Journals {
    /// The games of a round, of the last one if none is named, or of the ladder; `None` if nothing was played yet.
    pub(crate) fn of(
        &self,
        class: &OpenClass,
        round: Option<&str>,
    ) -> Result<Option<Arc<Games>>, ClassError> {
        let Some(name) = round.map(str::to_string).or_else(|| names(&class.folder).pop()) else {
            return Ok(None);
        };
        // Held while a journal is read: those who come meanwhile share the result.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (class.folder.clone(), name.clone());
        if let Some((at, games)) = read.get(&key)
            && at.elapsed() < FRESH
        {
            return Ok(Some(games.clone()));
        }
        let (round, players, games) = if name == LADDER {
            let (players, games) = ladder::state(&class.folder)?;
            (None, players, games)
        } else {
            let round = Round::read(&class.folder, &name)?;
            let games = round.finished(&class.folder)?;
            (Some(round.clone()), round.participants, games)
        };
        let games = Arc::new(Games { name, round, players, games });
        read.retain(|_, (at, _)| at.elapsed() < FRESH);
        if read.len() < KEPT {
            read.insert(key, (Instant::now(), games.clone()));
        }
        Ok(Some(games))
    }
}
