//! Making a class, and its students.

use super::Class;
use crate::usage::usage;
use crate::{games, search_args};
use anyhow::Context;
use arena::protocol::Protocol;
use arena::roster::{ProcessDefaults, Roster};
use arena::sandbox::Sandbox;
use class::ClassError;
use class::config::{ClassConfig, MarkWeights};
use class::students::{NewKey, Students};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct NewArgs {
    /// The folder of the class; must not exist or be empty
    folder: PathBuf,
    /// The game: gomoku or hex
    #[arg(long)]
    game: String,
    /// Title shown to students [default: the folder's name]
    #[arg(long)]
    title: Option<String>,
    /// Rule variant
    #[arg(long, default_value = "")]
    rule: String,
    /// Board size
    #[arg(long)]
    size: Option<u8>,
    /// Seconds per move
    #[arg(long, value_parser = search_args::parse_seconds, default_value = "1")]
    time: Duration,
    /// Memory of a program, in MiB
    #[arg(long, default_value_t = 512)]
    memory: u64,
    /// When handing in ends, such as 2026-12-01T23:59:00+08:00
    #[arg(long)]
    deadline: Option<String>,
    /// The protocol of the programs: gomocup, htp, line or botzone [default: the game's usual one]
    #[arg(long, value_parser = |text: &str| text.parse::<Protocol>())]
    protocol: Option<Protocol>,
    /// A reference opponent, as for `tengen match`; may be repeated
    #[arg(long = "reference", value_name = "ENGINE")]
    references: Vec<String>,
    /// Nodes per move of built-in reference opponents instead of the time: the same table every time
    #[arg(long)]
    nodes: Option<u64>,
    /// Stones of random openings; 0 starts every game from the empty board
    #[arg(long, default_value_t = 0)]
    opening_stones: usize,
    /// What the parts of a mark are worth, such as score=40,rank=0; those left out keep their default
    #[arg(long, value_name = "PART=WEIGHT,...", value_parser = |text: &str| text.parse::<MarkWeights>())]
    marks: Option<MarkWeights>,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn new(args: &NewArgs) -> anyhow::Result<()> {
    let game = games::by_name(&args.game)?;
    let folder = &args.folder;
    let used = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if used {
        usage!("{} is not empty; choose a new folder", folder.display());
    }
    let title = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut config = ClassConfig::new(args.title.as_deref().unwrap_or(&title), game);
    config.rule = args.rule.clone();
    config.size = args.size.unwrap_or(config.size);
    config.protocol = args.protocol.unwrap_or(config.protocol);
    config.seconds_per_move = args.time.as_secs_f64();
    config.limits.memory_mb = args.memory;
    config.deadline = args.deadline.clone();
    config.references = args.references.clone();
    config.reference_nodes = args.nodes;
    config.opening_stones = args.opening_stones;
    config.marks = args.marks.unwrap_or(config.marks);
    config.concurrency = args.concurrency;
    config.seed = args.seed;
    game.position(&config.setup())?;
    if !config.protocol.takes_openings() && config.opening_stones > 0 {
        usage!("the protocol {} cannot start from an opening: --opening-stones 0", config.protocol.name());
    }
    for reference in &config.references {
        Roster::default().resolve(game, reference, &ProcessDefaults::default())?;
    }
    // A class whose programs cannot be contained is not made at all.
    Sandbox::new(config.limits.clone())?;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    config.write(folder)?;
    println!("{}: a class for {}; its settings are in class.toml", folder.display(), game.name());
    println!("next: tengen class add {} students.csv", folder.display());
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
pub(super) struct KeyArgs {
    /// The class folder
    folder: PathBuf,
    /// Student number; without one, a new key for the teacher's pages
    student: Option<String>,
}

pub(super) fn key(args: &KeyArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    match &args.student {
        Some(id) => {
            let key = Students::update(&class.folder, |students| students.renew(id))?;
            print!("{}", key_table(&[key]));
        }
        None => println!("{}", class::teacher::renew(&class.folder)?),
    }
    Ok(())
}

fn key_table(keys: &[NewKey]) -> String {
    let mut text = String::from("id,name,key\n");
    for key in keys {
        let name = if key.name.contains([',', '"']) {
            format!("\"{}\"", key.name.replace('"', "\"\""))
        } else {
            key.name.clone()
        };
        text.push_str(&format!("{},{name},{}\n", key.id, key.key));
    }
    text
}

fn write_private(path: &PathBuf, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
