//! How `tengen prune` reaches the server that has an SQLite database open: by a file beside it.
//!
//! Games that the server has in memory must not be deleted by anybody else, so it does the deleting. It looks for
//! `tengen.db.prune` every second and answers in `tengen.db.pruned`. Both files are written under another name and then
//! renamed, and begin with the random id of the request.

use super::{Expiry, StoreError};
use crate::platform::make_readable;
use crate::security::secret;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an answer may take: deleting is a transaction each.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long a server may take to notice a request. After that none is listening: another program has the database open.
const NOTICE: Duration = Duration::from_secs(15);
const LOOK: Duration = Duration::from_millis(50);

/// The two files of a database.
#[derive(Clone, Debug)]
pub(crate) struct PruneFiles {
    request: PathBuf,
    answer: PathBuf,
}

/// What a server was asked to delete.
#[derive(Debug)]
pub(crate) struct PruneRequest {
    pub(crate) expiry: Expiry,
    id: String,
}

impl PruneFiles {
    pub(super) fn beside(database: &Path) -> PruneFiles {
        let named = |suffix: &str| {
            let mut name = database.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        PruneFiles { request: named(".prune"), answer: named(".pruned") }
    }

    /// Asks the running server, and waits until it is done: how many it deleted, in the order of `Expiring::ALL`.
    pub(crate) async fn ask(&self, expiry: &Expiry) -> Result<Vec<usize>, StoreError> {
        let id = secret::random().map_err(|error| StoreError::Failed(error.to_string()))?;
        put(&self.request, &format!("{id}\n{expiry}"))?;
        let (mut waited, mut noticed) = (Duration::ZERO, false);
        while waited < if noticed { PATIENCE } else { NOTICE } {
            tokio::time::sleep(LOOK).await;
            waited += LOOK;
            noticed = noticed || !self.request.exists();
            let Ok(text) = std::fs::read_to_string(&self.answer) else { continue };
            let Some((_, said)) = text.split_once('\n').filter(|(answered, _)| *answered == id) else {
                continue;
            };
            let _ = std::fs::remove_file(&self.answer);
            let counts: Result<Vec<usize>, _> = said.lines().map(str::parse).collect();
            return counts
                .map_err(|_| StoreError::Failed(format!("the running server: {}", said.trim_end())));
        }
        let _ = std::fs::remove_file(&self.request);
        Err(StoreError::Failed(
            "the program that has the database open did not answer; nothing is known to be deleted".into(),
        ))
    }

    /// What the server is asked to do now, if anything; asked once.
    pub(crate) fn requested(&self) -> Option<PruneRequest> {
        if !self.request.exists() {
            return None;
        }
        let text = std::fs::read_to_string(&self.request);
        let _ = std::fs::remove_file(&self.request);
        let read = text.map_err(|error| error.to_string()).and_then(|text| PruneRequest::read(&text));
        read.inspect_err(|error| tracing::warn!(%error, "a request to prune cannot be read")).ok()
    }

    /// Tells who asked what came of it.
    pub(crate) fn answer(&self, request: &PruneRequest, counts: &Result<Vec<usize>, StoreError>) {
        let said = match counts {
            Ok(counts) => counts.iter().map(|count| format!("{count}\n")).collect(),
            Err(error) => format!("{error}\n"),
        };
        if let Err(error) = put(&self.answer, &format!("{}\n{said}", request.id)) {
            tracing::warn!(%error, "the answer to a request to prune cannot be written");
        }
    }
}

impl PruneRequest {
    fn read(text: &str) -> Result<PruneRequest, String> {
        let (id, rules) = text.split_once('\n').ok_or("it is empty")?;
        let mut expiry = Expiry::loopback();
        rules.lines().try_for_each(|rule| expiry.set(rule))?;
        Ok(PruneRequest { expiry, id: id.to_string() })
    }
}

/// Writes a file that is there at once and whole. The server may be another user than the operator; who else may read it
/// is decided by the folder.
fn put(path: &Path, text: &str) -> Result<(), StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let written = std::fs::write(&new, text).and_then(|()| make_readable(&new));
    written.and_then(|()| std::fs::rename(&new, path)).map_err(|error| StoreError::file(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_once_and_its_answer_belongs_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let files = PruneFiles::beside(&folder.path().join("tengen.db"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let expiry = Expiry { games: 3, finished_games: 0, studies: 5, bots: 0 };
        runtime.block_on(async {
            std::fs::write(&files.answer, "another id\n9\n").unwrap();
            let server = async {
                let request = loop {
                    if let Some(request) = files.requested() {
                        break request;
                    }
                    tokio::time::sleep(LOOK).await;
                };
                assert_eq!(request.expiry, expiry);
                assert!(files.requested().is_none());
                files.answer(&request, &Ok(vec![1, 0, 2]));
            };
            let (counts, ()) = tokio::join!(files.ask(&expiry), server);
            assert_eq!(counts.unwrap(), [1, 0, 2]);
            assert!(!files.answer.exists() && !files.request.exists());
        });
    }

    #[test]
    fn a_request_that_makes_no_sense_is_thrown_away() {
        let folder = tempfile::tempdir().unwrap();
        let files = PruneFiles::beside(&folder.path().join("tengen.db"));
        for text in ["", "id\nworlds=3\n", "id\ngames=-1\n"] {
            std::fs::write(&files.request, text).unwrap();
            assert!(files.requested().is_none() && !files.request.exists(), "{text:?}");
        }
    }
}
