//! `cargo xtask site --out DIR [--base /path/]`: the app without a server, for any host of static files.

use crate::web;
use anyhow::bail;

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let (mut out, mut base) = (None, "/");
    let mut words = args.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match (word, words.next()) {
            ("--out", Some(folder)) => out = Some(folder),
            ("--base", Some(path)) if path.starts_with('/') && path.ends_with('/') => base = path,
            ("--base", _) => bail!("--base needs a path that begins and ends with /, such as /tengen/"),
            _ => bail!("usage: cargo xtask site --out DIR [--base /path/]"),
        }
    }
    let Some(out) = out else { bail!("usage: cargo xtask site --out DIR [--base /path/]") };
    // Relative to where the person is, not to where npm runs.
    web::site(&std::path::absolute(out)?, base)
}
