//! `tengen serve`: the web app and the API.

use crate::games;
use anyhow::Context;
use server::{Config, Expiry, Server};
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address and port to listen on
    #[arg(long, default_value = "127.0.0.1:7878")]
    addr: SocketAddr,
    /// Folder of the database file
    #[arg(long, default_value = ".data")]
    data: PathBuf,
    /// Another database: postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Accept clients from other machines (needs --origin)
    #[arg(long)]
    public: bool,
    /// The address people open, such as `https://tengen.example.org`; may be repeated
    #[arg(long, value_name = "URL")]
    origin: Vec<String>,
    /// Requests come through a proxy of yours that sets X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
    /// Your own engines; `engines.toml` in the data folder if it is there
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,
    /// Engine threads; 0 means one per core
    #[arg(long, default_value_t = 0)]
    workers: usize,
    /// Delete what nobody touched for so many days (0: never): games, finished-games, studies or bots; may be repeated.
    /// With --public: games=30, finished-games=730, studies=365, bots=90; otherwise nothing is deleted
    #[arg(long, value_name = "NAME=DAYS", value_parser = |text: &str| Expiry::loopback().set(text).map(|()| text.to_string()))]
    expire: Vec<String>,
    /// Log as JSON, one object per line (RUST_LOG chooses what)
    #[arg(long)]
    log_json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let filter = server::log_filter(std::env::var("RUST_LOG").ok().as_deref());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if args.log_json {
        log.json().init();
    } else {
        log.with_target(false).init();
    }
    let config = Config {
        addr: args.addr,
        data: args.data.clone(),
        database: args.database.clone(),
        public: args.public,
        origins: args.origin.clone(),
        behind_proxy: args.behind_proxy,
        engines: args.engines.clone().or_else(|| {
            let usual = args.data.join("engines.toml");
            usual.is_file().then_some(usual)
        }),
        workers: args.workers,
        expiry: expiry(args)?,
        // Not an option: others on this machine can read the arguments of a process.
        metrics_token: std::env::var("TENGEN_METRICS_TOKEN").ok(),
        ..Config::default()
    };
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    runtime.block_on(async {
        let server = Server::bind(config, games::all()).await?;
        println!("Tengen is at http://{}", server.addr());
        server.run(stop()).await?;
        Ok(())
    })
}

fn expiry(args: &Args) -> anyhow::Result<Option<Expiry>> {
    let mut expiry = if args.public { Expiry::public() } else { Expiry::loopback() };
    for text in &args.expire {
        expiry.set(text).map_err(|error| anyhow::anyhow!("--expire: {error}"))?;
    }
    Ok(Some(expiry))
}

/// Ready at Ctrl-C, or when the system asks the process to end.
async fn stop() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    _ = interrupt => {}
                    _ = terminate.recv() => {}
                }
            }
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}
