//! Engines by name: built-in ones, those of `engines.toml`, and programs named on the command line.
//!
//! An engine is written as a built-in name with options (`classic-ac:width=all,depth=4`), as a name from
//! `engines.toml`, or as a program (`cmd:./brain -x`, or `gomocup:`, `htp:`, `line:`, `botzone:` to name its protocol).
//! `child:NAME` runs a built-in engine in a process of its own.

use crate::engine_limits::EngineLimits;
use crate::experience::{Experience, Learner};
use crate::player::{BuiltIn, Fault, MakePlayer, Player};
use crate::process::{Launch, find_program};
use crate::protocol::{Program, Protocol, detect};
use game::{EngineInfo, Game, Options};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A file of engines.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roster {
    /// The engines, each an `[[engine]]` table.
    #[serde(default)]
    pub engine: Vec<EngineEntry>,
    /// Folder that relative paths are taken from.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// An `[[engine]]` table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineEntry {
    /// The name it is chosen by.
    pub name: String,
    /// The game it plays; any if missing.
    pub game: Option<String>,
    /// The protocol it speaks; auto-detected if omitted.
    pub protocol: Option<Protocol>,
    /// The program; `builtin` names a built-in engine instead.
    pub command: Option<String>,
    /// A built-in engine under another name, with the options below.
    pub builtin: Option<String>,
    /// Run the built-in engine in a process of its own.
    #[serde(default)]
    pub isolated: bool,
    /// Arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// The folder it runs in, relative to the file.
    pub dir: Option<PathBuf>,
    /// Environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Protocol lines sent before each game.
    #[serde(default)]
    pub init: Vec<String>,
    /// Limits that differ from those of the run.
    #[serde(default)]
    pub limits: EngineLimits,
    /// Options: of the built-in engine, or sent as the protocol sends settings.
    #[serde(default)]
    pub options: BTreeMap<String, toml::Value>,
}

impl EngineEntry {
    /// The built-in engine `name` with the options of this table, as on a command line.
    pub fn built_in_text(&self, name: &str) -> String {
        let words: Vec<String> =
            self.options.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
        if words.is_empty() { name.into() } else { format!("{name}:{}", words.join(",")) }
    }
}

/// Why an engine cannot take part.
#[derive(Debug, thiserror::Error)]
pub enum RosterError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// Not TOML, or a key is wrong; the message has line and column.
    #[error("{path}: {message}")]
    Toml {
        /// The file.
        path: PathBuf,
        /// What and where.
        message: String,
    },
    /// A table contradicts itself.
    #[error("{path}: engine '{name}': {problem}")]
    Entry {
        /// The file.
        path: PathBuf,
        /// The engine.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// No engine has this name.
    #[error(
        "unknown engine '{name}' for {game}; built in: {known}; or a name from engines.toml, cmd:PROGRAM, gomocup:PROGRAM, htp:PROGRAM, line:PROGRAM, botzone:PROGRAM"
    )]
    Unknown {
        /// The name given.
        name: String,
        /// The game asked for.
        game: &'static str,
        /// The names that exist.
        known: String,
    },
    /// It plays another game.
    #[error("engine '{name}' plays {plays}, not {game}")]
    WrongGame {
        /// The engine.
        name: String,
        /// What it plays.
        plays: String,
        /// What was asked for.
        game: &'static str,
    },
    /// The program does not exist.
    #[error("engine '{name}': there is no program '{program}'")]
    NoProgram {
        /// The engine.
        name: String,
        /// The program.
        program: String,
    },
    /// An option is wrong.
    #[error("engine '{name}': {problem}")]
    Option {
        /// The engine.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

/// What all processes of a run have in common.
#[derive(Clone, Debug, Default)]
pub struct ProcessDefaults {
    /// Address space of each process, in MiB.
    pub memory_mb: Option<u64>,
    /// Folder for the logs of their stderr.
    pub logs: Option<PathBuf>,
    /// Folder for traces of all lines in both directions.
    pub trace: Option<PathBuf>,
    /// Added to their environment.
    pub env: BTreeMap<String, String>,
    /// How to run a built-in engine in a process of its own; `None` where that is not possible.
    pub isolate: Option<Isolate>,
}

/// Builds the command line of a built-in engine in its own process.
pub(crate) type IsolatedCommand = Arc<dyn Fn(&str, &[&str], &EngineLimits) -> Launch + Send + Sync>;

/// Runs built-in engines in processes of their own.
#[derive(Clone)]
pub struct Isolate {
    /// The protocol the process speaks.
    pub protocol: Protocol,
    /// The command line for an engine: its name, its `KEY=VALUE` options and its own limits.
    pub command: IsolatedCommand,
}

impl std::fmt::Debug for Isolate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Isolate").field("protocol", &self.protocol).finish_non_exhaustive()
    }
}

