//! Safe unpacking of what students hand in: a source file, a zip or a tar archive, compressed or not.
//!
//! Nothing of an archive is trusted. Names are checked before anything is written, links and devices are refused,
//! and sizes are counted while unpacking, so that an archive that explodes stops at the limit.

use crate::submission::Tongue;
use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Component, Path, PathBuf};

/// What an archive may hold.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Files.
    pub files: usize,
    /// Bytes of all files together, unpacked.
    pub bytes: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { files: 500, bytes: 16 << 20 }
    }
}

/// Folders in folders.
const MAX_DEPTH: usize = 8;
/// Bytes of a name.
const MAX_NAME: usize = 200;

/// Why an archive is not accepted.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ArchiveError {
    /// Not an archive, or a broken one.
    #[error("the archive cannot be read: {0}")]
    Broken(String),
    /// A name that leads out of the folder, or is none.
    #[error("'{0}' in the archive is not a name inside it; accepted: relative paths without '..'")]
    Name(String),
    /// Names that are not UTF-8.
    #[error("a file name in the archive is not UTF-8 ('{0}'); rename it with plain letters and pack again")]
    Encoding(String),
    /// A link or a device.
    #[error("'{0}' in the archive is a link or a device; accepted: plain files and folders")]
    Kind(String),
    /// A file with the name of a folder.
    #[error("'{0}' in the archive is a file and a folder at once")]
    Clash(String),
    /// Too many files.
    #[error("the archive has more than {0} files")]
    Files(usize),
    /// Too large.
    #[error("the archive has more than {0} bytes unpacked")]
    Bytes(u64),
    /// There is nothing in it.
    #[error("the archive has no files in it")]
    Empty,
}

impl ArchiveError {
    /// The same in the reader's language.
    pub fn text(&self, tongue: Tongue) -> String {
        let chinese = match self {
            ArchiveError::Broken(why) => format!("压缩包无法读取：{why}"),
            ArchiveError::Name(name) => {
                format!("压缩包里的“{name}”不是包内的文件名；只接受不含“..”的相对路径")
            }
            ArchiveError::Encoding(name) => {
                format!("压缩包里有文件名不是 UTF-8（“{name}”）；请改用英文字母命名后重新打包")
            }
            ArchiveError::Kind(name) => format!("压缩包里的“{name}”是链接或设备；只接受普通文件和文件夹"),
            ArchiveError::Clash(name) => format!("压缩包里的“{name}”既是文件又是文件夹"),
            ArchiveError::Files(most) => format!("压缩包里的文件超过 {most} 个"),
            ArchiveError::Bytes(most) => format!("压缩包解压后超过 {most} 字节"),
            ArchiveError::Empty => "压缩包里没有文件".into(),
        };
        tongue.pick(self.to_string(), chinese)
    }
}

/// Files with their contents and whether they may be executed.
pub type Files = BTreeMap<PathBuf, (Vec<u8>, bool)>;

/// Unpacks `bytes` by what they are: zip, tar, tar.gz, or else a single file called `name`.
pub fn unpack(name: &str, bytes: &[u8], bounds: Bounds) -> Result<Files, ArchiveError> {
    let files = if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        unzip(bytes, bounds)?
    } else if bytes.starts_with(&[0x1f, 0x8b]) {
        untar(GzDecoder::new(bytes), bounds)?
    } else if bytes.get(257..262) == Some(b"ustar") {
        untar(bytes, bounds)?
    } else {
        if bytes.len() as u64 > bounds.bytes {
            return Err(ArchiveError::Bytes(bounds.bytes));
        }
        let base = Path::new(name).file_name().map(|base| base.to_string_lossy().into_owned());
        let base = base.ok_or_else(|| ArchiveError::Name(name.into()))?;
        Files::from([(safe_name(&base)?, (bytes.to_vec(), false))])
    };
    let folder_of_another = |path: &PathBuf| path.ancestors().skip(1).any(|up| files.contains_key(up));
    if let Some(clash) = files.keys().find(|path| folder_of_another(path)) {
        return Err(ArchiveError::Clash(clash.parent().unwrap_or(clash).display().to_string()));
    }
    let files = without_outer_folder(files);
    if files.is_empty() { Err(ArchiveError::Empty) } else { Ok(files) }
}

