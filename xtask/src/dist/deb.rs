//! The Debian package: the program, its service with a user of its own, configuration and documents.

use super::Release;
use super::archive;
use super::build::Build;
use super::contents::Document;
use crate::shell;
use std::fmt::Write;
use std::path::Path;

const MAINTAINER: &str = "Tengen developers <tengen@localhost>";

/// Writes `dist/tengen_VERSION_ARCHITECTURE.deb`.
pub(super) fn package(
    build: &Build,
    architecture: &str,
    documents: &[Document],
    release: &Release,
) -> anyhow::Result<()> {
    let packaging = shell::root().join("packaging");
    let data = release.scratch("deb/data")?;
    archive::place(&data, "usr/bin/tengen", &std::fs::read(&build.program)?, 0o755)?;
    for document in documents {
        archive::place(&data, &format!("usr/share/{}", document.path), &document.bytes, 0o644)?;
    }
    archive::place(&data, "usr/share/doc/tengen/copyright", copyright().as_bytes(), 0o644)?;
    for (file, path) in [
        ("tengen.service", "lib/systemd/system/tengen.service"),
        ("tengen.toml", "etc/tengen/tengen.toml"),
        ("classes.conf", "usr/share/doc/tengen/examples/classes.conf"),
    ] {
        archive::place(&data, path, &std::fs::read(packaging.join(file))?, 0o644)?;
    }
    archive::open_folders(&data)?;

    let control = release.scratch("deb/control")?;
    let size = size_kib(&data)?;
    let fields = format!(
        "Package: tengen\nVersion: {}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\n\
         Installed-Size: {size}\nDepends: adduser\nRecommends: bubblewrap, ca-certificates\nSection: games\nPriority: optional\n\
         Description: play, analyse, referee and watch game-tree and path search\n \
         Engines and solvers for Gomoku and Hex, path search in mazes and grid maps,\n \
         matches between engines, and a server with a web app.\n",
        release.version
    );
    archive::place(&control, "control", fields.as_bytes(), 0o644)?;
    archive::place(&control, "conffiles", b"/etc/tengen/tengen.toml\n", 0o644)?;
    archive::place(&control, "md5sums", md5sums(&data)?.as_bytes(), 0o644)?;
    for script in ["postinst", "prerm", "postrm"] {
        archive::place(&control, script, &std::fs::read(packaging.join("deb").join(script))?, 0o755)?;
    }
    archive::open_folders(&control)?;

    let parts = release.scratch("deb/parts")?;
    let pack = |tree: &Path, name: &str| {
        archive::tar(tree, &parts.join(name), &release.time)?;
        Ok::<_, anyhow::Error>(std::fs::read(archive::gzip(&parts.join(name))?)?)
    };
    let (control, data) = (pack(&control, "control.tar")?, pack(&data, "data.tar")?);
    let members: [(&str, &[u8]); 3] =
        [("debian-binary", b"2.0\n"), ("control.tar.gz", &control), ("data.tar.gz", &data)];
    let name = format!("tengen_{}_{architecture}.deb", release.version);
    archive::ar(&release.folder.join(name), &members, &release.time)
}

fn copyright() -> String {
    let mut text = String::from(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: tengen\n\nFiles: *\nCopyright: the Tengen developers\nLicense: MIT or Apache-2.0\n",
    );
    let _ = writeln!(
        text,
        " The texts are in LICENSE-MIT and LICENSE-APACHE beside this file, those of\n \
         third-party software in THIRD-PARTY.txt."
    );
    text
}

fn size_kib(tree: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for file in archive::files(tree)? {
        bytes += file.metadata()?.len();
    }
    Ok(bytes.div_ceil(1024))
}

fn md5sums(tree: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    for file in archive::files(tree)? {
        let path = file.strip_prefix(tree)?;
        if !path.starts_with("etc") {
            text += &shell::output(shell::program("md5sum").arg(path).current_dir(tree))?;
            text.push('\n');
        }
    }
    Ok(text)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// What postinst asks of systemctl, with every program that it calls replaced by one that does nothing.
    fn asked_of_systemctl(args: &[&str]) -> Vec<String> {
        let folder =
            std::env::temp_dir().join(format!("tengen-postinst-{}-{}", std::process::id(), args.len()));
        std::fs::create_dir_all(&folder).unwrap();
        let log = folder.join("log");
        for program in ["getent", "adduser", "install", "chgrp", "chmod", "systemctl"] {
            let script = format!("#!/bin/sh\necho {program} $* >> {}\n", log.display());
            archive::place(&folder, program, script.as_bytes(), 0o755).unwrap();
        }
        let script = std::fs::read_to_string(shell::root().join("packaging/deb/postinst")).unwrap();
        let script = script.replace("/run/systemd/system", &folder.to_string_lossy());
        let path = format!("{}:/usr/bin:/bin", folder.display());
        shell::run(shell::program("sh").args(["-c", &script, "postinst"]).args(args).env("PATH", path))
            .unwrap();
        let said = std::fs::read_to_string(&log).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        said.lines().filter_map(|line| line.strip_prefix("systemctl ")).map(str::to_string).collect()
    }

    #[test]
    fn an_upgrade_leaves_a_stopped_service_stopped() {
        let new = ["daemon-reload", "enable --quiet tengen.service", "restart tengen.service"];
        assert_eq!(asked_of_systemctl(&["configure"]), new);
        assert_eq!(
            asked_of_systemctl(&["configure", "0.1.0"]),
            ["daemon-reload", "try-restart tengen.service"]
        );
    }

    /// Each line of the drop-in for courses lifts a restriction that the unit has, or adds to one.
    #[test]
    fn the_drop_in_for_courses_belongs_to_the_unit() {
        let read = |name: &str| std::fs::read_to_string(shell::root().join("packaging").join(name)).unwrap();
        let (unit, drop_in) = (read("tengen.service"), read("classes.conf"));
        let settings =
            drop_in.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
        let mut names: Vec<&str> = settings.map(|(name, _)| name).collect();
        assert!(names.iter().all(|name| unit.contains(&format!("\n{name}="))), "{names:?}");
        names.dedup();
        for name in
            ["RestrictNamespaces", "SystemCallFilter", "MemoryDenyWriteExecute", "ProtectKernelTunables"]
        {
            assert!(names.contains(&name), "{name}");
        }
    }
}
