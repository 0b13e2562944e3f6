//! What others wrote and we ship: the crates that the program links, and the npm packages in the web app.

use super::build::TARGETS;
use crate::shell;
use anyhow::Context;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A crate or an npm package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// `cargo` or `npm`, as package URLs call them.
    pub(super) kind: &'static str,
    /// The SPDX expression of its licence.
    pub(super) licence: String,
    /// The folder of its source here.
    pub(super) folder: PathBuf,
}

/// Every third-party package that ends up in the program, on any of the systems it is built for.
pub(super) fn shipped() -> anyhow::Result<Vec<Package>> {
    let mut all = crates()?;
    all.extend(npm_packages()?);
    all.sort();
    all.dedup();
    Ok(all)
}

/// What `cargo tree` says is linked. `cargo metadata` alone would name optional crates too that no feature asks for.
fn crates() -> anyhow::Result<Vec<Package>> {
    let mut linked = BTreeSet::new();
    for target in TARGETS {
        let mut tree = shell::cargo();
        tree.args(["tree", "--locked", "--package", "tengen", "--edges", "normal,no-proc-macro"]);
        let text =
            shell::output(tree.args(["--target", target.triple, "--prefix", "none", "--format", "{p}"]))?;
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

/// The packages whose code Vite bundles: those the app depends on and Svelte, with what they need.
fn npm_packages() -> anyhow::Result<Vec<Package>> {
    let web = shell::root().join("web");
    let manifest: Value = serde_json::from_str(&std::fs::read_to_string(web.join("package.json"))?)?;
    let keys = |value: &Value| value.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
    let mut open: Vec<String> = keys(&manifest["dependencies"]);
    open.push("svelte".into());
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let folder = web.join("node_modules").join(&name);
        let Ok(text) = std::fs::read_to_string(folder.join("package.json")) else {
            anyhow::bail!("{name} is not installed in web/node_modules");
        };
        let package: Value = serde_json::from_str(&text)?;
        open.extend::<Vec<String>>(keys(&package["dependencies"]));
        let (version, licence) = (word(&package["version"]), word(&package["license"]));
        all.push(Package { name, version, kind: "npm", licence, folder });
    }
    Ok(all)
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}
