//! What students hand in: every version is kept, with the verdict it got.
//!
//! A version's folder is written under another name and renamed when it is complete, so a kill in between leaves
//! nothing that counts. The last accepted version before the deadline counts.

use crate::archive::{self, Bounds};
use crate::build::{self, BuildError};
use crate::config::ClassConfig;
use crate::language::Language;
use crate::students::Student;
use crate::{ClassError, read_json, write_json};
use arena::check::{self, Candidate, Check, Finding};
use arena::process::Launch;
use arena::sandbox::Sandbox;
use game::Game;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use arena::check::Language as Tongue;

/// Bytes of a file that may be handed in.
pub const MAX_UPLOAD: usize = 8 << 20;
/// Versions of one student that are kept.
const MAX_VERSIONS: u32 = 200;
/// Bytes that the versions of one student take up before no more are accepted.
const MAX_KEPT: u64 = 512 << 20;

/// A version that was handed in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Submission {
    /// Student number.
    pub student: String,
    /// Version, from 1.
    pub version: u32,
    /// When it arrived.
    pub received: String,
    /// It came after the deadline: kept, and does not count.
    pub late: bool,
    /// Name of the file.
    pub file: String,
    /// Hash of the file.
    pub sha256: String,
    /// Name of its language, once known.
    #[serde(default)]
    pub language: String,
    /// Its main file.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub main: PathBuf,
    /// What came of it.
    pub verdict: Verdict,
}

/// What a student is told about a version.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// Can it take part?
    pub accepted: bool,
    /// What failed first: `unpack`, `language`, `compile` or `check`; empty where nothing did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub failed: String,
    /// What happened and what to change.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The compliance checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckResult>,
}

/// One compliance check.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckResult {
    /// What was checked.
    pub check: String,
    /// Did it pass?
    pub passed: bool,
    /// What happened, with the raw lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What to change.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub advice: String,
}

/// Checks without which a program cannot take part: it would only lose.
const NEEDED: [Check; 3] = [Check::Start, Check::Opening, Check::Games];

/// A class that accepts submissions.
pub struct Desk<'a> {
    /// The class folder.
    pub folder: &'a Path,
    /// Its settings.
    pub config: &'a ClassConfig,
    /// Its game.
    pub game: &'static dyn Game,
    /// Where programs run.
    pub sandbox: &'a Sandbox,
    /// The language of verdicts.
    pub tongue: Tongue,
}

