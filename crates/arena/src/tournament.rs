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

/// Plays everything that `journal` has not finished yet. `watch` is called after each game with the game and
/// all results so far. Returns the results; fewer than planned if `stop` was raised or the test decided.
pub fn run(
    tournament: &Tournament,
    mut journal: Option<&mut Journal>,
    stop: &StopFlag,
    watch: &mut dyn FnMut(&Finished, &Results),
) -> Result<Results, JournalError> {
    let mut results: Results = journal.as_ref().map_or_else(BTreeMap::new, |j| j.scores().clone());
    let workers = tournament.concurrency.max(1);
    let alarms: Vec<Alarm> = (0..workers).map(|_| Alarm::default()).collect();
    // Ends games in flight: raised with `stop`, or when the test has decided.
    let halt = StopFlag::new();
    if decided(tournament, &results) {
        return Ok(results);
    }
    let (task_in, task_out) = mpsc::channel::<Task>();
    let task_out = Mutex::new(task_out);
    let (done_in, done_out) = mpsc::channel::<Option<Finished>>();
    std::thread::scope(|scope| {
        for (index, alarm) in alarms.iter().enumerate() {
            let (task_out, done_in, halt) = (&task_out, done_in.clone(), &halt);
            scope.spawn(move || {
                if tournament.pin {
                    platform::pin_thread(index, workers);
                }
                let mut worker = Worker { tournament, alarm, halt, seated: Vec::new() };
                loop {
                    let task = task_out.lock().unwrap_or_else(|e| e.into_inner()).recv();
                    let Ok(task) = task else { break };
                    let finished = if halt.is_stopped() { None } else { worker.play(task) };
                    if done_in.send(finished).is_err() {
                        break;
                    }
                }
            });
        }
        let (bell, silence) = mpsc::channel::<()>();
        let (alarms, halt_bell) = (&alarms, &halt);
        scope.spawn(move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = silence.recv_timeout(Duration::from_millis(10)) {
                if stop.is_stopped() {
                    halt_bell.stop();
                }
                let now = (!halt_bell.is_stopped()).then(Instant::now);
                alarms.iter().for_each(|alarm| alarm.ring(now));
            }
        });
        let mut sent: HashSet<u32> = results.keys().copied().collect();
        let mut flying = 0usize;
        let mut failure = None;
        let mut tasks = tournament.schedule.tasks(&results).into_iter();
        loop {
            // A few tasks ahead of the workers, so that they never wait and a decided test stops at once.
            while flying < 4 * workers && !halt.is_stopped() {
                let Some(task) = tasks.next() else { break };
                if sent.insert(task.id) {
                    flying += 1;
                    let _ = task_in.send(task);
                }
            }
            if flying == 0 {
                // Only a knockout has more games now.
                tasks = tournament.schedule.tasks(&results).into_iter();
                let more = tasks.clone().any(|task| !sent.contains(&task.id));
                if more && !halt.is_stopped() {
                    continue;
                }
                break;
            }
            let Ok(finished) = done_out.recv() else { break };
            flying -= 1;
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
        drop(task_in);
        drop(bell);
        match failure {
            Some(error) => Err(error),
            None => Ok(()),
        }
    })?;
    if let Some(journal) = journal {
        journal.sync()?;
    }
    Ok(results)
}

fn decided(tournament: &Tournament, results: &Results) -> bool {
    tournament.sprt.is_some_and(|sprt| {
        let (_, pairs) = Tally::of(results, 0, 1);
        let pointless = results.len() >= Repeats::ENOUGH_GAMES && Repeats::of(results.values()).too_many();
        sprt.state(&pairs) != SprtState::Running || (pointless && !tournament.allow_repeats)
    })
}

struct Worker<'a> {
    tournament: &'a Tournament,
    alarm: &'a Alarm,
    halt: &'a StopFlag,
    /// Players kept from the last game, so that not every game starts a process.
    seated: Vec<(usize, Box<dyn Player>)>,
}

impl Worker<'_> {
    fn play(&mut self, task: Task) -> Option<Finished> {
        let tournament = self.tournament;
        let opening = &*tournament.openings.get(task.opening);
        let pair = [task.first, task.second];
        self.seated.retain(|(player, _)| pair.contains(player));
        let mut hands = [self.seat(task.first), self.seat(task.second)];
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
            alarm: self.alarm,
            stop: self.halt,
        };
        let [first, second] = &mut hands;
        let played = referee::play(&plan, [&mut **first, &mut **second])?;
        let mut evidence = String::new();
        for (seat, hand) in [Seat::First, Seat::Second].into_iter().zip(hands) {
            // A player at fault is closed; a new one plays the next game.
            if played.at_fault(seat) {
                evidence = hand.evidence().to_string();
            } else {
                self.seated.push((pair[seat.index()], hand));
            }
        }
        let names = pair.map(|player| tournament.entrants[player].name.clone());
        Some(Finished { evidence, ..Finished::new(task, names, &played) })
    }

    fn seat(&mut self, player: usize) -> Box<dyn Player> {
        if let Some(at) = self.seated.iter().position(|(who, _)| *who == player) {
            return self.seated.swap_remove(at).1;
        }
        (self.tournament.entrants[player].make)().unwrap_or_else(|fault| Box::new(Absent(fault)))
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
