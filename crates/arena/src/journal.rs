//! The journal of a run: one JSON line per finished game, written when the game ends.
//!
//! The file is opened for appending and each line is one write, so a run that is killed at any moment
//! leaves whole lines and at most one torn one at the end, which is cut off on resuming. The first line states
//! what the run is; a run that is set up differently refuses to go on from it.

use crate::referee::{Played, Termination};
use crate::schedule::Task;
use game::{Game, MoveNote, Position, Record, Seat, Setup, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

/// How often a finished game is forced to the disk. A kill of the process loses nothing in any case; this
/// is about a power cut.
const SYNC: Duration = Duration::from_millis(250);

/// The version of the journal's format, in the `version` field of its first line.
pub const JOURNAL_FORMAT: u64 = 2;

/// A finished game, as it stands in the journal and in `games.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// Which game of the schedule it is.
    #[serde(flatten)]
    pub task: Task,
    /// Names of the players, the first seat's first.
    pub names: [String; 2],
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// Why it ended.
    pub reason: Termination,
    /// The reason in detail, such as the text that was no move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The colour that won.
    pub winning_side: Option<Side>,
    /// Seconds used by each seat.
    pub seconds: [f64; 2],
    /// The day it was played, `YYYY-MM-DD`.
    pub date: String,
    /// The board before the first move.
    pub setup: Setup,
    /// How many of the moves belong to the opening.
    pub opening_moves: usize,
    /// All moves in the game's notation, the opening's first.
    pub moves: Vec<String>,
    /// What is known of each move; empty for the opening's.
    pub notes: Vec<MoveNote>,
    /// After a fault: the program's last lines in both directions and the end of its stderr.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
    /// The same of programs without a fault that had a process of their own for this game.
    #[serde(default, skip_serializing_if = "no_logs")]
    pub logs: [String; 2],
}

fn no_logs(logs: &[String; 2]) -> bool {
    logs.iter().all(String::is_empty)
}

/// What the ratings need of a finished game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Number of the game.
    pub id: u32,
    /// The player in the first seat.
    pub first: usize,
    /// The player in the second seat.
    pub second: usize,
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// Why it ended.
    pub reason: Termination,
    /// Seconds used by each seat.
    pub seconds: [f64; 2],
    /// The same number for the same moves by the same players. A game that ended by a fault counts as
    /// different from all others.
    pub line: u64,
}

impl Score {
    /// The score of a task.
    pub fn new(
        task: &Task,
        winner: Option<Seat>,
        reason: Termination,
        seconds: [f64; 2],
        line: u64,
    ) -> Score {
        Score { id: task.id, first: task.first, second: task.second, winner, reason, seconds, line }
    }

    /// 1, a half or 0 for a player of this game; 0 for anybody else.
    pub fn points_of(&self, player: usize) -> f64 {
        match self.winner {
            _ if player != self.first && player != self.second => 0.0,
            None => 0.5,
            Some(Seat::First) => f64::from(player == self.first),
            Some(Seat::Second) => f64::from(player == self.second),
        }
    }
}

impl Finished {
    /// Makes a journal line of a game.
    pub fn new(task: Task, names: [String; 2], played: &Played) -> Finished {
        let session = &played.session;
        let mut logs = played.logs.clone();
        let at_fault = [Seat::First, Seat::Second].into_iter().find(|seat| played.at_fault(*seat));
        let evidence = at_fault.map(|seat| std::mem::take(&mut logs[seat.index()])).unwrap_or_default();
        Finished {
            task,
            names,
            winner: played.winner(),
            reason: played.termination(),
            detail: session.end_detail().to_string(),
            winning_side: session.end().and_then(|end| end.winner).map(|(_, side)| side),
            seconds: played.used.map(|used| used.as_secs_f64()),
            date: play::date(UNIX_EPOCH + Duration::from_millis(session.created().max(0) as u64)),
            setup: session.game().setup_of(session.position()),
            opening_moves: played.opening_moves,
            moves: session.plies().iter().map(|ply| ply.text.clone()).collect(),
            notes: session.plies().iter().map(|ply| ply.note.clone()).collect(),
            evidence,
            logs,
        }
    }

    /// A player's last lines in both directions and the end of its stderr, where they were kept.
    pub fn log(&self, seat: Seat) -> &str {
        let own_fault = self.reason.is_fault() && self.winner != Some(seat);
        if own_fault { &self.evidence } else { &self.logs[seat.index()] }
    }

