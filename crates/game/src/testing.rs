//! For tests of all crates: the public data folder, which is not part of the repository.

use std::path::{Path, PathBuf};

/// A file or folder of the shared data folder: `shared/data` in a directory above the repository. Where it is missing,
/// the skip is printed, and a run with the environment variable `CI` set fails: a check that could not run must not
/// look like one that passed.
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
pub fn shared_data(path: &str) -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = above.map(|folder| folder.join("shared/data").join(path)).find(|path| path.exists());
    if found.is_none() {
        eprintln!("SKIPPED: shared/data/{path} is in no directory above the repository");
        assert!(std::env::var_os("CI").is_none(), "in CI a missing shared/data/{path} is a failure");
    }
    found
}
