//! One game: asks the players in turn, keeps their clocks, and lets the rules decide.

use crate::adjudication::{Adjudication, Adjudicator, Ruling};
use crate::clock::{RunningClock, TimeControl};
use crate::player::{Alarm, Fault, GameStart, MoveRequest, Player};
use game::{EndReason, Game, IllegalMove, Limits, Move, MoveNote, Outcome, Position, Seat, StopFlag};
use serde::{Deserialize, Serialize};
use std::fmt;
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
    pub reason: Reason,
    /// The reason in detail, such as the text that was no move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// Why a game ended, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A row of five.
    Five,
    /// A chain from edge to edge.
    Connection,
    /// A forbidden point.
    Forbidden,
    /// The rules call it a draw.
    Draw,
    /// The loser resigned.
    Resign,
    /// The loser overstepped its time.
    Timeout,
    /// The loser gave no sign of life where no clock ran.
    Silence,
    /// The loser's process ended or its engine panicked.
    Crash,
    /// The loser closed its pipe.
    ClosedPipe,
    /// The loser printed without end.
    Flood,
    /// The loser's answer was no move.
    Syntax,
    /// The loser played on a stone.
    Occupied,
    /// The loser's move is against the rules.
    Illegal,
    /// The loser said that it cannot go on.
    Refused,
    /// The loser could not be started.
    NoStart,
    /// Scores decided.
    AdjudicatedWin,
    /// Scores were even for long.
    AdjudicatedDraw,
    /// The cap on moves was reached.
    MoveLimit,
}

impl Reason {
    /// The word used in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Five => "five",
            Reason::Connection => "connection",
            Reason::Forbidden => "forbidden",
            Reason::Draw => "draw",
            Reason::Resign => "resign",
            Reason::Timeout => "timeout",
            Reason::Silence => "silence",
            Reason::Crash => "crash",
            Reason::ClosedPipe => "closed-pipe",
            Reason::Flood => "flood",
            Reason::Syntax => "syntax",
            Reason::Occupied => "occupied",
            Reason::Illegal => "illegal",
            Reason::Refused => "refused",
            Reason::NoStart => "no-start",
            Reason::AdjudicatedWin => "adjudicated-win",
            Reason::AdjudicatedDraw => "adjudicated-draw",
            Reason::MoveLimit => "move-limit",
        }
    }

    /// Did the loser misbehave, so that its process is not to be trusted with another game?
    pub const fn is_fault(self) -> bool {
        use Reason::{
            ClosedPipe, Crash, Flood, Illegal, NoStart, Occupied, Refused, Silence, Syntax, Timeout,
        };
        matches!(
            self,
            Timeout | Silence | Crash | ClosedPipe | Flood | Syntax | Occupied | Illegal | Refused | NoStart
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

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
    clocks: [RunningClock; 2],
    judge: Adjudicator,
    moves: Vec<(Move, MoveNote)>,
}

impl<'a, 'p> Table<'a, 'p> {
    fn new(plan: &'a GamePlan, players: [&'p mut dyn Player; 2]) -> Table<'a, 'p> {
        Table {
            plan,
            players,
            position: plan.opening.boxed(),
            clocks: plan.controls.map(RunningClock::new),
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
            if let Some(outcome) = self.position.outcome() {
                return Some(self.by_rules(&outcome));
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
            allowed: self.clocks[me].deadline(asked) - asked,
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
            return Some(Some(lost(seat, Reason::Resign, String::new())));
        };
        if let Err(refusal) = self.position.play(mv) {
            let reason =
                if matches!(refusal, IllegalMove::Occupied(_)) { Reason::Occupied } else { Reason::Illegal };
            return Some(Some(lost(seat, reason, refusal.to_string())));
        }
        let score = answer.note.score;
        self.moves.push((mv, MoveNote { seconds: Some(time.as_secs_f64()), ..answer.note }));
        if self.position.outcome().is_some() {
            return Some(None);
        }
        let ruling = self.judge.observe(seat, score, self.position.history().len());
        Some(ruling.map(|ruling| match ruling {
            Ruling::Wins(winner) => lost(winner.other(), Reason::AdjudicatedWin, String::new()),
            Ruling::Draw => Verdict { winner: None, reason: Reason::AdjudicatedDraw, detail: String::new() },
            Ruling::TooLong => Verdict { winner: None, reason: Reason::MoveLimit, detail: String::new() },
        }))
    }

    fn by_rules(&self, outcome: &Outcome) -> Verdict {
        match outcome {
            Outcome::Draw => Verdict { winner: None, reason: Reason::Draw, detail: String::new() },
            Outcome::Win { side, reason, .. } => {
                let first = self.position.colour_of(Seat::First) == *side;
                let winner = if first { Seat::First } else { Seat::Second };
                let reason = match reason {
                    EndReason::Five => Reason::Five,
                    EndReason::Forbidden => Reason::Forbidden,
                    EndReason::Connection => Reason::Connection,
                };
                Verdict { winner: Some(winner), reason, detail: String::new() }
            }
        }
    }
}

fn lost(loser: Seat, reason: Reason, detail: String) -> Verdict {
    Verdict { winner: Some(loser.other()), reason, detail }
}

fn blame(seat: Seat, fault: Fault) -> Option<Verdict> {
    let reason = match fault {
        Fault::Timeout => Reason::Timeout,
        Fault::Silence(_) => Reason::Silence,
        Fault::Crash(_) => Reason::Crash,
        Fault::ClosedPipe => Reason::ClosedPipe,
        Fault::Flood => Reason::Flood,
        Fault::Syntax(_) => Reason::Syntax,
        Fault::Refused(_) => Reason::Refused,
        Fault::NoStart(_) => Reason::NoStart,
        Fault::Stopped => return None,
    };
    Some(lost(seat, reason, fault.to_string()))
}
