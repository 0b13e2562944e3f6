//! `class.toml`: what is played, with what limits, against whom, until when, and what it is worth.

use crate::language::{Language, Languages};
use crate::{ClassError, write_whole};
use arena::protocol::Protocol;
use arena::sandbox::SandboxPolicy;
use game::{Game, Setup};
use jiff::Timestamp;
use play::TimeControl;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The settings of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassConfig {
    /// Title shown to people.
    pub title: String,
    /// The game.
    pub game: String,
    /// Rule variant; empty for the game's first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// Rows and columns of the board.
    pub size: u8,
    /// The protocol that programs speak.
    pub protocol: Protocol,
    /// Seconds per move.
    pub seconds_per_move: f64,
    /// Nodes per move of built-in reference opponents, instead of the time: the same games again and again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_nodes: Option<u64>,
    /// When handing in ends, with its time zone: `2026-12-01T23:59:00+08:00`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// Opponents for everybody: built-in engines or programs, as `tengen match` names them.
    #[serde(default)]
    pub references: Vec<String>,
    /// Seed of openings, pairings and searches.
    #[serde(default)]
    pub seed: u64,
    /// Stones of the random openings; 0 starts from the empty board.
    #[serde(default)]
    pub opening_stones: usize,
    /// Games at a time.
    #[serde(default = "one")]
    pub concurrency: usize,
    /// What programs may use.
    #[serde(default)]
    pub limits: SandboxPolicy,
    /// What the parts of a mark are worth.
    #[serde(default)]
    pub marks: MarkWeights,
    /// Languages beside those that ship, or instead of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub language: Vec<Language>,
}

const fn one() -> usize {
    1
}

/// The teacher's formula: each part is between 0 and 1 and multiplied by its weight; their sum is the mark.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkWeights {
    /// A version that compiles was handed in before the deadline.
    pub submitted: f64,
    /// Share of the compliance checks that pass.
    pub compliance: f64,
    /// Share of the games that were not lost by a crash, a timeout or an illegal move.
    pub clean: f64,
    /// Points per game against everybody.
    pub score: f64,
    /// Points per game against the reference opponents.
    pub references: f64,
    /// Place: 1 for the first student, 0 for the last.
    pub rank: f64,
}

impl Default for MarkWeights {
    fn default() -> MarkWeights {
        MarkWeights {
            submitted: 10.0,
            compliance: 20.0,
            clean: 10.0,
            score: 30.0,
            references: 20.0,
            rank: 10.0,
        }
    }
}

impl MarkWeights {
    /// The weights by name.
    fn by_name(&mut self) -> [(&'static str, &mut f64); 6] {
        [
            ("submitted", &mut self.submitted),
            ("compliance", &mut self.compliance),
            ("clean", &mut self.clean),
            ("score", &mut self.score),
            ("references", &mut self.references),
            ("rank", &mut self.rank),
        ]
    }

    fn check(mut self) -> Result<(), String> {
        for (name, weight) in self.by_name() {
            if !(0.0..=1e6).contains(&*weight) {
                return Err(format!("the weight of {name} is {weight}; accepted: 0 to 1000000"));
            }
        }
        Ok(())
    }
}

impl FromStr for MarkWeights {
    type Err = String;

    /// `score=40,rank=0`; parts that are not named keep their default.
    fn from_str(text: &str) -> Result<MarkWeights, String> {
        let mut weights = MarkWeights::default();
        for part in text.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let mut known = weights.by_name();
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let Some((_, weight)) = known.iter_mut().find(|(known, _)| *known == name.trim()) else {
                let names = names.join(", ");
                return Err(format!("'{}' is no part of a mark; accepted: {names}", name.trim()));
            };
            **weight = value
                .trim()
                .parse()
                .map_err(|_| format!("'{part}' is not PART=WEIGHT with a number, such as score=40"))?;
        }
        weights.check().map(|()| weights)
    }
}

impl ClassConfig {
    /// The settings of a new class.
    pub fn new(title: &str, game: &dyn Game) -> ClassConfig {
        ClassConfig {
            title: title.into(),
            game: game.name().into(),
            rule: String::new(),
            size: game.default_size().0,
            protocol: Protocol::of_game(game),
            seconds_per_move: 1.0,
            reference_nodes: None,
            deadline: None,
            references: Vec::new(),
            seed: 1,
            opening_stones: 0,
            concurrency: 1,
            limits: SandboxPolicy::default(),
            marks: MarkWeights::default(),
            language: Vec::new(),
        }
    }

