//! `tengen man DIR`

use anyhow::Context;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder to write into
    dir: PathBuf,
}

pub(crate) fn run(args: &Args, command: clap::Command) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.dir).with_context(|| args.dir.display().to_string())?;
    clap_mangen::generate_to(command, &args.dir).with_context(|| args.dir.display().to_string())
}
