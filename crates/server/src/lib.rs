//! Tengen's server: HTTP and WebSocket API, live games, storage, the engine pool, and the embedded web app.
//!
//! [`Server::bind`] opens the database, wakes the games that were going on and listens; [`Server::run`]
//! serves until it is stopped. Rules and search are used only through the traits of `game`; requests, answers and the functions between
//! them are those of `api`.
//!
//! ```
//! use server::{Config, Server};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let folder = tempfile::tempdir()?;
//! let config = Config { addr: "127.0.0.1:0".parse()?, data: folder.path().into(), ..Config::default() };
//! let server = Server::bind(config, vec![&gomoku::GOMOKU, &hex::HEX]).await?;
//! println!("listening on {}", server.addr());
//! // Ends when the future does: here at once, in a program on Ctrl-C.
//! server.run(async {}).await?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
//! | `ladder` | standing ladders of bots, public and private |
//! | `classes` | courses: checks of what students hand in, rounds |
//! | `fleet` | workers on other machines |
//! | `engines` | the operator's own engines |
//! | `platform` | what differs between operating systems |
//! | `lobby` | open challenges |
//! | `housekeeping` | deletes what nobody has touched for long |
//! | `log`, `metrics` | what operators see |
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