/// An engine that can play.
#[derive(Clone)]
pub struct ResolvedEngine {
    /// Name in tables and files.
    pub name: String,
    /// Makes a player.
    pub make: MakePlayer,
    /// The protocol, where it is a program.
    pub protocol: Option<Protocol>,
    /// Limits of its own.
    pub limits: EngineLimits,
    /// Everything about it that changes how it plays, for the journal.
    pub description: Value,
}

impl Roster {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Roster, RosterError> {
        let text =
            std::fs::read_to_string(path).map_err(|error| RosterError::Io { path: path.into(), error })?;
        let mut roster = Roster::parse(path, &text)?;
        roster.folder = path.parent().unwrap_or(Path::new("")).into();
        Ok(roster)
    }

    /// Reads the text of a file.
    pub fn parse(path: &Path, text: &str) -> Result<Roster, RosterError> {
        let roster: Roster = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let message = game::TextError::at(text, at, error.message()).to_string();
            RosterError::Toml { path: path.into(), message }
        })?;
        for (index, entry) in roster.engine.iter().enumerate() {
            let problem = match (&entry.command, &entry.builtin) {
                (None, None) => Some("needs 'command' or 'builtin'"),
                (Some(_), Some(_)) => Some("has both 'command' and 'builtin'"),
                (None, Some(_)) if !entry.init.is_empty() && !entry.isolated => {
                    Some("'init' lines need a process: add 'isolated = true'")
                }
                (Some(_), None) if entry.isolated => Some("'isolated' is for built-in engines"),
                _ if entry.name.is_empty() => Some("needs a name"),
                _ if entry.limits.check().is_err() => Some("has limits that are not above 0"),
                _ if roster.engine[..index].iter().any(|other| other.name == entry.name) => {
                    Some("has the name of another engine")
                }
                _ => None,
            };
            if let Some(problem) = problem {
                let (path, name) = (path.into(), entry.name.clone());
                return Err(RosterError::Entry { path, name, problem: problem.into() });
            }
        }
        Ok(roster)
    }

    /// Finds the engine that `text` names, with its own name and limits where it has them (`ENGINE@name=A`).
    pub fn resolve(
        &self,
        game: &'static dyn Game,
        text: &str,
        defaults: &ProcessDefaults,
    ) -> Result<ResolvedEngine, RosterError> {
        let (engine, name, limits) = EngineLimits::split(text)
            .map_err(|problem| RosterError::Option { name: text.into(), problem })?;
        let listed = self.engine.iter().find(|entry| entry.name == engine);
        let limits = listed.map_or(limits.clone(), |entry| entry.limits.overridden_by(&limits));
        let resolved = match listed {
            Some(entry) => self.listed(game, entry, &limits, defaults)?,
            None => self.named(game, engine, &limits, defaults)?,
        };
        if limits.level.is_some() && resolved.description.get("program").is_some() {
            let problem = "level: only built-in engines have levels".into();
            return Err(RosterError::Option { name: text.into(), problem });
        }
        Ok(ResolvedEngine { name: name.unwrap_or(resolved.name), limits, ..resolved })
    }

    fn named(
        &self,
        game: &'static dyn Game,
        text: &str,
        limits: &EngineLimits,
        defaults: &ProcessDefaults,
    ) -> Result<ResolvedEngine, RosterError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let protocol = match kind {
            "cmd" => None,
            "child" => return built_in_child(game, rest, limits, defaults),
            _ => match kind.parse::<Protocol>() {
                Ok(protocol) => Some(protocol),
                Err(_) => return built_in(game, text),
            },
        };
        let words = shell_words::split(rest).map_err(|error| RosterError::Option {
            name: text.into(),
            problem: format!("the command line: {error}"),
        })?;
        let mut words = words.into_iter();
        let program = words.next().unwrap_or_default();
        let launch = Launch { program, args: words.collect(), ..Launch::default() };
        self.program(text, launch, protocol, Vec::new(), Vec::new(), defaults)
    }

    fn listed(
        &self,
        game: &'static dyn Game,
        entry: &EngineEntry,
        limits: &EngineLimits,
        defaults: &ProcessDefaults,
    ) -> Result<ResolvedEngine, RosterError> {
        if let Some(plays) = entry.game.as_ref().filter(|plays| *plays != game.name()) {
            let (name, plays) = (entry.name.clone(), plays.clone());
            return Err(RosterError::WrongGame { name, plays, game: game.name() });
        }
        let options: Vec<(String, String)> =
            entry.options.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
        if let Some(name) = &entry.builtin {
            let text = entry.built_in_text(name);
            let chosen = if entry.isolated {
                built_in_child(game, &text, limits, defaults)?
            } else {
                built_in(game, &text)?
            };
            return Ok(ResolvedEngine { name: entry.name.clone(), ..chosen });
        }
        let command = entry.command.clone().unwrap_or_default();
        let program = if command.contains('/') {
            let path = self.folder.join(&command);
            std::path::absolute(&path).unwrap_or(path).to_string_lossy().into_owned()
        } else {
            command
        };
        let launch = Launch {
            program,
            args: entry.args.clone(),
            dir: entry.dir.as_ref().map(|dir| self.folder.join(dir)),
            env: entry.env.clone(),
            ..Launch::default()
        };
        self.program(&entry.name, launch, entry.protocol, entry.init.clone(), options, defaults)
    }

    fn program(
        &self,
        name: &str,
        mut launch: Launch,
        protocol: Option<Protocol>,
        init: Vec<String>,
        options: Vec<(String, String)>,
        defaults: &ProcessDefaults,
    ) -> Result<ResolvedEngine, RosterError> {
        if find_program(&launch.program).is_none() {
            return Err(RosterError::NoProgram { name: name.into(), program: launch.program });
        }
        let description = json!({
            "program": launch.program, "args": launch.args, "dir": launch.dir, "env": launch.env,
            "protocol": protocol, "init": init, "options": options,
        });
        apply_defaults(&mut launch, name, defaults);
        let protocol = match protocol {
            Some(protocol) => protocol,
            None => detect(&launch)
                .map_err(|error| RosterError::Option { name: name.into(), problem: error.to_string() })?,
        };
        let make: MakePlayer = Arc::new(move || {
            let program = Program::new(launch.clone(), protocol, init.clone(), options.clone());
            Ok(Box::new(program) as Box<dyn Player>)
        });
        let limits = EngineLimits::default();
        Ok(ResolvedEngine { name: short_name(name), make, protocol: Some(protocol), limits, description })
    }
}

