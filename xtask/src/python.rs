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

/// Builds the release wheel into `target/wheels` and checks what is promised of it: one file for every Python from
/// 3.9 on, its size, that it installs without a network and plays, and how fast it is.
pub(crate) fn wheel() -> anyhow::Result<()> {
    let Some(python) = environment()? else { bail!("a wheel needs Python 3.9 or newer with venv") };
    let folder = shell::root().join("target/wheels");
    let package = shell::root().join("crates/python");
    // Those of other versions are not what is checked.
    let _ = std::fs::remove_dir_all(&folder);
    let build = ["build", "--release", "--out"];
    shell::run(in_environment(&python, "maturin").args(build).arg(&folder).current_dir(&package))?;
    let built: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    let [wheel] = built.as_slice() else { bail!("not one wheel: {built:?}") };
    let size = wheel.metadata()?.len();
    println!("{} {:.1} MB", wheel.display(), size as f64 / 1e6);
    if size > LARGEST {
        bail!("the wheel is larger than {LARGEST} bytes");
    }
    let name = wheel.file_name().unwrap_or_default().to_string_lossy();
    if !name.contains("-abi3-") || cfg!(target_os = "linux") && !name.contains("linux") {
        bail!("{name} is not for every Python; accepted: -abi3- and, on Linux, a manylinux or linux tag");
    }
    let fresh = shell::root().join("target/python-fresh");
    let _ = std::fs::remove_dir_all(&fresh);
    shell::run(in_environment(&python, "python").args(["-m", "venv"]).arg(&fresh))?;
    let own = || program(&fresh.join("bin/python").to_string_lossy());
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"];
    shell::run(own().args(install).arg(wheel))?;
    // In the folder of the tests, where no sources are found instead of what was installed.
    let tests = package.join("tests");
    shell::run(own().arg("figures.py").current_dir(&tests))?;
    // NumPy is the other environment's, the package the fresh one's.
    let ask = "import sysconfig; print(sysconfig.get_path('platlib'))";
    let installed = shell::output(own().args(["-c", ask]))?;
    let mut batch = in_environment(&python, "python");
    shell::run(batch.arg("test_batch.py").env("PYTHONPATH", installed).current_dir(&tests))
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
