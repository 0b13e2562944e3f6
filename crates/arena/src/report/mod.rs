//! Records of a run: SGF, Piskvork's `.psq`, CSV and a web page in one file.

mod html;
mod psq;
mod table;
#[cfg(test)]
mod testing;

pub use html::page;
pub use psq::psq;
use table::csv_row;

use crate::journal::{Finished, read_games};
use crate::protocol::Protocol;
use crate::tournament::Results;
use game::Game;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Games that go into the web page; the files hold all.
const PAGE_GAMES: usize = 2000;

/// Why records could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}")]
pub struct ReportError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub error: std::io::Error,
}

/// Writes `games.sgf`, `games.csv`, `report.html` and, for Gomoku, a folder `psq` beside the journal
/// `games.jsonl` of `folder`.
pub fn write(
    folder: &Path,
    game: &dyn Game,
    names: &[String],
    results: &Results,
    title: &str,
) -> Result<(), ReportError> {
    let at = |name: &str| folder.join(name);
    let fail = |path: &Path| {
        let path = path.to_path_buf();
        move |error: std::io::Error| ReportError { path, error }
    };
    let journal = at("games.jsonl");
    let create = |name: &str| {
        let path = at(name);
        std::fs::File::create(&path).map(std::io::BufWriter::new).map_err(fail(&path))
    };
    let (mut sgf, mut csv) = (create("games.sgf")?, create("games.csv")?);
    let psq_folder = at("psq");
    let with_psq = Protocol::of_game(game) == Protocol::Gomocup;
    if with_psq {
        std::fs::create_dir_all(&psq_folder).map_err(fail(&psq_folder))?;
    }
    writeln!(csv, "{}", table::CSV_HEAD).map_err(fail(&at("games.csv")))?;
    let mut shown: Vec<Finished> = Vec::new();
    let games = read_games(&journal).map_err(|error| ReportError {
        path: journal.clone(),
        error: std::io::Error::other(error.to_string()),
    })?;
    for finished in games {
        writeln!(csv, "{}", csv_row(&finished)).map_err(fail(&at("games.csv")))?;
        if let Ok(record) = finished.record(game) {
            sgf.write_all(game.write_sgf(&record).as_bytes()).map_err(fail(&at("games.sgf")))?;
        }
        if with_psq && let Some(text) = psq(game, &finished) {
            let path = psq_folder.join(format!("{:05}.psq", finished.task.id));
            std::fs::write(&path, text).map_err(fail(&path))?;
        }
        if shown.len() < PAGE_GAMES {
            shown.push(finished);
        }
    }
    sgf.flush().map_err(fail(&at("games.sgf")))?;
    csv.flush().map_err(fail(&at("games.csv")))?;
    let path = at("report.html");
    std::fs::write(&path, page(game, names, results, &shown, title)).map_err(fail(&path))
}

#[cfg(test)]
mod tests {
    use super::testing::{finished, results};
    use super::*;
    use crate::journal::Journal;

    #[test]
    fn all_files_are_written_and_sgf_reads_back() {
        let dir = tempfile::tempdir().unwrap();
        let game: &dyn Game = &gomoku::GOMOKU;
        let mut one = finished(game, &["h8", "i9", "h7"]);
        one.names[0] = "=1+1, \"x\"".into();
        let mut journal =
            Journal::open(&dir.path().join("games.jsonl"), &serde_json::json!({"version": 2}), false)
                .unwrap();
        journal.append(&one).unwrap();
        let names = [one.names[0].clone(), one.names[1].clone()];
        write(dir.path(), game, &names, &results(&[&one]), "a report").unwrap();
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        let position = game.parse(&read("games.sgf"), &game::Setup::empty(15, 15)).unwrap();
        assert_eq!(position.history().len(), 3);
        assert!(read("games.sgf").contains("RE[B+"), "{}", read("games.sgf"));
        assert_eq!(read("games.csv").lines().count(), 2);
        assert!(read("games.csv").contains("\"'=1+1, \"\"x\"\"\""), "{}", read("games.csv"));
        let psq = read("psq/00000.psq");
        let lines: Vec<&str> = psq.split("\r\n").collect();
        // Piskvork counts columns and rows from 1 at the top left.
        assert_eq!(lines[..4], ["Piskvorky 15x15, 0:0, 1", "8,8,500", "9,7,500", "8,9,500"]);
        assert_eq!(lines[4..], ["=1+1, \"x\"", "b", "-1", ""]);
        assert!(read("report.html").contains("<title>a report</title>"));
    }

    #[test]
    fn hex_has_no_psq() {
        assert!(psq(&hex::HEX, &finished(&hex::HEX, &["a1", "swap-pieces"])).is_none());
    }
}
