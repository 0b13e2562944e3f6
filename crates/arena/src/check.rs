//! A compliance run for engine authors: does a program keep its protocol and its clock?
//!
//! Each check is a few seconds of play or a question; a finding says what happened and how to mend it.

use crate::adjudication::Adjudication;
use crate::clock::TimeControl;
use crate::player::{Alarm, BuiltIn, Fault, GameStart, MoveRequest, Player};
use crate::process::Launch;
use crate::protocol::{Program, Protocol};
use crate::referee::{self, GamePlan, Played, Reason};
use game::{Decision, Engine, EngineError, Game, Limits, Position, Report, Seat, Setup, StopFlag, Watch};
use search::Rng;
use serde::Serialize;
use std::time::{Duration, Instant};

/// What to check.
pub struct Candidate<'a> {
    /// The game it plays.
    pub game: &'a dyn Game,
    /// Board and rule.
    pub setup: Setup,
    /// The program.
    pub launch: Launch,
    /// Its protocol.
    pub protocol: Protocol,
    /// Time a move in the checks.
    pub time: Duration,
    /// Memory it should stay below, in MiB.
    pub memory_mb: u64,
}

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was checked.
    pub check: &'static str,
    /// Did it pass?
    pub passed: bool,
    /// What happened.
    pub detail: String,
    /// How to mend it; empty where it passed.
    pub advice: &'static str,
}

/// Runs all checks, telling each finding as it comes. Stops early when the program cannot even start.
pub fn check(candidate: &Candidate, tell: &mut dyn FnMut(&Finding)) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |finding: Finding| {
        tell(&finding);
        let passed = finding.passed;
        findings.push(finding);
        passed
    };
    if add(candidate.handshake()) {
        add(candidate.opens());
        add(candidate.whole_games());
        add(candidate.keeps_time());
        add(candidate.keeps_the_clock());
        if candidate.protocol.takes_openings() {
            add(candidate.takes_a_position());
            add(candidate.plays_again());
            add(candidate.survives_nonsense());
        }
        add(candidate.stays_small());
        add(candidate.leaves());
    }
    findings
}

fn pass(check: &'static str, detail: impl Into<String>) -> Finding {
    Finding { check, passed: true, detail: detail.into(), advice: "" }
}

fn fail(check: &'static str, detail: impl Into<String>, advice: &'static str) -> Finding {
    Finding { check, passed: false, detail: detail.into(), advice }
}

