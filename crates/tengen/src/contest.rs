//! What `match` and `tournament` share: options, setting up a run, the live table and the results.

use crate::usage::usage;
use crate::{games, search_args};
use anyhow::Context;
use arena::adjudication::{Adjudication, DrawRule, ResignRule};
use arena::clock::TimeControl;
use arena::experience::{Experience, StoredGame};
use arena::journal::{Finished, Journal};
use arena::openings::{self, Random};
use arena::process::{self, Launch};
use arena::protocol::Protocol;
use arena::referee::Reason;
use arena::roster::{Isolate, ProcessDefaults, ResolvedEngine, Roster};
use arena::schedule::{Format, Schedule};
use arena::stats::{Elo, RatingList, Sprt, Tally};
use arena::tournament::{self, Entrant, Results, Tournament};
use game::{Game, Limits, Position, Setup};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Options of every contest.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ContestArgs {
    /// The game: gomoku or hex
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// Seconds for a move
    #[arg(long, value_parser = search_args::parse_seconds)]
    pub(crate) time: Option<Duration>,
    /// Seconds for all moves of a game
    #[arg(long, value_parser = search_args::parse_seconds)]
    pub(crate) game_time: Option<Duration>,
    /// Seconds added to the game's time after each move
    #[arg(long, value_parser = search_args::parse_seconds, requires = "game_time")]
    pub(crate) increment: Option<Duration>,
    /// Nodes or playouts for a move
    #[arg(long)]
    pub(crate) nodes: Option<u64>,
    /// Depth for a move, in plies
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// How much later than its limit an answer still counts, in seconds
    #[arg(long, value_parser = search_args::parse_seconds, default_value = "0.1")]
    pub(crate) margin: Duration,
    /// How long an engine may take to get ready, or to move where no clock limits it, in seconds
    #[arg(long, value_parser = search_args::parse_seconds, default_value = "60")]
    pub(crate) patience: Duration,
    /// Board size
    #[arg(long)]
    pub(crate) size: Option<u8>,
    /// Rule variant
    #[arg(long, default_value = "")]
    pub(crate) rule: String,
    /// Opening protocol, such as swap2 or swap-pieces
    #[arg(long, default_value = "")]
    pub(crate) opening: String,
    /// File of openings; each is played twice with the sides exchanged
    #[arg(long, conflicts_with = "random_openings")]
    pub(crate) openings: Option<PathBuf>,
    /// Make up openings of so many stones
    #[arg(long, value_name = "PLIES")]
    pub(crate) random_openings: Option<usize>,
    /// Built-in engine that judges whether made-up openings are even
    #[arg(long, value_name = "ENGINE", requires = "random_openings")]
    pub(crate) judge: Option<String>,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) concurrency: u16,
    /// Do not give each game its own share of the cores
    #[arg(long)]
    pub(crate) no_pin: bool,
    /// Threads of each engine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// Memory each engine may use for its tables, in MiB
    #[arg(long, default_value_t = 128)]
    pub(crate) memory: usize,
    /// Address space each engine process may take, in MiB
    #[arg(long, value_name = "MB")]
    pub(crate) memory_limit: Option<u64>,
    /// Lost after MOVES moves in a row at -SCORE or worse: MOVES,SCORE; both must agree unless `,alone`
    #[arg(long, value_name = "MOVES,SCORE[,alone]", value_parser = parse_resign)]
    pub(crate) resign: Option<ResignRule>,
    /// Drawn after MOVES moves of each within SCORE of zero: MOVES,SCORE[,FROM-MOVE]
    #[arg(long, value_name = "MOVES,SCORE[,FROM]", value_parser = parse_draw)]
    pub(crate) draw: Option<DrawRule>,
    /// Drawn when so many moves are on the board
    #[arg(long)]
    pub(crate) max_moves: Option<usize>,
    /// The first engine (a built-in one) learns from its games
    #[arg(long)]
    pub(crate) learn: bool,
    /// File that it learns from; in the data folder if left out
    #[arg(long, value_name = "FILE", requires = "learn")]
    pub(crate) experience: Option<PathBuf>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// File of engines
    #[arg(long, default_value = "engines.toml")]
    pub(crate) engines: PathBuf,
    /// Folder for the journal, games, report and logs
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the unfinished run in --out
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// One JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// A contest that is ready to be played.
pub(crate) struct Contest {
    pub(crate) tournament: Tournament<'static>,
    pub(crate) journal: Option<Journal>,
    pub(crate) out: Option<PathBuf>,
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
        let openings = openings(game, args, &setup, games_each)?;
        let stones = openings.iter().any(|opening| !opening.history().is_empty());
        for engine in &chosen {
            let talks = engine.protocol.is_none_or(Protocol::takes_openings);
            if !talks && (stones || !setup.stones.is_empty()) {
                usage!(
                    "engine '{}' speaks the line protocol, which cannot start from an opening",
                    engine.name
                );
            }
        }
        let control = control(args)?;
        let schedule =
            Schedule { format, players: chosen.len(), games: games_each, openings: openings.len() };
        let adjudication = Adjudication { resign: args.resign, draw: args.draw, max_moves: args.max_moves };
        let settings = json!({
            "tengen": "match", "version": 1, "game": game.name(), "setup": setup, "schedule": schedule,
            "engines": chosen.iter().map(|c| &c.fingerprint).collect::<Vec<_>>(),
            "openings": openings.iter().map(|o| o.hash().to_string()).collect::<Vec<_>>(),
            "control": control, "adjudication": adjudication, "seed": args.seed, "sprt": sprt,
            "threads": args.threads, "memory": args.memory,
        });
        let journal = match &args.out {
            Some(out) => {
                let journal = Journal::open(&out.join("games.jsonl"), &settings, args.resume)?;
                // Processes of a run that was killed may still be there; we hold its lock, so they are orphans.
                process::sweep(&run_name(out));
                Some(journal)
            }
            None => None,
        };
        let limits =
            Limits { threads: usize::from(args.threads), memory_mb: args.memory, ..Limits::default() };
        let entrants = chosen
            .into_iter()
            .map(|c| Entrant { name: c.name, make: c.make, control, limits: limits.clone() })
            .collect();
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
        };
        Ok(Contest { tournament, journal, out: args.out.clone(), experience })
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
        let tournament = &self.tournament;
        let experience = self.experience.clone();
        let mut table = std::time::Instant::now();
        let results =
            tournament::run(tournament, self.journal.as_mut(), &stop, &mut |game: &Finished, results| {
                bar.set_position(results.len() as u64);
                if let (Some(store), Some(stored)) = (&experience, StoredGame::of(tournament.game, game)) {
                    let mut store = store.lock().unwrap_or_else(|e| e.into_inner());
                    if let Err(error) = store.record(tournament.game, &stored) {
                        bar.suspend(|| eprintln!("tengen: {error}"));
                    }
                }
                if !quiet && game.verdict.reason.is_fault() {
                    bar.suspend(|| eprintln!("{}", fault_line(game)));
                }
                if live && table.elapsed() > Duration::from_millis(200) {
                    table = std::time::Instant::now();
                    bar.set_message(live_table(tournament, results));
                }
            })?;
        bar.finish_and_clear();
        if stop.is_stopped() && !quiet {
            let how = if self.out.is_some() { "; go on with --resume" } else { "" };
            eprintln!("stopped after {} of {total} games{how}", results.len());
        }
        Ok(results)
    }

    /// Writes the records into `--out`.
    pub(crate) fn write_report(&self, results: &Results) -> anyhow::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        let names: Vec<String> =
            self.tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let title = if names.len() <= 3 { names.join(" – ") } else { format!("{} engines", names.len()) };
        let title = format!("{}: {title}", self.tournament.game.name());
        Ok(arena::report::write(out, self.tournament.game, &names, results, &title)?)
    }

    /// The name of a player.
    pub(crate) fn name(&self, player: usize) -> &str {
        &self.tournament.entrants[player].name
    }
}

