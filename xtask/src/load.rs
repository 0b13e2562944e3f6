//! `cargo xtask load`: thousands of games at once on a server of this machine, or kills under load.

use crate::shell::{self, cargo};

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    shell::run(cargo().args(["build", "--release", "--package", "tengen"]))?;
    let load = ["run", "--release", "--package", "tengen-server", "--example", "load", "--"];
    shell::run(cargo().args(load).args(["--tengen", "target/release/tengen"]).args(args))
}
