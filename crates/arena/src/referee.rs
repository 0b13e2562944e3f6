//! One game: asks the players in turn, keeps their clocks, and lets the rules decide.

use crate::adjudication::{Adjudication, Adjudicator, Ruling};
use crate::player::{Alarm, Fault, GameStart, MoveRequest, Player};
use game::{Game, IllegalMove, Limits, Move, MoveNote, Position, Seat, StopFlag};
use play::TimeControl;
use play::{End, SeatClock};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Everything about a game except who plays it.
pub struct GamePlan<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// Where the players start; its history is the opening.
    pub opening: &'a dyn Position,
    /// The time control of each seat.
    pub controls: [TimeControl; 2],
    /// Threads, memory and seed of each seat.
    pub limits: [Limits; 2],
    /// When to end early.
    pub adjudication: Adjudication,
    /// Stops searches in process that overstay.
    pub alarm: &'a Alarm,
    /// Raised when the run is to stop.
    pub stop: &'a StopFlag,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// Why.
    pub reason: Termination,
    /// The reason in detail, such as the text that was no move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

pub use play::Termination;

/// A finished game.
#[derive(Clone)]
pub struct Played {
    /// How it ended.
    pub verdict: Verdict,
    /// The final position.
    pub position: Box<dyn Position>,
    /// The moves of the players with notes; the opening's are not among them.
    pub moves: Vec<(Move, MoveNote)>,
    /// Time used by each seat.
    pub used: [Duration; 2],
}

/// Plays one game. `None`: the run was stopped before it ended.
pub fn play(plan: &GamePlan, players: [&mut dyn Player; 2]) -> Option<Played> {
    let mut table = Table::new(plan, players);
    let verdict = table.run()?;
    for player in &mut table.players {
        player.finish();
    }
    let used = [table.clocks[0].used(), table.clocks[1].used()];
    Some(Played { verdict, position: table.position, moves: table.moves, used })
}

struct Table<'a, 'p> {
    plan: &'a GamePlan<'a>,
    players: [&'p mut dyn Player; 2],
    position: Box<dyn Position>,
    clocks: [SeatClock; 2],
    judge: Adjudicator,
    moves: Vec<(Move, MoveNote)>,
}

impl<'a, 'p> Table<'a, 'p> {
    fn new(plan: &'a GamePlan, players: [&'p mut dyn Player; 2]) -> Table<'a, 'p> {
        Table {
            plan,
            players,
            position: plan.opening.boxed(),
            clocks: plan.controls.map(SeatClock::new),
            judge: Adjudicator::new(plan.adjudication),
            moves: Vec::new(),
        }
    }

    fn run(&mut self) -> Option<Verdict> {
        let setup = self.plan.game.setup_of(self.plan.opening);
        for seat in [Seat::First, Seat::Second] {
            let control = &self.plan.controls[seat.index()];
            let start = GameStart {
                game: self.plan.game,
                setup: &setup,
                control,
                limits: &self.plan.limits[seat.index()],
                deadline: Instant::now() + control.patience,
                stop: self.plan.stop,
            };
            if let Err(fault) = self.players[seat.index()].start(&start) {
                // Getting ready has no clock: being late there is silence.
                let fault = match fault {
                    Fault::Timeout => Fault::Silence("not ready when the game began".into()),
                    other => other,
                };
                return blame(seat, fault);
            }
        }
        loop {
            if let Some(end) = End::by_rules(&*self.position) {
                let winner = end.winner.map(|(seat, _)| seat);
                return Some(Verdict { winner, reason: end.termination, detail: String::new() });
            }
            if let Some(verdict) = self.turn()? {
                return Some(verdict);
            }
        }
    }

    /// One move; `Some(None)` when the game goes on.
    fn turn(&mut self) -> Option<Option<Verdict>> {
        let seat = self.position.turn();
        let me = seat.index();
        let timed = self.clocks[me].allowance().is_some();
        let mut limits = self.plan.limits[me].clone();
        self.clocks[me].fill(&mut limits);
        let asked = Instant::now();
        let request = MoveRequest {
            limits: &limits,
            allowed: self.clocks[me].wait(),
            alarm: self.plan.alarm,
            stop: self.plan.stop,
        };
        let answer = self.players[me].choose(&*self.position, &request);
        let time = answer.as_ref().map_or_else(|_| asked.elapsed(), |reply| reply.time);
        let in_time = self.clocks[me].spend(time);
        if self.plan.stop.is_stopped() {
            return None;
        }
        let answer = match answer {
            Ok(_) if !in_time => return blame(seat, Fault::Timeout).map(Some),
            Ok(answer) => answer,
            Err(Fault::Timeout) if !timed => {
                return blame(seat, Fault::Silence("no answer to the request for a move".into())).map(Some);
            }
            Err(fault) => return blame(seat, fault).map(Some),
        };
        let Some(mv) = answer.mv else {
            return Some(Some(lost(seat, Termination::Resign, String::new())));
        };
        if let Err(refusal) = self.position.play(mv) {
            let reason = if matches!(refusal, IllegalMove::Occupied(_)) {
                Termination::Occupied
            } else {
                Termination::Illegal
            };
            return Some(Some(lost(seat, reason, refusal.to_string())));
        }
        let score = answer.note.score;
        self.moves.push((mv, MoveNote { seconds: Some(time.as_secs_f64()), ..answer.note }));
        if self.position.outcome().is_some() {
            return Some(None);
        }
        let ruling = self.judge.observe(seat, score, self.position.history().len());
        Some(ruling.map(|ruling| match ruling {
            Ruling::Wins(winner) => lost(winner.other(), Termination::AdjudicatedWin, String::new()),
            Ruling::Draw => {
                Verdict { winner: None, reason: Termination::AdjudicatedDraw, detail: String::new() }
            }
            Ruling::TooLong => {
                Verdict { winner: None, reason: Termination::MoveLimit, detail: String::new() }
            }
        }))
    }
}

fn lost(loser: Seat, reason: Termination, detail: String) -> Verdict {
    Verdict { winner: Some(loser.other()), reason, detail }
}

fn blame(seat: Seat, fault: Fault) -> Option<Verdict> {
    let reason = match fault {
        Fault::Timeout => Termination::Timeout,
        Fault::Silence(_) => Termination::Silence,
        Fault::Crash(_) => Termination::Crash,
        Fault::ClosedPipe => Termination::ClosedPipe,
        Fault::Flood => Termination::Flood,
        Fault::Syntax(_) => Termination::Syntax,
        Fault::Refused(_) => Termination::Refused,
        Fault::NoStart(_) => Termination::NoStart,
        Fault::Stopped => return None,
    };
    Some(lost(seat, reason, fault.to_string()))
}
