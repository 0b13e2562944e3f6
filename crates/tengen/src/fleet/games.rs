//! Games of a match or tournament as units: the submitter schedules, workers referee.

use super::executor::JobExecutor;
use super::{Submission, new_run};
use crate::contest::Contest;
use crate::games as registry;
use crate::usage::{Usage, usage};
use anyhow::Context;
use arena::adjudication::Adjudication;
use arena::engine_limits::EngineLimits;
use arena::journal::{Finished, Journal};
use arena::openings::Openings;
use arena::player::Alarm;
use arena::protocol::Protocol;
use arena::roster::{ProcessDefaults, Roster};
use arena::schedule::{Format, Schedule, Task};
use arena::stats::{Elo, Tally};
use arena::tournament::{self, Entrant, GameRunner, Results, Tournament, Venue, VenueError};
use fleet::work::{Counted, Needs, UnitResult};
use game::{Limits, Move, Position, Setup, StopFlag};
use play::TimeControl;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

/// The kind of these units.
pub(super) const KIND: &str = "games";
/// Games handed out before the first result says how long games take.
const FIRST_GAMES: usize = 16;
/// How long a unit should take, in seconds: long enough that handing it over costs nothing, short enough that little is
/// lost with a worker.
const UNIT_SECONDS: f64 = 4.0;
/// Most pairs of games in a unit.
const MAX_PAIRS: usize = 32;
/// Games whose openings are made before their units are sent.
const SEND: usize = 64;
/// A unit without clocks that takes longer has hung.
const HUNG: f64 = 7200.0;

/// What all units of a contest share.
#[derive(Serialize, Deserialize)]
struct GamesJob {
    game: String,
    entrants: Vec<JobEntrant>,
    adjudication: Adjudication,
    seed: u64,
    /// Speed of the machine that the times were chosen for, where there are times.
    speed: Option<f64>,
    /// Everything else that makes the contest what it is.
    contest: Value,
}

#[derive(Serialize, Deserialize)]
struct JobEntrant {
    name: String,
    /// A built-in engine with its options, or the name of a program in the worker's own file of engines.
    engine: String,
    program: bool,
    control: TimeControl,
    threads: usize,
    memory_mb: usize,
}

#[derive(Serialize, Deserialize)]
struct GamesSpec {
    tasks: Vec<Task>,
    openings: BTreeMap<usize, JobOpening>,
}

#[derive(Serialize, Deserialize)]
struct JobOpening {
    setup: Setup,
    moves: Vec<Move>,
}

/// What differs between two runs of the same game.
#[derive(Serialize, Deserialize)]
struct Times {
    date: String,
    seconds: [f64; 2],
    moves: Vec<Option<f64>>,
}

/// A unit's result: the games without what differs, and that beside them.
fn to_result(games: Vec<Finished>) -> anyhow::Result<UnitResult> {
    let mut times = Vec::with_capacity(games.len());
    let mut exact = Vec::with_capacity(games.len());
    for mut game in games {
        times.push(Times {
            date: std::mem::take(&mut game.date),
            seconds: std::mem::take(&mut game.seconds),
            moves: game.notes.iter_mut().map(|note| note.seconds.take()).collect(),
        });
        exact.push(game);
    }
    Ok(UnitResult { exact: serde_json::to_value(exact)?, free: serde_json::to_value(times)? })
}

fn from_result(result: UnitResult) -> anyhow::Result<Vec<Finished>> {
    let mut games: Vec<Finished> = serde_json::from_value(result.exact)?;
    let times: Vec<Times> = serde_json::from_value(result.free)?;
    for (game, times) in games.iter_mut().zip(times) {
        (game.date, game.seconds) = (times.date, times.seconds);
        for (note, seconds) in game.notes.iter_mut().zip(times.moves) {
            note.seconds = seconds;
        }
    }
    Ok(games)
}

/// Referees the games of a job's units.
pub(super) struct GamesExecutor {
    tournament: Tournament,
    runner: GameRunner,
    alarm: Alarm,
}

