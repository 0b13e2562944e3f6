//! The teacher's key to a class over the network. Whoever has the folder needs none.

use crate::secret::{hash, matches, secret};
use crate::{ClassError, read_json, write_json};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
struct Teacher {
    /// Hash of the key.
    key: String,
}

/// A new key for the teacher; the old one ends.
pub fn renew(folder: &Path) -> Result<String, ClassError> {
    let key = secret()?;
    write_json(&path(folder), &Teacher { key: hash(&key) })?;
    Ok(key)
}

/// Is this the teacher's key?
pub fn is_teacher(folder: &Path, key: &str) -> Result<bool, ClassError> {
    let path = path(folder);
    if !path.exists() {
        return Ok(false);
    }
    Ok(matches(key, &read_json::<Teacher>(&path)?.key))
}

fn path(folder: &Path) -> PathBuf {
    folder.join("teacher.json")
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
