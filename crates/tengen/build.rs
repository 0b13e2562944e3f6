//! Tells the program which commit it was built from, for which system and how.

use std::process::Command;

fn main() {
    // Packages are built from an archive without a repository; they set the variable.
    println!("cargo::rerun-if-env-changed=TENGEN_COMMIT");
    let commit =
        std::env::var("TENGEN_COMMIT").ok().or_else(commit).unwrap_or_else(|| "unknown commit".into());
    println!("cargo::rustc-env=TENGEN_COMMIT={commit}");
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=TENGEN_TARGET={target}");
    let optimised = std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    // The server embeds what is there; its placeholder has no assets.
    println!("cargo::rerun-if-changed=../../web/dist");
    let web = std::path::Path::new("../../web/dist/assets").is_dir();
    let kind = if optimised { "release" } else { "debug" };
    println!("cargo::rustc-env=TENGEN_BUILD={kind}, {}", if web { "web app" } else { "no web app" });
}

fn commit() -> Option<String> {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
    };
    // HEAD's log changes with every commit and checkout, also in a linked worktree.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) =
            git(&["rev-parse", "--git-path", name]).filter(|path| std::path::Path::new(path).exists())
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}
