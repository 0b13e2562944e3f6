//! `cargo xtask load`: the load generator of the server, against a release build on this machine.

use crate::{shell, web};

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    web::build()?;
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    let load = ["run", "--release", "--package", "tengen-server", "--example", "load", "--", "--tengen"];
    shell::run(shell::cargo().args(load).arg(shell::root().join("target/release/tengen")).args(args))
}
