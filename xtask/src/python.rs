//! The Python package's chores: a virtual environment, the wheel, its tests.

use crate::setup;
use crate::shell::{self, program};
use anyhow::bail;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests use, from PyPI. The package itself needs none of it.
const PACKAGES: &[&str] =
    &["maturin", "pytest", "mypy", "numpy", "pettingzoo", "gymnasium", "nbclient", "nbformat", "ipykernel"];

/// Largest wheel, in bytes.
const LARGEST: u64 = 20_000_000;

/// Builds the package into an environment of its own and runs its tests: boards, engines, matches, batches,
/// PettingZoo's own test, the type stubs, and the lessons as notebooks.
pub(crate) fn test() -> anyhow::Result<()> {
    let Some(python) = environment()? else {
        return shell::skip("the Python package: no Python 3.9 or newer");
    };
    let package = shell::root().join("crates/python");
    shell::run(in_environment(&python, "maturin").args(["develop", "--quiet"]).current_dir(&package))?;
    shell::run(
        in_environment(&python, "pytest").args(["--quiet", "-p", "no:cacheprovider"]).current_dir(&package),
    )?;
    let types = ["--no-incremental", "--package", "tengen"];
    shell::run(in_environment(&python, "mypy").args(types).current_dir(&package))?;
    shell::run(in_environment(&python, "stubtest").arg("tengen._tengen").current_dir(&package))
}

/// Builds the release wheel into `target/wheels` and checks its size.
pub(crate) fn wheel() -> anyhow::Result<()> {
    let Some(python) = environment()? else { bail!("a wheel needs Python 3.9 or newer with venv") };
    let folder = shell::root().join("target/wheels");
    let package = shell::root().join("crates/python");
    let build = ["build", "--release", "--out"];
    shell::run(in_environment(&python, "maturin").args(build).arg(&folder).current_dir(package))?;
    for entry in std::fs::read_dir(&folder)? {
        let (path, size) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?.len())))?;
        println!("{} {:.1} MB", path.display(), size as f64 / 1e6);
        if size > LARGEST {
            bail!("{} is larger than {LARGEST} bytes", path.display());
        }
    }
    Ok(())
}

/// The environment's folder of programs, with everything in it; `None` without Python.
fn environment() -> anyhow::Result<Option<PathBuf>> {
    setup::python("target/python-venv", PACKAGES)
}

/// A program of the environment.
fn in_environment(bin: &Path, name: &str) -> Command {
    let mut command = program(&bin.join(name).to_string_lossy());
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", bin.display())).env("VIRTUAL_ENV", bin.parent().unwrap_or(bin));
    command
}
