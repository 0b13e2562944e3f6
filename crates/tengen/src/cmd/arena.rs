//! `tengen arena check CMD`: does an author's engine keep the protocol and the clock?

use crate::{games, search_args};
use anyhow::{Context, bail};
use arena::check::{Candidate, check};
use arena::process::Launch;
use arena::protocol::{Protocol, detect};
use game::Setup;
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Check that an engine keeps its protocol and its clock
    Check(CheckArgs),
}

#[derive(clap::Args)]
struct CheckArgs {
    /// The program and its arguments, in one word or several
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    /// The game; by the protocol if left out
    #[arg(long)]
    game: Option<String>,
    /// gomocup, htp or line; found out if left out
    #[arg(long, value_parser = |text: &str| text.parse::<Protocol>())]
    protocol: Option<Protocol>,
    /// Board size
    #[arg(long)]
    size: Option<u8>,
    /// Rule variant
    #[arg(long, default_value = "")]
    rule: String,
    /// Seconds a move in the checks
    #[arg(long, value_parser = search_args::parse_seconds, default_value = "0.5")]
    time: Duration,
    /// Memory it should stay below, in MiB
    #[arg(long, default_value_t = 350)]
    memory: u64,
    /// JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Command::Check(args) = &args.command;
    let mut words = match args.command.as_slice() {
        [one] => shell_words::split(one).context("the program's command line")?,
        several => several.to_vec(),
    }
    .into_iter();
    let program = words.next().context("name the program to check")?;
    let launch = Launch { program, args: words.collect(), ..Launch::default() };
    let protocol = match args.protocol {
        Some(protocol) => protocol,
        None => detect(&launch).with_context(|| format!("cannot start '{}'", launch.program))?,
    };
    let game = match &args.game {
        Some(name) => games::by_name(name)?,
        // The line protocol has no game of its own; its programs play Hex.
        None => games::all()
            .into_iter()
            .find(|game| Protocol::of_game(*game) == protocol)
            .map_or_else(|| games::by_name("hex"), Ok)?,
    };
    let (rows, cols) = args.size.map_or(game.default_size(), |size| (size, size));
    let setup = Setup { rule: args.rule.clone(), ..Setup::empty(rows, cols) };
    game.position(&setup)?;
    let candidate = Candidate { game, setup, launch, protocol, time: args.time, memory_mb: args.memory };
    if !args.json {
        println!("{} as a {} engine for {}:", candidate.launch.program, protocol.name(), game.name());
    }
    let findings = check(&candidate, &mut |finding| {
        if args.json {
            return;
        }
        let mark = if finding.passed { "ok  " } else { "FAIL" };
        let detail = if finding.detail.is_empty() { String::new() } else { format!(": {}", finding.detail) };
        println!("{mark} {}{detail}", finding.check);
        if !finding.advice.is_empty() {
            println!("     mend: {}", finding.advice);
        }
    });
    let failed = findings.iter().filter(|finding| !finding.passed).count();
    if args.json {
        println!("{}", serde_json::to_string(&findings)?);
    }
    match failed {
        0 => Ok(()),
        1 => bail!("1 check failed"),
        n => bail!("{n} checks failed"),
    }
}
