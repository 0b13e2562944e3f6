//! `cargo xtask test supply`: what others wrote is licensed as we need it, comes from where it should, and has no known hole.
//!
//! Both databases of known holes are services on the network; where one cannot be reached that check counts as skipped.

use crate::shell::{self, cargo, program};
use crate::{setup, web};
use anyhow::{Context, bail};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// The version whose `deny.toml` ours is.
const CARGO_DENY: &str = "0.20";

pub(crate) fn check() -> anyhow::Result<()> {
    let deny = cargo_deny()?;
    let deny = || deny_command(&deny);
    shell::run(deny().args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]))?;
    npm_licences()?;
    if shell::works(deny().args(["fetch", "db"])) {
        shell::run(deny().args(["--offline", "check", "advisories"]))?;
    } else {
        shell::skip_anywhere("advisories about crates: their database (RustSec) cannot be reached");
    }
    audit_npm()
}

/// cargo-deny, compiled into `target/tools` if the machine has none. A debug build is fast enough and much sooner there.
fn cargo_deny() -> anyhow::Result<PathBuf> {
    let root = shell::root().join("target/tools");
    for path in [PathBuf::from("cargo-deny"), root.join("bin/cargo-deny")] {
        let version = program(&path.to_string_lossy()).arg("--version").output();
        if version
            .is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains(&format!(" {CARGO_DENY}.")))
        {
            return Ok(path);
        }
    }
    println!("compiling cargo-deny, once");
    let mut install = cargo();
    install.args(["install", "cargo-deny", "--locked", "--debug", "--version"]).arg(format!("^{CARGO_DENY}"));
    shell::run(install.arg("--root").arg(&root).env("CARGO_PROFILE_DEV_DEBUG", "0"))?;
    Ok(root.join("bin/cargo-deny"))
}

fn deny_command(path: &std::path::Path) -> Command {
    let mut command = program(&path.to_string_lossy());
    command.env("CARGO", std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command
}

/// Licences that npm packages may have, those of the build included. `deny.toml` says the same of crates.
const NPM_LICENCES: &[&str] =
    &["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "Python-2.0"];

/// Packages under the Mozilla Public License, by the beginning of their names: tools of build and tests, and Pyodide, which
/// is shipped unchanged (THIRD-PARTY.txt says where its source is).
const NPM_MPL: &[&str] = &["axe-core", "lightningcss", "pyodide"];

/// Every package that the lock file names must be under a licence of the list.
fn npm_licences() -> anyhow::Result<()> {
    let file = shell::root().join("web/package-lock.json");
    let lock: Value = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
    let packages = lock["packages"].as_object().context("web/package-lock.json names no packages")?;
    let refused =
        refused(packages.iter().map(|(path, package)| (path.as_str(), package["license"].as_str())));
    if !refused.is_empty() {
        bail!(
            "npm packages under licences that xtask/src/supply.rs does not allow:\n  {}",
            refused.join("\n  ")
        );
    }
    println!("npm licences: {} packages allowed", packages.len() - 1);
    Ok(())
}

/// The packages, by their paths in `node_modules`, that are under no licence of the list.
fn refused<'a>(packages: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Vec<String> {
    let name = |path: &'a str| path.rsplit_once("node_modules/").map(|(_, name)| name);
    // Our own package is the one without a path.
    packages
        .filter_map(|(path, licence)| Some((name(path)?, licence.unwrap_or("no licence"))))
        .filter(|(name, licence)| !is_allowed(name, licence))
        .map(|(name, licence)| format!("{name}: {licence}"))
        .collect()
}

/// Is a package under this SPDX expression allowed? `OR` leaves the choice to us, `AND` does not; a mixture of both is for
/// people to read.
fn is_allowed(name: &str, licence: &str) -> bool {
    if licence.contains(" OR ") && licence.contains(" AND ") {
        return false;
    }
    let mozilla = NPM_MPL.iter().any(|known| name == *known || name.starts_with(&format!("{known}-")));
    let listed = |part: &str| NPM_LICENCES.contains(&part) || (mozilla && part == "MPL-2.0");
    let bare = licence.replace(['(', ')'], "");
    bare.split(" OR ").any(|choice| choice.split(" AND ").all(|part| listed(part.trim())))
}

fn audit_npm() -> anyhow::Result<()> {
    setup::node_path()?;
    let audit = web::npm()?.args(["audit", "--json"]).output()?;
    let answer: Value = serde_json::from_slice(&audit.stdout).unwrap_or_default();
    let Some(found) = answer["metadata"]["vulnerabilities"]["total"].as_u64() else {
        let said = answer["message"].as_str().unwrap_or("no answer");
        shell::skip_anywhere(&format!("`npm audit`: its registry does not answer ({said})"));
        return Ok(());
    };
    if found > 0 {
        bail!(
            "`npm audit` knows {found} holes in what web/package-lock.json names; run it in web/ to see them"
        );
    }
    println!("npm audit: nothing known against {} packages", answer["metadata"]["dependencies"]["total"]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_packages_under_other_licences_are_refused() {
        let packages = [
            ("", Some("Proprietary")),
            ("node_modules/a", Some("MIT")),
            ("node_modules/a/node_modules/@b/c", Some("GPL-3.0-only")),
            ("node_modules/d", Some("(MIT OR GPL-2.0-only)")),
            ("node_modules/e", Some("MIT AND GPL-2.0-only")),
            ("node_modules/f", None),
            ("node_modules/g", Some("(MIT OR GPL-2.0-only) AND GPL-2.0-only")),
            ("node_modules/lightningcss-linux-x64-gnu", Some("MPL-2.0")),
            ("node_modules/lightningcssish", Some("MPL-2.0")),
        ];
        let expected = [
            "@b/c: GPL-3.0-only",
            "e: MIT AND GPL-2.0-only",
            "f: no licence",
            "g: (MIT OR GPL-2.0-only) AND GPL-2.0-only",
            "lightningcssish: MPL-2.0",
        ];
        assert_eq!(refused(packages.into_iter()), expected);
    }

    #[test]
    fn what_the_lock_file_names_is_allowed() {
        npm_licences().unwrap();
    }
}
