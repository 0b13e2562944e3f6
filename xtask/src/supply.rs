//! `cargo xtask test supply`: what others wrote is licensed as we need it, comes from where it should, and has no known hole.
//!
//! Both databases of known holes are services on the network; where one cannot be reached that check counts as skipped.

use crate::shell::{self, cargo, program};
use crate::{setup, web};
use anyhow::bail;
use std::path::PathBuf;
use std::process::Command;

/// The version whose `deny.toml` ours is.
const CARGO_DENY: &str = "0.20";

pub(crate) fn check() -> anyhow::Result<()> {
    let deny = cargo_deny()?;
    let deny = || deny_command(&deny);
    shell::run(deny().args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]))?;
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

fn audit_npm() -> anyhow::Result<()> {
    setup::node_path()?;
    let audit = web::npm()?.args(["audit", "--json"]).output()?;
    let answer: serde_json::Value = serde_json::from_slice(&audit.stdout).unwrap_or_default();
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
