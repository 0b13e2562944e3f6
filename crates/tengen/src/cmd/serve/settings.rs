//! The settings of `tengen serve`, from the command line, the environment and a configuration file.
//!
//! One struct describes all three, so that every option exists in each of them under the same name. An option counts
//! before an environment variable, a variable before the file, the file before the default.

use crate::folders;
use crate::usage::{Usage, usage};
use anyhow::Context;
use arena::roster::Roster;
use clap::CommandFactory;
use serde::Deserialize;
use server::{Config, Expiry, FleetConfig};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What an operator can set. `None` means that this source does not say.
#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Settings {
    /// Address and port to listen on [default: 127.0.0.1:7878]
    #[arg(long, env = "TENGEN_ADDR", value_name = "ADDRESS:PORT")]
    addr: Option<SocketAddr>,
    /// Folder of the database file [default: tengen in the user's data folder]
    #[arg(long, env = "TENGEN_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Another database: postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, env = "TENGEN_DATABASE", hide_env_values = true, value_name = "URL")]
    database: Option<String>,
    /// Accept clients from other machines (needs an origin)
    #[arg(long, env = "TENGEN_PUBLIC", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    public: Option<bool>,
    /// The address people open, such as `https://tengen.example.org`; may be repeated
    #[arg(long, env = "TENGEN_ORIGIN", value_delimiter = ',', value_name = "URL")]
    origin: Option<Vec<String>>,
    /// Requests come through a proxy of yours that sets X-Forwarded-For
    #[arg(long, env = "TENGEN_BEHIND_PROXY", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    behind_proxy: Option<bool>,
    /// Your own engines; `engines.toml` in the data folder if it is there
    #[arg(long, env = "TENGEN_ENGINES", value_name = "FILE")]
    engines: Option<PathBuf>,
    /// A folder of classes made with `tengen class new`, or one class: students hand in and teachers play rounds in the browser
    #[arg(long, env = "TENGEN_CLASSES", value_name = "FOLDER")]
    classes: Option<PathBuf>,
    /// Engine threads; 0 means one per core [default: 0]
    #[arg(long, env = "TENGEN_WORKERS", value_name = "N")]
    workers: Option<usize>,
    /// Memory of an engine in a live game, in MiB [default: 32]
    #[arg(long, env = "TENGEN_ENGINE_MEMORY", value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    engine_memory: Option<u32>,
    /// Engines of live games kept between their moves, in all [default: 8]
    #[arg(long, env = "TENGEN_KEPT_ENGINES", value_name = "N")]
    kept_engines: Option<u32>,
    /// Delete what nobody touched for so many days (0: never): games, finished-games, studies or bots; may be repeated.
    /// With --public: games=30, finished-games=730, studies=365, bots=90; otherwise nothing is deleted
    #[arg(long, env = "TENGEN_EXPIRE", value_delimiter = ',', value_name = "NAME=DAYS", value_parser = checked_expiry)]
    #[serde(default, deserialize_with = "expiry_table")]
    expire: Option<Vec<String>>,
    /// Who presents this token may read /metrics from elsewhere
    // Not an option: others on this machine can read the arguments of a process.
    #[arg(skip)]
    metrics_token: Option<String>,
    /// Coordinate a fleet of workers through this NATS server: nats://TOKEN@HOST:PORT. Servers that share a PostgreSQL
    /// database find each other there too
    #[arg(long, env = "TENGEN_NATS", hide_env_values = true, value_name = "URL")]
    nats: Option<String>,
    /// How long a worker of the fleet may be silent before its units go to others, in seconds [default: 30]
    #[arg(long, env = "TENGEN_FLEET_LEASE", value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=3600))]
    fleet_lease: Option<u32>,
    /// Log as JSON, one object per line (RUST_LOG chooses what)
    #[arg(long, env = "TENGEN_LOG_JSON", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    log_json: Option<bool>,
}

fn checked_expiry(text: &str) -> Result<String, String> {
    Expiry::loopback().set(text).map(|()| text.to_string())
}

/// In the file `expire` is a table of names and days.
fn expiry_table<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    let table = BTreeMap::<String, u32>::deserialize(from)?;
    let rule = |(name, days)| checked_expiry(&format!("{name}={days}")).map_err(serde::de::Error::custom);
    table.into_iter().map(rule).collect::<Result<_, _>>().map(Some)
}

impl Settings {
    /// What a command about the database alone was told.
    pub(crate) fn for_database(
        data: Option<PathBuf>,
        database: Option<String>,
        expire: &[String],
    ) -> Settings {
        let expire = (!expire.is_empty()).then(|| expire.to_vec());
        Settings { data, database, expire, ..Settings::default() }
    }

