//! Work on many machines.
//!
//! A run is cut into units; workers compute them; every unit counts once. The record is a database, and only what is
//! in it counts; NATS JetStream carries units, progress and cancellation, and may lose any of it.
//!
//! ```
//! use fleet::store::{DeliveryOutcome, Store, Timing};
//! use fleet::work::{Hello, NewRun, UnitResult};
//! use serde_json::json;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(&format!("sqlite://{}?mode=rwc", folder.path().join("fleet.db").display())).await?;
//! let run = NewRun {
//!     key: "squares".into(),
//!     kind: "square".into(),
//!     title: "Squares".into(),
//!     job: String::new(),
//!     needs: Default::default(),
//!     exact: true,
//!     unit_seconds: 60,
//! };
//! let (now, timing) = (1_000, Timing::default());
//! store.create_run("r1", &run, now).await?;
//! store.add_units("r1", &[(0, json!(3)), (1, json!(4))]).await?;
//! let hello = Hello {
//!     id: "w1".into(),
//!     version: "1".into(),
//!     signature: "s".into(),
//!     speed: 1e6,
//!     threads: 1,
//!     programs: Vec::new(),
//! };
//! store.join(&hello, now).await?;
//!
//! // A unit is offered, leased by one worker, and counted once however often its result arrives.
//! let unit = &store.offer("free", 1, &timing, now).await?[0];
//! store.lease(&unit.id, unit.offer, "w1", &timing, now).await?;
//! let result = UnitResult { exact: json!(9), free: json!(null) };
//! assert_eq!(store.count(&unit.id, "w1", 0.1, &result, 1, now).await?, DeliveryOutcome::Counted);
//! assert_eq!(store.count(&unit.id, "w1", 0.1, &result, 1, now).await?, DeliveryOutcome::NotNeeded);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | [`work`] | runs, units and results as plain types |
//! | [`store`], [`database`] | the record: PostgreSQL, or SQLite on one machine |
//! | [`message`], [`broker`] | what is said over NATS, and the connection |
//! | [`coordinator`] | answers requests from the record and publishes units |
//! | [`client`] | hands in runs and reads their results |
//! | [`worker`], [`executor`] | takes units and has them computed |
//! | [`live`] | work that somebody waits for, sent straight to a worker |
//! | [`trust`] | which results are run again, and when a worker is set aside |
//!
//! The crate knows no game: what a unit means is up to an [`executor::Executor`].

pub mod broker;
pub mod client;
pub mod coordinator;
pub mod database;
pub mod executor;
mod files;
pub mod live;
pub mod message;
mod noise;
pub mod store;
#[cfg(test)]
mod testing;
pub mod trust;
pub mod work;
pub mod worker;

/// Twelve random hexadecimal digits.
fn random_hex() -> String {
    format!("{:012x}", random_u64() >> 16)
}

fn random_u64() -> u64 {
    // Without the system's random numbers the clock will do: names need only differ.
    getrandom::u64().unwrap_or_else(|_| now_ms() as u64 ^ u64::from(std::process::id()) << 40)
}

/// Milliseconds since 1970.
fn now_ms() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_millis() as i64)
}
