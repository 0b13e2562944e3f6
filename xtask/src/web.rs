//! The web app's chores: fetch, check, test, build.

use crate::engine::{self, Effort};
use crate::{guide, setup, shell};
use anyhow::bail;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds `web/dist`, which the server embeds; does nothing if it is newer than all it is made of.
pub(crate) fn build() -> anyhow::Result<()> {
    build_with(Effort::Full)
}

/// The same with engines in the page that are built so.
pub(crate) fn build_with(engines: Effort) -> anyhow::Result<()> {
    if !up_to_date() {
        println!("building the web app");
        fetch()?;
        shell::run(npm()?.args(["run", "build"]))?;
    }
    // Vite empties the folder, so the guide comes after it.
    guide::build()?;
    engine::build(engines)
}

/// Puts the engines in the page, built into these folders, into `web/dist`.
pub(crate) fn add_engine(folders: &[PathBuf]) -> anyhow::Result<()> {
    fetch()?;
    shell::run(npm()?.args(["run", "--silent", "engine", "--"]).args(folders))
}

/// Compares the engines in the page, as they ship and in Chromium, with the native program; fails where a verdict differs
/// or a figure is missed.
pub(crate) fn compare_engine() -> anyhow::Result<()> {
    let Some(chromium) = setup::chromium() else { bail!("the engines in the page are compared in Chromium") };
    build()?;
    if !shell::root().join("web/dist/engine.json").exists() {
        bail!("there are no engines in the page to compare");
    }
    // After the page, which the program embeds.
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    let tengen = shell::root().join("target/release/tengen");
    shell::run(npm()?.args(["run", "--silent", "compare", "--"]).arg(tengen).arg(chromium))
}

/// Writes the app without a server into a folder.
pub(crate) fn site(out: &Path, base: &str) -> anyhow::Result<()> {
    build()?;
    if !shell::root().join("web/dist/engine.json").exists() {
        bail!("the site needs the engines in the page");
    }
    shell::run(npm()?.args(["run", "--silent", "site", "--"]).arg(out).arg(base))
}

/// Format, lint, API types as the server describes them, types and accessibility hints, unit tests.
pub(crate) fn check() -> anyhow::Result<()> {
    fetch()?;
    shell::run(npm()?.args(["exec", "--", "prettier", "--check", "."]))?;
    shell::run(npm()?.args(["run", "lint"]))?;
    shell::run(npm()?.args(["run", "schema", "--", "--check"]))?;
    shell::run(npm()?.args(["run", "check"]))?;
    shell::run(npm()?.args(["test"]))?;
    build()
}

/// Every page of the app and the guide in a real browser: what it shows in both languages, its width, its accessibility,
/// its first load.
/// In CI all browser tests: games, analysis, puzzles, mazes and searches played through.
pub(crate) fn pages() -> anyhow::Result<()> {
    if setup::in_ci() { browser() } else { in_browser(&["pages", "guide.spec"]) }
}

/// All browser tests.
pub(crate) fn browser() -> anyhow::Result<()> {
    in_browser(&[])
}

/// Runs files of browser tests (none named: all) against a freshly built server.
fn in_browser(files: &[&str]) -> anyhow::Result<()> {
    let Some(chromium) = setup::chromium() else { return shell::skip("browser tests: no Chromium") };
    build()?;
    shell::run(shell::cargo().args(["build", "--package", "tengen"]))?;
    let tengen = shell::root().join("target/debug/tengen");
    let folder = shell::root().join("target/site");
    if files.is_empty() {
        site(&folder, "/tengen/")?;
    }
    let mut tests = npm()?;
    tests.args(["run", "browser", "--"]).args(files).env("CHROMIUM", chromium).env("TENGEN", tengen);
    let named = shell::root().join("target/tried-twice");
    // An earlier run's names are no news.
    let _ = std::fs::remove_file(&named);
    let passed = shell::run(tests.env("SITE", folder).env("TRIED_TWICE", &named));
    let names = std::fs::read_to_string(&named).unwrap_or_default();
    shell::tried_twice(names.lines().map(str::to_string));
    passed
}

fn fetch() -> anyhow::Result<()> {
    let web = shell::root().join("web");
    let stamp = web.join("node_modules/.package-lock.json");
    let newer = |a: &Path, b: &Path| {
        let time = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
        time(a) >= time(b) && time(a).is_some()
    };
    if newer(&stamp, &web.join("package-lock.json")) {
        return Ok(());
    }
    // Not `npm ci`: it refuses a lock file without the optional binaries of systems other than the one that wrote it.
    shell::run(npm()?.args(["install", "--no-save", "--no-audit", "--no-fund"]))
}

/// npm in the folder of the web app.
pub(crate) fn npm() -> anyhow::Result<Command> {
    let path = setup::node_path()?;
    let mut npm = shell::program("npm");
    // The system's Chromium is used; Playwright must not fetch one of its own.
    npm.current_dir(shell::root().join("web")).env("PATH", path).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    Ok(npm)
}

/// Is the built page newer than every source? The server's placeholder page does not count as built.
fn up_to_date() -> bool {
    let web = shell::root().join("web");
    let Ok(built) = web.join("dist/assets").metadata().and_then(|meta| meta.modified()) else { return false };
    let mut folders = vec![web.join("src"), web.join("public")];
    let mut files = vec![web.join("index.html"), web.join("package-lock.json"), web.join("vite.config.ts")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { return false };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.iter().all(|file| file.metadata().and_then(|meta| meta.modified()).is_ok_and(|time| time <= built))
}
