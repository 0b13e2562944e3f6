//! The engines in the page: `crates/wasm` built for browsers, with its bindings, put into `web/dist` by
//! `web/scripts/engine.mjs`.

use crate::shell::{self, cargo};
use crate::{setup, web};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// How much the compiler may cost.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Effort {
    /// One module for every browser, without link-time optimisation and binaryen: to try Tengen from a clean clone.
    Quick,
    /// What is served and shipped.
    Full,
}

/// Builds of the module: browsers without relaxed SIMD need one without it.
const BUILDS: [(&str, &str); 2] = [("relaxed", "+simd128,+relaxed-simd"), ("simd", SIMD)];
const SIMD: &str = "+simd128";

/// Builds the engines and puts them into `web/dist`. Where the target cannot be had, the app has the server's only.
pub(crate) fn build(effort: Effort) -> anyhow::Result<()> {
    if setup::rust_target(TARGET).is_err() {
        println!("no engines in the page: rustup cannot add {TARGET}; the app uses the server's");
        let _ = fs::remove_file(shell::root().join("web/dist/engine.json"));
        return Ok(());
    }
    web::add_engine(&modules(effort).iter().map(module).collect::<anyhow::Result<Vec<_>>>()?)
}

/// One build of the module.
struct Module {
    features: &'static str,
    profile: &'static str,
    target_dir: PathBuf,
    /// The folder for it and its bindings.
    bound: PathBuf,
}

fn modules(effort: Effort) -> Vec<Module> {
    let target_dir = shell::root().join("target");
    let page = target_dir.join("page");
    if effort == Effort::Quick {
        // Beside the program, so that what both need on this machine is built once.
        return vec![Module { features: SIMD, profile: "release", target_dir, bound: page.join("quick") }];
    }
    let full = |(name, features)| {
        // Folders of their own: other flags would have everything built again each time.
        let target_dir = page.join(name);
        Module { features, profile: "wasm", bound: target_dir.join("bound"), target_dir }
    };
    BUILDS.into_iter().map(full).collect()
}

/// Clippy for the target of the page.
pub(crate) fn clippy() -> anyhow::Result<()> {
    if setup::rust_target(TARGET).is_err() {
        return shell::skip("clippy of the engines in the page: rustup cannot add their target");
    }
    let args = ["clippy", "--package", "tengen-wasm", "--target", TARGET, "--", "--deny", "warnings"];
    shell::run(cargo().args(args))
}

/// Builds a module; the folder with its bindings, written anew if the module changed.
fn module(module: &Module) -> anyhow::Result<PathBuf> {
    let Module { features, profile, target_dir, bound } = module;
    let flags = format!("-C target-feature={features} -C link-arg=-zstack-size=4194304");
    let args =
        ["build", "--package", "tengen-wasm", "--target", TARGET, "--profile", profile, "--target-dir"];
    let mut cargo_build = cargo();
    cargo_build.args(args).arg(target_dir).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
    shell::run(&mut cargo_build)?;
    let built = target_dir.join(TARGET).join(profile).join("tengen_wasm.wasm");
    let time = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    if time(&bound.join("tengen_wasm_bg.wasm")) < time(&built) {
        fs::create_dir_all(bound)?;
        shell::run(cargo().args(["run", "--quiet", "--package", "bindings", "--"]).arg(&built).arg(bound))?;
    }
    Ok(bound.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_run_builds_one_module_without_link_time_optimisation() {
        let manifest = fs::read_to_string(shell::root().join("Cargo.toml")).unwrap();
        let profile = |name: &str| {
            let (_, rest) = manifest.split_once(&format!("[profile.{name}]\n")).unwrap();
            rest.split("\n[").next().unwrap().to_string()
        };
        let quick = modules(Effort::Quick);
        assert_eq!(quick.len(), 1);
        assert!(!profile(quick[0].profile).contains("lto"));
        // Without relaxed SIMD it runs in every browser.
        assert_eq!(quick[0].features, SIMD);
        let full = modules(Effort::Full);
        assert_eq!(full.len(), 2);
        assert!(full.iter().all(|module| profile(module.profile).contains("lto = \"fat\"")));
        assert_ne!(full[0].bound, full[1].bound);
    }
}
