//! `tengen arena check CMD`: does an author's engine keep the protocol and the clock?

use crate::{games, search_args};
use anyhow::{Context, bail};
use arena::check::{Candidate, Language, check};
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
    /// The program with its arguments in one word ("./brain --level 3"), or in several after --
    #[arg(required = true)]
    command: Vec<String>,
    /// The game; follows from the protocol if omitted
    #[arg(long)]
    game: Option<String>,
    /// gomocup, htp or line; auto-detected if omitted
    #[arg(long, value_parser = |text: &str| text.parse::<Protocol>())]
    protocol: Option<Protocol>,
    /// Board size
    #[arg(long)]
    size: Option<u8>,
    /// Rule variant
    #[arg(long, default_value = "")]
    rule: String,
    /// Seconds per move in the checks
    #[arg(long, value_parser = search_args::parse_seconds, default_value = "0.5")]
    time: Duration,
    /// Memory it should stay below, in MiB
    #[arg(long, default_value_t = 350)]
    memory: u64,
    /// Language of names and advice: en or zh
    #[arg(long, default_value = "en", value_parser = |text: &str| text.parse::<Language>())]
    lang: Language,
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
        // A program that does not start is diagnosed by the first check, whatever its protocol.
        None => detect(&launch).unwrap_or(Protocol::Line),
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
    // Every child of this command belongs to the program that is checked.
    let _ = arena::process::adopt_orphans();
    let candidate = Candidate {
        game,
        setup,
        launch,
        protocol,
        time: args.time,
        memory_mb: args.memory,
        language: args.lang,
    };
    if !args.json {
        println!("{} as a {} engine for {}:", candidate.launch.program, protocol.name(), game.name());
    }
    let findings = check(&candidate, &mut |finding| {
        if args.json {
            return;
        }
        let mark = match (finding.checked, finding.passed) {
            (false, _) if args.lang == Language::Chinese => "未检查",
            (false, _) => "not checked:",
            (true, true) => "ok  ",
            (true, false) => "FAIL",
        };
        let detail = if finding.detail.is_empty() {
            String::new()
        } else {
            format!(": {}", finding.detail.trim_end().replace('\n', "\n     "))
        };
        println!("{mark} {}{detail}", finding.check);
        if !finding.advice.is_empty() {
            let word = if args.lang == Language::Chinese { "建议：" } else { "fix: " };
            println!("     {word}{}", finding.advice);
        }
    });
    let failed = findings.iter().filter(|finding| finding.failed()).count();
    if args.json {
        println!("{}", serde_json::to_string(&findings)?);
    }
    match failed {
        0 => Ok(()),
        1 => bail!("1 check failed"),
        n => bail!("{n} checks failed"),
    }
}
