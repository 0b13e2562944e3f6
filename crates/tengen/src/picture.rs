//! Pictures on disk: SVG as it is, PNG by way of resvg.

use crate::output;
use crate::usage::usage;
use anyhow::Context;
use resvg::{tiny_skia, usvg};
use std::path::Path;

/// Writes an SVG text to `path`, in the format of its extension: `.svg` or `.png`.
pub(crate) fn write(svg: &str, path: &Path) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let bytes = match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => svg.as_bytes().to_vec(),
        Some("png") => png(svg).with_context(|| name)?,
        _ => usage!("{name}: unknown picture format; accepted endings: .svg, .png"),
    };
    output::write_file(path, &bytes)
}

/// Turns an SVG text into a PNG file.
fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default())?;
    let size = tree.size().to_int_size();
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).context("the picture has no size")?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}
