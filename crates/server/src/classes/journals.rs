//! Games of rounds and ladders as they are read again and again: a journal of thousands of games is parsed at most
//! once every two seconds, however many people look.

use super::OpenClass;
use arena::journal::Finished;
use class::entrants::Participant;
use class::round::{LADDER, Round, names};
use class::table::{self, Row};
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
    /// The table that these games make, with marks.
    pub(crate) rows: Vec<Row>,
}

type Dated = (Instant, Arc<Games>);

/// Journals read lately.
#[derive(Default)]
pub(crate) struct Journals {
    /// By class folder and name, with the time of reading.
    read: Mutex<HashMap<(PathBuf, String), Dated>>,
}

impl Journals {
    /// The games of a round or of the ladder; if none is named, of the last round, or of the ladder where there was no
    /// round. `None` if nothing was played yet.
    pub(crate) fn of(
        &self,
        class: &OpenClass,
        round: Option<&str>,
    ) -> Result<Option<Arc<Games>>, ClassError> {
        let last =
            || names(&class.folder).pop().or_else(|| ladder::exists(&class.folder).then(|| LADDER.into()));
        let Some(name) = round.map(str::to_string).or_else(last) else {
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
        let (folder, config) = (&class.folder, &class.config);
        let (round, players, games, rows) = if name == LADDER {
            let (players, games) = ladder::state(folder)?;
            let rows = table::ladder_table(folder, config, &players, &games)?;
            (None, players, games, rows)
        } else {
            let round = Round::read(folder, &name)?;
            let games = round.finished(folder)?;
            let rows = table::table(folder, config, &round.participants, &games)?;
            (Some(round.clone()), round.participants, games, rows)
        };
        let games = Arc::new(Games { name, round, players, games, rows });
        read.retain(|_, (at, _)| at.elapsed() < FRESH);
        if read.len() < KEPT {
            read.insert(key, (Instant::now(), games.clone()));
        }
        Ok(Some(games))
    }
}
