//! Work on many machines.
//!
//! A run is cut into units; workers compute them; every unit counts once. The record is a database, and only what is
//! in it counts; NATS JetStream carries units, progress and cancellation, and may lose any of it.
//!
//! | module | what it does |
//! |---|---|
//! | [`work`] | runs, units and results as plain types |
//! | [`store`] | the record: PostgreSQL, or SQLite on one machine |
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
