//! What a unit means: the program that uses this crate says so.

use crate::work::UnitResult;
use game::StopFlag;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A unit with everything it needs.
pub struct Work<'a> {
    /// Which kind it is.
    pub kind: &'a str,
    /// SHA-256 of the document, to recognise a job that was prepared before.
    pub job_id: &'a str,
    /// The document that all units of the run share.
    pub job: &'a Value,
    /// What to do.
    pub spec: &'a Value,
    /// The folder of files that the job names in `files`, each called by its SHA-256.
    pub files: &'a Path,
}

impl Work<'_> {
    /// The path of a file.
    pub fn file(&self, sha256: &str) -> PathBuf {
        self.files.join(sha256)
    }
}

/// Why a unit gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// It was told to stop.
    Stopped,
    /// It cannot be done here, and why.
    Because(String),
}

/// Computes units, one at a time. It may keep what it prepared for the next unit of the same job.
pub trait Executor: Send {
    /// Computes a unit; ends within 100 ms of `stop`.
    fn execute(&mut self, work: &Work, stop: &StopFlag) -> Result<UnitResult, Failed>;
}

/// Makes an executor for each slot of a worker.
pub type MakeExecutor = Arc<dyn Fn(usize) -> Box<dyn Executor> + Send + Sync>;
