//! Tengen's server: HTTP and WebSocket API, live games, storage, the engine pool, and the embedded web app.
//!
//! [`Server::bind`] opens the database, wakes the games that were going on and listens; [`Server::run`]
//! serves until it is stopped. Rules and search are used only through the traits of `game`.
//!
//! | module | contents |
//! |---|---|
//! | `api` | one file per resource, the router, the OpenAPI description |
//! | `shape` | the JSON shapes |
//! | `listen` | connections, their number and their deadlines |
//! | `live` | one task per live game |
//! | `store` | SQLite or PostgreSQL |
//! | `pool` | engine threads, shared fairly |
//! | `bots` | programs that play by token |
//! | `engines` | built-in engines, and the operator's own |
//! | `puzzle` | judging, defending, the tree of a solution |
//! | `security` | origins, headers, limits, secrets |

mod api;
mod app;
mod assets;
mod bots;
mod config;
mod engines;
mod housekeeping;
mod listen;
mod live;
mod log;
mod metrics;
mod pool;
mod problem;
mod puzzle;
mod security;
mod serve;
mod shape;
mod store;
mod time;

pub use api::docs::openapi_json;
pub use assets::player_page;
pub use config::{Config, ConfigError};
pub use engines::EnginesError;
pub use housekeeping::prune;
pub use log::log_filter;
pub use security::rate::Quota;
pub use serve::{ServeError, Server};
pub use store::{BackupError, Expiry, Share, StorageQuota, StoreError, backup, restore};
