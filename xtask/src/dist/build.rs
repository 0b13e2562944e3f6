//! Builds the program for a target, the same bytes in every folder, and splits off its debug symbols.

use super::Release;
use crate::{setup, shell};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};

/// A system that programs are built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Rust's name.
    pub(super) triple: &'static str,
    /// Debian's name of the architecture, if there are Linux packages.
    pub(super) debian: Option<&'static str>,
    linker: Linker,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linker {
    /// cargo-zigbuild: zig is C compiler and linker for every system.
    Zig,
    /// GCC of the mingw-w64 project.
    Mingw,
}

pub(super) const TARGETS: &[Target] = &[
    Target { triple: "x86_64-unknown-linux-musl", debian: Some("amd64"), linker: Linker::Zig },
    Target { triple: "aarch64-unknown-linux-musl", debian: Some("arm64"), linker: Linker::Zig },
    Target { triple: "x86_64-pc-windows-gnu", debian: None, linker: Linker::Mingw },
    Target { triple: "aarch64-apple-darwin", debian: None, linker: Linker::Zig },
];

impl Target {
    pub(super) fn named(name: &str) -> anyhow::Result<Target> {
        let known = || TARGETS.iter().map(|target| target.triple).collect::<Vec<_>>().join(", ");
        let found = TARGETS.iter().find(|target| target.triple == name).copied();
        found.with_context(|| format!("unknown target '{name}'; accepted: {}", known()))
    }

    pub(super) fn runs_here(self) -> bool {
        self.triple == "x86_64-unknown-linux-musl" && cfg!(all(target_arch = "x86_64", target_os = "linux"))
    }

    /// May a release lack it? Linux is what packages and images are made of.
    pub(super) fn is_optional(self) -> bool {
        self.debian.is_none()
    }

    fn program(self) -> &'static str {
        if self.triple.contains("windows") { "tengen.exe" } else { "tengen" }
    }
}

/// A built program.
pub(super) struct Build {
    pub(super) target: Target,
    /// Without debug symbols, which are in `dist/`.
    pub(super) program: PathBuf,
}

pub(super) fn build(target: Target, profile: &str, release: &Release) -> anyhow::Result<Build> {
    println!("== building for {}", target.triple);
    setup::rust_target(target.triple)?;
    let root = shell::root();
    let mut cargo = match target.linker {
        Linker::Zig => {
            let mut cargo = setup::cargo_zigbuild()?;
            cargo.arg("zigbuild");
            cargo
        }
        Linker::Mingw => {
            if !shell::works(shell::program("x86_64-w64-mingw32-gcc").arg("--version")) {
                setup::install(&["gcc-mingw-w64-x86-64"])?;
            }
            let mut cargo = shell::cargo();
            cargo.arg("build");
            cargo
        }
    };
    cargo.args(["--locked", "--package", "tengen", "--profile", profile, "--target", target.triple]);
    let moved = moved_paths(&root)?;
    let flags: Vec<String> =
        moved.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect();
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    let flags: Vec<String> =
        moved.iter().map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display())).collect();
    cargo.env(format!("CFLAGS_{}", target.triple.replace('-', "_")), flags.join(" "));
    cargo.env("SOURCE_DATE_EPOCH", &release.time);
    shell::run(&mut cargo)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let built = root.join("target").join(target.triple).join(folder).join(target.program());
    split(&built, target, release)
}

/// Folders of this machine and what to call them in the program.
fn moved_paths(root: &Path) -> anyhow::Result<Vec<(PathBuf, &'static str)>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    Ok(vec![(root.to_path_buf(), "/tengen"), (home.context("there is no home folder")?, "/cargo")])
}

/// Moves the debug symbols into a file of their own in `dist/`.
fn split(built: &Path, target: Target, release: &Release) -> anyhow::Result<Build> {
    let sysroot = PathBuf::from(shell::output(shell::program("rustc").args(["--print", "sysroot"]))?);
    let path = objcopy(&sysroot)?;
    let objcopy = || {
        let mut command = shell::program(&path.to_string_lossy());
        // It shares Rust's own LLVM.
        command.env("LD_LIBRARY_PATH", sysroot.join("lib"));
        command
    };
    let folder = release.scratch(target.triple)?;
    let program = folder.join(target.program());
    if target.triple.contains("apple") {
        // Symbols of macOS stay in the object files; the program has none to split.
        shell::run(objcopy().arg("--strip-debug").arg(built).arg(&program))?;
        return Ok(Build { target, program });
    }
    let symbols = release.folder.join(format!("tengen-{}-{}.debug", release.version, target.triple));
    shell::run(
        objcopy().args(["--only-keep-debug", "--compress-debug-sections=zlib"]).arg(built).arg(&symbols),
    )
    .or_else(|_| shell::run(objcopy().arg("--only-keep-debug").arg(built).arg(&symbols)))?;
    shell::run(objcopy().arg("--strip-all").arg(built).arg(&program))?;
    // A debugger finds the symbols by this name beside the program.
    let link = format!("--add-gnu-debuglink={}", symbols.display());
    shell::run(objcopy().arg(link).arg(&program))?;
    Ok(Build { target, program })
}

/// The objcopy that comes with Rust and knows every format.
fn objcopy(sysroot: &Path) -> anyhow::Result<PathBuf> {
    let rustlib = sysroot.join("lib/rustlib");
    let mut folders =
        std::fs::read_dir(&rustlib)?.flatten().map(|entry| entry.path().join("bin/rust-objcopy"));
    match folders.find(|path| path.is_file()) {
        Some(path) => Ok(path),
        None => bail!("this Rust has no rust-objcopy below {}", rustlib.display()),
    }
}
