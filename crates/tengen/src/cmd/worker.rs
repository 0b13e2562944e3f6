//! `tengen worker --join URL`: computes for a fleet.

use crate::contest;
use crate::fleet::{SIGNATURE, make_desk, make_executor};
use crate::search_args::stop_on_ctrl_c;
use crate::{cmd, folders};
use anyhow::{Context, bail};
use arena::roster::Roster;
use fleet::work::Hello;
use fleet::worker::{WorkerConfig, WorkerEvent};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The fleet: nats://TOKEN@HOST:PORT, as its server prints it
    #[arg(long, value_name = "URL", env = "TENGEN_FLEET", hide_env_values = true)]
    join: String,
    /// Units at a time [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Name in tables [default: the name of the machine]
    #[arg(long)]
    name: Option<String>,
    /// File of third-party engines that may run here by their names (see guide/en/tournaments.md); none without it
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,
    /// Folder for files of runs [default: fleet in the data folder]
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
    /// Say nothing about single units
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let stop = stop_on_ctrl_c();
    let roster = match &args.engines {
        Some(file) => contest::roster(file)?,
        None => Roster::default(),
    };
    let programs: Vec<String> = roster
        .engine
        .iter()
        .filter(|entry| entry.command.is_some())
        .map(|entry| entry.name.clone())
        .collect();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let threads = args.threads.map_or(cores, usize::from);
    eprintln!("Tengen {}; measuring", crate::VERSION);
    let bench = cmd::bench::measure();
    if bench.line != SIGNATURE {
        bail!(
            "the bench gives '{}' on this machine and must give '{SIGNATURE}': the program or the processor computes wrong",
            bench.line
        );
    }
    eprintln!("bench {}, {:.0} nodes per second, {threads} threads", bench.line, bench.speed);
    if !programs.is_empty() {
        eprintln!("third-party engines: {}", programs.join(", "));
    }
    let files = match (&args.files, folders::data()) {
        (Some(folder), _) => folder.clone(),
        (None, Some(data)) => data.join("fleet"),
        (None, None) => bail!("there is no home folder; name one with --files"),
    };
    let id = format!("{}-{:04x}", args.name.clone().unwrap_or_else(machine), std::process::id());
    let hello = Hello {
        id: id.clone(),
        version: crate::VERSION.into(),
        signature: bench.line,
        speed: bench.speed,
        threads: threads as i64,
        programs,
    };
    let quiet = args.quiet;
    let events = move |event: WorkerEvent| match event {
        WorkerEvent::Joined => eprintln!("joined as {id}; Ctrl-C leaves"),
        WorkerEvent::Waiting(why) => eprintln!("waiting: {why}"),
        WorkerEvent::Counted(unit, seconds) if !quiet => eprintln!("unit {unit}: {seconds:.1} s"),
        WorkerEvent::Counted(..) => {}
        WorkerEvent::Failed(unit, why) => eprintln!("unit {unit} failed: {why}"),
        WorkerEvent::Noisy(true) => eprintln!("other programs use this machine: no timed games for now"),
        WorkerEvent::Noisy(false) => eprintln!("the machine is quiet: timed games again"),
    };
    let executor = make_executor(roster, bench.speed);
    let desk = Some(make_desk());
    let config = WorkerConfig { hello, executor, desk, files, events: Arc::new(events) };
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    let worked = runtime.block_on(fleet::worker::work(&args.join, config, stop));
    // Computations that do not stop must not keep the program.
    runtime.shutdown_background();
    Ok(worked?)
}

fn machine() -> String {
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let name: String =
        name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    if name.is_empty() { "worker".into() } else { name }
}
