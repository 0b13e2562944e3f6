//! Installs what the chores need and the machine lacks: Node.js for the web app, Chromium, PostgreSQL, NATS, bubblewrap and
//! compilers for the tests.

use crate::shell::{self, program, works};
use anyhow::{Context, bail};
use std::path::PathBuf;
use std::process::Command;

/// The oldest Node.js that builds the web app.
const NODE: (u32, u32) = (20, 19);

/// A PATH on which a new enough `node` and `npm` come first.
pub(crate) fn node_path() -> anyhow::Result<String> {
    let path = std::env::var("PATH").unwrap_or_default();
    if node_version("node").is_none() || !works(program("npm").arg("--version")) {
        install(&["nodejs", "npm"]).context("the web app is built with Node.js and npm")?;
    }
    if node_version("node").is_some_and(|version| version >= NODE) {
        return Ok(path);
    }
    // Distributions are behind; the package named `node` carries a newer one.
    let tools = shell::root().join("target/tools");
    let bin = tools.join("node_modules/node/bin");
    if node_version(&bin.join("node").to_string_lossy()).is_none_or(|version| version < NODE) {
        println!("installing a newer Node.js into target/tools");
        std::fs::create_dir_all(&tools)?;
        shell::run(program("npm").args(["install", "--no-save", "--prefix"]).arg(&tools).arg("node@22"))?;
    }
    Ok(format!("{}:{path}", bin.display()))
}

/// Is this a CI run, in which a check that cannot run is a failure?
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Chromium's program, installed if it can be; `None` where neither is possible.
pub(crate) fn chromium() -> Option<PathBuf> {
    let find = || {
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
            .into_iter()
            .map(PathBuf::from)
            .find(|path| path.exists())
    };
    find().or_else(|| {
        if let Err(error) = install(&["chromium"]) {
            println!("Chromium is missing and could not be installed: {error:#}");
        }
        find()
    })
}

/// Rust's standard library for another system.
pub(crate) fn rust_target(target: &str) -> anyhow::Result<()> {
    let sysroot = PathBuf::from(shell::output(program("rustc").args(["--print", "sysroot"]))?);
    if sysroot.join("lib/rustlib").join(target).join("lib").is_dir() {
        return Ok(());
    }
    shell::run(program("rustup").args(["target", "add", target]))
}

/// Another version of Rust.
pub(crate) fn toolchain(version: &str) -> anyhow::Result<()> {
    if works(program("rustup").args(["run", version, "rustc", "--version"])) {
        return Ok(());
    }
    shell::run(program("rustup").args(["toolchain", "install", version, "--profile", "minimal"]))
}

/// cargo-zigbuild, by which zig is the C compiler and linker for every system.
pub(crate) fn cargo_zigbuild() -> anyhow::Result<Command> {
    let tools = python("target/tools/python", &["ziglang", "cargo-zigbuild"])?
        .context("zig is a package of Python, which is missing")?;
    let path = std::env::var("PATH").unwrap_or_default();
    let mut cargo = program(&tools.join("cargo-zigbuild").to_string_lossy());
    cargo.env("PATH", format!("{}:{path}", tools.display()));
    Ok(cargo)
}

/// A virtual environment of Python in `folder` with these packages: its folder of programs; `None` without Python.
pub(crate) fn python(folder: &str, packages: &[&str]) -> anyhow::Result<Option<PathBuf>> {
    let path = shell::root().join(folder);
    let bin = path.join("bin");
    let python = || program(&bin.join("python").to_string_lossy());
    let new_enough = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))";
    if !works(python().args(["-c", new_enough])) {
        let there = || works(program("python3").args(["-c", new_enough]));
        if !there()
            && let Err(error) = install(&["python3", "python3-venv"])
        {
            println!("Python is missing and could not be installed: {error:#}");
        }
        if !there() {
            return Ok(None);
        }
        shell::run(program("python3").args(["-m", "venv"]).arg(&path))?;
    }
    // The stamp names what is installed, so that a longer list is noticed.
    let (stamp, wanted) = (path.join("tengen-packages"), packages.join(" "));
    if std::fs::read_to_string(&stamp).ok().as_deref() != Some(&*wanted) {
        println!("installing {wanted} into {folder}");
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        shell::run(python().args(pip).args(packages))?;
        std::fs::write(&stamp, &wanted).with_context(|| folder.to_string())?;
    }
    Ok(Some(bin))
}

fn node_version(node: &str) -> Option<(u32, u32)> {
    let output = Command::new(node).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.trim().trim_start_matches('v').split('.').map(|word| word.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// What student programs are compiled and contained with: the sandbox and the languages of the sample class.
pub(crate) fn class_tools() {
    let tools = [
        ("bwrap", "bubblewrap"),
        ("gcc", "gcc"),
        ("g++", "g++"),
        ("python3", "python3"),
        ("javac", "default-jdk-headless"),
        ("node", "nodejs"),
    ];
    let missing: Vec<&str> =
        tools.iter().filter(|tool| !works(program(tool.0).arg("--version"))).map(|tool| tool.1).collect();
    if !missing.is_empty()
        && let Err(error) = install(&missing)
    {
        println!("{} missing and could not be installed: {error:#}", missing.join(", "));
    }
}

/// Installs packages of the system, where it is Debian's kind and we may.
pub(crate) fn install(packages: &[&str]) -> anyhow::Result<()> {
    if !works(program("apt-get").arg("--version")) {
        bail!("please install: {}", packages.join(", "));
    }
    let sudo = !works(program("test").args(["-w", "/usr/bin"]));
    let apt = |args: &[&str]| {
        let mut command = if sudo { program("sudo") } else { program("apt-get") };
        if sudo {
            command.arg("apt-get");
        }
        shell::run(command.args(args).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    println!("installing {}", packages.join(", "));
    apt(&["update", "-qq"])?;
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"], packages].concat())
}
