//! `cargo xtask dist`: everything that a release consists of, in `dist/`.
//!
//! Runs on x86-64 Linux. The same commit gives the same bytes, whatever folder it is built in: paths are remapped, times
//! are that of the commit, and archives are sorted.

mod archive;
mod build;
mod clean_root;
mod contents;
mod crates;
mod deb;
mod notices;
mod oci;
mod sbom;

use crate::{shell, web};
use anyhow::{Context, bail};
use build::{Build, Target};
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
usage: cargo xtask dist [--target TARGET…] [--profile PROFILE] [--check]

  --target TARGET    build only for this system; may be repeated
  --profile PROFILE  another profile of Cargo.toml than `dist`, to try the packaging quickly
  --check            test the Debian package in a clean root: install, serve, play, upgrade, remove, purge
";

/// What is asked for.
struct Request {
    targets: Vec<Target>,
    profile: String,
    check: bool,
}

/// What all files of a release share.
struct Release {
    version: String,
    /// The commit's time, in seconds since 1970.
    time: String,
    folder: PathBuf,
}

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let Some(request) = parse(args)? else {
        print!("{HELP}");
        return Ok(());
    };
    let release = Release::new()?;
    web::build()?;
    if release.folder.exists() {
        std::fs::remove_dir_all(&release.folder)?;
    }
    std::fs::create_dir_all(&release.folder)?;
    let builds: Vec<Build> = request
        .targets
        .iter()
        .map(|target| build::build(*target, &request.profile, &release))
        .collect::<anyhow::Result<_>>()?;
    let documents = contents::documents(&builds[0], &release)?;
    for build in &builds {
        contents::archive(build, &documents, &release)?;
        if let Some(architecture) = build.target.debian {
            deb::package(build, architecture, &documents, &release)?;
            oci::image(build, architecture, &documents, &release)?;
        }
    }
    sbom::write(&release)?;
    std::fs::copy(shell::root().join("BENCH"), release.folder.join("BENCH"))?;
    archive::checksums(&release.folder)?;
    println!("== {} is complete", release.folder.display());
    if request.check { clean_root::check(&release) } else { Ok(()) }
}

fn parse(args: &[String]) -> anyhow::Result<Option<Request>> {
    let mut request = Request { targets: Vec::new(), profile: "dist".into(), check: false };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => return Ok(None),
            "--check" => request.check = true,
            "--profile" => request.profile = words.next().context("--profile needs a name")?.clone(),
            "--target" => {
                let name = words.next().context("--target needs a name")?;
                request.targets.push(Target::named(name)?);
            }
            other => bail!("unknown option '{other}'\n\n{HELP}"),
        }
    }
    if request.targets.is_empty() {
        request.targets = build::TARGETS.to_vec();
    }
    // The first one's program is run here to write manual pages and completions.
    request.targets.sort_by_key(|target| !target.runs_here());
    if !request.targets[0].runs_here() {
        request.targets.insert(0, build::TARGETS[0]);
    }
    request.targets.dedup_by_key(|target| target.triple);
    Ok(Some(request))
}

impl Release {
    fn new() -> anyhow::Result<Release> {
        let manifest = std::fs::read_to_string(shell::root().join("Cargo.toml"))?;
        let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
        let version = version.context("Cargo.toml names no version")?.to_string();
        let time = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time,
            Err(_) => shell::output(shell::program("git").args(["log", "-1", "--format=%ct"]))
                .context("outside a git repository, set SOURCE_DATE_EPOCH and TENGEN_COMMIT")?,
        };
        Ok(Release { version, time, folder: shell::root().join("dist") })
    }

    /// A temporary folder below `target/`, empty.
    fn scratch(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = shell::root().join("target/packaging").join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}
