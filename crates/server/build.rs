//! Makes sure that there is a web app to embed: the real one is built by `cargo xtask run`; without it the
//! server shows a page that says so.

use std::path::Path;

const PLACEHOLDER: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tengen</title>\
<h1>Tengen</h1><p>The web app is not part of this build; <code>cargo xtask run</code> builds it. \
The API is under <a href=\"/api/docs\">/api/docs</a>.</p></html>\n";

fn main() -> std::io::Result<()> {
    let dist = Path::new("../../web/dist");
    if !dist.join("index.html").exists() {
        std::fs::create_dir_all(dist)?;
        std::fs::write(dist.join("index.html"), PLACEHOLDER)?;
    }
    println!("cargo::rerun-if-changed=../../web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
