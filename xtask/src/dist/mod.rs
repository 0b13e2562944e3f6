//! `cargo xtask dist`: everything that a release consists of, in `dist/`.
//!
//! Runs on x86-64 Linux. So that the same commit gives the same bytes in every folder, paths are remapped, times are that
//! of the commit, and archives are sorted.

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
    let Builds { builds, not_built } =
        try_all(&request.targets, |target| build::build(target, &request.profile, &release))?;
    let native = builds.iter().find(|build| build.target.runs_here()).context("nothing built runs here")?;
    let documents = contents::documents(native, &release)?;
    for build in &builds {
        contents::archive(build, &documents, &release)?;
        if let Some(architecture) = build.target.debian {
            deb::package(build, architecture, &documents, &release)?;
            oci::image(build, architecture, &documents, &release)?;
        }
    }
    sbom::write(&release)?;
    signature(native, &release)?;
    archive::checksums(&release.folder)?;
    if request.check {
        clean_root::check(&release)?;
    }
    if not_built.is_empty() {
        println!("== {} is complete", release.folder.display());
    } else {
        println!("== {} has everything but what was not built:", release.folder.display());
        not_built.iter().for_each(|(target, why)| println!("   {}: not built: {why}", target.triple));
    }
    Ok(())
}

/// What came of building for several systems.
struct Builds {
    builds: Vec<Build>,
    not_built: Vec<(Target, String)>,
}

/// Builds for every system. Those that a release may lack are reported where they fail; the others end the run.
fn try_all(targets: &[Target], build: impl Fn(Target) -> anyhow::Result<Build>) -> anyhow::Result<Builds> {
    let mut done = Builds { builds: Vec::new(), not_built: Vec::new() };
    for target in targets {
        match build(*target) {
            Ok(build) => done.builds.push(build),
            Err(error) if target.is_optional() => {
                println!("== {}: not built: {error:#}", target.triple);
                done.not_built.push((*target, format!("{error:#}")));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// The built program must search as the file BENCH states, which is then part of the release.
fn signature(build: &Build, release: &Release) -> anyhow::Result<()> {
    println!("== the built program's fixed searches");
    let bench = shell::root().join("BENCH");
    shell::run(shell::program(&build.program.to_string_lossy()).args(["bench", "--check"]).arg(&bench))?;
    std::fs::copy(bench, release.folder.join("BENCH"))?;
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_targets_that_a_release_may_lack_fail_quietly() {
        let failing = |name: &'static str| {
            try_all(build::TARGETS, move |target| {
                if target.triple.contains(name) {
                    bail!("no linker");
                }
                Ok(Build { target, program: PathBuf::new() })
            })
        };
        let done = failing("apple").unwrap();
        assert_eq!(done.builds.len(), build::TARGETS.len() - 1);
        assert_eq!(
            (done.not_built[0].0.triple, &*done.not_built[0].1),
            ("aarch64-apple-darwin", "no linker")
        );
        assert!(failing("linux").is_err());
        assert_eq!(failing("nothing").unwrap().builds.len(), build::TARGETS.len());
    }
}