/// Splits `name:key=value,key=value` into its parts.
pub fn name_and_options(text: &str) -> Result<(&str, Options), RosterError> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let mut options = Options::new();
    for word in rest.split(',').filter(|word| !word.is_empty()) {
        let Some((key, value)) = word.split_once('=') else {
            let problem = format!("'{word}' is not an option; accepted: key=value, separated by commas");
            return Err(RosterError::Option { name: name.into(), problem });
        };
        options.set(key.trim(), value.trim());
    }
    Ok((name, options))
}

/// Finds a built-in engine and checks its options.
pub fn find_built_in(
    game: &'static dyn Game,
    text: &str,
) -> Result<(&'static EngineInfo, Options), RosterError> {
    let (name, options) = name_and_options(text)?;
    let Some(info) = game.engines().iter().find(|info| info.name == name) else {
        let known: Vec<_> = game.engines().iter().map(|info| info.name).collect();
        let (name, known) = (name.into(), known.join(", "));
        return Err(RosterError::Unknown { name, game: game.name(), known });
    };
    let fail =
        |error: game::EngineError| RosterError::Option { name: name.into(), problem: error.to_string() };
    (info.make)(&options).map_err(fail)?;
    Ok((info, options))
}

fn built_in(game: &'static dyn Game, text: &str) -> Result<ResolvedEngine, RosterError> {
    let (info, options) = find_built_in(game, text)?;
    let make: MakePlayer = Arc::new(move || match (info.make)(&options) {
        Ok(engine) => Ok(Box::new(BuiltIn::new(engine)) as Box<dyn Player>),
        Err(error) => Err(Fault::NoStart(error.to_string())),
    });
    let limits = EngineLimits::default();
    Ok(ResolvedEngine { name: text.into(), make, protocol: None, limits, description: json!(text) })
}

