//! The referee's side of the engine protocols: how a program is asked for moves.
//!
//! A [`Program`] is a player that runs as a child process. It owns the process; its [`Driver`] knows the protocol.

mod botzone;
mod detect;
mod gomocup;
mod htp;
mod line;

pub use detect::detect;

use crate::player::{Fault, GameStart, MoveReply, MoveRequest, Player};
use crate::process::{Child, ChildError, Launch};
use game::{Game, Move, Position, Side, StopFlag};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How long a program may take to exit after the quit command before it is killed.
const LEAVE: Duration = Duration::from_millis(300);

/// How long a program may take to start up; after that the clock runs whether it is ready or not.
const START_UP: Duration = Duration::from_secs(10);

/// The protocols we can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Gomocup's (Piskvork's) protocol.
    Gomocup,
    /// The Hex Text Protocol, derived from GTP.
    Htp,
    /// One line each way per turn: `first`, moves, `change`, `finish`.
    Line,
    /// Botzone's JSON, one line each way per turn.
    Botzone,
}

search::named!(Protocol, "protocol": Gomocup = "gomocup", Htp = "htp", Line = "line", Botzone = "botzone");

impl Protocol {
    /// The protocol that programs for a game usually speak.
    pub fn of_game(game: &dyn Game) -> Protocol {
        game.engine_protocol().parse().unwrap_or(Protocol::Htp)
    }

    /// Can it hand a program a position with stones on the board?
    pub const fn takes_openings(self) -> bool {
        !matches!(self, Protocol::Line)
    }

    /// Does it have commands beside the request for a move, and can it place stones that no move put there?
    pub const fn has_commands(self) -> bool {
        matches!(self, Protocol::Gomocup | Protocol::Htp)
    }
}

/// The commands of one protocol.
trait Driver: Send {
    /// Everything up to the first request for a move.
    fn start(&mut self, child: &mut Child, start: &GameStart) -> Result<(), Fault>;
    /// Asks for a move and reads the answer.
    fn choose(
        &mut self,
        child: &mut Child,
        position: &dyn Position,
        request: &MoveRequest,
    ) -> Result<MoveReply, Fault>;
    /// The command that ends the program.
    fn quit_command(&self) -> &'static str;
    /// Can the same process play another game?
    fn reusable(&self) -> bool {
        true
    }
    /// Does the process go on after its answer? If not, the next move has a new one.
    fn keeps_process(&self) -> bool {
        true
    }
}

/// A program that plays through a protocol.
pub struct Program {
    launch: Launch,
    driver: Box<dyn Driver>,
    child: Option<Child>,
    /// The last lines of a child that was dropped: after a fault, or at the end of a game of its own.
    evidence: String,
    /// Peak memory of a child that has quit.
    last_peak_mb: Option<u64>,
    /// Each game has a process of its own, whatever the protocol allows.
    fresh: bool,
}

impl Program {
    /// A program, not started yet. `init` lines are sent before each game; `options` are the protocol's
    /// settings (`INFO key value` in Gomocup, `param key value` in HTP).
    pub fn new(
        launch: Launch,
        protocol: Protocol,
        init: Vec<String>,
        options: Vec<(String, String)>,
    ) -> Program {
        let driver: Box<dyn Driver> = match protocol {
            Protocol::Gomocup => Box::new(gomocup::GomocupDriver::new(init, options)),
            Protocol::Htp => Box::new(htp::HtpDriver::new(init, options)),
            Protocol::Line => Box::new(line::LineDriver::default()),
            Protocol::Botzone => Box::new(botzone::BotzoneDriver::default()),
        };
        Program { launch, driver, child: None, evidence: String::new(), last_peak_mb: None, fresh: false }
    }

    /// The same program with a new process for each game, so that nothing it does outlives its game.
    pub fn fresh_each_game(mut self) -> Program {
        self.fresh = true;
        self
    }

    fn spawn(&self) -> Result<Child, Fault> {
        Child::spawn(&self.launch)
            .map_err(|error| Fault::NoStart(format!("{}: {error}", self.launch.program)))
    }

