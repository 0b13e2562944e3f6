//! THIRD-PARTY.txt: who wrote what we ship, under which licence, with its text.

use super::crates::{self, Package};
use anyhow::bail;
use std::collections::BTreeMap;
use std::fmt::Write;

const HEAD: &str = "\
Tengen contains the following third-party software. The packages that each text belongs to stand above it.

SQLite (in libsqlite3-sys) is in the public domain. The Rust standard library is under MIT or Apache-2.0; static Linux
programs contain musl, which is under the MIT licence, Copyright (c) 2005-2020 Rich Felker and others.

The page contains Pyodide, unchanged, in files under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/); their
source is at https://github.com/pyodide/pyodide under the version's tag. Pyodide contains CPython.
";

/// The whole text.
pub(super) fn text() -> anyhow::Result<String> {
    let packages = crates::shipped()?;
    let mut texts: BTreeMap<String, Vec<&Package>> = BTreeMap::new();
    let mut without = Vec::new();
    for package in &packages {
        if package.licence.is_empty() {
            bail!("{} {} names no licence", package.name, package.version);
        }
        let found = licence_texts(package)?;
        if found.is_empty() {
            without.push(package);
        }
        for text in found {
            texts.entry(text).or_default().push(package);
        }
    }
    let mut out = String::from(HEAD);
    let _ = writeln!(out, "\nPackages whose source contains no licence text, with the licence they name:\n");
    without.iter().for_each(|package| list(&mut out, package));
    for (text, packages) in &texts {
        let _ = writeln!(out, "\n{}\n", "-".repeat(100));
        packages.iter().for_each(|package| list(&mut out, package));
        let _ = writeln!(out, "\n{text}");
    }
    Ok(out)
}

fn list(out: &mut String, package: &Package) {
    let _ = writeln!(out, "  {} {} ({}, {})", package.name, package.version, package.kind, package.licence);
}

/// The licences and notices in a package's folder.
fn licence_texts(package: &Package) -> anyhow::Result<Vec<String>> {
    let mut texts = Vec::new();
    let mut names: Vec<_> = std::fs::read_dir(&package.folder)?.flatten().map(|entry| entry.path()).collect();
    names.sort();
    for path in names.iter().filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
        let code = [".RS", ".JS", ".TS", ".PY"].iter().any(|end| name.ends_with(end));
        if !code
            && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                .iter()
                .any(|stem| name.starts_with(stem))
        {
            let text = String::from_utf8_lossy(&std::fs::read(path)?).replace("\r\n", "\n");
            texts.push(text.trim_matches('\n').to_string());
        }
    }
    Ok(texts)
}
