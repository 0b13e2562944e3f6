//! Making a class, its settings, and its students. What is accepted is decided by the `class` crate.

use super::Class;
use crate::usage::usage;
use crate::{games, search_args};
use anyhow::Context;
use arena::protocol::Protocol;
use arena::sandbox::Sandbox;
use class::config::MarkWeights;
use class::settings::{ClassSettings, Opponents};
use class::students::{Students, key_table};
use class::{ClassError, creator, foundation, settings, teacher};
use std::path::PathBuf;
use std::time::Duration;

/// What can be said about a class; the usual values are those of `class::config`.
#[derive(clap::Args)]
struct SettingArgs {
    /// Title shown to students [default: the folder's name]
    #[arg(long)]
    title: Option<String>,
    /// Rule variant
    #[arg(long)]
    rule: Option<String>,
    /// Board size
    #[arg(long)]
    size: Option<u8>,
    /// Seconds per move [default: 1]
    #[arg(long, value_parser = search_args::parse_seconds)]
    time: Option<Duration>,
    /// Memory of a program, in MiB [default: 512]
    #[arg(long)]
    memory: Option<u64>,
    /// When handing in ends, such as 2026-12-01T23:59:00+08:00; empty for no deadline
    #[arg(long)]
    deadline: Option<String>,
    /// The protocol of the programs: gomocup, htp, line or botzone [default: the game's usual one]
    #[arg(long, value_parser = |text: &str| text.parse::<Protocol>())]
    protocol: Option<Protocol>,
    /// A reference opponent, as for `tengen match`; may be repeated
    #[arg(long = "reference", value_name = "ENGINE")]
    references: Option<Vec<String>>,
    /// Nodes per move of built-in reference opponents instead of the time: the same table every time
    #[arg(long)]
    nodes: Option<u64>,
    /// Stones of random openings; 0 starts every game from the empty board [default: 0]
    #[arg(long)]
    opening_stones: Option<usize>,
    /// What the parts of a mark are worth, such as score=40,rank=0; those left out keep their default
    #[arg(long, value_name = "PART=WEIGHT,...", value_parser = |text: &str| text.parse::<MarkWeights>())]
    marks: Option<MarkWeights>,
    /// Games at a time [default: 1]
    #[arg(long)]
    concurrency: Option<usize>,
    /// Random seed [default: 1]
    #[arg(long)]
    seed: Option<u64>,
}

impl SettingArgs {
    fn settings(&self) -> ClassSettings {
        ClassSettings {
            title: self.title.clone(),
            rule: self.rule.clone(),
            size: self.size,
            protocol: self.protocol,
            seconds_per_move: self.time.map(|time| time.as_secs_f64()),
            memory_mb: self.memory,
            deadline: self.deadline.clone(),
            references: self.references.clone(),
            reference_nodes: self.nodes,
            opening_stones: self.opening_stones,
            marks: self.marks,
            seed: self.seed,
            concurrency: self.concurrency,
        }
    }
}

#[derive(clap::Args)]
pub(super) struct NewArgs {
    /// The folder of the class; must not exist or be empty
    folder: PathBuf,
    /// The game: gomoku or hex
    #[arg(long)]
    game: String,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(super) fn new(args: &NewArgs) -> anyhow::Result<()> {
    let (folder, game) = (&args.folder, games::by_name(&args.game)?);
    let title = folder.file_name().unwrap_or_default().to_string_lossy();
    let config = args.settings.settings().config(&title, game, Opponents::Any)?;
    // A class whose programs cannot be contained is not made at all.
    Sandbox::new(config.limits.clone())?;
    foundation::found(folder, &config)?;
    println!("{}: a class for {}; its settings are in class.toml", folder.display(), game.name());
    println!("next: tengen class add {} students.csv", folder.display());
    Ok(())
}

#[derive(clap::Args)]
pub(super) struct SetArgs {
    /// The class folder
    folder: PathBuf,
    #[command(flatten)]
    settings: SettingArgs,
}

pub(super) fn set(args: &SetArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    settings::change(&class.folder, class.game, &args.settings.settings(), Opponents::Any)?;
    println!("{}: class.toml is changed", class.folder.display());
    Ok(())
}

#[derive(clap::Args)]
pub(super) struct AddArgs {
    /// The class folder
    folder: PathBuf,
    /// CSV file with the columns id and name
    list: PathBuf,
    /// Write the keys into this file instead of the terminal; only you can read it
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
}

pub(super) fn add(args: &AddArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    let csv = std::fs::read(&args.list).with_context(|| args.list.display().to_string())?;
    let (all, new) = Students::update(&class.folder, |students| {
        let keys = students.add(&csv)?;
        let text = key_table(&keys);
        // The keys first: a list whose keys nobody has seen would lock students out.
        match &args.keys {
            Some(path) => {
                write_private(path, &text).map_err(|error| ClassError::Io { path: path.clone(), error })?
            }
            None => print!("{text}"),
        }
        Ok((students.students.len(), keys.len()))
    })
    .with_context(|| args.list.display().to_string())?;
    eprintln!("{all} students, {new} of them new");
    Ok(())
}

#[derive(clap::Args)]
pub(super) struct RemoveArgs {
    /// The class folder
    folder: PathBuf,
    /// Student number
    student: String,
}

pub(super) fn remove(args: &RemoveArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    Students::update(&class.folder, |students| students.remove(&args.student))?;
    println!("{} is not in the class any more; what they handed in stays in the folder", args.student);
    Ok(())
}

#[derive(clap::Args)]
pub(super) struct KeyArgs {
    /// The class folder; with --create the folder that classes are in
    folder: PathBuf,
    /// Student number; without one, a new key for the teacher's pages
    student: Option<String>,
    /// A new key for making classes in the browser, on a server of this folder of classes
    #[arg(long, conflicts_with = "student")]
    create: bool,
}

pub(super) fn key(args: &KeyArgs) -> anyhow::Result<()> {
    if args.create {
        if foundation::is_class(&args.folder) {
            usage!("{} is a class; --create needs the folder that classes are in", args.folder.display());
        }
        println!("{}", creator::renew(&args.folder)?);
        return Ok(());
    }
    let class = Class::open(&args.folder)?;
    match &args.student {
        Some(id) => {
            let key = Students::update(&class.folder, |students| students.renew(id))?;
            print!("{}", key_table(&[key]));
        }
        None => println!("{}", teacher::renew(&class.folder)?),
    }
    Ok(())
}

fn write_private(path: &PathBuf, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
