//! What requests can name: games, and engines by game. And what one search may use.

use crate::{Elsewhere, Problem};
use game::{Engine, EngineError, EngineInfo, Game, Options};
use std::sync::Arc;

/// The games and engines that answer requests.
pub struct Host {
    /// Every game.
    pub games: Vec<&'static dyn Game>,
    /// Engines that are not built in, each with the name of its game.
    pub own: Vec<(&'static str, Choice)>,
    /// Threads that one search may use.
    pub threads: usize,
    /// Memory that one search may use, in MiB.
    pub memory_mb: usize,
    /// Where built-in engines and proofs may run instead of here.
    pub elsewhere: Option<Arc<dyn Elsewhere>>,
}

/// An engine that can be chosen.
#[derive(Clone)]
pub struct Choice {
    /// How requests name it.
    pub name: Arc<str>,
    /// One line on what it is.
    pub about: Arc<str>,
    /// The options it takes, each with one line.
    pub options: &'static [(&'static str, &'static str)],
    make: Make,
}

type Make = Arc<dyn Fn(&Options) -> Result<Box<dyn Engine>, EngineError> + Send + Sync>;

impl Host {
    /// The built-in engines of some games, one thread and 512 MiB for each search.
    pub fn new(games: Vec<&'static dyn Game>) -> Host {
        Host { games, own: Vec::new(), threads: 1, memory_mb: 512, elsewhere: None }
    }

    /// The game of this name.
    pub fn game(&self, name: &str) -> Result<&'static dyn Game, Problem> {
        self.games.iter().copied().find(|game| game.name() == name).ok_or_else(|| {
            let names: Vec<_> = self.games.iter().map(|game| game.name()).collect();
            let detail = format!("unknown game '{name}'; accepted: {}", names.join(", "));
            Problem::refused("game.kind", detail).with("game", name.chars().take(40).collect::<String>())
        })
    }

    /// The engines of a game, the recommended one first.
    pub fn engines(&self, game: &dyn Game) -> Vec<Choice> {
        let known = self.games.iter().copied().find(|known| known.name() == game.name());
        let elsewhere = known.zip(self.elsewhere.as_ref());
        let built_in = game.engines().iter().map(|info| Choice::built_in(info, elsewhere));
        let own = self.own.iter().filter(|(name, _)| *name == game.name()).map(|(_, choice)| choice.clone());
        built_in.chain(own).collect()
    }

    /// The engine of this name; an empty name means the recommended one.
    pub fn engine(&self, game: &dyn Game, name: &str) -> Result<Choice, Problem> {
        let all = self.engines(game);
        let at = if name.is_empty() { Some(0) } else { all.iter().position(|choice| *choice.name == *name) };
        at.and_then(|at| all.get(at).cloned()).ok_or_else(|| {
            let names: Vec<_> = all.iter().map(|choice| &*choice.name).collect();
            let detail = format!("{} has no such engine; accepted: {}", game.name(), names.join(", "));
            Problem::refused("engine.unknown", detail)
                .with("engine", name.chars().take(40).collect::<String>())
        })
    }
}

impl Choice {
    /// An engine without options that `make` makes.
    pub fn new(
        name: &str,
        about: &str,
        make: impl Fn(&Options) -> Result<Box<dyn Engine>, EngineError> + Send + Sync + 'static,
    ) -> Choice {
        Choice { name: name.into(), about: about.into(), options: &[], make: Arc::new(make) }
    }

    fn built_in(
        info: &'static EngineInfo,
        elsewhere: Option<(&'static dyn Game, &Arc<dyn Elsewhere>)>,
    ) -> Choice {
        let (name, about) = (info.name.into(), info.about.into());
        let make: Make = match elsewhere {
            None => Arc::new(info.make),
            Some((game, elsewhere)) => {
                let elsewhere = elsewhere.clone();
                Arc::new(move |options| Ok(elsewhere.engine(game, info.name, options, (info.make)(options)?)))
            }
        };
        Choice { name, about, options: info.options, make }
    }

    /// Makes one.
    pub fn make(&self, options: &Options) -> Result<Box<dyn Engine>, EngineError> {
        (self.make)(options)
    }
}
