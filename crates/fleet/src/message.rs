//! What is said over NATS: requests to the coordinator and its answers, and the names of subjects.

use crate::store::{DeliveryOutcome, Grant, Timing};
use crate::work::{Counted, DeadUnit, Hello, NewRun, Run, RunState, UnitId, UnitResult, Worker};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Requests to the coordinator; several coordinators of one database share them.
pub(crate) const REQUESTS: &str = "tengen.fleet.requests";
/// The stream of units that wait for a worker.
pub(crate) const STREAM: &str = "tengen-units";
/// Names a run whose units are to be dropped at once.
pub(crate) const CANCEL: &str = "tengen.fleet.cancel";
/// The object store of files by their SHA-256.
pub(crate) const FILES: &str = "tengen-files";

/// Where units of a class are published.
pub(crate) fn unit_subject(class: &str) -> String {
    format!("tengen.fleet.unit.{class}")
}

/// Tells whoever follows a run that it has changed.
pub(crate) fn changed_subject(run: &str) -> String {
    format!("tengen.fleet.changed.{run}")
}

/// A request to the coordinator. Each may be sent again when its answer was lost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the fields are those of the types in `work`")]
pub enum Request {
    /// A worker joins. Answered by [`Welcome`].
    Join { hello: Hello },
    /// A worker is alive and at these units. Answered by [`Beat`].
    Beat { worker: String, noisy: bool, units: Vec<UnitId> },
    /// A worker ends and gives its units back.
    Leave { worker: String, units: Vec<UnitId> },
    /// A worker wants to begin a unit. Answered by [`Grant`].
    Lease { unit: UnitId, offer: i64, worker: String },
    /// A unit is computed. Answered by [`DeliveryOutcome`].
    Deliver { unit: UnitId, worker: String, seconds: f64, result: UnitResult },
    /// A unit could not be computed; with an empty log it is nobody's fault.
    Fail { unit: UnitId, worker: String, log: String },
    /// A file that should be in the object store is not there.
    Restore { sha256: String },
    /// A new run, or an unfinished one again. Its files are in the object store. Answered by [`Submitted`].
    Submit { run: NewRun, files: Vec<String> },
    /// More units of a run.
    Add { run: String, units: Vec<(i64, Value)> },
    /// There are no more units. Answered by [`Run`].
    Seal { run: String },
    /// What to show people of a run.
    Summary { run: String, summary: Value },
    /// Counted results after a number. Answered by [`Results`].
    Results { run: String, after: i64 },
    /// Specifications of units from a number on. Answered by a list of numbers and specifications.
    Units { run: String, from: i64 },
    /// Everything people want to know. Answered by [`Status`].
    Status { run: Option<String> },
    /// Pauses, resumes or stops a run. Answered by [`Run`].
    SetState { run: String, state: RunState },
    /// Gives dead units of a run a new start. Answered by their number.
    Retry { run: String },
    /// Lets a worker that was set aside take part again.
    Readmit { worker: String },
}

/// The answer to a worker that joins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// How long leases last.
    pub timing: Timing,
}

/// The answer to a worker that is alive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Beat {
    /// It must join again: the record does not know it.
    pub unknown: bool,
    /// Queues that it may take units from.
    pub classes: Vec<String>,
    /// Units that it should drop.
    pub dropped: Vec<UnitId>,
    /// Why it gets no more work; empty while it does.
    pub set_aside: String,
}

/// The answer to a new run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Submitted {
    /// The run.
    pub run: Run,
    /// It was there already.
    pub continued: bool,
}

/// Results of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The run as it stood before the results were read.
    pub run: Run,
    /// Results in the order they counted.
    pub results: Vec<Counted>,
}

/// Everything people want to know.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Status {
    /// The newest runs, or the one asked for.
    pub runs: Vec<Run>,
    /// The workers that were set aside, and then the others; of both those heard of last.
    pub workers: Vec<Worker>,
    /// Units that failed too often.
    pub dead: Vec<DeadUnit>,
}

/// An answer on the wire.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CoordinatorReply {
    Ok(Value),
    /// Asking again may help.
    Later(String),
    /// Asking again does not help.
    Refused(String),
}

/// Which answer belongs to which request, so that a caller cannot mix them up.
pub(crate) trait Answers: DeserializeOwned {}
impl Answers for Welcome {}
impl Answers for Beat {}
impl Answers for Grant {}
impl Answers for DeliveryOutcome {}
impl Answers for Submitted {}
impl Answers for Run {}
impl Answers for Results {}
impl Answers for Status {}
impl Answers for Vec<(i64, Value)> {}
impl Answers for i64 {}
impl Answers for () {}
