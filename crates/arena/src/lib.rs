//! Matches between engines: processes, protocols, referee, tournaments, ratings and reports.
//!
//! The arena knows a game only through the traits of the `game` crate. The rules decide every game, never an
//! engine's claim, and whatever an engine does wrong (crash, flood, silence, an illegal move) costs it that
//! game and nothing else.
//!
//! # Modules, from the inside out
//!
//! | module | what it does |
//! |---|---|
//! | [`platform`] | what differs between operating systems: process trees, memory limits, pinning |
//! | [`process`] | a child process that talks in lines, every read and write with a deadline |
//! | [`sandbox`] | programs of strangers, by bubblewrap: no network, no files of others, bounded resources |
//! | [`protocol`] | the referee's side of Gomocup, HTP and the line protocol |
//! | [`frontend`] | our engines' side of the same protocols |
//! | [`player`] | one trait for built-in engines and programs |
//! | [`referee`], [`adjudication`] | one game; its clocks and end reasons are those of `play` |
//! | [`openings`], [`schedule`] | where games start, and who meets whom |
//! | [`pairing`] | who meets whom on a standing ladder |
//! | [`tournament`], [`journal`] | plays a schedule on several threads and records every finished game |
//! | [`stats`], [`report`] | Elo, SPRT and rating lists; SGF, psq, CSV and HTML |
//! | [`roster`], [`engine_limits`] | engines by name, `engines.toml`, limits of single engines |
//! | [`experience`] | learning from finished games |
//! | [`check`] | compliance checks for authors of engines |
//!
//! # A match in process
//!
//! ```
//! use play::TimeControl;
//! use arena::roster::{ProcessDefaults, Roster};
//! use arena::tournament::{Entrant, play_one};
//! use game::{Game, Limits, Setup, StopFlag};
//!
//! let game: &'static dyn Game = &hex::HEX;
//! let engine = Roster::default().resolve(game, "classic-minimax", &ProcessDefaults::default())?;
//! let control = TimeControl { depth: Some(1), ..TimeControl::default() };
//! let entrant = Entrant { name: engine.name, make: engine.make, control, limits: Limits::default() };
//! let opening = game.position(&Setup::empty(3, 3))?;
//! let played = play_one(game, &*opening, [&entrant, &entrant], Default::default(), &StopFlag::new())
//!     .expect("nobody stopped it");
//! assert!(played.winner().is_some(), "Hex has no draws");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adjudication;
mod botzone;
pub mod check;
pub mod engine_limits;
pub mod experience;
pub mod frontend;
pub mod journal;
pub mod openings;
pub mod pairing;
pub mod platform;
pub mod player;
pub mod process;
pub mod protocol;
pub mod referee;
pub mod report;
pub mod roster;
pub mod sandbox;
pub mod schedule;
pub mod stats;
pub mod tournament;
