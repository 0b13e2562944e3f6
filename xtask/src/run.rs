//! `cargo xtask run`: set up, build, start.

use crate::{shell, web};

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    web::build()?;
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    let tengen = shell::root().join("target/release/tengen");
    shell::run(shell::program(&tengen.to_string_lossy()).args(args))
}