/// Where experience is kept when nothing else is said.
fn experience_file() -> anyhow::Result<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).or_else(home);
    let folder = data.context("there is no home folder; name a file with --experience")?;
    Ok(folder.join("tengen").join("experience.jsonl"))
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
    let around = process_defaults(game, args)?;
    let mut chosen: Vec<ResolvedEngine> = Vec::new();
    for text in names {
        let mut engine = roster.resolve(game, text, &around)?;
        // The same engine twice is a fair question (is the match unbiased?), but needs two names.
        let same = chosen.iter().filter(|other| other.fingerprint == engine.fingerprint).count();
        if same > 0 || chosen.iter().any(|other| other.name == engine.name) {
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
    let mut words: Vec<String> = vec!["engine".into(), protocol.name().into()];
    if protocol == Protocol::Htp {
        // HTP has no words for these.
        words.extend(args.time.map(|time| format!("--time={}", time.as_secs_f64())));
        words.extend(args.nodes.map(|nodes| format!("--nodes={nodes}")));
        words.extend(args.depth.map(|depth| format!("--depth={depth}")));
    }
    words.push(format!("--threads={}", args.threads));
    let command = move |engine: &str, options: &[&str]| {
        let mut args = words.clone();
        args.push(format!("--engine={engine}"));
        args.extend(options.iter().map(|option| format!("--option={option}")));
        Launch { program: program.clone(), args, ..Launch::default() }
    };
    let mut around = ProcessDefaults {
        memory_mb: args.memory_limit,
        isolate: Some(Isolate { protocol, command: Arc::new(command) }),
        ..ProcessDefaults::default()
    };
    if let Some(out) = &args.out {
        around.logs = Some(std::path::absolute(out.join("logs"))?);
        around.env.insert(process::RUN_MARKER.into(), run_name(out));
    }
    Ok(around)
}

fn run_name(out: &Path) -> String {
    std::path::absolute(out).unwrap_or(out.into()).to_string_lossy().into_owned()
}

fn openings(
    game: &'static dyn Game,
    args: &ContestArgs,
    setup: &Setup,
    games_each: u32,
) -> anyhow::Result<Vec<Box<dyn Position>>> {
    if let Some(path) = &args.openings {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        return Ok(openings::read(game, &path.display().to_string(), &text, setup)?);
    }
    let Some(plies) = args.random_openings else { return Ok(vec![game.position(setup)?]) };
    let mut judge = match &args.judge {
        Some(name) => {
            let (info, options) = arena::roster::find_built_in(game, name)?;
            Some((info.make)(&options)?)
        }
        None => None,
    };
    let random = Random {
        plies,
        count: games_each.div_ceil(2) as usize,
        seed: args.seed,
        judge: match judge.as_mut() {
            Some(engine) => Some(&mut **engine),
            None => None,
        },
        limits: Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() },
        tolerance: 0.15,
    };
    Ok(random.make(game, setup)?)
}

