//! The engines in the page: `crates/wasm` built for browsers, with its bindings, put into `web/dist` by
//! `web/scripts/engine.mjs`.

use crate::shell::{self, cargo};
use crate::{setup, web};
use std::fs;
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds of the module: browsers without relaxed SIMD need one without it.
const BUILDS: [(&str, &str); 2] = [("relaxed", "+simd128,+relaxed-simd"), ("simd", "+simd128")];

/// Builds the engines and puts them into `web/dist`. Where the target cannot be had, the app has the server's only.
pub(crate) fn build() -> anyhow::Result<()> {
    if setup::rust_target(TARGET).is_err() {
        println!("no engines in the page: rustup cannot add {TARGET}; the app uses the server's");
        let _ = fs::remove_file(shell::root().join("web/dist/engine.json"));
        return Ok(());
    }
    let folders = BUILDS.iter().map(|(name, features)| module(name, features));
    web::add_engine(&folders.collect::<anyhow::Result<Vec<_>>>()?)
}

/// Clippy for the target of the page.
pub(crate) fn clippy() -> anyhow::Result<()> {
    if setup::rust_target(TARGET).is_err() {
        return shell::skip("clippy of the engines in the page: rustup cannot add their target");
    }
    let args = ["clippy", "--package", "tengen-wasm", "--target", TARGET, "--", "--deny", "warnings"];
    shell::run(cargo().args(args))
}

/// One build of the module: the folder with its bindings, written anew if the module changed.
fn module(name: &str, features: &str) -> anyhow::Result<PathBuf> {
    // Folders of their own: other flags would have everything built again each time.
    let target = shell::root().join("target/page").join(name);
    let flags = format!("-C target-feature={features} -C link-arg=-zstack-size=4194304");
    let args = ["build", "--profile", "wasm", "--package", "tengen-wasm", "--target", TARGET, "--target-dir"];
    shell::run(cargo().args(args).arg(&target).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags))?;
    let built = target.join(TARGET).join("wasm/tengen_wasm.wasm");
    let bound = target.join("bound");
    let time = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    if time(&bound.join("tengen_wasm_bg.wasm")) < time(&built) {
        fs::create_dir_all(&bound)?;
        shell::run(cargo().args(["run", "--quiet", "--package", "bindings", "--"]).arg(&built).arg(&bound))?;
    }
    Ok(bound)
}
