//! What differs between operating systems: open files, priorities, who may read a file.
//!
//! Windows has no limit on sockets worth dividing, and files in a user's data folder are private by their place. A
//! thread has a priority of its own on Linux alone.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Raises the limit on open files as far as the system lets us; how many there may be now.
#[cfg(unix)]
pub(crate) fn raise_open_files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// The most that macOS grants, whatever it calls the maximum.
    const MACOS: u64 = 10_240;
    let now = getrlimit(Resource::Nofile);
    let wanted = match cfg!(target_os = "macos") {
        true => Some(now.maximum.unwrap_or(MACOS).min(MACOS)),
        false => now.maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: wanted, maximum: now.maximum }) {
        tracing::warn!(%error, "the limit on open files was not raised");
    }
    getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX)
}

#[cfg(not(unix))]
pub(crate) fn raise_open_files() -> usize {
    usize::MAX
}

/// Lowers the priority of this thread and those it starts, so that requests are answered while all cores search.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 5) {
        tracing::debug!(%error, "the priority of a search was not lowered");
    }
}

/// Opens a file that only its owner may read, created if it is missing.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Lets only the owner read a file or folder that exists.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let mode = if path.is_dir() { 0o700 } else { 0o600 };
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Lets everybody read a file that exists, as far as its folder lets them.
pub(crate) fn make_readable(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
