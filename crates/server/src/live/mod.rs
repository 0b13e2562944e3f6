//! Live games: one task per game, so that everything in it happens one after the other.
//!
//! The game itself is a [`play::Session`]; [`state`] puts it beside the game's header. [`task`] decides what
//! happens next, writes it to disk, and only then commits it and tells everybody, in the words of [`message`];
//! [`create`] begins a game, [`engine`] gives an engine its turn, [`seat_engine`] keeps it between moves;
//! [`registry`] finds the task of a game, starting it from disk if need be; [`handle`] asks it, or the server that runs it.

mod alarm;
mod create;
mod engine;
mod handle;
mod message;
mod registry;
mod request;
mod seat_engine;
mod state;
mod task;

pub(crate) use alarm::Alarms;
pub(crate) use create::create;
pub(crate) use handle::{GameHandle, Here, finished_record};
pub(crate) use message::{BotMessage, GameMessage, Update, Updates};
pub(crate) use registry::{LiveGames, WakeError};
pub(crate) use request::Joined;
pub(crate) use seat_engine::KeptEngines;
