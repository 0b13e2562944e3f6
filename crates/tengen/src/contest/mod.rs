//! What `match` and `tournament` share: options, preparing a run, playing it, and its results.

mod args;
mod show;

pub(crate) use args::ContestArgs;
pub(crate) use show::{match_lines, rating_lines, reason_words, reasons};

use crate::usage::usage;
use crate::{games, search_args};
use anyhow::Context;
use arena::adjudication::Adjudication;
use arena::engine_limits::EngineLimits;
use arena::experience::{Experience, StoredGame};
use arena::journal::{Finished, JOURNAL_FORMAT, Journal};
use arena::openings::{DEFAULT_PLIES, Openings};
use arena::platform;
use arena::process::{self, Launch};
use arena::protocol::Protocol;
use arena::roster::{Isolate, ProcessDefaults, ResolvedEngine, Roster};
use arena::schedule::{Format, Schedule};
use arena::stats::{Repeats, Sprt};
use arena::tournament::{self, Entrant, Results, Tournament};
use game::{Game, Limits, Setup};
use indicatif::{ProgressBar, ProgressStyle};
use play::TimeControl;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Exit code of a run that Ctrl-C ended: 128 and the number of SIGINT, as shells have it.
const INTERRUPTED: i32 = 130;

/// A contest that is ready to be played.
pub(crate) struct Contest {
    pub(crate) tournament: Tournament,
    pub(crate) out: Option<PathBuf>,
    /// Ctrl-C ended it.
    pub(crate) stopped: bool,
    /// The engines as they were named, the file they may be in, and everything that makes the contest what it is.
    pub(crate) engines: Vec<String>,
    pub(crate) roster: Roster,
    pub(crate) settings: Value,
    journal: Option<Journal>,
    fleet: Option<String>,
    experience: Option<Arc<Mutex<Experience>>>,
}

impl Contest {
    /// Checks everything that can be checked before the first game.
    pub(crate) fn prepare(
        args: &ContestArgs,
        engines: &[String],
        format: Format,
        games_each: u32,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<Contest> {
        let name = args.game.as_deref().context("name the game: --game gomoku or --game hex")?;
        let game = games::by_name(name)?;
        if engines.len() < 2 {
            usage!("at least two engines are needed: --engine A --engine B");
        }
        if let Some(out) = &args.out {
            std::fs::create_dir_all(out.join("logs")).with_context(|| out.display().to_string())?;
        }
        // Every child of this command is an engine, so every orphan is an engine's.
        if let Err(error) = process::adopt_orphans() {
            eprintln!("tengen: processes that an engine detaches may outlive the run: {error}");
        }
        if args.fleet.url.is_none() {
            warn_about_cores(args);
        } else if args.learn || args.trace.is_some() {
            usage!("--learn and --trace need the games on this machine: leave --fleet out");
        }
        let setup = setup(game, args)?;
        let mut chosen = choose(game, args, engines)?;
        let experience = match args.learn {
            true => {
                let path = args.experience.clone().map_or_else(experience_file, Ok)?;
                let store = Arc::new(Mutex::new(Experience::open(&path, game)?));
                chosen[0] = arena::roster::learner(game, &engines[0], &store)?;
                Some(store)
            }
            false => None,
        };
        let openings = openings(game, args, &setup, games_each, &chosen)?;
        for engine in &chosen {
            let talks = engine.protocol.is_none_or(Protocol::takes_openings);
            if !talks && (openings.have_moves() || !setup.stones.is_empty()) {
                usage!(
                    "engine '{}' speaks the line protocol, which cannot start from an opening",
                    engine.name
                );
            }
        }
        let control = args.control()?;
        let schedule =
            Schedule { format, players: chosen.len(), games: games_each, openings: openings.count() };
        let adjudication = Adjudication { resign: args.resign, draw: args.draw, max_moves: args.max_moves };
        let entrants: Vec<Entrant> = chosen.iter().map(|engine| entrant(engine, control, args)).collect();
        let mut settings = json!({
            "tengen": "match", "version": JOURNAL_FORMAT, "game": game.name(), "setup": setup, "format": format,
            "engines": chosen.iter().zip(&entrants).map(|(c, e)| engine_json(c, e)).collect::<Vec<_>>(),
            "openings": openings.describe(), "adjudication": adjudication, "seed": args.seed, "sprt": sprt,
        });
        if matches!(format, Format::Knockout | Format::Swiss(_)) {
            // More games would change who went through.
            settings["games"] = json!(games_each);
        }
        let journal = match &args.out {
            Some(out) => {
                let journal = Journal::open(&out.join("games.jsonl"), &settings, args.resume)?;
                // Processes of a run that was killed may still be there; we hold its lock, so they are orphans.
                process::sweep(&run_name(out));
                Some(journal)
            }
            None => None,
        };
        let tournament = Tournament {
            game,
            entrants,
            schedule,
            openings,
            adjudication,
            concurrency: usize::from(args.concurrency),
            pin: !args.no_pin,
            seed: args.seed,
            sprt,
            allow_repeats: args.allow_repeats,
        };
        Ok(Contest {
            tournament,
            out: args.out.clone(),
            stopped: false,
            engines: engines.to_vec(),
            roster: roster(&args.engines)?,
            settings,
            journal,
            fleet: args.fleet.url.clone(),
            experience,
        })
    }

    /// Plays it, with a live line on stderr.
    pub(crate) fn play(&mut self, quiet: bool) -> anyhow::Result<Results> {
        let stop = search_args::stop_on_ctrl_c();
        let total = self.tournament.schedule.tasks(&Results::new()).len() as u64;
        let live = std::io::stderr().is_terminal() && !quiet;
        let bar = if live { ProgressBar::new(total) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}\n{msg}") {
            bar.set_style(style);
        }
        let mut journal = self.journal.take();
        let tournament = &self.tournament;
        let experience = self.experience.clone();
        let mut shown = std::time::Instant::now();
        let mut watch = |game: &Finished, results: &Results| {
            bar.set_position(results.len() as u64);
            if let (Some(store), Some(stored)) = (&experience, StoredGame::of(tournament.game, game)) {
                let mut store = store.lock().unwrap_or_else(|e| e.into_inner());
                if let Err(error) = store.record(tournament.game, &stored) {
                    bar.suspend(|| eprintln!("tengen: {error}"));
                }
            }
            if !quiet && game.reason.is_fault() {
                bar.suspend(|| eprintln!("{}", show::fault_lines(game)));
            }
            if live && shown.elapsed() > Duration::from_millis(200) {
                shown = std::time::Instant::now();
                bar.set_message(show::live_table(tournament, results));
            }
        };
        let journal = journal.as_mut();
        let results = match &self.fleet {
            Some(url) => crate::fleet::play(url, self, journal, &stop, &mut watch)?,
            None => tournament::run(tournament, journal, &stop, &mut watch)?,
        };
        bar.finish_and_clear();
        self.stopped = stop.is_stopped();
        if self.stopped && !quiet {
            let how = if self.out.is_some() { "; continue with --resume" } else { "" };
            eprintln!("stopped after {} of {total} games{how}", results.len());
        }
        Ok(results)
    }

