//! `cargo xtask run`: set up, build, start.

use crate::{shell, web};

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    web::build()?;
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    let tengen = shell::root().join("target/release/tengen");
    // Options alone are for the server: `cargo xtask run --addr …`.
    let serve = args.first().is_none_or(|word| word.starts_with('-')).then_some("serve");
    shell::run(shell::program(&tengen.to_string_lossy()).args(serve).args(args))
}
