//! Referee, clocks, engine processes, protocols, tournaments and ratings.
//!
//! The arena knows games only through the doors of `game`; our rules decide every game, never an engine's
//! claim. From the inside out: [`process`] runs a program, [`protocol`] talks to it, [`player`] is the one
//! door behind which programs and built-in engines look alike, [`referee`] plays one game, [`schedule`] says
//! which games there are, [`runner`] plays them all and [`journal`] remembers them, [`stats`] and [`report`]
//! say what they mean.

pub mod adjudication;
pub mod check;
pub mod clock;
pub mod experience;
pub mod face;
pub mod journal;
pub mod openings;
pub mod player;
pub mod process;
pub mod protocol;
pub mod referee;
pub mod report;
pub mod roster;
pub mod runner;
pub mod schedule;
pub mod stats;
