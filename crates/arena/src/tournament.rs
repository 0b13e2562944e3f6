//! Plays all games of a schedule on several workers and reports each as it ends.

use crate::adjudication::Adjudication;
use crate::journal::{Finished, Journal, JournalError, Score};
use crate::openings::Openings;
use crate::platform;
use crate::player::{Alarm, Fault, GameStart, MakePlayer, Player};
use crate::referee::{self, GamePlan, Played, Termination};
use crate::schedule::{Schedule, Task};
use crate::stats::{Repeats, Sprt, SprtState, Tally};
use game::{Game, Limits, Position, Seat, StopFlag};
use play::TimeControl;
use search::Rng;
use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A participant.
#[derive(Clone)]
pub struct Entrant {
    /// Name in tables and files.
    pub name: String,
    /// Makes the player; called again after a fault, and once for each worker.
    pub make: MakePlayer,
    /// What it may spend.
    pub control: TimeControl,
    /// Threads and memory; time, nodes and depth come from `control`.
    pub limits: Limits,
}

/// A run: who plays what, how.
pub struct Tournament {
    /// The game.
    pub game: &'static dyn Game,
    /// The players.
    pub entrants: Vec<Entrant>,
    /// The games.
    pub schedule: Schedule,
    /// Where the games start.
    pub openings: Openings,
    /// When to end games early.
    pub adjudication: Adjudication,
    /// Games at a time.
    pub concurrency: usize,
    /// Give each worker its own share of the processor's cores.
    pub pin: bool,
    /// Seed of all searches.
    pub seed: u64,
    /// Stop when this test of the first player against the second is decided.
    pub sprt: Option<Sprt>,
    /// Let the test go on although most games repeat others.
    pub allow_repeats: bool,
}

/// The score of every finished game, by the number of the game.
pub type Results = BTreeMap<u32, Score>;

/// Where the games of a schedule are played.
pub trait Venue {
    /// How many games may be under way.
    fn room(&self) -> usize;

    /// Begins games.
    fn hand_out(&mut self, tasks: Vec<Task>) -> Result<(), VenueError>;

    /// Waits for a game to end. `None`: one was given up because the run is being stopped.
    fn finished(&mut self) -> Result<Option<Finished>, VenueError>;

    /// Everything has ended: games whose earlier results were withdrawn in the meantime.
    fn settle(&mut self) -> Result<Vec<Finished>, VenueError> {
        Ok(Vec::new())
    }
}

/// A venue cannot go on.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct VenueError(pub String);

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A finished game could not be recorded.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// No more games can be played.
    #[error(transparent)]
    Venue(#[from] VenueError),
}

/// Plays everything that `journal` has not finished yet, on threads of this process. `watch` is called after each game
/// with the game and all results so far. Returns the results; fewer than planned if `stop` was raised or the
/// test decided.
pub fn run(
    tournament: &Tournament,
    journal: Option<&mut Journal>,
    stop: &StopFlag,
    watch: &mut dyn FnMut(&Finished, &Results),
) -> Result<Results, RunError> {
    let workers = tournament.concurrency.max(1);
    let alarms: Vec<Alarm> = (0..workers).map(|_| Alarm::default()).collect();
    // Ends games in flight: raised with `stop`, or when the test has decided.
    let halt = StopFlag::new();
    let (task_in, task_out) = mpsc::channel::<Task>();
    let task_out = Mutex::new(task_out);
    let (done_in, done_out) = mpsc::channel::<Option<Finished>>();
    with_alarms(&alarms, stop, &halt, || {
        std::thread::scope(|scope| {
            for (index, alarm) in alarms.iter().enumerate() {
                let (task_out, done_in, halt) = (&task_out, done_in.clone(), &halt);
                scope.spawn(move || {
                    if tournament.pin {
                        platform::pin_thread(index, workers);
                    }
                    let mut runner = GameRunner::new(alarm.clone());
                    loop {
                        let task = task_out.lock().unwrap_or_else(|e| e.into_inner()).recv();
                        let Ok(task) = task else { break };
                        let finished = if halt.is_stopped() {
                            None
                        } else {
                            {
                                let opening = tournament.openings.get(task.opening);
                                runner.play(tournament, &*opening, task, halt)
                            }
                        };
                        if done_in.send(finished).is_err() {
                            break;
                        }
                    }
                });
            }
            let mut venue = Threads { task_in, done_out, workers };
            conduct(tournament, journal, &halt, watch, &mut venue)
        })
    })
}

