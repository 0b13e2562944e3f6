//! The server as its clients see it: over real sockets, on SQLite, or on PostgreSQL where `TENGEN_TEST_POSTGRES` names
//! a server (`cargo xtask test` runs the suite on both if PostgreSQL is installed).
#![allow(clippy::print_stderr, reason = "a test that skips something says so")]

mod analysis;
mod arenas;
mod backup;
mod bots;
#[cfg(target_os = "linux")]
mod class_set_up;
#[cfg(target_os = "linux")]
mod classes;
mod client;
mod company;
mod crash;
mod data;
mod engines;
mod explain;
mod faults;
mod files;
mod fuzz;
mod games;
mod host;
mod limits;
mod logs;
mod puzzles;
mod quotas;
mod security;
mod site;
mod waking;