impl GamesExecutor {
    pub(super) fn new(job: &Value, roster: &Roster, speed: f64) -> anyhow::Result<GamesExecutor> {
        let job: GamesJob = serde_json::from_value(job.clone())?;
        let game = registry::by_name(&job.game)?;
        let scale = job.speed.map_or(1.0, |wanted| wanted / speed);
        let mut entrants = Vec::new();
        for entrant in job.entrants {
            let resolved = if entrant.program {
                let listed = roster.engine.iter().any(|entry| entry.name == entrant.engine);
                anyhow::ensure!(
                    listed,
                    "the owner of this worker does not allow the program '{}'",
                    entrant.engine
                );
                roster.resolve(game, &entrant.engine, &ProcessDefaults::default())?
            } else {
                arena::roster::find_built_in(game, &entrant.engine)?;
                Roster::default().resolve(game, &entrant.engine, &ProcessDefaults::default())?
            };
            entrants.push(Entrant {
                name: entrant.name,
                make: resolved.make,
                control: scaled(entrant.control, scale),
                limits: Limits {
                    threads: entrant.threads,
                    memory_mb: entrant.memory_mb,
                    ..Limits::default()
                },
            });
        }
        let (rows, cols) = game.default_size();
        let players = entrants.len();
        let alarm = Alarm::default();
        let tournament = Tournament {
            game,
            entrants,
            schedule: Schedule { format: Format::RoundRobin, players, games: 0, openings: 1 },
            openings: Openings::one(game.position(&Setup::empty(rows, cols))?),
            adjudication: job.adjudication,
            concurrency: 1,
            pin: false,
            seed: job.seed,
            sprt: None,
            allow_repeats: true,
        };
        Ok(GamesExecutor { tournament, runner: GameRunner::new(alarm.clone()), alarm })
    }
}

impl JobExecutor for GamesExecutor {
    fn execute(&mut self, spec: &Value, stop: &StopFlag) -> anyhow::Result<UnitResult> {
        let spec: GamesSpec = serde_json::from_value(spec.clone())?;
        let GamesExecutor { tournament, runner, alarm } = self;
        let players = tournament.entrants.len();
        let mut openings: HashMap<usize, Box<dyn Position>> = HashMap::new();
        for (number, opening) in spec.openings {
            let mut position = tournament.game.position(&opening.setup)?;
            for mv in opening.moves {
                position.play(mv)?;
            }
            openings.insert(number, position);
        }
        let halt = StopFlag::new();
        let alarms = [alarm.clone()];
        let games = tournament::with_alarms(&alarms, stop, &halt, || {
            let mut games = Vec::with_capacity(spec.tasks.len());
            for task in spec.tasks {
                let opening = openings.get(&task.opening).context("a game without its opening")?;
                anyhow::ensure!(task.first < players && task.second < players, "a game without its players");
                games.push(runner.play(tournament, &**opening, task, &halt).context("stopped")?);
            }
            Ok(games)
        })?;
        to_result(games)
    }
}

/// The same time for a machine that is `1 / scale` times as fast as the one it was chosen for.
fn scaled(control: TimeControl, scale: f64) -> TimeControl {
    // A measured speed that is absurd must not make a game endless.
    let scale = if scale.is_finite() { scale.clamp(0.05, 20.0) } else { 1.0 };
    TimeControl {
        per_move: control.per_move.map(|time| time.mul_f64(scale)),
        per_game: control.per_game.map(|time| time.mul_f64(scale)),
        increment: control.increment.mul_f64(scale),
        ..control
    }
}

/// Plays a contest on the fleet.
pub(crate) fn play(
    url: &str,
    contest: &Contest,
    journal: Option<&mut Journal>,
    stop: &StopFlag,
    watch: &mut dyn FnMut(&Finished, &Results),
) -> anyhow::Result<Results> {
    let (tournament, settings) = (&contest.tournament, &contest.settings);
    let mut needs = Needs::default();
    let mut exact = true;
    let mut entrants = Vec::new();
    for (entrant, engine) in tournament.entrants.iter().zip(&contest.engines) {
        let (engine, program) = portable(&contest.roster, engine)?;
        if program {
            needs.programs.push(engine.clone());
        }
        let timed = entrant.control.per_move.is_some() || entrant.control.per_game.is_some();
        needs.timed |= timed;
        exact &= !timed && !program && entrant.limits.threads == 1;
        entrants.push(JobEntrant {
            name: entrant.name.clone(),
            engine,
            program,
            control: entrant.control,
            threads: entrant.limits.threads,
            memory_mb: entrant.limits.memory_mb,
        });
    }
    needs.programs.sort();
    needs.programs.dedup();
    let speed = needs.timed.then(|| {
        eprintln!("tengen: measuring the speed of this machine, which the times are meant for");
        crate::cmd::bench::measure().speed
    });
    let names: Vec<&str> = tournament.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
    let title = format!("{}: {}", tournament.game.name(), names.join(" – "));
    let job = GamesJob {
        game: tournament.game.name().into(),
        entrants,
        adjudication: tournament.adjudication,
        seed: tournament.seed,
        speed,
        contest: json!({"settings": settings, "schedule": tournament.schedule}),
    };
    let seconds = unit_seconds(tournament);
    let run = fleet::work::NewRun { needs, ..new_run(KIND, title, exact, seconds) };
    let submission = Submission::new(url, run, &serde_json::to_value(job)?)?;
    let sent = sent_games(&submission)?;
    let (halt, news) = (StopFlag::new(), RefCell::new(None));
    let mut chart = Chart { last: Instant::now(), points: Vec::new() };
    let mut venue = FleetVenue {
        tournament,
        submission,
        sent,
        ready: VecDeque::new(),
        pair: None,
        stop,
        halt: &halt,
        news: &news,
    };
    let mut watch = |game: &Finished, results: &Results| {
        watch(game, results);
        if let Some(summary) = chart.add(tournament, results) {
            news.replace(Some(summary));
        }
    };
    let played = tournament::conduct(tournament, journal, &halt, &mut watch, &mut venue);
    let submission = venue.submission;
    let results = played?;
    submission.summary(chart.summary(tournament, &results));
    submission.end(halt.is_stopped())?;
    Ok(results)
}

