//! What requests can choose from: games, rules, engines, levels.

use crate::Host;
use crate::maze::{self, MazeEntry};
use game::{Game, Level, Setup};
use serde::Serialize;
use utoipa::ToSchema;

/// Everything a client can choose from.
#[derive(Serialize, ToSchema)]
pub struct Catalog {
    version: &'static str,
    games: Vec<GameEntry>,
    /// Weakest first.
    levels: Vec<u8>,
    /// Threads one analysis may use.
    threads: usize,
    maze: MazeEntry,
}

/// A game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameEntry {
    name: &'static str,
    /// The default first.
    rules: &'static [&'static str],
    /// Opening protocols, the default first.
    openings: &'static [&'static str],
    rows: u8,
    cols: u8,
    /// Can a game end without a winner?
    draws: bool,
    /// Sizes of square boards that are accepted, smallest first.
    sizes: Vec<u8>,
    /// Text formats of its own that `/export` writes.
    formats: Vec<Named>,
    layers: Vec<Named>,
    /// What `/solve` can be asked.
    questions: Vec<Named>,
    /// How many puzzles there are.
    puzzles: usize,
    /// The recommended one first.
    engines: Vec<EngineEntry>,
}

/// An engine.
#[derive(Serialize, ToSchema)]
pub(crate) struct EngineEntry {
    name: String,
    about: String,
    options: Vec<Named>,
}

/// A name with one line on what it is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Named {
    name: &'static str,
    about: &'static str,
}

/// What this host knows.
pub fn catalog(host: &Host) -> Catalog {
    Catalog {
        version: env!("CARGO_PKG_VERSION"),
        games: host.games.iter().map(|game| entry(*game, host)).collect(),
        levels: Level::ALL.map(Level::number).to_vec(),
        threads: host.threads,
        maze: maze::entry(),
    }
}

fn entry(game: &dyn Game, host: &Host) -> GameEntry {
    let (rows, cols) = game.default_size();
    GameEntry {
        name: game.name(),
        rules: game.rules(),
        openings: game.openings(),
        rows,
        cols,
        draws: game.has_draws(),
        sizes: (1..=32).filter(|n| game.position(&Setup::empty(*n, *n)).is_ok()).collect(),
        formats: named(game.formats()),
        layers: named(game.layers()),
        questions: named(game.questions()),
        puzzles: game.puzzles().len(),
        engines: host
            .engines(game)
            .iter()
            .map(|choice| EngineEntry {
                name: choice.name.to_string(),
                about: choice.about.to_string(),
                options: named(choice.options),
            })
            .collect(),
    }
}

fn named(list: &'static [(&'static str, &'static str)]) -> Vec<Named> {
    list.iter().map(|(name, about)| Named { name, about }).collect()
}
