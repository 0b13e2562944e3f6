//! Tests on the shared development data; without it they are skipped, and fail in CI.

use game::{Position as _, Setup};
use hex::bits::Lattice;
use hex::notation;
use hex::stones::{Shape, Stones};
use std::path::{Path, PathBuf};

fn data() -> Option<PathBuf> {
    game::testing::shared_data("hex")
}

fn sgf_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sgf_files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "sgf") {
            found.push(path);
        }
    }
}

#[test]
fn every_sgf_is_read_and_written_back_with_the_same_meaning() {
    let Some(folder) = data() else { return };
    let mut files = Vec::new();
    sgf_files(&folder, &mut files);
    assert!(files.len() > 200, "{} files", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let defaults = Setup::empty(11, 11);
        let position = notation::sgf::read_position(&text, &defaults)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(!position.board().is_empty(), "{}", file.display());
        // An independent count of the stones, straight from the text.
        let tree = &game::sgf::parse(&text).unwrap()[0];
        let stones: usize = tree
            .nodes
            .iter()
            .flat_map(|node| ["AB", "AW", "B", "W"].map(|key| node.values(key).count()))
            .sum();
        assert_eq!(position.board().len(), stones, "{}", file.display());
        let written = notation::sgf::write_position(&position);
        let again = notation::sgf::read_position(&written, &defaults).unwrap();
        assert_eq!(again.hash(), position.hash(), "{}\n{written}", file.display());
        assert_eq!(again.history(), position.history());
        let link = notation::hexworld::write(&position);
        let linked = notation::hexworld::read(&link, &defaults).unwrap().position;
        assert_eq!(linked.hash(), position.hash(), "{link}");
    }
}

#[test]
fn puzzles_name_their_side_and_openings_are_two_moves() {
    let Some(folder) = data() else { return };
    for name in ["puzzles.jsonl", "puzzles_blind.jsonl"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        for puzzle in notation::parse_puzzles(&text).unwrap() {
            let sgf = std::fs::read_to_string(folder.join("puzzles").join(&puzzle.sgf)).unwrap();
            let line = serde_json::json!({"sgf": sgf, "side": puzzle.side}).to_string();
            let position = notation::parse(&line, &Setup::empty(11, 11)).unwrap();
            assert_eq!(position.to_move().to_string(), puzzle.side, "{}", puzzle.sgf);
        }
    }
    let text = std::fs::read_to_string(folder.join("openings_balanced_11.json")).unwrap();
    let openings = notation::parse_openings(&text, &Setup::empty(11, 11)).unwrap();
    assert_eq!(openings.len(), 48);
    assert!(openings.iter().all(|opening| opening.history().len() == 2));
}

#[test]
fn the_solver_agrees_with_the_table_of_openings() {
    use hex::solver::{Query, SolverLimits, Target, solve};
    let Some(folder) = data() else { return };
    let text = std::fs::read_to_string(folder.join("solved_openings.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    for n in 1u8..=6 {
        let rows = file["tables"][format!("{n}x{n}")].as_array().unwrap();
        let table: Vec<char> = rows.iter().flat_map(|row| row.as_str().unwrap().chars()).collect();
        let expected: Vec<usize> = (0..table.len()).filter(|&cell| table[cell] == 'W').collect();
        let board = hex::Board::new(hex::Size::new(n, n).unwrap());
        let query = Query { target: Target::WinningMoves, to_move: game::Side::Black, verify: false };
        let answer = solve(&board, &query, &SolverLimits::default(), &game::Watch::default(), &|_| {});
        assert_eq!(answer.winning_moves, expected, "{n}x{n}");
        assert!(answer.undecided.is_empty());
    }
}

/// A query of Benzene's regression suite: the position, the command's words and the pattern of its answer.
struct Expected {
    size: hex::Size,
    stones: Stones<2>,
    words: Vec<String>,
    pattern: String,
}

/// Reads a suite; lines that Benzene itself is known to fail (`]*`) are left out.
fn suite(folder: &Path, name: &str) -> Vec<Expected> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let mut size = hex::Size::new(11, 11).unwrap();
    let (mut stones, mut words, mut found) = (Stones::EMPTY, Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        let mut parts = line.split_whitespace();
        if let Some(pattern) = line.strip_prefix("#? ") {
            if pattern.ends_with(']') {
                let words = std::mem::take(&mut words);
                found.push(Expected { size, stones, words, pattern: pattern.into() });
            }
        } else if let Some(path) = line.strip_prefix("loadsgf sgf/") {
            let sgf = std::fs::read_to_string(folder.join(path)).unwrap();
            let position = notation::sgf::read_position(&sgf, &Setup::empty(11, 11)).unwrap();
            size = position.size();
            stones = Stones::of_board(&Lattice::new(size), position.board());
        } else if line.starts_with("boardsize") {
            (size, stones) = (hex::Size::new(11, 11).unwrap(), Stones::EMPTY);
        } else if line.starts_with("play ") {
            let side = game::Side::parse(parts.nth(1).unwrap()).unwrap();
            stones.put(side, cell(size, parts.next().unwrap()).unwrap());
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            words = parts.skip(1).map(str::to_string).collect();
        }
    }
    found
}

