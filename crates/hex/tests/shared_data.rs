//! Reads the development data where it is at hand; without it these tests pass by doing nothing.

use game::{Position, Setup};
use hex::notation;
use std::path::{Path, PathBuf};

fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/hex");
    path.is_dir().then_some(path)
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
    use hex::solver::{Ask, Budget, Question, solve};
    let Some(folder) = data() else { return };
    let text = std::fs::read_to_string(folder.join("solved_openings.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    for n in 1u8..=5 {
        let rows = file["tables"][format!("{n}x{n}")].as_array().unwrap();
        let table: Vec<char> = rows.iter().flat_map(|row| row.as_str().unwrap().chars()).collect();
        let expected: Vec<usize> = (0..table.len()).filter(|&cell| table[cell] == 'W').collect();
        let board = hex::Board::new(hex::Size::new(n, n).unwrap());
        let question = Question { ask: Ask::WinningMoves, to_move: game::Side::Black, verify: false };
        let answer = solve(&board, &question, &Budget::default(), &game::Watch::default(), &|_| {});
        assert_eq!(answer.winning_moves, expected, "{n}x{n}");
        assert!(answer.undecided.is_empty());
    }
}
