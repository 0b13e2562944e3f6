//! The teacher's key to a class over the network. Whoever has the folder needs none.

use crate::ClassError;
use crate::secret::KeyFile;
use std::path::Path;

/// A new key for the teacher; the old one ends.
pub fn renew(folder: &Path) -> Result<String, ClassError> {
    key_file(folder).renew()
}

/// Is this the teacher's key?
pub fn is_teacher(folder: &Path, key: &str) -> Result<bool, ClassError> {
    key_file(folder).matches(key)
}

fn key_file(folder: &Path) -> KeyFile {
    KeyFile(folder.join("teacher.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_key_counts() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_teacher(folder.path(), "").unwrap());
        let old = renew(folder.path()).unwrap();
        assert!(is_teacher(folder.path(), &old).unwrap());
        let new = renew(folder.path()).unwrap();
        assert!(is_teacher(folder.path(), &new).unwrap());
        assert!(!is_teacher(folder.path(), &old).unwrap());
        assert!(!is_teacher(folder.path(), "").unwrap());
    }
}
