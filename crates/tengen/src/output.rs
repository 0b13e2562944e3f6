//! Everything this program writes: standard output, standard error and files.
//!
//! The macros below shadow the standard ones in this crate. The standard ones panic when the output is closed or
//! full, which any reader (`| head`) or disk may cause.

use crate::platform;
use anyhow::Context;
use std::fmt::Arguments;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// `std::print!` that ends the program in an orderly way when standard output fails.
macro_rules! print {
    ($($words:tt)*) => { $crate::output::print(format_args!($($words)*)) };
}

/// `std::println!` that ends the program in an orderly way when standard output fails.
macro_rules! println {
    () => { $crate::output::print(format_args!("\n")) };
    ($($words:tt)*) => { $crate::output::print(format_args!("{}\n", format_args!($($words)*))) };
}

/// `std::eprint!` that ignores a closed standard error: there is nobody left to tell.
macro_rules! eprint {
    ($($words:tt)*) => { $crate::output::eprint(format_args!($($words)*)) };
}

/// `std::eprintln!` that ignores a closed standard error.
macro_rules! eprintln {
    ($($words:tt)*) => { $crate::output::eprint(format_args!("{}\n", format_args!($($words)*))) };
}

/// Writes to standard output; does not return if that fails.
pub(crate) fn print(words: Arguments<'_>) {
    if let Err(error) = io::stdout().lock().write_fmt(words) {
        stdout_failed(&error);
    }
}

/// Writes to standard error, if anybody listens.
pub(crate) fn eprint(words: Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(words);
}

/// Writes out what standard output still buffers.
pub(crate) fn flush() {
    if let Err(error) = io::stdout().lock().flush() {
        stdout_failed(&error);
    }
}

/// Ends the program: without a word where the reader has left (as if by SIGPIPE), else with a message.
pub(crate) fn stdout_failed(error: &io::Error) -> ! {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(141);
    }
    eprintln!("tengen: standard output: {error}");
    std::process::exit(1)
}

/// Writes a file completely or not at all: the content goes to a temporary file beside it, which is then renamed.
/// Whatever was there before stays until then.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    write_file_with(path, |file| Ok(file.write_all(content)?))
}

/// [`write_file`] for content that is written piece by piece.
pub(crate) fn write_file_with(
    path: &Path,
    content: impl FnOnce(&mut File) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let write = || -> anyhow::Result<()> {
        let Some(path) = replaceable(path)? else {
            return content(&mut File::options().write(true).open(path)?);
        };
        let mut file = temporary_beside(&path)?;
        content(file.as_file_mut())?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|failed| failed.error)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Fails where [`write_file`] would, so that this is found before an hour of work and not after it.
pub(crate) fn check_writable(path: &Path) -> anyhow::Result<()> {
    let check = || replaceable(path)?.map_or(Ok(()), |path| temporary_beside(&path).map(drop));
    check().with_context(|| format!("cannot write {}", path.display()))
}

/// The path to rename a new file to, with links followed; `None` for devices and pipes, which are written in place.
fn replaceable(path: &Path) -> io::Result<Option<PathBuf>> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match std::fs::metadata(&path) {
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => Ok(None),
        _ => Ok(Some(path)),
    }
}

/// An empty file in the same folder, with the permissions of the one to be replaced; it vanishes if it is dropped.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tengen-").suffix(".tmp");
    platform::usual_permissions(&mut builder);
    let file = builder.tempfile_in(folder)?;
    if let Ok(old) = std::fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// A line on a terminal's standard error that the next one overwrites; an empty one clears it.
pub(crate) fn progress(text: &str) {
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
        let _ = io::stderr().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        std::fs::write(&path, "old").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        write_file(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
        for bad in [folder.path().to_owned(), folder.path().join("missing/out.txt")] {
            assert!(check_writable(&bad).is_err() && write_file(&bad, b"").is_err(), "{bad:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_stay_what_they_are() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::write(&real, "old").unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        write_file(Path::new("/dev/null"), b"gone").unwrap();
        let fresh = folder.path().join("fresh");
        write_file(&fresh, b"x").unwrap();
        assert_ne!(fresh.metadata().unwrap().permissions().mode() & 0o044, 0, "not private by accident");
    }
}