/// The cell a name such as `e10` stands for.
fn cell(size: hex::Size, name: &str) -> Option<usize> {
    let col = name.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let row = name.get(1..)?.parse::<u8>().ok()?.checked_sub(1)?;
    (row < size.rows() && col < size.cols()).then(|| size.index(game::Cell::new(row, col)))
}

#[test]
fn filled_cells_are_those_of_another_program() {
    let Some(folder) = data() else { return };
    let (mut expected, mut found) = (0, 0);
    for query in suite(&folder, "inferior.tst") {
        let shape = Shape::<2>::new(query.size);
        if query.words[0] != "compute-inferior" {
            continue;
        }
        let filling = hex::pruning::fill_in(&shape, &query.stones);
        let decided = shape.winner(&filling.stones).is_some();
        for part in query.pattern.split(".*") {
            let Some((name, kind)) = part.split_once(' ') else { continue };
            let Some(cell) = cell(query.size, name.trim_start_matches('[')) else { continue };
            let [black, white] = filling.captured.map(|cells| cells.contains(cell));
            let (same, other) = match kind {
                "fcb" => (black, white),
                "fcw" => (white, black),
                "fd" => (filling.dead.contains(cell), false),
                _ => continue,
            };
            expected += 1;
            found += usize::from(same);
            assert!(!other || decided, "{name} is filled for the other side: {:?}", query.words);
        }
    }
    assert!(expected > 40 && found >= FILLED, "{found} of {expected}");
}

/// How many of the cells that Benzene fills, by rings, groups and regions, our rings alone fill too.
const FILLED: usize = 19;

#[test]
fn connections_are_those_of_another_program() {
    use game::Side;
    use hex::vc::{Connections, Effort, End};
    let Some(folder) = data() else { return };
    // The limits of that program in its suite.
    let wide = Effort { between_cells: 6, fulls: 25, semis: 50, or_of_many: true, ..Effort::default() };
    let (mut expected, mut found) = (0, 0);
    for query in suite(&folder, "vc.tst") {
        let shape = Shape::<2>::new(query.size);
        let cell = |name: &str| cell(query.size, name);
        let [command, from, side, kind] = &query.words[..] else { continue };
        if command != "vc-connected-to" {
            continue;
        }
        let side = Side::parse(side).unwrap();
        let own = query.stones.of(side);
        let connections = Connections::build(&shape, &query.stones, side, wide);
        let group = |at: usize| shape.lattice().flood(hex::bits::Bits::EMPTY.with(at), own);
        let is = |end: End, name: &str| match end {
            End::Edge(which) => {
                let edge = shape.edges(side)[which];
                [["north", "south"], ["west", "east"]][side.index()][which] == name
                    || cell(name).is_some_and(|at| group(at).meets(&edge))
            }
            End::Group(stone) => cell(name).is_some_and(|at| group(at).contains(stone)),
            End::Cell(at) => cell(name) == Some(at),
        };
        let joined = |name: &str| {
            let edges = ["north", "south", "west", "east"];
            if edges.contains(&name) && edges.contains(&from.as_str()) {
                return if kind == "0" {
                    connections.wins_moving_second()
                } else {
                    connections.wins_moving_first()
                };
            }
            let between = |a: End, b: End| is(a, from) && is(b, name) || is(b, from) && is(a, name);
            connections.fulls().any(|full| between(full.from, full.to))
                || kind == "1" && connections.semis().any(|semi| between(semi.from, semi.to))
        };
        let words = query.pattern.trim_matches(['[', ']']);
        if let Some(none) = words.strip_prefix('!') {
            let name = none.trim_matches(['.', '*']);
            assert!(!joined(name), "{from} is not joined to {name}");
            continue;
        }
        for name in words.split(".*").filter(|name| !name.is_empty()) {
            expected += 1;
            found += usize::from(joined(name));
        }
    }
    assert!(expected > 30 && found >= JOINED, "{found} of {expected}");
}

/// How many of the connections that Benzene finds, with edge templates and rules that ours lacks, ours finds too.
const JOINED: usize = 8;