/// A built-in engine that learns from the games in `experience`.
pub fn learner(
    game: &'static dyn Game,
    text: &str,
    experience: &Arc<Mutex<Experience>>,
) -> Result<ResolvedEngine, RosterError> {
    let (info, options) = find_built_in(game, text)?;
    let experience = experience.clone();
    let make: MakePlayer = Arc::new(move || match (info.make)(&options) {
        Ok(engine) => {
            let learner = Learner::new(engine, experience.clone());
            Ok(Box::new(BuiltIn::new(Box::new(learner))) as Box<dyn Player>)
        }
        Err(error) => Err(Fault::NoStart(error.to_string())),
    });
    let name = format!("{text}+learn");
    let limits = EngineLimits::default();
    Ok(ResolvedEngine { description: json!(name), name, make, protocol: None, limits })
}

fn built_in_child(
    game: &'static dyn Game,
    text: &str,
    limits: &EngineLimits,
    defaults: &ProcessDefaults,
) -> Result<ResolvedEngine, RosterError> {
    find_built_in(game, text)?;
    let Some(isolate) = &defaults.isolate else {
        let problem = "built-in engines cannot run in their own process here".into();
        return Err(RosterError::Option { name: text.into(), problem });
    };
    let protocol = isolate.protocol;
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    let options: Vec<&str> = options.split(',').filter(|option| !option.is_empty()).collect();
    let mut launch = (isolate.command)(name, &options, limits);
    apply_defaults(&mut launch, text, defaults);
    let make: MakePlayer = Arc::new(move || {
        Ok(Box::new(Program::new(launch.clone(), protocol, Vec::new(), Vec::new())) as Box<dyn Player>)
    });
    let description = json!({"child": text});
    Ok(ResolvedEngine {
        name: text.into(),
        make,
        protocol: Some(protocol),
        limits: limits.clone(),
        description,
    })
}

fn apply_defaults(launch: &mut Launch, name: &str, defaults: &ProcessDefaults) {
    launch.memory_mb = defaults.memory_mb;
    launch.trace = defaults.trace.clone();
    launch.env.extend(defaults.env.clone());
    launch.log = defaults.logs.as_ref().map(|folder| {
        let safe: String = short_name(name)
            .chars()
            .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
            .collect();
        folder.join(format!("{safe}.log"))
    });
}

/// A program's file name stands for its whole command in tables.
fn short_name(text: &str) -> String {
    let rest = match text.split_once(':') {
        Some(("cmd" | "gomocup" | "htp" | "line" | "botzone", rest)) => rest,
        _ => return text.into(),
    };
    let words = shell_words::split(rest).unwrap_or_default();
    let program = words.first().map_or("", String::as_str);
    let base = program.rsplit('/').next().unwrap_or(program);
    let mut name = vec![base.to_string()];
    name.extend(words.into_iter().skip(1));
    name.join(" ")
}

fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
