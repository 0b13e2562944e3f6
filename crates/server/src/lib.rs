//! Tengen's server: HTTP and WebSocket API, live games, storage, the engine pool, and the embedded web app.
//!
//! [`Server::bind`] opens the database, wakes the games that were going on and listens; [`Server::run`]
//! serves until it is stopped. Rules and search are used only through the traits of `game`; requests, answers and the functions between
//! them are those of `api`.
//!
//! | module | contents |
//! |---|---|
//! | `routes` | one file per resource, the router, the OpenAPI description |
//! | `listen` | connections, their number and their deadlines |
//! | `live` | one task per live game |
//! | `store` | SQLite or PostgreSQL |
//! | `site` | several servers on one PostgreSQL database |
//! | `pool` | engine threads, shared fairly |
//! | `bots` | programs that play by token |
//! | `ladder` | the standing ladder of bots |
//! | `classes` | courses: checks of what students hand in, rounds |
//! | `fleet` | workers on other machines |
//! | `engines` | the operator's own engines |
//! | `platform` | what differs between operating systems |
//! | `security` | origins, headers, limits, secrets |

mod app;
mod assets;
mod bots;
mod classes;
mod config;
mod engines;
mod fleet;
mod housekeeping;
mod ladder;
mod listen;
mod live;
mod lobby;
mod log;
mod metrics;
mod platform;
mod pool;
mod problem;
mod routes;
mod security;
mod serve;
mod site;
mod store;
mod time;

pub use crate::fleet::FleetConfig;
pub use api::ClockRule;
pub use assets::player_page;
pub use config::{Config, ConfigError};
pub use engines::EnginesError;
pub use housekeeping::prune;
pub use log::log_filter;
pub use routes::docs::openapi_json;
pub use security::rate::Quota;
pub use serve::{ServeError, Server};
pub use store::{BackupError, Expiry, Share, StorageQuota, StoreError, backup, restore};
