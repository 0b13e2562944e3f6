//! Folders for what a chore keeps only while it runs.

use std::path::{Path, PathBuf};

/// A folder among the temporary files, named after this process; dropping it removes it.
pub(crate) struct TempFolder(PathBuf);

impl TempFolder {
    /// Makes one, and removes those of the same name whose processes were killed before they could.
    pub(crate) fn make(name: &str) -> anyhow::Result<TempFolder> {
        TempFolder::make_in(&std::env::temp_dir(), name)
    }

    fn make_in(place: &Path, name: &str) -> anyhow::Result<TempFolder> {
        let stem = format!("tengen-{name}-");
        for entry in std::fs::read_dir(place)?.flatten() {
            let file = entry.file_name();
            let process = file.to_str().and_then(|file| file.strip_prefix(&stem)?.parse().ok());
            if process.is_some_and(is_gone) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let folder = place.join(format!("{stem}{}", std::process::id()));
        std::fs::create_dir(&folder)?;
        Ok(TempFolder(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

/// Is a process not there any more? Unknown where there is no `/proc`.
fn is_gone(process: u32) -> bool {
    // A number may have been given to us anew.
    let known = Path::new("/proc/self").exists();
    known && (process == std::process::id() || !Path::new(&format!("/proc/{process}")).exists())
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_processes_that_are_gone_are_removed() {
        let place = TempFolder::make("folder-test").unwrap();
        // The system numbers no process so high.
        let left = ["tengen-x-4194999", "tengen-x-1", "tengen-y-4194999", "tengen-x-notes"];
        for name in left {
            std::fs::create_dir(place.path().join(name)).unwrap();
        }
        let made = TempFolder::make_in(place.path(), "x").unwrap();
        let there: Vec<bool> = left.iter().map(|name| place.path().join(name).exists()).collect();
        assert_eq!(there, [!Path::new("/proc/self").exists(), true, true, true]);
        let folder = made.path().to_path_buf();
        assert!(folder.is_dir());
        drop(made);
        assert!(!folder.exists());
    }
}
