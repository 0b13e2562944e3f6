//! The engines that the operator adds to the built-in ones, by `engines.toml`.
//!
//! A request names an engine; it never says what is run. A program of the operator runs in a process of its own that
//! lives as long as its [`Engine`]: for one search, or for a live game's seat.

use api::Choice;
use arena::player::{Alarm, Fault, GameStart, MakePlayer, MoveRequest, Player};
use arena::process;
use arena::roster::{ProcessDefaults, Roster, RosterError};
use game::{
    Decision, Engine, EngineError, Game, Limits, Line, Move, Position, Report, RootMove, Setup, Watch,
};
use play::TimeControl;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a program may take to start.
const START: Duration = Duration::from_secs(20);
/// How much later than its time a program may answer: people wait more patiently than referees.
const LATE: Duration = Duration::from_secs(3);

/// Why the operator's engines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EnginesError {
    /// The file is broken, or names a program that is not there.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// The name is taken.
    #[error("engine '{name}': {game} has a built-in engine of this name")]
    Taken {
        /// The engine.
        name: String,
        /// The game.
        game: &'static str,
    },
}

/// The operator's engines.
#[derive(Default)]
pub(crate) struct Engines {
    pub(crate) own: Vec<(&'static str, Choice)>,
    /// What marks the processes of this server's engines, in their environment.
    run: String,
}

impl Engines {
    /// The engines of the operator's file. `data` is the folder by which the processes of one
    /// server are told from those of another.
    pub(crate) fn open(
        file: Option<&Path>,
        data: &Path,
        games: &[&'static dyn Game],
    ) -> Result<Engines, EnginesError> {
        let Some(file) = file else { return Ok(Engines::default()) };
        let roster = Roster::read(file)?;
        let folder = std::path::absolute(data).unwrap_or_else(|_| data.to_path_buf());
        let run = format!("server {}", folder.display());
        let mut around = ProcessDefaults::default();
        around.env.insert(process::RUN_MARKER.into(), run.clone());
        let mut own = Vec::new();
        for entry in &roster.engine {
            let (mut found, mut refusal) = (false, None);
            for game in games.iter().filter(|game| entry.game.as_ref().is_none_or(|name| name == game.name()))
            {
                let chosen = match roster.resolve(*game, &entry.name, &around) {
                    Ok(chosen) => chosen,
                    Err(error) => {
                        refusal.get_or_insert(error);
                        continue;
                    }
                };
                if game.engines().iter().any(|info| info.name == entry.name) {
                    return Err(EnginesError::Taken { name: entry.name.clone(), game: game.name() });
                }
                found = true;
                let about = match chosen.protocol {
                    Some(protocol) => format!("the operator's program, by the {} protocol", protocol.name()),
                    None => "the operator's choice of options".into(),
                };
                own.push((game.name(), Program::choice(&entry.name, &about, *game, chosen.make)));
            }
            if let (false, Some(error)) = (found, refusal) {
                return Err(error.into());
            }
        }
        Ok(Engines { own, run })
    }

    /// Kills engine processes of this server that nobody looks after any more: at the start those of a server that
    /// was itself killed, at the end those that did not obey.
    pub(crate) fn sweep(&self) {
        if self.run.is_empty() {
            return;
        }
        let killed = process::sweep(&self.run);
        if killed > 0 {
            tracing::warn!(killed, "engine processes were left over and have been killed");
        }
    }
}

/// A program as an engine.
struct Program {
    name: Arc<str>,
    game: &'static dyn Game,
    make: MakePlayer,
    seated: Option<Seated>,
}

/// A program in the middle of a game.
struct Seated {
    player: Box<dyn Player>,
    setup: Setup,
    /// The moves it knows of, its own last one included.
    history: Vec<Move>,
}

impl Program {
    fn choice(name: &str, about: &str, game: &'static dyn Game, make: MakePlayer) -> Choice {
        let program: Arc<str> = name.into();
        Choice::new(name, about, move |options| {
            options.check(&[])?;
            Ok(Box::new(Program { name: program.clone(), game, make: make.clone(), seated: None }))
        })
    }

    /// The running program if the position continues its game, or a new one.
    fn seat(&mut self, position: &dyn Position, start: &GameStart) -> Result<Seated, Fault> {
        if let Some(seated) = self.seated.take()
            && seated.setup == *start.setup
            && position.history().starts_with(&seated.history)
        {
            return Ok(seated);
        }
        let mut player = (self.make)()?;
        player.start(start)?;
        Ok(Seated { player, setup: start.setup.clone(), history: Vec::new() })
    }
}

impl Engine for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) {
        self.seated = None;
    }

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let name = self.name.clone();
        let failed = |fault: Fault| EngineError::Failed(format!("{name}: {fault}"));
        let time = match (limits.move_time, limits.clock) {
            (Some(time), Some(clock)) => time.min(clock.left),
            (Some(time), None) => time,
            (None, Some(clock)) => clock.left / 20,
            (None, None) => Duration::from_secs(1),
        };
        let control = TimeControl { margin: LATE, patience: START, ..TimeControl::per_move(time) };
        let limits = Limits { move_time: Some(time), ..limits.clone() };
        let setup = self.game.setup_of(position);
        let stop = watch.stop_flag();
        let start = GameStart {
            game: self.game,
            setup: &setup,
            control: &control,
            limits: &limits,
            deadline: Instant::now() + START,
            stop,
        };
        let mut seated = self.seat(position, &start).map_err(failed)?;
        let alarm = Alarm::default();
        let request = MoveRequest { limits: &limits, allowed: time + LATE, alarm: &alarm, stop };
        let answer = seated.player.choose(position, &request).map_err(failed)?;
        let Some(mv) = answer.mv else {
            return Err(EngineError::NoMove(format!("{} resigns", self.name)));
        };
        seated.history = position.history().iter().copied().chain([mv]).collect();
        self.seated = Some(seated);
        let score = answer.note.score.unwrap_or(0.0);
        let nodes = answer.note.nodes.unwrap_or(0);
        let depth = answer.note.depth.unwrap_or(0);
        let found = Report {
            depth,
            score,
            win_rate: 0.5,
            nodes,
            elapsed: watch.elapsed(),
            lines: vec![Line { moves: vec![mv], score, win_rate: 0.5, depth, nodes, ..Line::default() }],
            root: vec![RootMove { mv, score, win_rate: 0.5, bound: game::Bound::Exact, nodes }],
            ..Report::default()
        };
        report(&found);
        Ok(Decision { mv, report: found })
    }
}