/// An engine as workers know it, and whether it is a third-party program.
fn portable(roster: &Roster, text: &str) -> anyhow::Result<(String, bool)> {
    let (engine, _, limits) = EngineLimits::split(text).map_err(Usage)?;
    if limits.level.is_some() {
        usage!("'{text}': levels are not known on the fleet; run this match without --fleet");
    }
    if let Some(entry) = roster.engine.iter().find(|entry| entry.name == engine) {
        return match &entry.builtin {
            Some(_) if entry.isolated => {
                usage!("engine '{engine}' is isolated, which workers do not do; remove 'isolated'")
            }
            Some(name) => Ok((entry.built_in_text(name), false)),
            None => Ok((engine.into(), true)),
        };
    }
    let kind = engine.split(':').next().unwrap_or_default();
    if kind == "cmd" || kind == "child" || kind.parse::<Protocol>().is_ok() {
        usage!(
            "'{engine}' cannot run on the fleet; give the program a name in engines.toml: workers whose owner has an engine of that name in `tengen worker --engines FILE` run it"
        );
    }
    Ok((engine.into(), false))
}

/// A unit that takes longer has hung.
fn unit_seconds(tournament: &Tournament) -> u32 {
    let games = 2.0 * MAX_PAIRS as f64;
    let longest = |control: &TimeControl| match (control.per_game, control.per_move) {
        (Some(game), _) => games * (game + control.increment * 400).as_secs_f64() * 2.0,
        (None, Some(time)) => games * time.as_secs_f64() * 400.0,
        (None, None) => HUNG,
    };
    let longest = tournament.entrants.iter().map(|entrant| longest(&entrant.control)).fold(HUNG, f64::max);
    longest.min(1e6) as u32
}

/// Games that earlier units of the run have.
fn sent_games(submission: &Submission) -> anyhow::Result<HashSet<u32>> {
    let mut sent = HashSet::new();
    for spec in submission.known.values() {
        let spec: GamesSpec = serde_json::from_value(spec.clone())?;
        sent.extend(spec.tasks.iter().map(|task| task.id));
    }
    Ok(sent)
}

/// The workers of the fleet, as a place where games are played.
struct FleetVenue<'a> {
    tournament: &'a Tournament,
    submission: Submission,
    /// Games that are in units already.
    sent: HashSet<u32>,
    ready: VecDeque<Finished>,
    /// Seconds that a pair of games takes.
    pair: Option<f64>,
    stop: &'a StopFlag,
    halt: &'a StopFlag,
    /// A summary for people that waits to be sent.
    news: &'a RefCell<Option<Value>>,
}

impl FleetVenue<'_> {
    fn units(&self, tasks: &[Task]) -> anyhow::Result<Vec<(i64, Value)>> {
        let pairs =
            self.pair.map_or(1, |seconds| (UNIT_SECONDS / seconds.max(1e-4)) as usize).clamp(1, MAX_PAIRS);
        let game = self.tournament.game;
        let unit = |tasks: &[Task]| {
            let opening = |task: &Task| {
                let position = self.tournament.openings.get(task.opening);
                let (setup, moves) = (game.setup_of(&*position), position.history().to_vec());
                (task.opening, JobOpening { setup, moves })
            };
            let spec = GamesSpec { tasks: tasks.to_vec(), openings: tasks.iter().map(opening).collect() };
            Ok((i64::from(tasks[0].id), serde_json::to_value(spec)?))
        };
        tasks.chunks(2 * pairs).map(unit).collect()
    }

    fn take(&mut self) -> anyhow::Result<fleet::work::Run> {
        if let Some(summary) = self.news.take() {
            self.submission.summary(summary);
        }
        let (run, results) = self.submission.next()?;
        for Counted { seconds, result, .. } in results {
            let games = from_result(result)?;
            let pair = 2.0 * seconds / games.len().max(1) as f64;
            self.pair = Some(self.pair.map_or(pair, |mean| 0.9 * mean + 0.1 * pair));
            self.ready.extend(games);
        }
        Ok(run)
    }
}

