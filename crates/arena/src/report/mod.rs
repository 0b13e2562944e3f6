//! Records of a run: SGF, Piskvork's `.psq`, CSV and a web page in one file.

mod html;
mod psq;
mod table;

pub use html::page;
pub use psq::psq;
pub use table::csv_row;

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
