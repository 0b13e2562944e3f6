//! Work that somebody waits for: a [`Caller`] sends a task to a worker, hears reports while it runs, and can end it.
//!
//! Unlike a unit, a call is not in the record. It is sent straight to one worker, and whoever sent it does the work
//! itself when the worker is lost. Workers tell everybody several times a second how much of this they take; they take
//! it before units, except beside units that measure time.

mod caller;
mod desk;

pub use caller::{CallError, Caller, Session};
pub use desk::{Desk, MakeDesk};
pub(crate) use desk::{Load, serve};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// Where workers say that they are ready.
const READY: &str = "tengen.fleet.ready";
/// How often they do, and how often a caller and a worker show each other that they are there.
const BEAT: Duration = Duration::from_millis(500);
/// Whoever is silent for so long is gone.
const GONE: Duration = Duration::from_millis(2500);

/// A worker that takes calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ready {
    /// Its name on the wire.
    address: String,
    /// The signature of its bench.
    signature: String,
    /// Threads for calls in total; none beside units that measure time.
    threads: usize,
    /// Threads that no call uses.
    free: usize,
}

/// What a caller tells a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    /// Answered on the reply subject by [`CallProgress`]s.
    Begin { call: String, session: String, threads: usize, task: Value },
    /// The caller is still there.
    Keep { call: String },
    /// The call is to end; its result still counts.
    Stop { call: String },
    /// The session is over.
    Forget { session: String },
}

/// What a worker tells a caller.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CallProgress {
    /// It has no room.
    Busy,
    /// It is at work.
    Working,
    Report(Value),
    Done(Value),
    Failed(String),
}

fn orders_subject(address: &str) -> String {
    format!("tengen.fleet.live.{address}")
}