/// Writes files into a new folder, readable by everybody: the sandbox runs as another user.
pub fn write(files: &Files, folder: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    let mode = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
    };
    #[cfg(not(unix))]
    let mode = |_: &Path, _: u32| std::io::Result::Ok(());
    std::fs::create_dir_all(folder)?;
    mode(folder, 0o755)?;
    for (path, (bytes, executable)) in files {
        let mut parent = folder.to_path_buf();
        for part in path.parent().into_iter().flat_map(Path::components) {
            parent.push(part);
            std::fs::create_dir_all(&parent)?;
            mode(&parent, 0o755)?;
        }
        let target = folder.join(path);
        std::fs::write(&target, bytes)?;
        mode(&target, if *executable { 0o755 } else { 0o644 })?;
    }
    Ok(())
}

struct Collector {
    files: Files,
    bounds: Bounds,
    used: u64,
}

impl Collector {
    fn new(bounds: Bounds) -> Collector {
        Collector { files: Files::new(), bounds, used: 0 }
    }

    fn add(&mut self, path: PathBuf, executable: bool, from: &mut dyn Read) -> Result<(), ArchiveError> {
        if self.files.len() >= self.bounds.files {
            return Err(ArchiveError::Files(self.bounds.files));
        }
        // One byte more than is left: what an archive says about its sizes is not believed.
        let left = self.bounds.bytes - self.used;
        let mut bytes = Vec::new();
        from.take(left + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| ArchiveError::Broken(error.to_string()))?;
        if bytes.len() as u64 > left {
            return Err(ArchiveError::Bytes(self.bounds.bytes));
        }
        self.used += bytes.len() as u64;
        self.files.insert(path, (bytes, executable));
        Ok(())
    }
}

fn unzip(bytes: &[u8], bounds: Bounds) -> Result<Files, ArchiveError> {
    let broken = |error: zip::result::ZipError| ArchiveError::Broken(error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > bounds.files * 2 {
        return Err(ArchiveError::Files(bounds.files));
    }
    let mut found = Collector::new(bounds);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(broken)?;
        let raw = entry.name_raw().to_vec();
        let name = String::from_utf8(raw.clone()).map_err(|_| ArchiveError::Encoding(escaped(&raw)))?;
        if entry.is_dir() {
            safe_name(name.trim_end_matches(['/', '\\']))?;
            continue;
        }
        if !entry.is_file() {
            return Err(ArchiveError::Kind(name));
        }
        let executable = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
        found.add(safe_name(&name)?, executable, &mut entry)?;
    }
    Ok(found.files)
}

/// Unpacks a tar archive. What a sandbox hands out arrives as one too.
pub(crate) fn untar(from: impl Read, bounds: Bounds) -> Result<Files, ArchiveError> {
    let broken = |error: std::io::Error| ArchiveError::Broken(error.to_string());
    // Headers, padding and folders take room beside the files; beyond that it is a bomb.
    let mut archive = tar::Archive::new(from.take(2 * bounds.bytes + (bounds.files as u64 + 1) * 4096));
    let mut found = Collector::new(bounds);
    let mut seen = 0;
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        seen += 1;
        if seen > bounds.files * 2 {
            return Err(ArchiveError::Files(bounds.files));
        }
        let raw = entry.path_bytes().into_owned();
        let name = String::from_utf8(raw.clone()).map_err(|_| ArchiveError::Encoding(escaped(&raw)))?;
        let kind = entry.header().entry_type();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        if !kind.is_file() {
            return Err(ArchiveError::Kind(name));
        }
        let executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
        found.add(safe_name(&name)?, executable, &mut entry)?;
    }
    Ok(found.files)
}

/// A name as a relative path that stays inside.
fn safe_name(name: &str) -> Result<PathBuf, ArchiveError> {
    let bad = || ArchiveError::Name(name.chars().take(80).flat_map(char::escape_debug).collect());
    // Windows programs write backslashes, which are separators there.
    let plain = name.replace('\\', "/");
    let path = Path::new(plain.strip_prefix("./").unwrap_or(&plain));
    let parts: Vec<&str> = path
        .components()
        .map(|part| match part {
            Component::Normal(part) => part.to_str().ok_or_else(bad),
            _ => Err(bad()),
        })
        .collect::<Result<_, _>>()?;
    let drive = plain.get(1..2) == Some(":");
    if parts.is_empty()
        || parts.len() > MAX_DEPTH
        || drive
        || name.len() > MAX_NAME
        || name.chars().any(char::is_control)
    {
        return Err(bad());
    }
    Ok(parts.iter().collect())
}

fn escaped(raw: &[u8]) -> String {
    raw.escape_ascii().to_string().chars().take(80).collect()
}