/// The threads of this process.
struct Threads {
    task_in: mpsc::Sender<Task>,
    done_out: mpsc::Receiver<Option<Finished>>,
    workers: usize,
}

impl Venue for Threads {
    /// A few tasks ahead of the workers, so that they never wait and a decided test stops at once.
    fn room(&self) -> usize {
        4 * self.workers
    }

    fn hand_out(&mut self, tasks: Vec<Task>) -> Result<(), VenueError> {
        for task in tasks {
            // The threads are there as long as we are.
            let _ = self.task_in.send(task);
        }
        Ok(())
    }

    fn finished(&mut self) -> Result<Option<Finished>, VenueError> {
        Ok(self.done_out.recv().ok().flatten())
    }
}

/// Plays at `venue` everything that `journal` has not finished yet. `halt` ends it; it is raised when the test has
/// decided.
pub fn conduct(
    tournament: &Tournament,
    mut journal: Option<&mut Journal>,
    halt: &StopFlag,
    watch: &mut dyn FnMut(&Finished, &Results),
    venue: &mut dyn Venue,
) -> Result<Results, RunError> {
    let mut results: Results = journal.as_ref().map_or_else(BTreeMap::new, |j| j.scores().clone());
    if decided(tournament, &results) {
        return Ok(results);
    }
    let mut sent: HashSet<u32> = results.keys().copied().collect();
    let mut flying = 0usize;
    let mut failure = None;
    let mut tasks = tournament.schedule.tasks(&results).into_iter();
    loop {
        let room = venue.room().saturating_sub(flying);
        let more: Vec<Task> = if halt.is_stopped() {
            Vec::new()
        } else {
            tasks.by_ref().filter(|task| sent.insert(task.id)).take(room).collect()
        };
        if !more.is_empty() {
            flying += more.len();
            venue.hand_out(more)?;
        }
        let ended = if flying > 0 {
            vec![venue.finished()?]
        } else {
            let replaced = if halt.is_stopped() { Vec::new() } else { venue.settle()? };
            if replaced.is_empty() {
                // Only a knockout has more games now.
                tasks = tournament.schedule.tasks(&results).into_iter();
                if tasks.clone().any(|task| !sent.contains(&task.id)) && !halt.is_stopped() {
                    continue;
                }
                break;
            }
            replaced.into_iter().map(Some).collect()
        };
        for finished in ended {
            let known = finished.as_ref().is_some_and(|game| results.contains_key(&game.task.id));
            flying -= usize::from(!known);
            let Some(finished) = finished.filter(|_| failure.is_none()) else { continue };
            if let Some(journal) = journal.as_deref_mut()
                && let Err(error) = journal.append(&finished)
            {
                failure = Some(error);
                halt.stop();
                continue;
            }
            results.insert(finished.task.id, finished.score());
            watch(&finished, &results);
            if decided(tournament, &results) {
                halt.stop();
            }
        }
    }
    if let Some(error) = failure {
        return Err(error.into());
    }
    if let Some(journal) = journal {
        journal.sync()?;
    }
    Ok(results)
}

/// Does `work` while a thread rings the alarms that are due, and raises `halt` with `stop`.
pub fn with_alarms<T>(alarms: &[Alarm], stop: &StopFlag, halt: &StopFlag, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (bell, silence) = mpsc::channel::<()>();
        scope.spawn(move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = silence.recv_timeout(Duration::from_millis(10)) {
                if stop.is_stopped() {
                    halt.stop();
                }
                let now = (!halt.is_stopped()).then(Instant::now);
                alarms.iter().for_each(|alarm| alarm.ring(now));
            }
        });
        let done = work();
        drop(bell);
        done
    })
}

