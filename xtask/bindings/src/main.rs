//! `bindings MODULE.wasm FOLDER`: writes the module for a browser and the JavaScript that loads it.
//!
//! What the `wasm-bindgen` program does, as a library, so that `Cargo.lock` pins it to the version the module was
//! built with. A package of its own because it takes a while to build and few chores need it.

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = args.as_slice() else { bail!("usage: bindings MODULE.wasm FOLDER") };
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(true)
        .generate(folder)
        .with_context(|| format!("cannot write the bindings of {module}"))
}
