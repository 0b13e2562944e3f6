//! What a storm takes away, and how often.

use anyhow::{Context, bail};
use std::path::PathBuf;

pub(super) struct Options {
    pub(super) games: u64,
    /// Seconds between the moves of a game.
    pub(super) every: u64,
    /// Seconds of calm before the first outage; without outages the whole run.
    pub(super) seconds: u64,
    pub(super) kills: u64,
    pub(super) broker: u64,
    pub(super) database: u64,
    /// How often a server is cut off, and for how long.
    pub(super) cuts: u64,
    pub(super) cut_seconds: u64,
    /// How often a server is frozen for as long.
    pub(super) freezes: u64,
    /// How often all servers are replaced one after the other.
    pub(super) upgrades: u64,
    /// The version before.
    pub(super) previous: Option<PathBuf>,
    /// Where `tengen` and `examples/load` are, if they need not be built.
    pub(super) built: Option<PathBuf>,
    pub(super) debug: bool,
}

impl Options {
    pub(super) fn read(args: &[String]) -> anyhow::Result<Options> {
        let mut options = Options {
            games: 200,
            every: 2,
            seconds: 20,
            kills: 10,
            broker: 2,
            database: 2,
            cuts: 0,
            cut_seconds: 30,
            freezes: 0,
            upgrades: 0,
            previous: None,
            built: None,
            debug: false,
        };
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let mut number = |most: u64| -> anyhow::Result<u64> {
                let number = words.next().and_then(|word| word.parse().ok());
                number
                    .filter(|number| *number <= most)
                    .with_context(|| format!("{word} needs a number up to {most}"))
            };
            match word.as_str() {
                "--games" => options.games = number(5_000)?.max(1),
                "--every" => options.every = number(60)?.max(1),
                "--seconds" => options.seconds = number(600)?.max(1),
                "--kills" => options.kills = number(200)?,
                "--broker" => options.broker = number(100)?,
                "--database" => options.database = number(100)?,
                "--cuts" => options.cuts = number(50)?,
                "--cut-seconds" => options.cut_seconds = number(120)?,
                "--freezes" => options.freezes = number(50)?,
                "--upgrades" => options.upgrades = number(50)?,
                "--previous" => {
                    let program = words.next().map(PathBuf::from).filter(|program| program.is_file());
                    options.previous = Some(program.context("--previous needs a program `tengen`")?);
                }
                "--built" => {
                    let folder = words.next().map(PathBuf::from).filter(|folder| folder.is_dir());
                    options.built = Some(folder.context("--built needs a folder like target/release")?);
                }
                "--debug" => options.debug = true,
                other => bail!(
                    "unknown '{other}'; accepted: --games N, --every S, --seconds S, --kills N, --broker N, --database N, \
                     --cuts N, --cut-seconds S, --freezes N, --upgrades N, --previous PROGRAM, --built FOLDER, --debug"
                ),
            }
        }
        Ok(options)
    }
}