    /// These settings, with the file's where they say nothing.
    pub(crate) fn with_file(mut self, file: Option<&Path>) -> anyhow::Result<Settings> {
        self.metrics_token = std::env::var("TENGEN_METRICS_TOKEN").ok().filter(|token| !token.is_empty());
        let Some(path) = file else { return Ok(self) };
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the configuration {}", path.display()))?;
        let file: Settings =
            toml::from_str(&text).map_err(|error| Usage(format!("{}: {error}", path.display())))?;
        Ok(self.or(file))
    }

    fn or(self, file: Settings) -> Settings {
        Settings {
            addr: self.addr.or(file.addr),
            data: self.data.or(file.data),
            database: self.database.or(file.database),
            public: self.public.or(file.public),
            origin: self.origin.or(file.origin),
            behind_proxy: self.behind_proxy.or(file.behind_proxy),
            engines: self.engines.or(file.engines),
            classes: self.classes.or(file.classes),
            workers: self.workers.or(file.workers),
            engine_memory: self.engine_memory.or(file.engine_memory),
            kept_engines: self.kept_engines.or(file.kept_engines),
            expire: self.expire.or(file.expire),
            metrics_token: self.metrics_token.or(file.metrics_token),
            nats: self.nats.or(file.nats),
            fleet_lease: self.fleet_lease.or(file.fleet_lease),
            log_json: self.log_json.or(file.log_json),
        }
    }

    /// Is the log JSON?
    pub(crate) fn log_json(&self) -> bool {
        self.log_json.unwrap_or(false)
    }

    /// The broker of the fleet, if there is one.
    pub(crate) fn nats(&self) -> Option<&str> {
        self.nats.as_deref()
    }

    fn fleet_lease(&self) -> u32 {
        self.fleet_lease.unwrap_or(30)
    }

    /// The folder of the database file.
    pub(crate) fn data(&self) -> anyhow::Result<PathBuf> {
        match self.data.clone().or_else(folders::data) {
            Some(folder) => Ok(folder),
            None => usage!("there is no home folder; say where the database goes with --data FOLDER"),
        }
    }

    /// The database URL, if it is not the file in [`Settings::data`].
    pub(crate) fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// How long things are kept.
    pub(crate) fn expiry(&self) -> anyhow::Result<Expiry> {
        let public = self.public.unwrap_or(false);
        let mut expiry = if public { Expiry::public() } else { Expiry::loopback() };
        for text in self.expire.iter().flatten() {
            expiry.set(text).map_err(|error| Usage(format!("expire: {error}")))?;
        }
        Ok(expiry)
    }

    /// The server's configuration.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let usual = Config::default();
        let data = self.data()?;
        Ok(Config {
            addr: self.addr.unwrap_or(usual.addr),
            database: self.database.clone(),
            public: self.public.unwrap_or(usual.public),
            origins: self.origin.clone().unwrap_or_default(),
            behind_proxy: self.behind_proxy.unwrap_or(usual.behind_proxy),
            engines: self.engines.clone().or_else(|| {
                let usual = data.join("engines.toml");
                usual.is_file().then_some(usual)
            }),
            classes: self.classes.clone(),
            workers: self.workers.unwrap_or(usual.workers),
            engine_memory_mb: self.engine_memory.map_or(usual.engine_memory_mb, |mb| mb as usize),
            kept_engines: self.kept_engines.map_or(usual.kept_engines, |count| count as usize),
            expiry: Some(self.expiry()?),
            metrics_token: self.metrics_token.clone(),
            nats: self.nats.clone(),
            fleet: self.nats.clone().map(|nats| FleetConfig {
                nats,
                signature: crate::fleet::SIGNATURE.into(),
                version: crate::VERSION.into(),
                executor: crate::fleet::make_executor(Roster::default(), f64::NAN),
                lease: Duration::from_secs(self.fleet_lease().into()),
            }),
            data,
            ..usual
        })
    }

    /// The settings in force as a configuration file, each with its description. Passwords and tokens are left out.
    pub(crate) fn print(&self) -> anyhow::Result<String> {
        let config = self.config()?;
        let expiry = self.expiry()?;
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let list = |items: &[String]| toml::Value::from(items.to_vec()).to_string();
        let expire = format!(
            "{{ games = {}, finished-games = {}, studies = {}, bots = {} }}",
            expiry.games, expiry.finished_games, expiry.studies, expiry.bots
        );
        let values = [
            ("addr", Some(quoted(&config.addr.to_string()))),
            ("data", Some(quoted(&config.data.to_string_lossy()))),
            ("database", config.database.as_deref().map(|url| quoted(&without_password(url)))),
            ("public", Some(config.public.to_string())),
            ("origin", Some(list(&config.origins))),
            ("behind-proxy", Some(config.behind_proxy.to_string())),
            ("engines", config.engines.as_ref().map(|path| quoted(&path.to_string_lossy()))),
            ("classes", config.classes.as_ref().map(|path| quoted(&path.to_string_lossy()))),
            ("workers", Some(config.workers.to_string())),
            ("engine-memory", Some(config.engine_memory_mb.to_string())),
            ("kept-engines", Some(config.kept_engines.to_string())),
            ("expire", Some(expire)),
            ("nats", self.nats.as_deref().map(|url| quoted(&without_password(url)))),
            ("fleet-lease", Some(self.fleet_lease().to_string())),
            ("log-json", Some(self.log_json().to_string())),
        ];
        let command = Described::command();
        let mut text = String::from("# Configuration of `tengen serve --config FILE`.\n");
        for (name, value) in values {
            let about = command.get_arguments().find(|arg| arg.get_long() == Some(name));
            let about = about.and_then(|arg| arg.get_long_help().or(arg.get_help()));
            for line in about.map(ToString::to_string).unwrap_or_default().lines() {
                writeln!(text, "\n# {line}")?;
            }
            match value {
                Some(value) => writeln!(text, "{name} = {value}")?,
                None => writeln!(text, "# {name} = \"\"")?,
            }
        }
        let set = if config.metrics_token.is_some() { "it is set, but not shown" } else { "not set" };
        writeln!(
            text,
            "\n# Who presents this token may read /metrics from elsewhere ({set})\n# metrics-token = \"\""
        )?;
        Ok(text)
    }
}