impl Candidate<'_> {
    fn program(&self) -> Program {
        Program::new(self.launch.clone(), self.protocol, Vec::new(), Vec::new())
    }

    fn control(&self) -> TimeControl {
        TimeControl { patience: Duration::from_secs(10), ..TimeControl::per_move(self.time) }
    }

    fn empty(&self) -> Result<Box<dyn Position>, String> {
        self.game.position(&self.setup).map_err(|error| error.to_string())
    }

    /// Gets the program ready outside a game.
    fn start(&self, program: &mut Program, control: &TimeControl) -> Result<(), Fault> {
        program.start(&GameStart {
            game: self.game,
            setup: &self.setup,
            control,
            limits: &Limits::default(),
            deadline: Instant::now() + control.patience,
            stop: &StopFlag::new(),
        })
    }

    /// Asks for one move of a position.
    fn ask(&self, program: &mut Program, position: &dyn Position) -> Result<Duration, String> {
        let limits = Limits { move_time: Some(self.time), ..Limits::default() };
        let asked = Instant::now();
        let request = MoveRequest {
            limits: &limits,
            allowed: self.time + Duration::from_secs(5),
            alarm: &Alarm::default(),
            stop: &StopFlag::new(),
        };
        let answer = program.choose(position, &request).map_err(|fault| fault.to_string())?;
        match answer.mv {
            Some(mv) => position.legal(mv).map(|()| asked.elapsed()).map_err(|error| error.to_string()),
            None => Err("it resigned".into()),
        }
    }

    /// A game against a player of random moves.
    fn game(
        &self,
        program: &mut Program,
        seat: Seat,
        opening: &dyn Position,
        control: TimeControl,
        seed: u64,
    ) -> Option<Played> {
        let (alarm, stop) = (Alarm::default(), StopFlag::new());
        let plan = GamePlan {
            game: self.game,
            opening,
            controls: [control; 2],
            limits: [Limits { seed, ..Limits::default() }, Limits { seed, ..Limits::default() }],
            adjudication: Adjudication::default(),
            alarm: &alarm,
            stop: &stop,
        };
        let mut random = BuiltIn::new(Box::new(RandomMover(Rng::new(seed))));
        match seat {
            Seat::First => referee::play(&plan, [program, &mut random]),
            Seat::Second => referee::play(&plan, [&mut random, program]),
        }
    }

    fn handshake(&self) -> Finding {
        const NAME: &str = "starts and answers the handshake";
        match self.start(&mut self.program(), &self.control()) {
            Ok(()) => pass(NAME, ""),
            Err(fault) => fail(
                NAME,
                fault.to_string(),
                match self.protocol {
                    Protocol::Gomocup => {
                        "answer START with OK within 10 s, and flush standard output after every line"
                    }
                    Protocol::Htp => {
                        "answer boardsize, clear_board and list_commands with '= ' and an empty line, and flush standard output"
                    }
                    Protocol::Line => "the program must start and wait for a line",
                },
            ),
        }
    }

    fn opens(&self) -> Finding {
        const NAME: &str = "opens with a legal move";
        let mut program = self.program();
        let opened = self
            .start(&mut program, &self.control())
            .map_err(|fault| fault.to_string())
            .and_then(|()| self.ask(&mut program, &*self.empty()?));
        match opened {
            Ok(time) => pass(NAME, format!("after {:.3} s", time.as_secs_f64())),
            Err(problem) => fail(
                NAME,
                problem,
                match self.protocol {
                    Protocol::Gomocup => {
                        "answer BEGIN with x,y (column,row from the top left, from 0) on a line of its own"
                    }
                    Protocol::Htp => {
                        "answer genmove with '= a1' (column letter, row number) and an empty line"
                    }
                    Protocol::Line => "answer 'first' with a move such as f6 on a line of its own",
                },
            ),
        }
    }

    fn whole_games(&self) -> Finding {
        const NAME: &str = "plays whole games with legal moves only";
        const ADVICE: &str = "the referee's rules decide: keep your own board in step with every move of both sides; see the detail for the move";
        let Ok(empty) = self.empty() else { return fail(NAME, "no such board", ADVICE) };
        let mut program = self.program();
        let mut moves = 0;
        for (game, seat) in [Seat::First, Seat::Second, Seat::First, Seat::Second].into_iter().enumerate() {
            let Some(played) = self.game(&mut program, seat, &*empty, self.control(), game as u64 + 1) else {
                continue;
            };
            moves += played.moves.len();
            if played.verdict.reason.is_fault() && played.verdict.winner != Some(seat) {
                let detail = format!(
                    "game {}, move {}: {}: {}",
                    game + 1,
                    played.moves.len() + 1,
                    played.verdict.reason,
                    played.verdict.detail
                );
                return fail(NAME, detail, ADVICE);
            }
        }
        pass(NAME, format!("4 games, {moves} moves"))
    }

    fn keeps_time(&self) -> Finding {
        const NAME: &str = "keeps the time for a move";
        const ADVICE: &str = "stop a little before the limit (50 ms is usual), read the clock inside the search, and flush at once";
        let Ok(position) = self.empty() else { return fail(NAME, "no such board", ADVICE) };
        let mut slowest = Duration::ZERO;
        // Only Gomocup's protocol can tell a program another time for a move.
        let times =
            if self.protocol == Protocol::Gomocup { vec![self.time, self.time / 4] } else { vec![self.time] };
        for time in times {
            let control = TimeControl { per_move: Some(time), ..self.control() };
            let Some(played) = self.game(&mut self.program(), Seat::First, &*position, control, 7) else {
                continue;
            };
            let own = played.moves.iter().step_by(2).filter_map(|(_, note)| note.seconds);
            slowest = slowest.max(Duration::from_secs_f64(own.fold(0.0, f64::max)));
            if played.verdict.reason == Reason::Timeout && played.verdict.winner != Some(Seat::First) {
                let detail = format!(
                    "over {:.3} s (and 0.1 s margin) at move {}",
                    time.as_secs_f64(),
                    played.moves.len() + 1
                );
                return fail(NAME, detail, ADVICE);
            }
        }
        pass(NAME, format!("slowest move {:.3} s of {:.3} s", slowest.as_secs_f64(), self.time.as_secs_f64()))
    }

    fn keeps_the_clock(&self) -> Finding {
        const NAME: &str = "keeps the time for a game";
        const ADVICE: &str = "INFO time_left (Gomocup) or time_left (HTP) tells the milliseconds or seconds that remain: divide them among the moves still to come";
        let Ok(position) = self.empty() else { return fail(NAME, "no such board", ADVICE) };
        let total = self.time * 8;
        let control = TimeControl { per_move: Some(self.time), per_game: Some(total), ..self.control() };
        if self.protocol == Protocol::Line {
            return pass(NAME, "not asked: the line protocol has no clock");
        }
        match self.game(&mut self.program(), Seat::First, &*position, control, 9) {
            Some(played)
                if played.verdict.reason == Reason::Timeout && played.verdict.winner != Some(Seat::First) =>
            {
                let detail =
                    format!("used {:.2} s of {:.2} s", played.used[0].as_secs_f64(), total.as_secs_f64());
                fail(NAME, detail, ADVICE)
            }
            Some(played) => pass(
                NAME,
                format!(
                    "used {:.2} s of {:.2} s in {} moves",
                    played.used[0].as_secs_f64(),
                    total.as_secs_f64(),
                    played.moves.len().div_ceil(2)
                ),
            ),
            None => fail(NAME, "the game was not played", ADVICE),
        }
    }

    fn takes_a_position(&self) -> Finding {
        const NAME: &str = "takes a position from the middle of a game";
        let Ok(empty) = self.empty() else { return fail(NAME, "no such board", "") };
        let mut rng = Rng::new(3);
        let mut position = empty;
        for _ in 0..6 {
            let moves: Vec<_> = position.legal_moves().into_iter().filter(|mv| mv.cell().is_some()).collect();
            if let Some(mv) = moves.get(rng.below(moves.len())) {
                let _ = position.play(*mv);
            }
            if position.outcome().is_some() {
                position.undo();
                break;
            }
        }
        let mut program = self.program();
        let answered = self
            .start(&mut program, &self.control())
            .map_err(|fault| fault.to_string())
            .and_then(|()| self.ask(&mut program, &*position));
        match answered {
            Ok(_) => pass(NAME, format!("{} stones", position.history().len())),
            Err(problem) => fail(
                NAME,
                problem,
                match self.protocol {
                    Protocol::Gomocup => {
                        "BOARD … DONE replaces the whole board; 1 is your stone, 2 the opponent's; then answer with a move"
                    }
                    _ => "play both colours' moves with 'play', in any number, before genmove",
                },
            ),
        }
    }

    fn plays_again(&self) -> Finding {
        const NAME: &str = "plays another game without a restart";
        let mut program = self.program();
        let twice = (0..3).try_for_each(|_| {
            self.start(&mut program, &self.control()).map_err(|fault| fault.to_string())?;
            self.ask(&mut program, &*self.empty()?).map(|_| ())
        });
        match twice {
            Ok(()) => pass(NAME, "three starts"),
            Err(problem) => {
                fail(NAME, problem, "START (clear_board) must empty the board and forget the last game")
            }
        }
    }

    fn survives_nonsense(&self) -> Finding {
        const NAME: &str = "survives commands it does not know";
        let mut program = self.program();
        let long = "X".repeat(10_000);
        let outcome =
            self.start(&mut program, &self.control()).map_err(|fault| fault.to_string()).and_then(|()| {
                for line in ["FROBNICATE 1 2 3", "", "\u{fffd}\u{1f600}", &long, "TURN", "play", "INFO"] {
                    program
                        .poke(line, Duration::from_millis(50))
                        .map_err(|fault| format!("after '{:.20}': {fault}", line))?;
                }
                self.start(&mut program, &self.control()).map_err(|fault| fault.to_string())?;
                self.ask(&mut program, &*self.empty()?)
            });
        match outcome {
            Ok(_) => pass(NAME, ""),
            Err(problem) => fail(
                NAME,
                problem,
                "answer what you do not know with UNKNOWN (Gomocup) or '? unknown command' (HTP), never exit",
            ),
        }
    }

    fn stays_small(&self) -> Finding {
        const NAME: &str = "stays within its memory";
        let mut program = self.program();
        let Ok(empty) = self.empty() else { return fail(NAME, "no such board", "") };
        if self.start(&mut program, &self.control()).is_ok() {
            let _ = self.ask(&mut program, &*empty);
        }
        match program.child().and_then(crate::process::Child::peak_memory_mb) {
            Some(mb) if mb > self.memory_mb => fail(
                NAME,
                format!("{mb} MiB of {} MiB", self.memory_mb),
                "INFO max_memory says how many bytes you may use; size your tables by it",
            ),
            Some(mb) => pass(NAME, format!("{mb} MiB of {} MiB", self.memory_mb)),
            None => pass(NAME, "could not be measured here"),
        }
    }

    fn leaves(&self) -> Finding {
        const NAME: &str = "leaves when it is told to";
        let mut program = self.program();
        if let Err(fault) = self.start(&mut program, &self.control()) {
            return fail(NAME, fault.to_string(), "");
        }
        if program.quit(Duration::from_secs(2)) {
            pass(NAME, "")
        } else {
            fail(
                NAME,
                "still there 2 s after the goodbye",
                "exit on END (Gomocup), quit (HTP) or finish (line protocol), and when standard input closes",
            )
        }
    }
}

struct RandomMover(Rng);

impl Engine for RandomMover {
    fn name(&self) -> &str {
        "random"
    }

    fn think(
        &mut self,
        position: &dyn Position,
        _limits: &Limits,
        _watch: &Watch,
        _report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let moves = position.legal_moves();
        match moves.get(self.0.below(moves.len())) {
            Some(mv) => Ok(Decision { mv: *mv, report: Report::default() }),
            None => Err(EngineError::NoMove("the game is over".into())),
        }
    }
}
