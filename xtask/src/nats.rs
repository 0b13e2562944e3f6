//! The program `nats-server` for tests.

use crate::setup;
use std::path::PathBuf;

/// The program, installed if it can be; `None` where neither is possible.
pub(crate) fn program() -> Option<PathBuf> {
    let find = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        // Distributions put it where only administrators look.
        let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        folders.extend(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
        folders.into_iter().map(|folder| folder.join("nats-server")).find(|program| program.is_file())
    };
    find().or_else(|| {
        if let Err(error) = setup::install(&["nats-server"]) {
            println!("nats-server is missing and could not be installed: {error:#}");
        }
        find()
    })
}
