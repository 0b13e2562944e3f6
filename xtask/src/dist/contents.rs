//! What comes with the program in every package: manual pages, completions, licences, documents, the guide's examples.

use super::Release;
use super::archive;
use super::build::Build;
use super::notices;
use crate::shell;
use std::path::{Path, PathBuf};

/// A file of a package: where it goes below `/usr/share`, and its bytes.
pub(super) struct Document {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "bash-completion/completions/tengen"),
    ("fish", "fish/vendor_completions.d/tengen.fish"),
    ("zsh", "zsh/vendor-completions/_tengen"),
];

const TEXTS: &[&str] = &["README.md", "README.zh.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// All documents, in the order of their paths. `build` must run on this machine: it writes its own manual.
pub(super) fn documents(build: &Build, release: &Release) -> anyhow::Result<Vec<Document>> {
    let tengen = || shell::program(&build.program.to_string_lossy());
    let mut all = Vec::new();
    let mut add = |path: String, bytes: Vec<u8>| all.push(Document { path, bytes });
    let manual = release.scratch("man")?;
    shell::run(tengen().arg("man").arg(&manual))?;
    for entry in std::fs::read_dir(&manual)? {
        let page = archive::gzip(&entry?.path())?;
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        add(format!("man/man1/{name}"), std::fs::read(page)?);
    }
    for (shell_name, path) in COMPLETIONS {
        let script = shell::output(tengen().args(["completions", shell_name]))?;
        add((*path).to_string(), format!("{script}\n").into_bytes());
    }
    for text in TEXTS {
        let name = Path::new(text).file_name().unwrap_or_default().to_string_lossy();
        add(format!("doc/tengen/{name}"), std::fs::read(shell::root().join(text))?);
    }
    for file in examples()? {
        let name = file.strip_prefix(shell::root())?.to_string_lossy().into_owned();
        add(format!("doc/tengen/{name}"), std::fs::read(&file)?);
    }
    add("doc/tengen/THIRD-PARTY.txt".into(), notices::text()?.into_bytes());
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all)
}

/// The files that the guide's commands use. In a checkout those of the commit, without what such commands have left there.
fn examples() -> anyhow::Result<Vec<PathBuf>> {
    match shell::output(shell::program("git").args(["ls-files", "examples"])) {
        Ok(names) if !names.is_empty() => Ok(names.lines().map(|name| shell::root().join(name)).collect()),
        _ => archive::files(&shell::root().join("examples")),
    }
}

/// Writes the archive for people who install by hand: the program and its documents.
pub(super) fn archive(build: &Build, documents: &[Document], release: &Release) -> anyhow::Result<()> {
    let name = format!("tengen-{}-{}", release.version, build.target.triple);
    let tree = release.scratch("archive")?;
    let program = build.program.file_name().unwrap_or_default().to_string_lossy();
    archive::place(&tree, &format!("{name}/{program}"), &std::fs::read(&build.program)?, 0o755)?;
    for document in documents {
        archive::place(&tree, &format!("{name}/share/{}", document.path), &document.bytes, 0o644)?;
    }
    archive::open_folders(&tree)?;
    let file = release.folder.join(format!("{name}.tar"));
    archive::tar(&tree, &file, &release.time)?;
    archive::gzip(&file)?;
    Ok(())
}

#[test]
fn the_examples_are_those_of_the_guide() {
    let examples = examples().unwrap();
    for name in ["position.json", "maze.txt", "engines.toml", "engines/first.py", "class/students.csv"] {
        assert!(examples.contains(&shell::root().join("examples").join(name)), "{name}");
    }
    assert!(examples.iter().all(|file| file.is_file()));
}