fn control(args: &ContestArgs) -> anyhow::Result<TimeControl> {
    let limited =
        args.time.is_some() || args.game_time.is_some() || args.nodes.is_some() || args.depth.is_some();
    if args.time.is_some_and(|t| t.is_zero()) || args.game_time.is_some_and(|t| t.is_zero()) {
        usage!("--time and --game-time must be above 0");
    }
    Ok(TimeControl {
        per_move: args.time.or_else(|| (!limited).then_some(Duration::from_secs(1))),
        per_game: args.game_time,
        increment: args.increment.unwrap_or_default(),
        nodes: args.nodes,
        depth: args.depth,
        margin: args.margin,
        patience: args.patience,
    })
}

fn parse_resign(text: &str) -> Result<ResignRule, String> {
    let bad = || format!("'{text}'; accepted: MOVES,SCORE or MOVES,SCORE,alone such as 3,500");
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let agree = match words.get(2) {
        None => true,
        Some(&"alone") => false,
        Some(_) => return Err(bad()),
    };
    let [moves, score, ..] = words.as_slice() else { return Err(bad()) };
    let rule = ResignRule {
        moves: moves.parse().map_err(|_| bad())?,
        score: score.parse().map_err(|_| bad())?,
        agree,
    };
    if rule.moves == 0 || !rule.score.is_finite() || words.len() > 3 { Err(bad()) } else { Ok(rule) }
}