impl Desk<'_> {
    /// Takes a file: unpacks, compiles and checks it, and keeps it whatever comes of that. A file that was handed
    /// in last time already is refused.
    pub fn submit(
        &self,
        student: &Student,
        file: &str,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<Submission, ClassError> {
        if bytes.len() > MAX_UPLOAD {
            return Err(ClassError::refused(format!(
                "the file has {} bytes; accepted: up to {MAX_UPLOAD}",
                bytes.len()
            )));
        }
        let sha256: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let _lock = self.lock(student)?;
        let earlier = versions(self.folder, &student.id)?;
        if let Some(last) = earlier.last().filter(|last| last.sha256 == sha256) {
            let (version, received) = (last.version, last.received.clone());
            return Err(ClassError::SameFile { version, received });
        }
        let version = earlier.last().map_or(0, |last| last.version) + 1;
        if version > MAX_VERSIONS {
            return Err(ClassError::refused(format!("more than {MAX_VERSIONS} versions")));
        }
        let place = student_folder(self.folder, &student.id);
        let kept = bytes_in(&place);
        if kept > MAX_KEPT {
            return Err(ClassError::refused(format!(
                "your versions take up {} MiB; accepted: up to {} MiB for each student; ask your teacher to delete the \
                 folder 'built' of versions that no longer play",
                kept >> 20,
                MAX_KEPT >> 20
            )));
        }
        let late = self.config.deadline().ok().flatten().is_some_and(|deadline| now > deadline);
        let mut submission = Submission {
            student: student.id.clone(),
            version,
            received: now.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
            late,
            file: file.chars().filter(|c| !c.is_control()).take(120).collect(),
            sha256,
            language: String::new(),
            main: PathBuf::new(),
            verdict: Verdict {
                accepted: false,
                failed: String::new(),
                message: String::new(),
                checks: Vec::new(),
            },
        };
        let draft = place.join(format!("draft-{version:04}"));
        let _ = std::fs::remove_dir_all(&draft);
        std::fs::create_dir_all(&draft).map_err(ClassError::io(&draft))?;
        let handed_in = draft.join("handed-in");
        std::fs::write(&handed_in, bytes).map_err(ClassError::io(&handed_in))?;
        submission.verdict = self.judge(&mut submission, &draft, bytes)?;
        if !submission.verdict.accepted {
            // It will never play; its sources are enough to build it again.
            let _ = std::fs::remove_dir_all(draft.join("built"));
        }
        write_json(&draft.join("submission.json"), &submission)?;
        let kept = place.join(format!("{version:04}"));
        std::fs::rename(&draft, &kept).map_err(ClassError::io(&kept))?;
        Ok(submission)
    }

    /// One submission of a student at a time.
    fn lock(&self, student: &Student) -> Result<std::fs::File, ClassError> {
        let place = student_folder(self.folder, &student.id);
        std::fs::create_dir_all(&place).map_err(ClassError::io(&place))?;
        let path = place.join("lock");
        let file = std::fs::File::create(&path).map_err(ClassError::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(_) => Err(ClassError::StillChecking),
        }
    }

    fn judge(&self, submission: &mut Submission, draft: &Path, bytes: &[u8]) -> Result<Verdict, ClassError> {
        let rejected = |failed: &str, message: String| Verdict {
            accepted: false,
            failed: failed.into(),
            message,
            checks: Vec::new(),
        };
        let files = match archive::unpack(&submission.file, bytes, Bounds::default()) {
            Ok(files) => files,
            Err(error) => return Ok(rejected("unpack", error.text(self.tongue))),
        };
        let source = draft.join("source");
        archive::write(&files, &source).map_err(ClassError::io(&source))?;
        let languages = self.config.languages();
        let (language, main) = match languages.of(&files) {
            Ok(found) => found,
            Err(error) => return Ok(rejected("language", error.text(self.tongue))),
        };
        submission.language = language.name.clone();
        submission.main = main.clone();
        let built = draft.join("built");
        match build::compile(self.sandbox, language, &main, &source, &built) {
            Ok(()) => {}
            Err(BuildError::Class(error)) => return Err(error),
            Err(error) => return Ok(rejected("compile", error.text(self.tongue))),
        }
        let launch = self.launch(language, &main, &built)?;
        Ok(self.comply(launch))
    }

    fn launch(&self, language: &Language, main: &Path, built: &Path) -> Result<Launch, ClassError> {
        build::launch(self.sandbox, language, main, built).map_err(|error| match error {
            BuildError::Class(error) => error,
            other => ClassError::refused(other.to_string()),
        })
    }

    fn comply(&self, launch: Launch) -> Verdict {
        let candidate = Candidate {
            game: self.game,
            setup: self.config.setup(),
            launch,
            protocol: self.config.protocol,
            time: Duration::from_secs_f64(self.config.seconds_per_move),
            memory_mb: self.config.limits.memory_mb,
            language: self.tongue,
        };
        let findings = check::check(&candidate, &mut |_| {});
        let missed = findings.iter().find(|finding| finding.failed() && NEEDED.contains(&finding.id));
        let (failed, message) = match missed {
            Some(finding) => {
                ("check".into(), format!("{}: {}\n{}", finding.check, finding.advice, finding.detail))
            }
            None => (String::new(), String::new()),
        };
        // What cannot be checked on this machine is nobody's fault and nobody's merit.
        let checks = findings.iter().filter(|finding| finding.checked).map(result).collect();
        Verdict { accepted: missed.is_none(), failed, message, checks }
    }
}

fn result(finding: &Finding) -> CheckResult {
    CheckResult {
        check: finding.check.into(),
        passed: finding.passed,
        detail: finding.detail.clone(),
        advice: finding.advice.into(),
    }
}

/// Bytes of all files below a folder.
fn bytes_in(folder: &Path) -> u64 {
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => bytes_in(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(size).sum()
}

/// All versions of a student, oldest first.
pub fn versions(folder: &Path, student: &str) -> Result<Vec<Submission>, ClassError> {
    let place = student_folder(folder, student);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&place).into_iter().flatten().flatten() {
        let path = entry.path().join("submission.json");
        let numbered = entry.file_name().to_string_lossy().parse::<u32>().is_ok();
        if numbered && path.exists() {
            found.push(read_json::<Submission>(&path)?);
        }
    }
    found.sort_by_key(|submission| submission.version);
    Ok(found)
}

/// The version that counts: the last accepted one before the deadline.
pub fn counting(folder: &Path, student: &str) -> Result<Option<Submission>, ClassError> {
    let versions = versions(folder, student)?;
    Ok(versions.into_iter().rev().find(|version| version.verdict.accepted && !version.late))
}

/// The file as it was handed in.
pub fn handed_in(folder: &Path, student: &str, version: u32) -> Result<Vec<u8>, ClassError> {
    let known = versions(folder, student)?.iter().any(|submission| submission.version == version);
    if !known {
        return Err(ClassError::refused(format!("there is no version {version} of {student}")));
    }
    let path = student_folder(folder, student).join(format!("{version:04}")).join("handed-in");
    std::fs::read(&path).map_err(ClassError::io(&path))
}

/// Where a version's compiled program is.
pub fn built_folder(folder: &Path, submission: &Submission) -> PathBuf {
    student_folder(folder, &submission.student).join(format!("{:04}", submission.version)).join("built")
}

fn student_folder(folder: &Path, student: &str) -> PathBuf {
    folder.join("submissions").join(student)
}
