//! Live games: one task a game, so that everything in it happens one after the other.
//!
//! [`state`] is the game itself, a fold over its events without any I/O; [`task`] decides what happens
//! next, writes it to disk, and only then applies it and tells everybody; [`table`] finds the task of a
//! game, starting it from disk if need be. [`clock`] keeps the time.

mod ask;
mod clock;
mod engine;
mod state;
mod table;
mod task;

pub(crate) use ask::{Acknowledged, Action, Done, GameBody, Joined, MoveOrder};
pub(crate) use table::{Handle, Table};
