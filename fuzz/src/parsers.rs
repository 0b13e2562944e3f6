//! Files and texts that are read as a whole.

use arena::engine_limits::EngineLimits;
use arena::roster::{Roster, name_and_options};
use game::{Game, Options, Setup};
use gomoku::training::{network::TrainingSet, read_games};
use maze::format::{read, read_scenarios, write};
use std::path::Path;

pub(crate) fn sgf(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for tree in game::sgf::parse(&text).into_iter().flatten() {
        let written = tree.write();
        let again = game::sgf::parse(&written).expect("what was written can be read");
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].write(), written);
    }
}

pub(crate) fn gomoku(data: &[u8]) {
    let (text, defaults) = (String::from_utf8_lossy(data), Setup::empty(15, 15));
    positions(&gomoku::GOMOKU, &text, &defaults);
}

pub(crate) fn hex(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    positions(&hex::HEX, &text, &Setup::empty(11, 11));
    let _ = hex::notation::sgf::read_all(&text, &Setup::empty(11, 11));
}

/// Reads positions and openings; a set-up with the history after it must be the same position again.
fn positions(game: &dyn Game, text: &str, defaults: &Setup) {
    let one = game.parse(text, defaults);
    let openings = game.parse_openings(text, defaults).unwrap_or_default();
    for position in one.into_iter().chain(openings.into_iter().take(4)) {
        let setup = game.setup_of(&*position);
        let mut again = game.position(&setup).expect("a set-up of a position");
        for mv in position.history() {
            again.play(*mv).expect("a move that was played");
        }
        assert_eq!(again.hash(), position.hash());
        assert_eq!(again.to_move(), position.to_move());
    }
}

/// Self-play games and books of Gomoku.
pub(crate) fn gomoku_files(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = read_games(&text);
    let mut set = TrainingSet::new(gomoku::Rule::Renju);
    for (number, line) in text.lines().enumerate() {
        let _ = set.add(line, number + 1);
    }
    let _ = gomoku::book::Book::read(&text);
}

/// Network files: as given, and compressed here, because few mutations of a zlib stream are one.
pub(crate) fn gomoku_network(data: &[u8]) {
    let read = |file: &[u8]| gomoku::engine::Tengen::with_network(&Options::new(), file).is_ok();
    read(data);
    read(&miniz_oxide::deflate::compress_to_vec_zlib(data, 1));
}

/// Training samples, books and puzzles of Hex.
pub(crate) fn hex_files(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for sample in text.lines().filter_map(hex::training::Sample::parse) {
        let written = sample.write();
        let again = hex::training::Sample::parse(&written).expect("what was written can be read");
        assert_eq!(again.write(), written);
    }
    if let Ok(book) = hex::book::Book::parse(&text) {
        hex::book::Book::parse(&book.write("fuzz")).expect("what was written can be read");
    }
    let _ = hex::notation::parse_puzzles(&text);
}

pub(crate) fn hex_network(data: &[u8]) {
    let _ = hex::engine::network::Network::read(data);
}

pub(crate) fn maze(data: &[u8]) {
    if let Ok(loaded) = read("map", data) {
        let written = write(&loaded.grid, loaded.format);
        let again = read("map", written.as_bytes()).expect("what was written can be read");
        assert_eq!(again.format, loaded.format);
        assert_eq!(again.grid, loaded.grid);
    }
}

pub(crate) fn scenarios(data: &[u8]) {
    for scenario in read_scenarios("scenarios", data).into_iter().flat_map(|file| file.list) {
        assert!(!scenario.map_name().contains('/'));
        assert!(scenario.rounding >= 0.0);
    }
}

/// `engines.toml`, and the words that name engines with options and limits.
pub(crate) fn engines(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = Roster::parse(Path::new("engines.toml"), &text);
    for line in text.lines() {
        let _ = name_and_options(line);
        let _ = EngineLimits::split(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without it, fuzzing would never get past the header.
    #[test]
    fn the_corpus_has_a_whole_network() {
        let file = include_bytes!("../corpus/gomoku-network/freestyle");
        gomoku::engine::Tengen::with_network(&Options::new(), file).expect("a network");
    }
}