fn failed(error: anyhow::Error) -> VenueError {
    VenueError(format!("{error:#}"))
}

impl Venue for FleetVenue<'_> {
    fn room(&self) -> usize {
        if self.pair.is_some() { usize::MAX } else { FIRST_GAMES }
    }

    fn hand_out(&mut self, tasks: Vec<Task>) -> Result<(), VenueError> {
        let new: Vec<Task> = tasks.into_iter().filter(|task| self.sent.insert(task.id)).collect();
        // Making openings takes time: workers begin before the last is made.
        for part in new.chunks(SEND) {
            if self.stop.is_stopped() {
                break;
            }
            self.submission.add(self.units(part).map_err(failed)?).map_err(failed)?;
        }
        Ok(())
    }

    fn finished(&mut self) -> Result<Option<Finished>, VenueError> {
        loop {
            if self.stop.is_stopped() {
                self.halt.stop();
            }
            if let Some(game) = self.ready.pop_front() {
                return Ok(Some(game));
            }
            if self.halt.is_stopped() {
                return Ok(None);
            }
            self.take().map_err(failed)?;
        }
    }

    fn settle(&mut self) -> Result<Vec<Finished>, VenueError> {
        loop {
            let run = self.take().map_err(failed)?;
            if self.stop.is_stopped() || (run.checks == 0 && run.done == run.units) {
                return Ok(self.ready.drain(..).collect());
            }
        }
    }
}

/// Elo and LLR over the course of a match, for the fleet's page.
struct Chart {
    last: Instant,
    points: Vec<Value>,
}

impl Chart {
    /// Most points; beyond that every second one is dropped.
    const POINTS: usize = 200;
    const EVERY: Duration = Duration::from_secs(2);

    fn add(&mut self, tournament: &Tournament, results: &Results) -> Option<Value> {
        if self.last.elapsed() < Self::EVERY {
            return None;
        }
        self.last = Instant::now();
        Some(self.summary(tournament, results))
    }

    fn summary(&mut self, tournament: &Tournament, results: &Results) -> Value {
        if tournament.entrants.len() != 2 {
            return json!({"games": results.len()});
        }
        let (tally, pairs) = Tally::of(results, 0, 1);
        let elo = Elo::from_pairs(&tally, &pairs);
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let mut point = json!({"games": results.len(), "elo": finite(elo.elo), "error": finite(elo.error)});
        let mut summary =
            json!({"games": results.len(), "wins": tally.wins, "losses": tally.losses, "draws": tally.draws});
        if let Some(sprt) = &tournament.sprt {
            let (low, high) = sprt.bounds();
            point["llr"] = json!(finite(sprt.llr(&pairs)));
            summary["bounds"] = json!([low, high]);
            summary["sprt"] = json!(sprt.state(&pairs));
        }
        self.points.push(point);
        if self.points.len() > Self::POINTS {
            let mut keep = false;
            self.points.retain(|_| {
                keep = !keep;
                keep
            });
        }
        summary["points"] = json!(self.points);
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_go_to_workers_by_name_only() {
        let text = "[[engine]]\nname = \"mine\"\ncommand = \"./brain\"\n[[engine]]\nname = \"weak\"\nbuiltin = \"classic-ac\"\noptions = { depth = 2 }\n";
        let roster = Roster::parse(std::path::Path::new("engines.toml"), text).unwrap();
        let of = |text: &str| portable(&roster, text).map_err(|error| error.to_string());
        assert_eq!(of("mine@name=A,time=1"), Ok(("mine".into(), true)));
        assert_eq!(of("weak"), Ok(("classic-ac:depth=2".into(), false)));
        assert_eq!(of("tengen:vcf=off"), Ok(("tengen:vcf=off".into(), false)));
        for refused in ["cmd:./brain", "gomocup:./brain", "child:tengen"] {
            assert!(of(refused).unwrap_err().contains("cannot run on the fleet"), "{refused}");
        }
    }

    #[test]
    fn times_are_scaled_within_reason() {
        let control = TimeControl { per_move: Some(Duration::from_secs(2)), ..TimeControl::default() };
        assert_eq!(scaled(control, 0.5).per_move, Some(Duration::from_secs(1)));
        assert_eq!(scaled(control, 1e9).per_move, Some(Duration::from_secs(40)));
        assert_eq!(scaled(control, f64::NAN).per_move, Some(Duration::from_secs(2)));
    }
}
