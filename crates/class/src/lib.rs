//! A course that is run on programs which play: students hand in, programs meet, a table and marks come out.
//!
//! Everything about a class is in one folder, in files that a teacher can read:
//!
//! ```
//! use class::config::ClassConfig;
//! use class::students::Students;
//!
//! let folder = tempfile::tempdir()?;
//! let class = folder.path();
//! let config = ClassConfig { seconds_per_move: 0.5, ..ClassConfig::new("AI 2026", &gomoku::GOMOKU) };
//! config.write(class)?;
//!
//! // Each student gets a key that is good once: it is exchanged for the token of later visits.
//! let keys = Students::update(class, |list| list.add("id,name\n1001,Ann\n1002,李明\n".as_bytes()))?;
//! let token = Students::update(class, |list| list.redeem("1002", &keys[1].key))?;
//! assert!(Students::update(class, |list| list.redeem("1002", &keys[1].key)).is_err());
//! assert_eq!(Students::read(class)?.by_token(&token).unwrap().name, "李明");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `class.toml` | game, time, deadline, reference opponents, weights of the marks ([`config`], changed by [`settings`]) |
//! | `students.json` | names and hashes of keys ([`students`]) |
//! | `teacher.json` | hash of the teacher's key ([`teacher`]) |
//! | `submissions/ID/0001/` | every version that was handed in, with its verdict ([`submission`]) |
//! | `trials/ID.json` | the last trial games of a student ([`trial`]) |
//! | `rounds/NAME/` | tournaments: who takes part, and the journal of their games ([`round`]) |
//! | `ladder/` | the standing ladder: programs and the journal of their games ([`ladder`]) |
//! | `published` | exists while students may see the table |
//!
//! Classes stand side by side in a folder of classes ([`foundation`]); `creator.json` there has the hash of the key with
//! which classes are made over the network ([`creator`]).
//!
//! Programs are compiled and run in the sandbox of the `arena` crate only. Games, tournaments, journals and ratings
//! are the arena's; this crate knows who takes part and what it is worth ([`table`]). [`grade`] is apart from classes: exams
//! about search itself.

pub mod archive;
pub mod build;
pub mod config;
pub mod creator;
pub mod entrants;
pub mod foundation;
pub mod grade;
pub mod ladder;
pub mod language;
pub mod report;
pub mod review;
pub mod round;
mod secret;
pub mod settings;
pub mod students;
pub mod submission;
pub mod table;
pub mod teacher;
pub mod trial;

use arena::sandbox::SandboxError;
use std::path::{Path, PathBuf};

/// Why something about a class cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// A file does not hold what it should.
    #[error("{path}: {problem}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// The request makes no sense.
    #[error("{0}")]
    Refused(String),
    /// A setting that no class can have.
    #[error("{0}")]
    Setting(String),
    /// A setting that can no longer change.
    #[error("{setting} is fixed since {since}")]
    Fixed {
        /// The setting.
        setting: &'static str,
        /// Since when.
        since: &'static str,
    },
    /// A class is made in an empty folder only.
    #[error("{0} is not empty; choose a new folder")]
    NotEmpty(PathBuf),
    /// There is a class of this name.
    #[error("there is a class '{0}' already; choose another name")]
    NameTaken(String),
    /// A student number and a key that is not theirs. The same words where there is no such student: who is in the class
    /// is nobody's business.
    #[error("this number and key do not belong together")]
    KeyWrong,
    /// A key that was redeemed before.
    #[error("this key has been used already; ask your teacher for a new one (tengen class key)")]
    KeyUsed,
    /// The file that was handed in last time.
    #[error("this is the same file as version {version} of {received}; nothing changed")]
    SameFile {
        /// The version.
        version: u32,
        /// When it arrived.
        received: String,
    },
    /// Two files of one student at the same time.
    #[error("an earlier version is still being checked; try again in a minute")]
    StillChecking,
    /// Nothing that could play a trial game.
    #[error("{0} has no accepted version to try")]
    NothingToTry(String),
    /// A round of one.
    #[error("fewer than two programs can play: accepted submissions and references are needed")]
    TooFew,
    /// A round of this name exists and is set up differently.
    #[error("the round '{0}' was started with another format or number of games")]
    OtherRound(String),
    /// No sandbox, no class.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] arena::journal::JournalError),
    /// A round could not go on.
    #[error(transparent)]
    Round(#[from] arena::tournament::RunError),
    /// A reference opponent cannot play.
    #[error(transparent)]
    Roster(#[from] arena::roster::RosterError),
}

impl ClassError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> ClassError {
        let path = path.to_path_buf();
        move |error| ClassError::Io { path, error }
    }

    pub(crate) fn refused(text: impl Into<String>) -> ClassError {
        ClassError::Refused(text.into())
    }
}

/// This moment, by which deadlines are judged.
pub fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// Lets students see the table, or not.
pub fn publish(folder: &Path, visible: bool) -> Result<(), ClassError> {
    let path = folder.join("published");
    if visible {
        return write_whole(&path, b"");
    }
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ClassError::Io { path, error }),
        _ => Ok(()),
    }
}

/// May students see the table?
pub fn is_published(folder: &Path) -> bool {
    folder.join("published").exists()
}

/// Can it name a file and stand in an address? Letters, digits, `-` and `_`.
pub(crate) fn is_plain_name(name: &str, longest: usize) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=longest).contains(&name.len()) && name.chars().all(plain)
}

/// Waits for a lock on a file; it is released when the file is dropped.
pub(crate) fn lock(path: &Path) -> Result<std::fs::File, ClassError> {
    let file = std::fs::File::create(path).map_err(ClassError::io(path))?;
    file.lock().map_err(ClassError::io(path))?;
    Ok(file)
}

/// Writes a file whole or not at all: a reader, and a kill at any moment, see the old or the new contents.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ClassError> {
    use std::io::Write;
    let fresh = path.with_extension(format!("new{}", std::process::id()));
    let written = std::fs::File::create(&fresh).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&fresh, path)).map_err(ClassError::io(path))
}

pub(crate) fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), ClassError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| ClassError::Format { path: path.into(), problem: error.to_string() })?;
    write_whole(path, text.as_bytes())
}

pub(crate) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, ClassError> {
    let text = std::fs::read_to_string(path).map_err(ClassError::io(path))?;
    serde_json::from_str(&text)
        .map_err(|error| ClassError::Format { path: path.into(), problem: error.to_string() })
}