/// Most archives hold one folder with everything in it; systems add files of their own.
fn without_outer_folder(mut files: Files) -> Files {
    files.retain(|path, _| {
        !path.starts_with("__MACOSX") && path.file_name().is_none_or(|name| name != ".DS_Store")
    });
    let outer = |path: &Path| path.components().next().map(|part| PathBuf::from(part.as_os_str()));
    let Some(first) = files.keys().next().and_then(|path| outer(path)) else { return files };
    let nested = |path: &PathBuf| path.components().count() > 1 && path.starts_with(&first);
    if !files.keys().all(nested) {
        return files;
    }
    files
        .into_iter()
        .filter_map(|(path, file)| Some((path.strip_prefix(&first).ok()?.to_path_buf(), file)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn tar_of(change: impl Fn(&mut tar::Header), name: &str) -> Vec<u8> {
        let mut header = tar::Header::new_ustar();
        header.set_size(1);
        header.set_mode(0o644);
        change(&mut header);
        let field = &mut header.as_old_mut().name;
        field[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        let mut bytes = header.as_bytes().to_vec();
        let mut block = vec![0; 512];
        block[0] = b'x';
        bytes.extend(block);
        bytes.extend(vec![0; 1024]);
        bytes
    }

    fn refusal(bytes: &[u8]) -> ArchiveError {
        unpack("handed-in", bytes, Bounds::default()).unwrap_err()
    }

    #[test]
    fn archives_and_single_files_are_unpacked() {
        let bytes = zip_of(&[("me/main.py", b"a"), ("me/lib/x.py", b"b"), ("__MACOSX/me/._main.py", b"z")]);
        let files = unpack("x.zip", &bytes, Bounds::default()).unwrap();
        let names: Vec<_> = files.keys().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(names, ["lib/x.py", "main.py"]);
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&tar_of(|_| {}, "main.c")).unwrap();
        let files = unpack("x.tar.gz", &packed.finish().unwrap(), Bounds::default()).unwrap();
        assert_eq!(files[Path::new("main.c")].0, b"x");
        let files = unpack("/home/me/bot.py", b"print()", Bounds::default()).unwrap();
        assert!(files.contains_key(Path::new("bot.py")));
    }

    #[test]
    fn names_that_lead_out_are_refused() {
        for name in ["../x", "a/../../x", "/etc/x", "..\\x", "C:\\x", "a/b/c/d/e/f/g/h/i", "a\nb", ".."] {
            assert!(matches!(refusal(&zip_of(&[(name, b"x")])), ArchiveError::Name(_)), "{name:?}");
        }
        for name in ["../x", "/etc/x", "a/../../x"] {
            assert!(matches!(refusal(&tar_of(|_| {}, name)), ArchiveError::Name(_)), "{name}");
        }
    }

    #[test]
    fn links_and_devices_are_refused() {
        for kind in
            [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Char, tar::EntryType::Fifo]
        {
            let link = |header: &mut tar::Header| {
                header.set_entry_type(kind);
                header.set_size(0);
                header.as_old_mut().linkname[..11].copy_from_slice(b"/etc/passwd");
            };
            assert!(matches!(refusal(&tar_of(link, "main.py")), ArchiveError::Kind(_)), "{kind:?}");
        }
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("main.py", "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        assert!(matches!(refusal(&bytes), ArchiveError::Kind(_)));
    }

    #[test]
    fn a_file_that_is_a_folder_too_is_refused() {
        let bytes = zip_of(&[("main.py", b"a"), ("main.py/x.py", b"b")]);
        assert_eq!(refusal(&bytes), ArchiveError::Clash("main.py".into()));
    }

    #[test]
    fn bombs_stop_at_the_limit() {
        let zeros = vec![0; 64 << 20];
        let bomb = zip_of(&[("main.py", &zeros)]);
        assert!(bomb.len() < 1 << 20);
        assert!(matches!(refusal(&bomb), ArchiveError::Bytes(_)));
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&tar_of(|header| header.set_size(1 << 30), "main.c")).unwrap();
        packed.write_all(&zeros).unwrap();
        let refused = refusal(&packed.finish().unwrap());
        assert!(matches!(refused, ArchiveError::Bytes(_) | ArchiveError::Broken(_)), "{refused:?}");
        let names: Vec<String> = (0..1200).map(|n| format!("f{n}")).collect();
        let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert!(matches!(refusal(&zip_of(&many)), ArchiveError::Files(_)));
    }

    #[test]
    fn broken_and_empty_archives_are_named() {
        let mut bytes = zip_of(&[("main.py", b"a")]);
        bytes.truncate(20);
        assert!(matches!(refusal(&bytes), ArchiveError::Broken(_)));
        assert_eq!(refusal(&zip_of(&[])), ArchiveError::Empty);
        assert!(matches!(refusal(&[0x1f, 0x8b, 1, 2, 3]), ArchiveError::Broken(_)));
    }
}