    /// How many games repeat others, and whether that forbids an Elo difference.
    pub(crate) fn repeats(&self, results: &Results) -> (Repeats, bool) {
        let repeats = Repeats::of(results.values());
        (repeats, repeats.too_many() && !self.tournament.allow_repeats)
    }

    /// Writes the records into `--out` and ends the command: 130 after Ctrl-C, an error where a test was asked
    /// for and its games are not independent.
    pub(crate) fn finish(&self, results: &Results) -> anyhow::Result<()> {
        if let Some(out) = &self.out {
            let names: Vec<String> =
                self.tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect();
            let title =
                if names.len() <= 3 { names.join(" – ") } else { format!("{} engines", names.len()) };
            let title = format!("{}: {title}", self.tournament.game.name());
            arena::report::write(out, self.tournament.game, &names, results, &title)?;
        }
        if self.stopped {
            std::process::exit(INTERRUPTED);
        }
        let (repeats, refused) = self.repeats(results);
        if refused && self.tournament.sprt.is_some() {
            anyhow::bail!("the test is refused: {}", show::repeats_problem(&repeats));
        }
        Ok(())
    }

    /// The name of a player.
    pub(crate) fn name(&self, player: usize) -> &str {
        &self.tournament.entrants[player].name
    }
}

/// Where experience is kept when nothing else is said.
fn experience_file() -> anyhow::Result<PathBuf> {
    let folder = crate::folders::data().context("there is no home folder; name a file with --experience")?;
    Ok(folder.join("experience.jsonl"))
}

fn setup(game: &dyn Game, args: &ContestArgs) -> anyhow::Result<Setup> {
    let (rows, cols) = args.size.map_or(game.default_size(), |size| (size, size));
    for (what, given, known) in
        [("rule", &args.rule, game.rules()), ("opening protocol", &args.opening, game.openings())]
    {
        if !given.is_empty() && !known.contains(&given.as_str()) {
            usage!("unknown {what} '{given}' for {}; accepted: {}", game.name(), known.join(", "));
        }
    }
    let setup = Setup { rule: args.rule.clone(), opening: args.opening.clone(), ..Setup::empty(rows, cols) };
    game.position(&setup)?;
    Ok(setup)
}

fn choose(
    game: &'static dyn Game,
    args: &ContestArgs,
    names: &[String],
) -> anyhow::Result<Vec<ResolvedEngine>> {
    let roster = roster(&args.engines)?;
    let defaults = process_defaults(game, args)?;
    let mut chosen: Vec<ResolvedEngine> = Vec::new();
    for text in names {
        let mut engine = roster.resolve(game, text, &defaults)?;
        // The same engine twice is a fair question (is the match unbiased?), but needs two names.
        if chosen.iter().any(|other| other.name == engine.name) {
            engine.name = format!("{} #{}", engine.name, chosen.len() + 1);
        }
        chosen.push(engine);
    }
    Ok(chosen)
}

