//! Other systems and the oldest Rust: checked by the compiler only, so that they never rot.

use crate::setup;
use crate::shell;

/// Systems that the whole program must compile for.
const CHECKED: &[&str] = &["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// `cargo check` of the program for systems other than this one.
pub(crate) fn check() -> anyhow::Result<()> {
    for target in CHECKED {
        if let Err(error) = setup::rust_target(target) {
            return shell::skip(&format!("the check for {target}: {error:#}"));
        }
        println!("checking for {target}");
        // A dependency compiles C in its build script; zig has the headers of every system.
        let mut check = setup::cargo_zigbuild()?;
        check.args(["check", "--package", "tengen", "--target", target]);
        // Only linking needs SQLite.
        let no_sqlite = shell::root().join("target/no-sqlite");
        check.env("LIBSQLITE3_SYS_USE_PKG_CONFIG", "1").env("SQLITE3_LIB_DIR", no_sqlite);
        shell::run(&mut check)?;
    }
    Ok(())
}

/// `cargo check` of the program with the Rust that `Cargo.toml` calls the oldest.
pub(crate) fn oldest_rust() -> anyhow::Result<()> {
    let manifest = std::fs::read_to_string(shell::root().join("Cargo.toml"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.ok_or_else(|| anyhow::anyhow!("Cargo.toml names no rust-version"))?;
    if let Err(error) = setup::toolchain(version) {
        return shell::skip(&format!("the check with Rust {version}: {error:#}"));
    }
    // `rustup run`, because the cargo that runs us is no proxy that understands `+VERSION`.
    let check = ["run", version, "cargo", "check", "--locked", "--package", "tengen"];
    shell::run(
        shell::program("rustup")
            .args(check)
            .env_remove("CARGO")
            .env_remove("RUSTC")
            .env("CARGO_TARGET_DIR", shell::root().join("target/oldest-rust")),
    )
}