    /// Reads the settings of a class folder.
    pub fn read(folder: &Path) -> Result<ClassConfig, ClassError> {
        let path = config_path(folder);
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ClassError::Refused(format!(
                "{} is not a class: it has no class.toml; make one with: tengen class new",
                folder.display()
            )),
            _ => ClassError::Io { path: path.clone(), error },
        })?;
        let config: ClassConfig = toml::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let problem = game::TextError::at(&text, at, error.message()).to_string();
            ClassError::Format { path: path.clone(), problem }
        })?;
        config.check().map_err(|problem| ClassError::Format { path, problem })?;
        Ok(config)
    }

    /// Writes them.
    pub fn write(&self, folder: &Path) -> Result<(), ClassError> {
        let path = config_path(folder);
        self.check().map_err(ClassError::Refused)?;
        let text = toml::to_string_pretty(self)
            .map_err(|error| ClassError::Format { path: path.clone(), problem: error.to_string() })?;
        write_whole(&path, text.as_bytes())
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if !(self.seconds_per_move > 0.0 && self.seconds_per_move <= 600.0) {
            return Err(format!(
                "seconds_per_move is {}; accepted: above 0, at most 600",
                self.seconds_per_move
            ));
        }
        if !(1..=64).contains(&self.concurrency) {
            return Err(format!("concurrency is {}; accepted: 1 to 64", self.concurrency));
        }
        if self.reference_nodes == Some(0) {
            return Err("reference_nodes is 0; accepted: 1 or more".into());
        }
        if !(16..=65_536).contains(&self.limits.memory_mb) {
            return Err(format!(
                "limits: memory_mb is {}; accepted: memory_mb 16 to 65536",
                self.limits.memory_mb
            ));
        }
        if self.limits.processes < 1 || self.limits.tmp_mb < 1 {
            return Err("limits: accepted: processes and tmp_mb 1 or more".into());
        }
        self.marks.check()?;
        self.deadline().map(drop)
    }

    /// The deadline.
    pub fn deadline(&self) -> Result<Option<Timestamp>, String> {
        let parse = |text: &String| {
            text.parse::<Timestamp>()
                .map_err(|_| format!("deadline '{text}' is not a time; accepted: 2026-12-01T23:59:00+08:00"))
        };
        self.deadline.as_ref().map(parse).transpose()
    }

    /// Board and rule.
    pub fn setup(&self) -> Setup {
        Setup { rule: self.rule.clone(), ..Setup::empty(self.size, self.size) }
    }

    /// What a program may spend on a game.
    pub fn control(&self) -> TimeControl {
        TimeControl {
            patience: Duration::from_secs(20),
            ..TimeControl::per_move(Duration::from_secs_f64(self.seconds_per_move))
        }
    }

    /// The table of languages.
    pub fn languages(&self) -> Languages {
        Languages::default().extended(&self.language)
    }
}

fn config_path(folder: &Path) -> PathBuf {
    folder.join("class.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_being_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = ClassConfig::new("人工智能 2026", &gomoku::GOMOKU);
        config.deadline = Some("2026-12-01T23:59:00+08:00".into());
        config.references = vec!["classic-ac:depth=2".into()];
        config.write(folder.path()).unwrap();
        assert_eq!(ClassConfig::read(folder.path()).unwrap(), config);
    }

    #[test]
    fn weights_are_named_and_the_others_keep_their_default() {
        let weights: MarkWeights = "score=40, rank=0".parse().unwrap();
        assert_eq!(weights, MarkWeights { score: 40.0, rank: 0.0, ..MarkWeights::default() });
        let said = |text: &str| text.parse::<MarkWeights>().unwrap_err();
        assert!(said("style=5").contains("'style' is no part of a mark; accepted: submitted, compliance"));
        assert!(said("score").contains("PART=WEIGHT"));
        assert!(said("score=much").contains("PART=WEIGHT"));
        assert!(said("score=-1").contains("the weight of score is -1"));
        assert!(said("rank=NaN").contains("the weight of rank is NaN"));
        let mut config = ClassConfig::new("x", &gomoku::GOMOKU);
        config.marks.clean = f64::INFINITY;
        assert!(config.write(tempfile::tempdir().unwrap().path()).is_err());
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let said = || ClassConfig::read(folder.path()).unwrap_err().to_string();
        assert!(said().contains("no class.toml"));
        let config = ClassConfig::new("x", &hex::HEX);
        config.write(folder.path()).unwrap();
        let path = folder.path().join("class.toml");
        let good = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, good.replace("size = 11", "size = \"big\"")).unwrap();
        assert!(said().contains("line 3"), "{}", said());
        std::fs::write(&path, good.replace("seconds_per_move = 1.0", "seconds_per_move = -1.0")).unwrap();
        assert!(said().contains("above 0"));
        std::fs::write(&path, format!("deadline = \"tomorrow\"\n{good}")).unwrap();
        assert!(said().contains("2026-12-01T23:59:00+08:00"));
    }
}
