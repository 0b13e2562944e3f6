//! `tengen completions SHELL`

use clap_complete::Shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell to complete for
    shell: Shell,
}

pub(crate) fn run(args: &Args, command: &mut clap::Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "tengen", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Ok(())
}