/// The options with their help, to be looked up by name.
#[derive(clap::Parser)]
struct Described {
    #[command(flatten)]
    _settings: Settings,
}

/// A database URL as it may be shown.
fn without_password(url: &str) -> String {
    let masked = || {
        let (scheme, rest) = url.split_once("://")?;
        let (login, place) = rest.rsplit_once('@')?;
        // NATS has a token alone before the @.
        match login.split_once(':') {
            Some((user, _)) => Some(format!("{scheme}://{user}:***@{place}")),
            None if scheme == "nats" || scheme == "tls" => Some(format!("{scheme}://***@{place}")),
            None => None,
        }
    };
    masked().unwrap_or_else(|| url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Settings> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), text)?;
        Settings::default().with_file(Some(file.path()))
    }

    #[test]
    fn what_is_printed_reads_back_the_same() {
        let settings = read("addr = \"127.0.0.1:9000\"\ndata = \"/d\"\norigin = [\"https://a.example\"]\npublic = true\nexpire = { bots = 7 }\n").unwrap();
        let printed = settings.print().unwrap();
        let again = read(&printed).unwrap();
        assert_eq!(again.print().unwrap(), printed);
        assert_eq!(again.expiry().unwrap(), Expiry { bots: 7, ..Expiry::public() });
        assert_eq!(again.config().unwrap().origins, ["https://a.example"]);
    }

    #[test]
    fn options_count_before_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "workers = 3\nengine-memory = 64\ndata = \"/d\"").unwrap();
        let said = Settings { workers: Some(5), ..Settings::default() };
        let config = said.with_file(Some(file.path())).unwrap().config().unwrap();
        assert_eq!((config.workers, config.engine_memory_mb), (5, 64));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let said = |text: &str| read(text).unwrap_err().to_string();
        let unknown = said("workers = 1\nwokers = 2\n");
        assert!(
            unknown.contains("line 2") && unknown.contains("wokers") && unknown.contains("`workers`"),
            "{unknown}"
        );
        let kind = said("workers = \"two\"\n");
        assert!(kind.contains("line 1") && kind.contains("usize"), "{kind}");
        let expiry = said("[expire]\nbot = 3\n");
        assert!(expiry.contains("accepted names: games"), "{expiry}");
    }

    #[test]
    fn passwords_are_not_printed() {
        assert_eq!(without_password("postgres://me:pw@host/db"), "postgres://me:***@host/db");
        assert_eq!(without_password("postgres://host/db"), "postgres://host/db");
        assert_eq!(without_password("nats://hush@host:4222"), "nats://***@host:4222");
        let token =
            Settings { metrics_token: Some("hush".into()), data: Some("/d".into()), ..Settings::default() };
        assert!(!token.print().unwrap().contains("hush"));
    }
}
