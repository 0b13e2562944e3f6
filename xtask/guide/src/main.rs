//! `guide SOURCES OUT`: builds the guide in both languages with mdBook, writes its search index and checks its links.
//!
//! A package of its own because mdBook takes a while to build and few chores need it; `Cargo.lock` pins its version.

mod finish;
mod links;

use anyhow::{Context, bail};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder, language tag, title of the book.
const LANGUAGES: [(&str, &str, &str); 2] = [("en", "en", "Tengen guide"), ("zh", "zh-CN", "天元指南")];

fn main() -> anyhow::Result<()> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [sources, out] = args.as_slice() else { bail!("usage: guide SOURCES OUT") };
    let sources = fs::canonicalize(sources).with_context(|| sources.display().to_string())?;
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    let out = fs::canonicalize(out)?;
    for (folder, tag, title) in LANGUAGES {
        book(&sources, &out, folder, tag, title).with_context(|| format!("the guide in {tag}"))?;
        finish::pages(&out.join(folder))?;
    }
    copy(&sources.join("pictures"), &out.join("pictures"))?;
    for name in ["index.html", "guide.css", "guide.js"] {
        fs::copy(sources.join("theme").join(name), out.join(name)).with_context(|| name.to_string())?;
    }
    links::check(&out)
}

fn book(sources: &Path, out: &Path, folder: &str, tag: &str, title: &str) -> anyhow::Result<()> {
    let mut config = Config::default();
    config.set("book.title", title)?;
    config.set("book.language", tag)?;
    config.set("book.src", folder)?;
    config.set("build.build-dir", out.join(folder))?;
    config.set("build.create-missing", false)?;
    config.set("output.html.theme", "theme")?;
    config.set("output.html.no-section-label", true)?;
    config.set("output.html.print.enable", false)?;
    config.set("output.html.hash-files", false)?;
    config.set("output.html.smart-punctuation", false)?;
    MDBook::load_with_config(sources, config)?.build()
}

/// Copies a folder of files.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
