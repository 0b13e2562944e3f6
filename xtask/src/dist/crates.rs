//! What others wrote and we ship: the crates that the program and the engines in the page link, the npm packages in the
//! web app, and what these contain themselves.

use super::build::TARGETS;
use crate::{engine, shell};
use anyhow::{Context, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A crate or an npm package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// `cargo`, `npm` or `generic`, as package URLs call them.
    pub(super) kind: &'static str,
    /// The SPDX expression of its licence.
    pub(super) licence: String,
    /// The folder of its source here.
    pub(super) folder: PathBuf,
}

/// npm packages in the app that only the build asks for: Svelte's runtime is compiled in.
const COMPILED_IN: &[&str] = &["svelte"];

/// Copied as it is, without what it needs in other programs (`web/vite.config.ts`).
const COPIED: &str = "pyodide";

/// One of each way in which something comes to be shipped: a list without them is incomplete.
const CERTAIN: &[&str] = &[
    "axum",
    "libsqlite3-sys",
    "wasm-bindgen",
    "js-sys",
    "svelte",
    "@codemirror/view",
    "uplot",
    COPIED,
    "cpython",
];

/// Every third-party package that ends up in the program, on any of the systems it is built for.
pub(super) fn shipped() -> anyhow::Result<Vec<Package>> {
    let mut all = crates()?;
    all.extend(npm_packages()?);
    all.push(python()?);
    all.sort();
    all.dedup();
    let missing = missing(&all);
    if !missing.is_empty() {
        bail!("the list of what is shipped is incomplete: it lacks {}", missing.join(", "));
    }
    Ok(all)
}

fn missing(all: &[Package]) -> Vec<&'static str> {
    CERTAIN.iter().copied().filter(|name| all.iter().all(|package| package.name != *name)).collect()
}

/// What `cargo tree` says is linked. `cargo metadata` alone would name optional crates too that no feature asks for.
fn crates() -> anyhow::Result<Vec<Package>> {
    let mut linked = BTreeSet::new();
    let programs = TARGETS.iter().map(|target| ("tengen", target.triple));
    for (package, target) in programs.chain([("tengen-wasm", engine::TARGET)]) {
        let mut tree = shell::cargo();
        tree.args(["tree", "--locked", "--package", package, "--edges", "normal,no-proc-macro"]);
        let text = shell::output(tree.args(["--target", target, "--prefix", "none", "--format", "{p}"]))?;
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let version = |word: &str| word.strip_prefix('v').map(str::to_string);
            if let (Some(name), Some(version)) = (words.next(), words.next().and_then(version)) {
                linked.insert((name.to_string(), version));
            }
        }
    }
    let text = shell::output(shell::cargo().args(["metadata", "--format-version", "1", "--locked"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let foreign = packages.iter().filter(|package| {
        let id = (word(&package["name"]), word(&package["version"]));
        !package["source"].is_null() && linked.contains(&id)
    });
    let read = |package: &Value| {
        let manifest = PathBuf::from(word(&package["manifest_path"]));
        Ok(Package {
            name: word(&package["name"]),
            version: word(&package["version"]),
            kind: "cargo",
            // An old way to write OR.
            licence: word(&package["license"]).replace(" / ", " OR ").replace('/', " OR "),
            folder: manifest.parent().context("a manifest is in a folder")?.to_path_buf(),
        })
    };
    foreign.map(read).collect()
}

/// The packages whose code Vite bundles: those the app depends on and Svelte, with what they need; and Pyodide.
fn npm_packages() -> anyhow::Result<Vec<Package>> {
    let web = shell::root().join("web");
    let manifest = json(&web.join("package.json"))?;
    let keys = |value: &Value| value.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
    let mut open: Vec<String> = keys(&manifest["dependencies"]);
    open.extend(COMPILED_IN.iter().chain([&COPIED]).map(ToString::to_string));
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let folder = web.join("node_modules").join(&name);
        let package = json(&folder.join("package.json"))
            .with_context(|| format!("{name} is not installed in web/node_modules"))?;
        if name != COPIED {
            open.extend::<Vec<String>>(keys(&package["dependencies"]));
        }
        let (version, licence) = (word(&package["version"]), word(&package["license"]));
        all.push(Package { name, version, kind: "npm", licence, folder });
    }
    Ok(all)
}

/// The Python in Pyodide. Its licence is kept here: Pyodide's package does not contain it.
fn python() -> anyhow::Result<Package> {
    let lock = json(&shell::root().join("web/node_modules").join(COPIED).join("pyodide-lock.json"))?;
    Ok(Package {
        name: "cpython".into(),
        version: lock["info"]["python"].as_str().context("Pyodide names no version of Python")?.to_string(),
        kind: "generic",
        licence: "PSF-2.0".into(),
        folder: shell::root().join("packaging/licences/cpython"),
    })
}

fn json(file: &Path) -> anyhow::Result<Value> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    serde_json::from_str(&text).with_context(|| file.display().to_string())
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_lacks_a_way_of_shipping_is_incomplete() {
        let named = |name: &&str| Package {
            name: name.to_string(),
            version: "1.0.0".into(),
            kind: "cargo",
            licence: "MIT".into(),
            folder: PathBuf::new(),
        };
        let all: Vec<_> = CERTAIN.iter().map(named).collect();
        assert!(missing(&all).is_empty());
        let without: Vec<_> = all.into_iter().filter(|package| package.name != COPIED).collect();
        assert_eq!(missing(&without), [COPIED]);
    }

    /// What runs in the page alone, and what other packages contain, is named with its licence.
    #[test]
    fn crates_of_the_page_and_the_python_in_it_are_shipped() {
        let crates = crates().unwrap();
        for name in ["axum", "wasm-bindgen", "js-sys"] {
            assert!(
                crates.iter().any(|package| package.name == name && !package.licence.is_empty()),
                "{name}"
            );
        }
        if !shell::root().join("web/node_modules").join(COPIED).exists() {
            shell::skip("npm packages that are shipped: web/node_modules is not there").unwrap();
            return;
        }
        let all = shipped().unwrap();
        let licence =
            |name: &str| all.iter().find(|package| package.name == name).map(|found| found.licence.as_str());
        assert_eq!((licence(COPIED), licence("cpython")), (Some("MPL-2.0"), Some("PSF-2.0")));
        let licence_text = std::fs::read_to_string(python().unwrap().folder.join("LICENSE.txt")).unwrap();
        assert!(licence_text.contains("PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2"));
        // Its JavaScript is copied, not what it needs elsewhere.
        assert_eq!(licence("ws"), None);
    }
}
