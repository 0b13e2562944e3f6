//! Who can play: the students' programs that count and the reference opponents.

use crate::build;
use crate::config::ClassConfig;
use crate::students::Students;
use crate::submission::{self, Submission};
use crate::{ClassError, build::BuildError};
use arena::player::{Fault, MakePlayer, Player};
use arena::protocol::Program;
use arena::roster::{ProcessDefaults, ResolvedEngine, Roster};
use arena::sandbox::Sandbox;
use arena::tournament::Entrant;
use game::{Game, Limits};
use play::TimeControl;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Somebody who plays, as a journal names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// Name in tables: the student number, or a reference opponent's name.
    pub name: String,
    /// The version that plays; `None` for reference opponents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
}

impl Participant {
    /// Is it a student's program?
    pub fn is_student(&self) -> bool {
        self.version.is_some()
    }
}

/// Everybody who could play now: students with a version that counts by number, then the references.
pub fn participants(folder: &Path, config: &ClassConfig) -> Result<Vec<Participant>, ClassError> {
    let mut list = Vec::new();
    for student in Students::read(folder)?.students {
        if let Some(counting) = submission::counting(folder, &student.id)? {
            list.push(Participant { name: student.id, version: Some(counting.version) });
        }
    }
    list.extend(config.references.iter().map(|name| Participant { name: name.clone(), version: None }));
    Ok(list)
}

/// Makes a participant playable.
pub fn entrant(
    folder: &Path,
    config: &ClassConfig,
    game: &'static dyn Game,
    sandbox: &Sandbox,
    participant: &Participant,
) -> Result<Entrant, ClassError> {
    match participant.version {
        Some(version) => {
            let versions = submission::versions(folder, &participant.name)?;
            let found = versions.into_iter().find(|submission| submission.version == version);
            let submission = found.ok_or_else(|| {
                ClassError::refused(format!("version {version} of {} is missing", participant.name))
            })?;
            Ok(Entrant {
                name: participant.name.clone(),
                make: student_player(folder, config, sandbox, submission)?,
                control: config.control(),
                limits: Limits::default(),
            })
        }
        None => {
            let engine = reference(game, &participant.name)?;
            let mut control = config.control();
            if let Some(nodes) = config.reference_nodes {
                control = TimeControl { patience: control.patience, ..TimeControl::nodes(nodes) };
            }
            let control = TimeControl {
                nodes: engine.limits.nodes.or(control.nodes),
                depth: engine.limits.depth.or(control.depth),
                ..control
            };
            let limits = Limits { level: engine.limits.level.unwrap_or_default(), ..Limits::default() };
            Ok(Entrant { name: participant.name.clone(), make: engine.make, control, limits })
        }
    }
}

/// A reference opponent by name.
pub(crate) fn reference(game: &'static dyn Game, name: &str) -> Result<ResolvedEngine, ClassError> {
    Ok(Roster::default().resolve(game, name, &ProcessDefaults::default())?)
}

fn student_player(
    folder: &Path,
    config: &ClassConfig,
    sandbox: &Sandbox,
    submission: Submission,
) -> Result<MakePlayer, ClassError> {
    let languages = config.languages();
    let language = languages.language.into_iter().find(|language| language.name == submission.language);
    let language = language.ok_or_else(|| {
        ClassError::refused(format!("the language '{}' is not in the table any more", submission.language))
    })?;
    let built = submission::built_folder(folder, &submission);
    let (sandbox, protocol) = (sandbox.clone(), config.protocol);
    Ok(Arc::new(move || {
        // A sandbox of its own each time; its process ends with the game.
        let launch = build::launch(&sandbox, &language, &submission.main, &built)
            .map_err(|error: BuildError| Fault::NoStart(error.to_string()))?;
        let program = Program::new(launch, protocol, Vec::new(), Vec::new()).fresh_each_game();
        Ok(Box::new(program) as Box<dyn Player>)
    }))
}
