//! `cargo xtask run`: set up, build, start.

use crate::engine::Effort;
use crate::{shell, web};

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    println!("[1/3] web app");
    web::build_with(Effort::Quick)?;
    println!("[2/3] program (some minutes the first time; cargo shows how far it is)");
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    println!("[3/3] start");
    let tengen = shell::root().join("target/release/tengen");
    // Options alone are for the server: `cargo xtask run --addr …`.
    let serve = args.first().is_none_or(|word| word.starts_with('-'));
    let mut command = shell::program(&tengen.to_string_lossy());
    if serve {
        // A checkout keeps its own database, apart from an installed Tengen's.
        command.arg("serve").env("TENGEN_DATA", shell::root().join(".data"));
    }
    shell::run(command.args(args))
}
