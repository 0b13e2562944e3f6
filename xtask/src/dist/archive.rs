//! Archives that depend on their contents alone: sorted, owned by root, with the time of the commit.

use crate::shell;
use anyhow::{Context, bail};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes what is in `folder` as a tar file.
pub(super) fn tar(folder: &Path, file: &Path, time: &str) -> anyhow::Result<()> {
    let mut tar = shell::program("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]);
    tar.arg(format!("--mtime=@{time}")).arg("--file").arg(file).arg("--directory").arg(folder);
    shell::run(tar.args(["--create", "."]))
}

/// Compresses a file into FILE.gz, and removes it.
pub(super) fn gzip(file: &Path) -> anyhow::Result<PathBuf> {
    shell::run(shell::program("gzip").args(["--no-name", "--force", "-9"]).arg(file))?;
    let mut name = file.as_os_str().to_owned();
    name.push(".gz");
    Ok(name.into())
}

/// Writes an `ar` archive: the format of Debian packages.
pub(super) fn ar(file: &Path, members: &[(&str, &[u8])], time: &str) -> anyhow::Result<()> {
    let mut out = Vec::from(*b"!<arch>\n");
    for (name, bytes) in members {
        if name.len() > 16 {
            bail!("'{name}' is too long for an archive");
        }
        writeln!(out, "{name:<16}{time:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, "100644", bytes.len())?;
        out.extend_from_slice(bytes);
        if bytes.len() % 2 == 1 {
            out.push(b'\n');
        }
    }
    std::fs::write(file, out).with_context(|| file.display().to_string())
}

/// All files below a folder, sorted.
pub(super) fn files(tree: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut open, mut files) = (vec![tree.to_path_buf()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

/// The SHA-256 of a file, in hexadecimal digits.
pub(super) fn sha256(file: &Path) -> anyhow::Result<String> {
    let line = shell::output(shell::program("sha256sum").arg("--binary").arg(file))?;
    let word = line.split_whitespace().next().unwrap_or_default();
    // A backslash marks a name that was escaped.
    Ok(word.trim_start_matches('\\').to_string())
}

/// Writes SHA256SUMS of all files in a folder.
pub(super) fn checksums(folder: &Path) -> anyhow::Result<()> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
    names.sort();
    let mut text = String::new();
    for path in names {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        text += &format!("{}  {name}\n", sha256(&path)?);
    }
    std::fs::write(folder.join("SHA256SUMS"), text)?;
    Ok(())
}

/// Copies a file into a tree, with its folders, and sets its permissions.
pub(super) fn place(tree: &Path, path: &str, bytes: &[u8], mode: u32) -> anyhow::Result<()> {
    let file = tree.join(path);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&file, bytes).with_context(|| file.display().to_string())?;
    set_mode(&file, mode)
}

/// Sets the permissions of a file or folder.
pub(super) fn set_mode(path: &Path, mode: u32) -> anyhow::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    bail!("packages are made on Linux; {} needs mode {mode:o}", path.display());
    Ok(())
}

/// Folders open to everybody, whatever umask they were made with.
pub(super) fn open_folders(tree: &Path) -> anyhow::Result<()> {
    set_mode(tree, 0o755)?;
    for entry in std::fs::read_dir(tree)? {
        let path = entry?.path();
        if path.is_dir() {
            open_folders(&path)?;
        }
    }
    Ok(())
}
