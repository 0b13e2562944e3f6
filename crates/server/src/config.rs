//! What the operator chooses.

use crate::fleet::FleetConfig;
use crate::security::origin::Origins;
use crate::security::rate::Quota;
use crate::store::{Expiry, StorageQuota};
use api::ClockRule;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// How to serve. The default is for one person at this machine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen. Anything but loopback needs [`Config::public`].
    pub addr: SocketAddr,
    /// The folder of the SQLite file.
    pub data: PathBuf,
    /// A database elsewhere: `postgres://…` (or `sqlite://…`).
    pub database: Option<String>,
    /// The operator knows that others can reach this server.
    pub public: bool,
    /// The origins of the app's pages, such as `https://tengen.example.org`; needed when public.
    pub origins: Vec<String>,
    /// Requests come through a proxy of the operator that sets `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// A file of the operator's own engines, in the arena's form (`engines.toml`).
    pub engines: Option<PathBuf>,
    /// Engine threads; 0 means one for each core.
    pub workers: usize,
    /// Memory of an engine in a live game, in MiB.
    pub engine_memory_mb: usize,
    /// Engines of live games kept between their moves, in all; beyond that the one longest not used is dropped.
    pub kept_engines: usize,
    /// Limits for clients; by [`Config::public`] if left out.
    pub quota: Option<Quota>,
    /// How much is kept; by [`Config::public`] if left out.
    pub storage: Option<StorageQuota>,
    /// How long it is kept; by [`Config::public`] if left out.
    pub expiry: Option<Expiry>,
    /// Who presents this token may read `/metrics` from elsewhere.
    pub metrics_token: Option<String>,
    /// The clock of games on the bots' ladder.
    pub ladder_clock: ClockRule,
    /// A folder of classes, or the folder of one.
    pub classes: Option<PathBuf>,
    /// Where the servers that share a PostgreSQL database find each other; without it this one is alone.
    pub nats: Option<String>,
    /// Coordinate workers on other machines.
    pub fleet: Option<FleetConfig>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            addr: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7878),
            data: PathBuf::from(".data"),
            database: None,
            public: false,
            origins: Vec::new(),
            behind_proxy: false,
            engines: None,
            workers: 0,
            engine_memory_mb: 32,
            kept_engines: 8,
            quota: None,
            storage: None,
            expiry: None,
            metrics_token: None,
            ladder_clock: ClockRule { initial_ms: 60_000, increment_ms: 1_000 },
            classes: None,
            nats: None,
            fleet: None,
        }
    }
}

/// Why a configuration is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Others could reach the server, and nobody said that they may.
    #[error("{0} can be reached by others; say --public and --origin URL if that is wanted")]
    NotPublic(SocketAddr),
    /// Public, but no origin was chosen.
    #[error("--public needs --origin URL, the address people open in their browser")]
    NoOrigin,
    /// Not an origin.
    #[error("'{0}' is not an origin; accepted: http://HOST[:PORT] or https://HOST[:PORT] without a path")]
    BadOrigin(String),
}

impl Config {
    /// Checks the choice and says whose pages may use the server.
    pub(crate) fn check(&self) -> Result<Origins, ConfigError> {
        if !self.addr.ip().is_loopback() && !self.public {
            return Err(ConfigError::NotPublic(self.addr));
        }
        for origin in &self.origins {
            let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            let good = host.is_some_and(|host| {
                !host.is_empty() && !host.contains(['/', '?', '#', '@', '*', ' ']) && host.is_ascii()
            });
            if !good {
                return Err(ConfigError::BadOrigin(origin.clone()));
            }
        }
        match (self.public, self.origins.is_empty()) {
            (true, true) => Err(ConfigError::NoOrigin),
            (false, true) => Ok(Origins::Loopback),
            _ => Ok(Origins::Listed(self.origins.clone())),
        }
    }

    pub(crate) fn quota(&self) -> Quota {
        self.quota.unwrap_or(if self.public { Quota::public() } else { Quota::loopback() })
    }

    pub(crate) fn storage(&self) -> StorageQuota {
        self.storage.unwrap_or(if self.public { StorageQuota::public() } else { StorageQuota::loopback() })
    }

    pub(crate) fn expiry(&self) -> Expiry {
        self.expiry.unwrap_or(if self.public { Expiry::public() } else { Expiry::loopback() })
    }

    pub(crate) fn workers(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(2, usize::from),
            n => n.min(256),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_needs_a_choice() {
        let open = Config { addr: "0.0.0.0:7878".parse().unwrap(), ..Config::default() };
        assert!(matches!(open.check(), Err(ConfigError::NotPublic(_))));
        let said = Config { public: true, ..open.clone() };
        assert_eq!(said.check().err(), Some(ConfigError::NoOrigin));
        let chosen = Config { origins: vec!["https://tengen.example.org".into()], ..said.clone() };
        assert!(matches!(chosen.check(), Ok(Origins::Listed(_))));
        let odd = Config { origins: vec!["https://tengen.example.org/path".into()], ..said };
        assert!(matches!(odd.check(), Err(ConfigError::BadOrigin(_))));
        assert!(matches!(Config::default().check(), Ok(Origins::Loopback)));
    }
}
