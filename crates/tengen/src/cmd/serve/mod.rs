//! `tengen serve`: the web app and the API.

pub(crate) mod settings;

use crate::{games, platform};
use anyhow::Context;
use server::Server;
use settings::Settings;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Configuration file; options and environment variables count before it
    #[arg(long, env = "TENGEN_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the settings in force as a configuration file, and exit
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    settings: Settings,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let settings = args.settings.clone().with_file(args.config.as_deref())?;
    if args.print_config {
        print!("{}", settings.print()?);
        return Ok(());
    }
    let filter = server::log_filter(std::env::var("RUST_LOG").ok().as_deref());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // The journal keeps bytes as they are: no colours there.
    let log = log.with_ansi(std::io::stderr().is_terminal());
    if settings.log_json() {
        log.json().init();
    } else {
        log.with_target(false).init();
    }
    let config = settings.config()?;
    let former = Path::new(".data/tengen.db");
    if config.database.is_none() && former.is_file() && !config.data.ends_with(".data") {
        eprintln!(
            "tengen: games of an earlier version are in .data of this folder; --data .data serves those"
        );
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    runtime.block_on(async {
        let server = Server::bind(config, games::all()).await?;
        println!("Tengen is at http://{}", server.addr());
        server.run(platform::stop_requested()).await?;
        Ok(())
    })
}
