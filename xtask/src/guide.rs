//! `cargo xtask guide`: builds the guide into `web/dist/guide`, from where the server serves it.

mod chart;
mod diagrams;
mod drawing;

use crate::{setup, shell, web};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    match args {
        [] => {
            build()?;
            println!("the guide is in web/dist/guide; `cargo xtask run` serves it at /guide/");
            Ok(())
        }
        [word] if word == "--update" => update(),
        [word, ..] => bail!("unknown argument '{word}'; accepted: --update"),
    }
}

/// Builds the guide if a source is newer than what was built. Fails at a dead link.
pub(crate) fn build() -> anyhow::Result<()> {
    let out = shell::root().join("web/dist/guide");
    let time = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    let newest =
        ["guide", "examples", "deploy", "xtask/guide"].map(|folder| newest(&shell::root().join(folder)));
    // Written last, so that a build that failed counts as none.
    let built = time(&out.join("built"));
    if built.is_some() && built >= newest.into_iter().flatten().max() {
        return Ok(());
    }
    println!("building the guide");
    let command = ["run", "--quiet", "--package", "guide", "--", "guide"];
    shell::run(shell::cargo().args(command).arg(&out))?;
    std::fs::write(out.join("built"), "").with_context(|| out.display().to_string())
}

/// Draws the pictures again, runs the commands of the pages and writes what they print into the pages.
fn update() -> anyhow::Result<()> {
    web::build()?;
    shell::run(shell::cargo().args(["build", "--package", "tengen"]))?;
    pictures()?;
    let test = ["test", "--package", "tengen", "--test", "guide", "--", "every_command"];
    shell::run(shell::cargo().args(test).env("TENGEN_GUIDE", "update"))?;
    build()
}

/// Languages of the pictures that have words.
#[derive(Clone, Copy)]
enum Language {
    English,
    Chinese,
}

impl Language {
    const ALL: [(&'static str, Language); 2] = [("en", Language::English), ("zh", Language::Chinese)];

    fn pick(self, english: &'static str, chinese: &'static str) -> &'static str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

/// Pictures drawn by our own commands (`guide/pictures.sh`), diagrams, and pictures of the app as Chromium shows it.
fn pictures() -> anyhow::Result<()> {
    let programs = shell::root().join("target/debug");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        std::iter::once(programs.clone()).chain(std::env::split_paths(&path)).collect();
    let path = std::env::join_paths(folders)?;
    shell::run(shell::program("sh").arg("guide/pictures.sh").env("PATH", path))?;
    let folder = shell::root().join("guide/pictures");
    let points = chart::measure(&programs.join("tengen"))?;
    for (name, language) in Language::ALL {
        for (what, picture) in [
            ("sprt", chart::draw(&points, language)),
            ("durability", diagrams::durability(language)),
            ("site", diagrams::site(language)),
        ] {
            let file = folder.join(format!("{what}-{name}.svg"));
            std::fs::write(&file, picture).with_context(|| file.display().to_string())?;
        }
    }
    let Some(chromium) = setup::chromium() else { return shell::skip("pictures of the app: no Chromium") };
    let mut script = web::npm()?;
    script.args(["run", "--silent", "pictures", "--"]).arg(programs.join("tengen")).arg(&folder);
    shell::run(script.env("CHROMIUM", chromium))
}

/// When the newest file under a folder was changed.
fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let time = |path: PathBuf| {
        if path.is_dir() { newest(&path) } else { path.metadata().ok()?.modified().ok() }
    };
    entries.filter_map(time).max()
}
