//! The container image, written without a daemon: an OCI image layout in a tar file, with one layer.
//!
//! `podman load -i FILE` and `skopeo copy oci-archive:FILE …` read it.

use super::Release;
use super::archive;
use super::build::Build;
use super::contents::Document;
use serde_json::{Value, json};
use std::path::Path;

/// The user in the image; no name is needed.
const USER: &str = "65532:65532";

/// Writes `dist/tengen-VERSION-ARCHITECTURE.oci.tar`.
pub(super) fn image(
    build: &Build,
    architecture: &str,
    documents: &[Document],
    release: &Release,
) -> anyhow::Result<()> {
    let tree = release.scratch("oci/root")?;
    archive::place(&tree, "usr/bin/tengen", &std::fs::read(&build.program)?, 0o755)?;
    for document in documents.iter().filter(|document| document.path.starts_with("doc/")) {
        archive::place(&tree, &format!("usr/share/{}", document.path), &document.bytes, 0o644)?;
    }
    for folder in ["tmp", "data"] {
        std::fs::create_dir_all(tree.join(folder))?;
    }
    archive::open_folders(&tree)?;
    // Whatever user the container runs as must be able to write here; the program makes its own files private.
    archive::set_mode(&tree.join("data"), 0o1777)?;
    archive::set_mode(&tree.join("tmp"), 0o1777)?;

    let layout = release.scratch("oci/layout")?;
    let layer = layout.join("layer.tar");
    archive::tar(&tree, &layer, &release.time)?;
    let diff = archive::sha256(&layer)?;
    let layer = blob(&layout, &std::fs::read(archive::gzip(&layer)?)?)?;
    std::fs::remove_file(layout.join("layer.tar.gz"))?;
    let config = json!({
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": USER,
            "ExposedPorts": { "7878/tcp": {} },
            "Env": ["PATH=/usr/bin", "TENGEN_ADDR=0.0.0.0:7878", "TENGEN_DATA=/data", "TENGEN_PUBLIC=true", "TENGEN_ORIGIN=http://localhost:7878"],
            "Entrypoint": ["/usr/bin/tengen"],
            "Cmd": ["serve"],
            "Volumes": { "/data": {} },
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "tengen",
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{diff}")] },
        "history": [{ "created_by": "cargo xtask dist" }],
    });
    let config = json_blob(&layout, &config)?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": descriptor("config.v1+json", &config),
        "layers": [descriptor("layer.v1.tar+gzip", &layer)],
    });
    let manifest = json_blob(&layout, &manifest)?;
    let mut entry = descriptor("manifest.v1+json", &manifest);
    entry["platform"] = json!({ "architecture": architecture, "os": "linux" });
    entry["annotations"] =
        json!({ "org.opencontainers.image.ref.name": format!("tengen:{}", release.version) });
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [entry],
    });
    std::fs::write(layout.join("index.json"), index.to_string())?;
    std::fs::write(layout.join("oci-layout"), r#"{"imageLayoutVersion":"1.0.0"}"#)?;
    archive::open_folders(&layout)?;
    let name = format!("tengen-{}-{architecture}.oci.tar", release.version);
    archive::tar(&layout, &release.folder.join(name), &release.time)
}

/// A blob by its content: digest and length.
struct Blob {
    digest: String,
    size: usize,
}

fn blob(layout: &Path, bytes: &[u8]) -> anyhow::Result<Blob> {
    let folder = layout.join("blobs/sha256");
    std::fs::create_dir_all(&folder)?;
    let temporary = folder.join("new");
    std::fs::write(&temporary, bytes)?;
    archive::set_mode(&temporary, 0o644)?;
    let digest = archive::sha256(&temporary)?;
    std::fs::rename(temporary, folder.join(&digest))?;
    Ok(Blob { digest, size: bytes.len() })
}

fn json_blob(layout: &Path, value: &Value) -> anyhow::Result<Blob> {
    blob(layout, value.to_string().as_bytes())
}

fn descriptor(kind: &str, blob: &Blob) -> Value {
    json!({
        "mediaType": format!("application/vnd.oci.image.{kind}"),
        "digest": format!("sha256:{}", blob.digest),
        "size": blob.size,
    })
}