fn parse_draw(text: &str) -> Result<DrawRule, String> {
    let bad = || format!("'{text}'; accepted: MOVES,SCORE or MOVES,SCORE,FROM such as 8,10,40");
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let [moves, score, ..] = words.as_slice() else { return Err(bad()) };
    let rule = DrawRule {
        moves: moves.parse().map_err(|_| bad())?,
        score: score.parse().map_err(|_| bad())?,
        from: words.get(2).map_or(Ok(0), |from| from.parse()).map_err(|_| bad())?,
    };
    if rule.moves == 0 || rule.score.is_nan() || rule.score < 0.0 || words.len() > 3 {
        Err(bad())
    } else {
        Ok(rule)
    }
}

fn fault_line(game: &Finished) -> String {
    let loser = usize::from(game.verdict.winner == Some(game::Seat::First));
    format!(
        "game {}: {} loses by {}: {}",
        game.task.id, game.names[loser], game.verdict.reason, game.verdict.detail
    )
}

fn live_table(tournament: &Tournament, results: &Results) -> String {
    if tournament.entrants.len() == 2 {
        let (tally, pairs) = Tally::of(results, 0, 1);
        return match_lines(tournament, &tally, &pairs).join("\n");
    }
    let list = arena::stats::rate(tournament.entrants.len(), results.values());
    rating_lines(tournament, &list).join("\n")
}

/// The state of a two-player match, in lines.
pub(crate) fn match_lines(tournament: &Tournament, tally: &Tally, pairs: &[u64; 5]) -> Vec<String> {
    let elo = Elo::from_pairs(tally, pairs);
    let mut lines = vec![
        format!(
            "{} against {}: {} won, {} lost, {} drawn ({:.1} %)",
            tournament.entrants[0].name,
            tournament.entrants[1].name,
            tally.wins,
            tally.losses,
            tally.draws,
            100.0 * tally.score()
        ),
        format!("Elo {:+.1} ± {:.1}, LOS {:.1} %, pairs {:?}", elo.elo, elo.error, 100.0 * elo.los, pairs),
    ];
    if let Some(sprt) = &tournament.sprt {
        let (low, high) = sprt.bounds();
        lines.push(format!(
            "SPRT {}..{}: LLR {:.2} ({:.2}, {:.2}) {}",
            sprt.elo0,
            sprt.elo1,
            sprt.llr(pairs),
            low,
            high,
            match sprt.state(pairs) {
                arena::stats::SprtState::Running => "undecided",
                arena::stats::SprtState::H0 => "H0 accepted",
                arena::stats::SprtState::H1 => "H1 accepted",
            }
        ));
    }
    lines
}

/// A rating list, in lines.
pub(crate) fn rating_lines(tournament: &Tournament, list: &RatingList) -> Vec<String> {
    let mut lines =
        vec![format!("{:>3} {:<28} {:>7} {:>6} {:>6} {:>7}", "", "engine", "Elo", "±", "games", "score")];
    for (place, rating) in list.ratings.iter().enumerate() {
        lines.push(format!(
            "{:>3} {:<28} {:>+7.1} {:>6.1} {:>6} {:>6.1}%",
            place + 1,
            tournament.entrants[rating.player].name,
            rating.elo,
            rating.error,
            rating.games,
            100.0 * rating.score
        ));
    }
    lines
}

/// Why games ended, as JSON.
pub(crate) fn reasons(results: &Results) -> Value {
    let counts = tournament::reasons(results);
    Value::Object(counts.iter().map(|(reason, n)| (reason.to_string(), json!(n))).collect())
}

/// Why games ended, as words.
pub(crate) fn reason_words(results: &Results) -> String {
    let words: Vec<String> = tournament::reasons(results)
        .iter()
        .map(|(reason, n): (&Reason, _)| format!("{n} {reason}"))
        .collect();
    words.join(", ")
}
