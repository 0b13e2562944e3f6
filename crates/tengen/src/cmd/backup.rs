//! `tengen backup`, `tengen restore`, `tengen prune`: the server's database in the hands of its operator.

use super::serve::settings::Settings;
use crate::usage::usage;
use crate::{output, platform};
use anyhow::Context;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::PathBuf;

/// Which database: what `tengen serve` would use with the same options.
#[derive(clap::Args)]
struct Which {
    /// Configuration file of the server
    #[arg(long, env = "TENGEN_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the database file
    #[arg(long, env = "TENGEN_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Another database: postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, env = "TENGEN_DATABASE", hide_env_values = true, value_name = "URL")]
    database: Option<String>,
}

impl Which {
    fn settings(&self, expire: &[String]) -> anyhow::Result<Settings> {
        let said = Settings::for_database(self.data.clone(), self.database.clone(), expire);
        said.with_file(self.config.as_deref())
    }
}

#[derive(clap::Args)]
pub(crate) struct BackupArgs {
    /// The copy; the server may be running meanwhile
    file: PathBuf,
    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args)]
pub(crate) struct RestoreArgs {
    /// A file that `tengen backup` wrote; the database must be new or empty
    file: PathBuf,
    #[command(flatten)]
    which: Which,
}

#[derive(clap::Args)]
pub(crate) struct PruneArgs {
    /// Days without a change after which something is deleted: games, finished-games, studies or bots; may be repeated.
    /// Left out: the rules of the configuration
    #[arg(long, value_delimiter = ',', value_name = "NAME=DAYS")]
    expire: Vec<String>,
    #[command(flatten)]
    which: Which,
}

pub(crate) fn backup(args: &BackupArgs) -> anyhow::Result<()> {
    let settings = args.which.settings(&[])?;
    let folder = settings.data()?;
    let mut rows = 0;
    output::write_file_with(&args.file, |file| {
        // Nobody else may read it: it holds what the database holds.
        platform::make_private(file)?;
        let mut file = BufWriter::new(file);
        rows = block_on(server::backup(settings.database(), &folder, &mut file))??;
        Ok(())
    })?;
    println!("{} rows saved in {}", rows, args.file.display());
    Ok(())
}

pub(crate) fn restore(args: &RestoreArgs) -> anyhow::Result<()> {
    let settings = args.which.settings(&[])?;
    let folder = settings.data()?;
    let open = || File::open(&args.file).map(BufReader::new);
    let name = || args.file.display().to_string();
    let rows = block_on(server::restore(settings.database(), &folder, open))?.with_context(name)?;
    println!("{rows} rows restored from {}", args.file.display());
    Ok(())
}

pub(crate) fn prune(args: &PruneArgs) -> anyhow::Result<()> {
    let settings = args.which.settings(&args.expire)?;
    let expiry = settings.expiry()?;
    if expiry == server::Expiry::loopback() {
        usage!("nothing is to be deleted; say what with --expire NAME=DAYS or in the configuration");
    }
    let counts = block_on(server::prune(settings.database(), &settings.data()?, &expiry))??;
    for (name, count) in counts {
        println!("{count:>8} {name} deleted");
    }
    Ok(())
}

fn block_on<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.context("cannot start")?.block_on(work))
}
