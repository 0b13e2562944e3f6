//! What is computed: a [`Run`] is cut into units, a [`Unit`] is leased to a worker, a [`UnitResult`] counts once.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt;

/// Longest JSON of a unit's specification or result, in bytes: both travel in one message.
pub const MAX_BODY: usize = 768 * 1024;

/// What a worker must have to take a run's units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Needs {
    /// The units measure time: not on a noisy machine.
    #[serde(default)]
    pub timed: bool,
    /// Third-party programs, sorted; the worker's owner must have named each.
    #[serde(default)]
    pub programs: Vec<String>,
}

impl Needs {
    /// The queue of units with these needs: letters and digits, fit for a subject of NATS.
    pub fn class(&self) -> String {
        match (self.programs.as_slice(), self.timed) {
            ([], false) => "free".into(),
            ([], true) => "timed".into(),
            (programs, timed) => {
                let digest = sha256(format!("{timed}\n{}", programs.join("\n")).as_bytes());
                format!("programs-{}", &digest[..12])
            }
        }
    }

    /// Can a worker with these programs take them?
    pub fn met_by(&self, programs: &[String], noisy: bool) -> bool {
        !(self.timed && noisy) && self.programs.iter().all(|needed| programs.contains(needed))
    }
}

/// A run that is to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewRun {
    /// SHA-256 of everything asked for: an unfinished run with the same key is continued.
    pub key: String,
    /// Which executor understands the units.
    pub kind: String,
    /// One line for people.
    pub title: String,
    /// SHA-256 of the document that all units share.
    pub job: String,
    /// What a worker must have.
    #[serde(default)]
    pub needs: Needs,
    /// Does a unit give the same bits on every machine?
    pub exact: bool,
    /// A unit that runs longer has hung.
    pub unit_seconds: u32,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum RunState {
    /// Units are being worked on.
    Running,
    /// No unit is given out.
    Paused,
    /// Every unit counted, every check agreed.
    Done,
    /// Ended before that by its owner.
    Stopped,
    /// Units failed too often; the rest is done.
    Failed,
}

impl RunState {
    /// Its word in the database.
    pub(crate) fn word(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Paused => "paused",
            RunState::Done => "done",
            RunState::Stopped => "stopped",
            RunState::Failed => "failed",
        }
    }

    pub(crate) fn of(word: &str) -> Option<RunState> {
        use RunState::*;
        [Running, Paused, Done, Stopped, Failed].into_iter().find(|state| state.word() == word)
    }

    /// Is there anything left to do?
    pub fn is_over(self) -> bool {
        !matches!(self, RunState::Running | RunState::Paused)
    }
}

/// A run as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Run {
    /// Its name.
    pub id: String,
    /// Which executor understands its units.
    pub kind: String,
    /// One line for people.
    pub title: String,
    /// How far it has come.
    pub state: RunState,
    /// Have all units been handed in?
    pub sealed: bool,
    /// Units handed in.
    pub units: i64,
    /// Units that counted.
    pub done: i64,
    /// Units that failed too often.
    pub dead: i64,
    /// Second runs not compared yet.
    pub checks: i64,
    /// What a worker must have.
    pub needs: Needs,
    /// What the submitter reports for people.
    pub summary: Value,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<i64>,
}

/// The name of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnitId {
    /// The run.
    pub run: String,
    /// Its number in the run.
    pub number: i64,
    /// 0, or 1 for the second run that is compared with the first.
    #[serde(default)]
    pub copy: i64,
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.run, self.number)?;
        if self.copy > 0 { write!(f, " (check)") } else { Ok(()) }
    }
}

/// A piece of work, as it is published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Its name.
    #[serde(flatten)]
    pub id: UnitId,
    /// How often it was published; only the last publication can be leased.
    pub offer: i64,
    /// Which executor understands it.
    pub kind: String,
    /// SHA-256 of the document that all units of the run share.
    pub job: String,
    /// What to do.
    pub spec: Value,
    /// Longer than this, and it has hung.
    pub seconds: u32,
}

/// What a unit gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    /// The part that is the same bits on every machine.
    pub exact: Value,
    /// The rest, such as times.
    #[serde(default)]
    pub free: Value,
}

impl UnitResult {
    /// SHA-256 of the exact part. Keys of objects are sorted, so equal values have equal text.
    pub fn digest(&self) -> String {
        sha256(self.exact.to_string().as_bytes())
    }
}

/// A result that counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// Its number among the results of the run, in the order they counted. A result that was withdrawn
    /// comes again with a higher number.
    pub seq: i64,
    /// The unit.
    pub number: i64,
    /// Who computed it.
    pub worker: String,
    /// How long that took.
    pub seconds: f64,
    /// What it gave.
    pub result: UnitResult,
}

/// An attempt that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Failure {
    /// Who.
    pub worker: String,
    /// Why.
    pub log: String,
    /// The worker was not heard of any more. That may be the network, so it is not held against the worker.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub silent: bool,
}

/// A unit that failed too often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeadUnit {
    /// The run.
    pub run: String,
    /// The unit.
    pub number: i64,
    /// Every attempt.
    pub failures: Vec<Failure>,
}

/// What a worker says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hello {
    /// A name of its own.
    pub id: String,
    /// The version of the program.
    pub version: String,
    /// The signature of its bench: equal signatures, equal engines.
    pub signature: String,
    /// Nodes per second of the bench, on one thread.
    pub speed: f64,
    /// Units at a time.
    pub threads: i64,
    /// Third-party programs that its owner allows.
    pub programs: Vec<String>,
}

/// A worker as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Worker {
    /// What it says of itself.
    #[serde(flatten)]
    pub hello: Hello,
    /// Is it too noisy for timed games?
    pub noisy: bool,
    /// When it was last heard of, in milliseconds since 1970.
    pub seen: i64,
    /// Is it heard of often enough to be given work?
    pub alive: bool,
    /// Units that it is working on.
    pub leased: i64,
    /// Results that counted.
    pub counted: i64,
    /// Second runs that agreed with another worker's.
    pub agreed: i64,
    /// Units it failed at and others completed.
    pub failed: i64,
    /// Why it gets no more work; empty while it does.
    pub set_aside: String,
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_digest_sees_values_and_not_the_order_of_keys() {
        let of = |text: &str| {
            UnitResult { exact: serde_json::from_str(text).unwrap(), free: json!(rand(text)) }.digest()
        };
        assert_eq!(of(r#"{"a":1,"b":[2.5]}"#), of(r#"{ "b": [2.5], "a": 1 }"#));
        assert_ne!(of(r#"{"a":1}"#), of(r#"{"a":2}"#));
    }

    fn rand(text: &str) -> usize {
        text.len()
    }

    #[test]
    fn needs_choose_the_queue() {
        let needs = |timed, programs: &[&str]| Needs {
            timed,
            programs: programs.iter().map(ToString::to_string).collect(),
        };
        assert_eq!(needs(false, &[]).class(), "free");
        assert_ne!(needs(false, &["a", "b"]).class(), needs(false, &["a"]).class());
        assert!(needs(true, &[]).met_by(&[], false) && !needs(true, &[]).met_by(&[], true));
        assert!(!needs(false, &["a"]).met_by(&["b".into()], false));
        assert!(needs(false, &["a"]).met_by(&["b".into(), "a".into()], true));
    }
}