/// Reads the file of engines; the default one may be missing.
pub(crate) fn roster(path: &Path) -> anyhow::Result<Roster> {
    if path == Path::new("engines.toml") && !path.exists() {
        return Ok(Roster::default());
    }
    Ok(Roster::read(path)?)
}

fn process_defaults(game: &dyn Game, args: &ContestArgs) -> anyhow::Result<ProcessDefaults> {
    let protocol = Protocol::of_game(game);
    let program = std::env::current_exe()?.to_string_lossy().into_owned();
    let run = EngineLimits {
        time: args.time.map(|time| time.as_secs_f64()),
        nodes: args.nodes,
        depth: args.depth,
        threads: Some(usize::from(args.threads)),
        ..EngineLimits::default()
    };
    let command = move |engine: &str, options: &[&str], own: &EngineLimits| {
        let limits = run.overridden_by(own);
        let mut args = vec!["engine".into(), protocol.name().into(), format!("--engine={engine}")];
        args.extend(options.iter().map(|option| format!("--option={option}")));
        if protocol == Protocol::Htp {
            // HTP has no commands for these.
            args.extend(limits.time.map(|time| format!("--time={time}")));
            args.extend(limits.nodes.map(|nodes| format!("--nodes={nodes}")));
            args.extend(limits.depth.map(|depth| format!("--depth={depth}")));
        }
        args.extend(limits.threads.map(|threads| format!("--threads={threads}")));
        Launch { program: program.clone(), args, ..Launch::default() }
    };
    let mut defaults = ProcessDefaults {
        memory_mb: args.memory_limit,
        isolate: Some(Isolate { protocol, command: Arc::new(command) }),
        trace: args.trace.as_ref().map(std::path::absolute).transpose()?,
        ..ProcessDefaults::default()
    };
    if let Some(out) = &args.out {
        defaults.logs = Some(std::path::absolute(out.join("logs"))?);
        defaults.env.insert(process::RUN_MARKER.into(), run_name(out));
    }
    Ok(defaults)
}

fn run_name(out: &Path) -> String {
    std::path::absolute(out).unwrap_or(out.into()).to_string_lossy().into_owned()
}

fn entrant(engine: &ResolvedEngine, run: TimeControl, args: &ContestArgs) -> Entrant {
    let own = &engine.limits;
    let limits = Limits {
        threads: own.threads.unwrap_or(usize::from(args.threads)),
        memory_mb: own.memory.unwrap_or(args.memory),
        ..Limits::default()
    };
    let control = args::control_of(run, own);
    Entrant { name: engine.name.clone(), make: engine.make.clone(), control, limits }
}

/// An engine as the journal keeps it.
fn engine_json(engine: &ResolvedEngine, entrant: &Entrant) -> Value {
    json!({
        "name": engine.name, "engine": engine.description, "limits": args::control_json(&entrant.control),
        "threads": entrant.limits.threads, "memory": entrant.limits.memory_mb,
    })
}

/// The openings that were asked for; without a word about them balanced ones, because deterministic
/// engines would otherwise repeat their games.
fn openings(
    game: &'static dyn Game,
    args: &ContestArgs,
    setup: &Setup,
    games_each: u32,
    engines: &[ResolvedEngine],
) -> anyhow::Result<Openings> {
    if let Some(path) = &args.openings {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        return Ok(Openings::read(game, &path.display().to_string(), &text, setup)?);
    }
    let by_default = args.random_openings.is_none();
    let wanted = games_each > 2
        && setup.opening.is_empty()
        && !args.learn
        && engines.iter().all(|engine| engine.protocol.is_none_or(Protocol::takes_openings));
    let plies = args.random_openings.unwrap_or(if wanted { DEFAULT_PLIES } else { 0 });
    if plies == 0 {
        return Ok(Openings::one(game.position(setup)?));
    }
    let recommended = || game.engines().first().map(|info| info.name).filter(|_| by_default);
    let judge = match args.judge.as_deref().or_else(recommended) {
        Some(name) => {
            let (info, options) = arena::roster::find_built_in(game, name)?;
            Some((name.to_string(), (info.make)(&options)?))
        }
        None => None,
    };
    Ok(match by_default {
        true => Openings::balanced(game, setup, args.seed, judge)?,
        false => Openings::random(game, setup, plies, args.seed, judge)?,
    })
}

fn warn_about_cores(args: &ContestArgs) {
    let cores = platform::cores();
    let games = usize::from(args.concurrency);
    if games > cores {
        eprintln!(
            "tengen: {games} games at a time on {cores} cores: engines are not pinned and share cores, so times are not comparable"
        );
    }
}
