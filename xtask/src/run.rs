//! `cargo xtask run`: set up, build, start.

use crate::shell;

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    let tengen = shell::root().join("target/release/tengen");
    let mut command = shell::program(&tengen.to_string_lossy());
    if args.is_empty() {
        command.arg("tour");
    }
    shell::run(command.args(args))
}