fn decided(tournament: &Tournament, results: &Results) -> bool {
    tournament.sprt.is_some_and(|sprt| {
        let (_, pairs) = Tally::of(results, 0, 1);
        let pointless = results.len() >= Repeats::ENOUGH_GAMES && Repeats::of(results.values()).too_many();
        sprt.state(&pairs) != SprtState::Running || (pointless && !tournament.allow_repeats)
    })
}

/// Plays games one after another, and keeps their players, so that not every game starts a process.
pub struct GameRunner {
    alarm: Alarm,
    seated: Vec<(usize, Box<dyn Player>)>,
}

impl GameRunner {
    /// A runner whose searches end when the alarm rings; see [`with_alarms`].
    pub fn new(alarm: Alarm) -> GameRunner {
        GameRunner { alarm, seated: Vec::new() }
    }

    /// Plays a game of a tournament from its opening, the same one every time. `None`: `halt` was raised.
    pub fn play(
        &mut self,
        tournament: &Tournament,
        opening: &dyn Position,
        task: Task,
        halt: &StopFlag,
    ) -> Option<Finished> {
        let pair = [task.first, task.second];
        self.seated.retain(|(player, _)| pair.contains(player));
        let mut hands = pair.map(|player| self.seat(tournament, player));
        let limits = [0, 1].map(|seat| {
            let mut rng = Rng::new(tournament.seed ^ (u64::from(task.id) << 1 | seat as u64));
            Limits { seed: rng.next_u64(), ..tournament.entrants[pair[seat]].limits.clone() }
        });
        let plan = GamePlan {
            game: tournament.game,
            opening,
            controls: pair.map(|player| tournament.entrants[player].control),
            limits,
            adjudication: tournament.adjudication,
            alarm: &self.alarm,
            stop: halt,
        };
        let [first, second] = &mut hands;
        let played = referee::play(&plan, [&mut **first, &mut **second])?;
        for (seat, hand) in [Seat::First, Seat::Second].into_iter().zip(hands) {
            // A player at fault is closed; a new one plays the next game.
            if !played.at_fault(seat) {
                self.seated.push((pair[seat.index()], hand));
            }
        }
        let names = pair.map(|player| tournament.entrants[player].name.clone());
        Some(Finished::new(task, names, &played))
    }

    fn seat(&mut self, tournament: &Tournament, player: usize) -> Box<dyn Player> {
        if let Some(at) = self.seated.iter().position(|(who, _)| *who == player) {
            return self.seated.swap_remove(at).1;
        }
        (tournament.entrants[player].make)().unwrap_or_else(|fault| Box::new(Absent(fault)))
    }
}

/// Stands in for a player that could not be made.
struct Absent(Fault);

impl Player for Absent {
    fn start(&mut self, _start: &GameStart) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn choose(
        &mut self,
        _position: &dyn Position,
        _request: &crate::player::MoveRequest,
    ) -> Result<crate::player::MoveReply, Fault> {
        Err(self.0.clone())
    }
}

/// Counts of why games ended.
pub fn reasons(results: &Results) -> BTreeMap<Termination, u64> {
    let mut counts = BTreeMap::new();
    results.values().for_each(|score| *counts.entry(score.reason).or_insert(0) += 1);
    counts
}

/// A game outside any schedule, for callers that only want one.
pub fn play_one(
    game: &'static dyn Game,
    opening: &dyn Position,
    entrants: [&Entrant; 2],
    adjudication: Adjudication,
    stop: &StopFlag,
) -> Option<Played> {
    let alarm = Alarm::default();
    let plan = GamePlan {
        game,
        opening,
        controls: entrants.map(|e| e.control),
        limits: entrants.map(|e| e.limits.clone()),
        adjudication,
        alarm: &alarm,
        stop,
    };
    let mut made = Vec::new();
    for (entrant, seat) in entrants.iter().zip([Seat::First, Seat::Second]) {
        match (entrant.make)() {
            Ok(player) => made.push(player),
            Err(fault) => return Some(referee::not_started(game, opening, seat, &fault)),
        }
    }
    let [first, second] = made.as_mut_slice() else { return None };
    referee::play(&plan, [&mut **first, &mut **second])
}
