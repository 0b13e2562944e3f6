//! The games this program knows, and their engines by name.

use crate::usage::usage;
use anyhow::Context;
use game::{Engine, EngineInfo, Game, Options};
use hex::engine::network::{Network, QuantizedNetwork};
use std::path::Path;

/// Every game, in the order of the help texts.
pub(crate) fn all() -> Vec<&'static dyn Game> {
    vec![&gomoku::GOMOKU, &hex::HEX]
}

/// The game of this name.
pub(crate) fn by_name(name: &str) -> anyhow::Result<&'static dyn Game> {
    match all().into_iter().find(|game| game.name() == name) {
        Some(game) => Ok(game),
        None => {
            let names: Vec<_> = all().iter().map(|game| game.name()).collect();
            usage!("unknown game '{name}'; accepted: {}", names.join(", "))
        }
    }
}

/// A fresh engine; an empty name means the recommended one.
pub(crate) fn engine(game: &dyn Game, name: &str, options: &Options) -> anyhow::Result<Box<dyn Engine>> {
    Ok((info(game, name)?.make)(options)?)
}

/// A main engine with a network from a file.
pub(crate) fn with_network(
    game: &dyn Game,
    info: &EngineInfo,
    options: &Options,
    path: &Path,
) -> anyhow::Result<Box<dyn Engine>> {
    match (game.name(), info.name) {
        ("gomoku", "tengen") => Ok(Box::new(gomoku_with_network(options, path)?)),
        ("hex", "tengen") => Ok(Box::new(hex_with_network(options, path)?)),
        (_, name) => usage!("--network is for the engine tengen, not for {name}"),
    }
}

/// The main Gomoku engine with a network from a file.
pub(crate) fn gomoku_with_network(options: &Options, path: &Path) -> anyhow::Result<gomoku::engine::Tengen> {
    let file = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    gomoku::engine::Tengen::with_network(options, &file).with_context(|| path.display().to_string())
}

/// The main Hex engine with a network from a file.
pub(crate) fn hex_with_network(options: &Options, path: &Path) -> anyhow::Result<hex::engine::Tengen> {
    let network = QuantizedNetwork::of(&hex_network(path)?);
    Ok(hex::engine::Tengen::new(options)?.with_network(network))
}

/// A Hex network from a file.
pub(crate) fn hex_network(path: &Path) -> anyhow::Result<Network> {
    let file = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Network::read(&file).with_context(|| format!("{}: not a network for Hex", path.display()))
}

/// The entry of an engine; an empty name means the recommended one.
pub(crate) fn info(game: &dyn Game, name: &str) -> anyhow::Result<&'static EngineInfo> {
    let engines = game.engines();
    let found = if name.is_empty() { engines.first() } else { engines.iter().find(|e| e.name == name) };
    match found {
        Some(info) => Ok(info),
        None => {
            let names: Vec<_> = engines.iter().map(|info| info.name).collect();
            usage!("unknown {} engine '{name}'; accepted: {}", game.name(), names.join(", "))
        }
    }
}