    /// The short form.
    pub fn score(&self) -> Score {
        let mut line = std::hash::DefaultHasher::new();
        (self.task.first, self.task.second, &self.moves).hash(&mut line);
        for (side, cell) in &self.setup.stones {
            (side.index(), cell.row, cell.col).hash(&mut line);
        }
        if self.reason.is_fault() {
            self.task.id.hash(&mut line);
        }
        Score::new(&self.task, self.winner, self.reason, self.seconds, line.finish())
    }

    /// The result in SGF form, such as `B+Time`.
    pub fn sgf_result(&self) -> String {
        self.reason.sgf_result(self.winning_side)
    }

    /// The position at the end of the game, and the moves that led to it.
    pub fn replay(&self, game: &dyn Game) -> Result<(Box<dyn Position>, Vec<game::Move>), String> {
        let mut position = game.position(&self.setup).map_err(|error| error.to_string())?;
        let mut moves = Vec::with_capacity(self.moves.len());
        for text in &self.moves {
            let mv = position.parse_move(text).map_err(|error| error.to_string())?;
            position.play(mv).map_err(|error| format!("{text}: {error}"))?;
            moves.push(mv);
        }
        Ok((position, moves))
    }

    /// The record that the game can write as SGF.
    pub fn record(&self, game: &dyn Game) -> Result<Record, String> {
        let (_, moves) = self.replay(game)?;
        let mut notes = self.notes.clone();
        notes.resize(moves.len(), MoveNote::default());
        Ok(Record {
            setup: self.setup.clone(),
            moves: moves.into_iter().zip(notes).collect(),
            first: self.names[0].clone(),
            second: self.names[1].clone(),
            result: self.sgf_result(),
            reason: match self.detail.as_str() {
                "" => self.reason.to_string(),
                detail => format!("{}: {detail}", self.reason),
            },
            date: self.date.clone(),
        })
    }
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// There are games already and the caller did not ask to go on.
    #[error("{0} already holds games")]
    Exists(PathBuf),
    /// Another run is writing to it.
    #[error("{0} is in use by another run")]
    Locked(PathBuf),
    /// It was written by an earlier version.
    #[error(
        "{path} has the journal format {found} of an earlier version and cannot be resumed by this one (format {JOURNAL_FORMAT}); finish it with the version that started it, or start again in another folder"
    )]
    OldFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
    },
    /// It belongs to a run that was set up differently.
    #[error("{path} was started with another {key}: {old} there, {new} now")]
    Different {
        /// The file.
        path: PathBuf,
        /// The setting that differs.
        key: String,
        /// Its value in the file.
        old: String,
        /// Its value now.
        new: String,
    },
    /// A line in the middle is broken.
    #[error("{path}, line {line}: {problem}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    scores: BTreeMap<u32, Score>,
    synced: Instant,
}