    /// Peak resident memory of the process so far, or of the last one at the end of its game, in MiB.
    pub(crate) fn peak_memory_mb(&self) -> Option<u64> {
        self.child.as_ref().and_then(Child::peak_memory_mb).or(self.last_peak_mb)
    }

    /// Sends a line that no protocol knows and lets the program react; fails if it dies of it.
    pub(crate) fn poke(&mut self, line: &str, pause: Duration) -> Result<(), Fault> {
        let Some(child) = &mut self.child else { return Err(Fault::Crash("it is not running".into())) };
        let stop = StopFlag::new();
        let until = Instant::now() + pause;
        child.request(line, until, &stop)?;
        loop {
            match child.read_line(until, &stop) {
                Ok(_) => {}
                Err(ChildError::Deadline) => return Ok(()),
                Err(broken) => return Err(broken.into()),
            }
        }
    }

    /// The end of the running program's stderr.
    pub(crate) fn stderr_tail(&mut self) -> String {
        self.child.as_mut().map(Child::stderr_tail).unwrap_or_default()
    }

    /// Tells the program to exit; true if it did so by itself within `patience`.
    pub fn quit(&mut self, patience: Duration) -> bool {
        self.child.take().is_none_or(|child| child.quit(self.driver.quit_command(), patience))
    }
}

impl Player for Program {
    fn start(&mut self, start: &GameStart) -> Result<(), Fault> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None => self.spawn()?,
        };
        // After a fault the child is dropped here, and its process tree is killed.
        self.evidence.clear();
        if let Err(fault) = self.driver.start(&mut child, start) {
            self.evidence = child.evidence();
            return Err(fault);
        }
        self.child = Some(child);
        Ok(())
    }

    fn choose(&mut self, position: &dyn Position, request: &MoveRequest) -> Result<MoveReply, Fault> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None if !self.driver.keeps_process() => self.spawn()?,
            None => return Err(Fault::Crash("it is not running".into())),
        };
        match self.driver.choose(&mut child, position, request) {
            Ok(reply) => {
                if self.driver.keeps_process() {
                    self.child = Some(child);
                } else {
                    if self.fresh {
                        self.evidence = child.evidence();
                    }
                    self.last_peak_mb = self.last_peak_mb.max(child.peak_memory_mb());
                }
                Ok(reply)
            }
            Err(fault) => {
                self.evidence = child.evidence();
                Err(fault)
            }
        }
    }

    fn evidence(&self) -> &str {
        &self.evidence
    }

    fn finish(&mut self) {
        if self.fresh || !self.driver.reusable() {
            self.last_peak_mb = self.last_peak_mb.max(self.peak_memory_mb());
            if self.fresh
                && let Some(child) = &mut self.child
            {
                self.evidence = child.evidence();
            }
            self.quit(LEAVE);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.quit(LEAVE);
    }
}

/// The moves of a position with the colour that made each, and the position before them all.
fn timeline(position: &dyn Position) -> (Box<dyn Position>, Vec<(Side, Move)>) {
    let mut base = position.boxed();
    let mut moves = Vec::new();
    while let Some(mv) = base.undo() {
        moves.push((base.to_move(), mv));
    }
    moves.reverse();
    (base, moves)
}

/// Starts a game in a protocol without a handshake: a program counts as ready once it waits for input, and plays from
/// the empty board only.
fn start_without_handshake(child: &mut Child, start: &GameStart, protocol: &str) -> Result<(), Fault> {
    if !start.setup.stones.is_empty() {
        return Err(Fault::Refused(format!("{protocol} cannot start with stones on the board")));
    }
    child.wait_until_idle(start.deadline.min(Instant::now() + START_UP), start.stop);
    Ok(())
}

/// Sends a line and reads the answer, with the time it took.
fn ask(child: &mut Child, line: &str, request: &MoveRequest) -> Result<(String, Duration), Fault> {
    let asked = Instant::now();
    let deadline = asked + request.allowed;
    child.request(line, deadline, request.stop)?;
    let answer = child.read_line(deadline, request.stop)?;
    Ok((answer, asked.elapsed()))
}

/// A program's output, escaped and shortened for a message.
fn quote(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests;
