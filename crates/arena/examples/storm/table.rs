//! A table for quick games: Hex on a small board and two trivial engines.

use arena::openings::Openings;
use arena::player::{BuiltIn, MakePlayer, Player};
use arena::process::Launch;
use arena::protocol::{Program, Protocol};
use arena::schedule::{Format, Schedule};
use arena::tournament::{Entrant, Tournament};
use game::{Decision, Engine, EngineError, Game, Limits, Position, Report, Setup, Watch};
use play::TimeControl;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const GAME: &dyn Game = &hex::HEX;

/// Plays the first free cell, or a random one, perhaps after a nap.
pub(crate) struct Trivial {
    pub(crate) random: bool,
    pub(crate) nap: Duration,
}

impl Engine for Trivial {
    fn name(&self) -> &str {
        "trivial"
    }

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        _watch: &Watch,
        _report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        if !self.nap.is_zero() {
            std::thread::sleep(self.nap);
        }
        let moves = position.legal_moves();
        let roll = limits.seed.wrapping_add(position.hash()).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let at = if self.random { roll as usize % moves.len().max(1) } else { 0 };
        let mv = *moves.get(at).ok_or_else(|| EngineError::NoMove("the board is full".into()))?;
        Ok(Decision { mv, report: Report { nodes: 1, ..Report::default() } })
    }
}

pub(crate) fn trivial(name: &str, random: bool, nap: Duration) -> Entrant {
    let make: MakePlayer =
        Arc::new(move || Ok(Box::new(BuiltIn::new(Box::new(Trivial { random, nap }))) as Box<dyn Player>));
    Entrant { name: name.into(), make, control: TimeControl::nodes(1), limits: Limits::default() }
}

/// This program as an engine that misbehaves in one way (`habit`) at its `at`-th move.
pub(crate) fn mock(protocol: Protocol, habit: &str, at: usize, control: TimeControl) -> Entrant {
    let program = std::env::current_exe().map(|exe| exe.to_string_lossy().into_owned()).unwrap_or_default();
    let args = ["mock", protocol.name(), habit, &at.to_string()].map(String::from).to_vec();
    let launch = Launch { program, args, memory_mb: Some(2048), ..Launch::default() };
    let make: MakePlayer = Arc::new(move || {
        Ok(Box::new(Program::new(launch.clone(), protocol, Vec::new(), Vec::new())) as Box<dyn Player>)
    });
    let name = format!("{} {habit}", protocol.name());
    Entrant { name, make, control, limits: Limits::default() }
}

pub(crate) fn tournament(entrants: Vec<Entrant>, size: u8, games: u32, concurrency: usize) -> Tournament {
    let start =
        GAME.position(&Setup { opening: "none".into(), ..Setup::empty(size, size) }).expect("a board");
    Tournament {
        game: GAME,
        schedule: Schedule { format: Format::RoundRobin, players: entrants.len(), games, openings: 1 },
        entrants,
        openings: Openings::one(start),
        adjudication: Default::default(),
        concurrency,
        pin: false,
        seed: 1,
        sprt: None,
        allow_repeats: false,
    }
}