impl Journal {
    /// Opens a journal for a run described by `settings` (an object). With `resume` an existing one goes on.
    pub fn open(path: &Path, settings: &serde_json::Value, resume: bool) -> Result<Journal, JournalError> {
        let io = |error| JournalError::Io { path: path.into(), error };
        let mut file =
            File::options().create(true).truncate(false).read(true).write(true).open(path).map_err(io)?;
        // A process that is being started holds copies of our files for a moment: try again before giving up.
        let patience = Instant::now() + Duration::from_secs(1);
        while file.try_lock().is_err() {
            if Instant::now() > patience {
                return Err(JournalError::Locked(path.into()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut scores = BTreeMap::new();
        let mut good = 0u64;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(io)?;
            if read == 0 {
                break;
            }
            if line.last() != Some(&b'\n') {
                // Torn by a kill in the middle of a write: that game was never reported as finished.
                break;
            }
            let broken = |problem: String| JournalError::Broken { path: path.into(), line: number, problem };
            if number == 1 {
                let old: serde_json::Value =
                    serde_json::from_slice(&line).map_err(|e| broken(format!("not a journal: {e}")))?;
                let version =
                    |value: &serde_json::Value| value.get("version").and_then(serde_json::Value::as_u64);
                if let (true, Some(found)) = (resume, version(&old))
                    && found < JOURNAL_FORMAT
                {
                    return Err(JournalError::OldFormat { path: path.into(), found });
                }
                if resume {
                    same_settings(path, &old, settings)?;
                }
            } else {
                let game: Finished = serde_json::from_slice(&line).map_err(|e| broken(e.to_string()))?;
                scores.insert(game.task.id, game.score());
            }
            good += read as u64;
        }
        if !scores.is_empty() && !resume {
            return Err(JournalError::Exists(path.into()));
        }
        if !resume {
            good = 0;
        }
        file.set_len(good).map_err(io)?;
        file.seek(std::io::SeekFrom::End(0)).map_err(io)?;
        let mut journal = Journal { path: path.into(), file, scores, synced: Instant::now() };
        if good == 0 {
            journal.write_line(settings)?;
        }
        Ok(journal)
    }

    /// The games that were finished when it was opened.
    pub fn scores(&self) -> &BTreeMap<u32, Score> {
        &self.scores
    }

    /// Adds a finished game.
    pub fn append(&mut self, game: &Finished) -> Result<(), JournalError> {
        self.write_line(game)?;
        if self.synced.elapsed() >= SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Forces everything to the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }

    fn write_line(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let io = |error| JournalError::Io { path: self.path.clone(), error };
        let mut line = serde_json::to_vec(value).map_err(|error| io(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(io)
    }
}

/// Reads the games of a journal, one after the other, without keeping them.
pub fn read_games(path: &Path) -> Result<impl Iterator<Item = Finished>, JournalError> {
    let file = File::open(path).map_err(|error| JournalError::Io { path: path.into(), error })?;
    let lines = BufReader::new(file).lines().skip(1).map_while(Result::ok);
    Ok(lines.filter_map(|line| serde_json::from_str(&line).ok()))
}

fn same_settings(path: &Path, old: &serde_json::Value, new: &serde_json::Value) -> Result<(), JournalError> {
    let null = serde_json::Value::Null;
    let (Some(old_fields), Some(new_fields)) = (old.as_object(), new.as_object()) else { return Ok(()) };
    let differs =
        old_fields.keys().chain(new_fields.keys()).find(|key| old_fields.get(*key) != new_fields.get(*key));
    match differs {
        None => Ok(()),
        Some(key) => Err(JournalError::Different {
            path: path.into(),
            key: key.clone(),
            old: old_fields.get(key).unwrap_or(&null).to_string(),
            new: new_fields.get(key).unwrap_or(&null).to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn finished(id: u32) -> Finished {
        Finished {
            task: Task { id, round: 0, first: 0, second: 1, opening: 0 },
            names: ["a".into(), "b".into()],
            winner: Some(Seat::First),
            reason: Termination::Five,
            detail: String::new(),
            winning_side: Some(Side::Black),
            seconds: [0.1, 0.2],
            date: "2026-11-18".into(),
            setup: Setup::empty(3, 3),
            opening_moves: 0,
            moves: vec!["a1".into()],
            notes: vec![MoveNote::default()],
            evidence: String::new(),
            logs: Default::default(),
        }
    }

    #[test]
    fn a_torn_line_is_cut_and_whole_ones_stay() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.jsonl");
        let settings = json!({"seed": 1});
        let mut journal = Journal::open(&path, &settings, false).unwrap();
        journal.append(&finished(0)).unwrap();
        journal.append(&finished(1)).unwrap();
        assert!(matches!(Journal::open(&path, &settings, true), Err(JournalError::Locked(_))));
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let last = whole[..whole.len() - 1].iter().rposition(|b| *b == b'\n').unwrap() + 1;
        for cut in last..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut journal = Journal::open(&path, &settings, true).unwrap();
            assert_eq!(journal.scores().keys().copied().collect::<Vec<_>>(), [0]);
            journal.append(&finished(1)).unwrap();
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        assert_eq!(read_games(&path).unwrap().count(), 2);
    }

    #[test]
    fn another_run_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.jsonl");
        let mut journal = Journal::open(&path, &json!({"seed": 1, "size": 15}), false).unwrap();
        journal.append(&finished(0)).unwrap();
        drop(journal);
        let error = Journal::open(&path, &json!({"seed": 2, "size": 15}), true).unwrap_err();
        assert!(error.to_string().contains("another seed: 1 there, 2 now"), "{error}");
        assert!(matches!(Journal::open(&path, &json!({}), false), Err(JournalError::Exists(_))));
    }

    #[test]
    fn an_old_journal_is_refused_but_its_games_can_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.jsonl");
        // A line as version 1 wrote it, without what was added since.
        let mut game = serde_json::to_value(finished(0)).unwrap();
        game.as_object_mut().unwrap().remove("evidence");
        std::fs::write(&path, format!("{}\n{game}\n", json!({"tengen": "match", "version": 1}))).unwrap();
        let error = Journal::open(&path, &json!({"tengen": "match", "version": 2}), true).unwrap_err();
        assert!(error.to_string().contains("format 1 of an earlier version"), "{error}");
        assert_eq!(read_games(&path).unwrap().count(), 1);
    }
}
