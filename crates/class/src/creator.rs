//! The key with which classes are made over the network. It belongs to a folder of classes; without one nobody can make
//! a class there but whoever has the folder.

use crate::ClassError;
use crate::foundation::is_class;
use crate::secret::KeyFile;
use std::path::Path;

/// A new key for making classes; the old one ends.
pub fn renew(classes: &Path) -> Result<String, ClassError> {
    if is_class(classes) {
        let text = format!("{} is a class; name the folder that classes are in", classes.display());
        return Err(ClassError::Refused(text));
    }
    if !classes.is_dir() {
        return Err(ClassError::Refused(format!("{} is not a folder", classes.display())));
    }
    key_file(classes).renew()
}

/// Can classes be made here with a key?
pub fn has_key(classes: &Path) -> bool {
    key_file(classes).exists()
}

/// Is this the key?
pub fn is_creator(classes: &Path, key: &str) -> Result<bool, ClassError> {
    key_file(classes).matches(key)
}

fn key_file(classes: &Path) -> KeyFile {
    KeyFile(classes.join("creator.json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ClassConfig;

    #[test]
    fn a_folder_of_classes_has_a_key_of_its_own() {
        let home = tempfile::tempdir().unwrap();
        assert!(!has_key(home.path()) && !is_creator(home.path(), "").unwrap());
        let old = renew(home.path()).unwrap();
        let new = renew(home.path()).unwrap();
        assert!(is_creator(home.path(), &new).unwrap() && !is_creator(home.path(), &old).unwrap());
        let class = home.path().join("ai");
        std::fs::create_dir(&class).unwrap();
        ClassConfig::new("x", &gomoku::GOMOKU).write(&class).unwrap();
        assert!(renew(&class).unwrap_err().to_string().contains("the folder that classes are in"));
        assert!(renew(&home.path().join("none")).is_err());
    }
}
